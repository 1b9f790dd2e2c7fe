// Customers' servers that mean harm: without an end in what they send, or without a beginning.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { InstanceRow } from '../../src/instances/store.ts'
import type { Service } from '../../src/service.ts'
import { type Rudeness, type RudeServer, startRudeServer } from '../instances/rude-server.ts'
import type { MemoryFixture } from '../mcp/memory-fixture.ts'
import { openSession } from '../portal/customer-visitors.ts'
import { run, stringAt, uniqueEmail } from '../support/fixture.ts'
import { makeInstance } from '../support/instances.ts'
import { type Listener, listen } from '../support/listen.ts'
import { type Sshd, startSshd } from '../support/openssh.ts'
import { expectUnnoticed, type Fixture, openFixture } from './fixture.ts'

const CHATS = 3

/** A customer with so many servers at that place whose agents are ready, and the cookie of its owner's session. */
async function makeChats(service: Service, { partner }: MemoryFixture, rude: RudeServer) {
  const { partnerId } = partner
  const basic = { email: uniqueEmail(), firstName: 'Ada', lastName: 'Byron' }
  const onboarded = await run(service, partnerId, 'customer_onboard', { basic, allowPortalAccess: true })
  const customerId = stringAt(onboarded, 'data', 'id')
  const { host, port, hostKey } = rude
  const instances: InstanceRow[] = []
  for (let i = 0; i < CHATS; i += 1) {
    const columns = { host, port, hostKey, status: 'cli-agent' } as const
    instances.push(await makeInstance(service, partnerId, customerId, columns))
  }
  const token = await openSession(service, partnerId, basic.email)
  return { instances, cookie: `mindgate_portal=${token}` }
}

describe.each<[Rudeness]>([
  ['ending'],
  ['noise'],
  ['output'],
  ['beside'],
  ['crumbs'],
  ['pings'],
  ['greeting']
])('chat messages to servers that send without an end (%s)', (rudeness) => {
  let rude: RudeServer
  let fixture: Fixture<Awaited<ReturnType<typeof makeChats>> | undefined>

  beforeAll(async () => {
    rude = await startRudeServer(rudeness)
    fixture = await openFixture({ make: (service, { attacker }) => makeChats(service, attacker, rude) })
  })
  afterAll(async () => {
    await fixture.close()
    rude.close()
  })

  it('are noticed by nobody else', async () => {
    const { instances = [], cookie = '' } = fixture.made ?? {}
    const failures = new Map<string, number>()
    const chat = async ({ id }: InstanceRow, signal: AbortSignal) => {
      while (!signal.aborted) {
        const answer = await fetch(`${fixture.url}/api/whitelabel/vps/instances/${id}/cli-agent/chat`, {
          method: 'POST',
          headers: { cookie, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
          body: JSON.stringify({ message: 'Hello' })
        })
        const what = `${answer.status} ${(await answer.text()).slice(0, 60)}`
        failures.set(what, (failures.get(what) ?? 0) + 1)
      }
    }
    const attack = (signal: AbortSignal) => Promise.all(instances.map((one) => chat(one, signal)))
    const figures = await fixture.measure(async (signal) => void (await attack(signal)), {
      name: `ssh: ${rudeness}`
    })
    process.stdout.write(`${JSON.stringify([...failures])}\n`)
    expect(failures.size).toBeGreaterThan(0)
    expectUnnoticed(figures)
  })
})

describe('forty servers at a port that takes connections and stays silent', () => {
  let silent: Listener
  let sshd: Sshd
  let fixture: Fixture<{ dead: InstanceRow[]; healthy: InstanceRow } | undefined>

  beforeAll(async () => {
    ;[silent, sshd] = await Promise.all([listen(), startSshd()])
    fixture = await openFixture({
      // A handshake for each call.
      env: { SSH_KEEP_MS: '0' },
      async make(service, { attacker, bystander }) {
        const dead: InstanceRow[] = []
        for (let i = 0; i < 40; i += 1) {
          const at = { port: silent.port }
          dead.push(await makeInstance(service, attacker.partner.partnerId, attacker.customerId, at))
        }
        const { host, port, username, hostKey } = sshd
        const { partner, customerId } = bystander
        const place = { host, port, username, hostKey }
        const healthy = await makeInstance(service, partner.partnerId, customerId, place)
        sshd.authorize(healthy.publicKey)
        return { dead, healthy }
      }
    })
  })
  afterAll(async () => {
    await fixture.close()
    await silent.close()
    await sshd.remove()
  })

  const Tested = z.object({ reachable: z.boolean() })
  const test = async ({ partner }: MemoryFixture, { id }: InstanceRow): Promise<boolean> => {
    const answer = await fetch(`${fixture.url}/api/v1/mcp/instances/${id}/test`, {
      method: 'POST',
      headers: { authorization: `Bearer ${partner.key}`, 'content-type': 'application/json' },
      body: '{}'
    })
    return Tested.parse(await answer.json()).reachable
  }

  it('are noticed by nobody else, whose own server answers as ever', async () => {
    const { dead = [], healthy } = fixture.made ?? {}
    if (!healthy) throw new Error('There is no server')
    const took: number[] = []
    const figures = await fixture.measure(
      async (signal) => {
        const attacks = dead.map(async (one) => {
          while (!signal.aborted) await test(fixture.attacker, one)
        })
        while (!signal.aborted) {
          const startedAt = performance.now()
          expect(await test(fixture.bystander, healthy)).toBe(true)
          took.push(performance.now() - startedAt)
        }
        await Promise.all(attacks)
      },
      { name: 'ssh: silent' }
    )
    process.stdout.write(`${took.length} tests of the other's server, the slowest ${Math.max(...took)} ms\n`)
    expectUnnoticed(figures)
    expect(Math.max(...took)).toBeLessThan(1_000)
  })
})
