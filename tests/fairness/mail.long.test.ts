// One owner in a portal invites and removes outsiders without a pause.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { uniqueEmail } from '../support/fixture.ts'
import { expectUnnoticed, type Fixture, openFixture } from './fixture.ts'
import { makePortalOwner, type PortalOwner, postTo } from './portal-owner.ts'

const OTHERS = 3

describe('mail bombing from a portal', () => {
  let fixture: Fixture<PortalOwner | undefined>
  beforeAll(async () => {
    fixture = await openFixture({
      make: (service, { attacker }) => makePortalOwner(service, attacker.partner)
    })
  })
  afterAll(() => fixture.close())

  /** Invites and removes until the signal fires; how often each status came. */
  async function bomb(
    owner: PortalOwner,
    victims: () => string,
    signal: AbortSignal
  ): Promise<Map<number, number>> {
    const portal = fixture.url + owner.base
    const statuses = new Map<number, number>()
    while (!signal.aborted) {
      const email = victims()
      const invited = await postTo(`${portal}/team/invite`, owner, { name: 'You', email })
      await invited.text()
      statuses.set(invited.status, (statuses.get(invited.status) ?? 0) + 1)
      const team = await (await fetch(`${portal}/team`, { headers: { cookie: owner.cookie } })).text()
      for (const [path] of team.matchAll(/\/team\/members\/tm_\w+\/remove/g)) {
        await (await postTo(portal + path, owner, {})).text()
      }
    }
    return statuses
  }

  it('sends one outsider few mails, and all of them no more than the customer may', async () => {
    const owner = fixture.made
    if (!owner) throw new Error('There is no owner')
    const victim = uniqueEmail()
    const figures = await fixture.measure(async (signal) => {
      const statuses = await Promise.all([
        bomb(owner, () => victim, signal),
        ...Array.from({ length: OTHERS }, () => bomb(owner, uniqueEmail, signal))
      ])
      process.stdout.write(`${JSON.stringify(statuses.map((counts) => Object.fromEntries(counts)))}\n`)
    })
    const file = new Sqlite(join(fixture.place.dataDir, 'mindgate.db'), { readonly: true })
    const { mails, toVictim } = file
      .prepare<[string, string], { mails: number; toVictim: number }>(
        `select count(*) as "mails", coalesce(sum("recipient" = ?), 0) as "toVictim" from "mail"
          where "template" = 'team_invite' and "customerId" = ?`
      )
      .get(victim, owner.customerId) ?? { mails: 0, toVictim: 0 }
    file.close()
    const outbox = join(fixture.place.dataDir, 'outbox')
    const sent = existsSync(outbox) ? readdirSync(outbox).length : 0
    process.stdout.write(`${JSON.stringify({ mails, toVictim, sent })}\n`)
    expect(toVictim).toBeLessThanOrEqual(10)
    expect(mails).toBeLessThanOrEqual(50)
    // Beside the invite of the owner itself.
    expect(sent).toBeLessThanOrEqual(51)
    expectUnnoticed(figures)
  })
})
