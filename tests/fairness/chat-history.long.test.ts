// One session in a portal writes the longest messages as fast as it can; its server can't be reached.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, describe, expect, it } from 'vitest'
import { makeInstance } from '../support/instances.ts'
import { expectUnnoticed, type Fixture, openFixture } from './fixture.ts'
import { makePortalOwner, postTo } from './portal-owner.ts'

const AT_ONCE = 16
const MESSAGE = 'm'.repeat(32_768)

interface Made {
  owner: Awaited<ReturnType<typeof makePortalOwner>>
  instanceId: string
}

describe('a chat that is written to without a pause', () => {
  let fixture: Fixture<Made | undefined>
  afterEach(() => fixture.close())

  const open = async () => {
    fixture = await openFixture({
      async make(service, { attacker: { partner } }) {
        const owner = await makePortalOwner(service, partner)
        const { id } = await makeInstance(service, partner.partnerId, owner.customerId)
        return { owner, instanceId: id }
      }
    })
    if (!fixture.made) throw new Error('There is no owner')
    return fixture.made
  }
  const flood = async ({ owner, instanceId }: Made, signal: AbortSignal) => {
    const chat = `${fixture.url}/api/whitelabel/vps/instances/${instanceId}/cli-agent/chat`
    const statuses = new Map<number, number>()
    const write = async () => {
      while (!signal.aborted) {
        const answer = await postTo(chat, owner, { message: MESSAGE })
        await answer.text()
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, write))
    process.stdout.write(`${JSON.stringify(Object.fromEntries(statuses))}\n`)
  }
  /** What the database holds of it, and what it takes on the disk, in MB. */
  const taken = ({ instanceId }: Made) => {
    const path = join(fixture.place.dataDir, 'mindgate.db')
    const file = new Sqlite(path, { readonly: true })
    const { bytes } = file
      .prepare<[string], { bytes: number }>(
        `select sum(octet_length("message") + coalesce(octet_length("reply"), 0)) as "bytes" from "chatExchange" where "instanceId" = ?`
      )
      .get(instanceId) ?? { bytes: 0 }
    file.close()
    const onDisk = statSync(path).size + statSync(`${path}-wal`).size
    const figures = { chatMb: bytes / 1e6, onDiskMb: onDisk / 1e6 }
    process.stdout.write(`${JSON.stringify(figures)}\n`)
    return figures
  }

  it('holds no more than it may, however fast', async () => {
    const made = await open()
    const figures = await fixture.measure((signal) => flood(made, signal))
    const { chatMb, onDiskMb } = taken(made)
    expect(chatMb).toBeLessThan(21)
    expect(onDiskMb).toBeLessThan(60)
    expectUnnoticed(figures)
  })
})
