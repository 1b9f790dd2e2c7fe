// What the service calls by itself, each behind a way that can be stalled: two voice providers, and servers over SSH.
import { expect, vi } from 'vitest'
import { PROVIDERS, type Provider } from '../../schemas/voice-agent.ts'
import { differences } from '../calls/books.ts'
import { countCalls } from '../calls/independent-count.ts'
import { makeMapper } from '../calls/mapper.ts'
import { makeDice } from '../calls/providers/dice.ts'
import { startRetell } from '../calls/providers/retell.ts'
import { startVapi } from '../calls/providers/vapi.ts'
import { DAY, makeWorld } from '../calls/providers/world.ts'
import { makeServer } from '../instances/deploy-fixture.ts'
import { standInInstall } from '../support/agent/stand-in.ts'
import { startUpstream, UPSTREAM_KEY } from '../support/ai/upstream.ts'
import { entitle, noDeployUnderWay } from '../support/deploys.ts'
import { at, makePartner, run, unique } from '../support/fixture.ts'
import { relayTo } from '../support/listen.ts'
import { startSshd } from '../support/openssh.ts'
import { makeCustomerRow } from '../support/rows.ts'
import { PROVIDER_KEY } from '../voice-agents/stand-in.ts'
import type { Kit } from './kit.ts'

const CALLS = 1_200
const SEED = 7
/** After so many pages of both they are held, so that a stall comes amid the reading. */
const PAGES_BEFORE = 6

/** Calls of the last weeks, whose costs are all told; `env` is for the processes. */
export async function openProviders() {
  const world = makeWorld({
    ...{ seed: SEED, calls: CALLS, clock: Date.now },
    ...{ from: Date.now() - 25 * DAY, to: Date.now() - 6 * DAY }
  })
  const providers = { a: await startVapi(world), b: await startRetell(world) }
  const relays = {
    a: await relayTo(Number(new URL(providers.a.url).port)),
    b: await relayTo(Number(new URL(providers.b.url).port))
  }
  const each = <T>(work: (provider: Provider) => T) => PROVIDERS.map(work)
  return {
    env: {
      PROVIDER_A_URL: `http://127.0.0.1:${relays.a.port}`,
      PROVIDER_B_URL: `http://127.0.0.1:${relays.b.port}`,
      PROVIDER_TIMEOUT_MS: '3000'
    },
    /** A partner whose calls begin to be read; resolves when that has come to some pages. What ends it all, and checks. */
    async beginReading({ service }: Kit) {
      const { partnerId } = await makePartner(service)
      const rows = await Promise.all([1, 2, 3].map(() => makeCustomerRow(service, partnerId)))
      const dice = makeDice(`faults ${SEED}`)
      const mapper = makeMapper(service, partnerId, {
        ...{ customers: rows.map(({ id }) => id), dice, clock: Date.now }
      })
      let release = () => {}
      const held = new Promise<void>((resolve) => {
        release = resolve
      })
      let pages = 0
      each((provider) =>
        providers[provider].onRequest(async ({ path }) => {
          if (!path.includes('call')) return
          pages += 1
          if (pages > PAGES_BEFORE) await held
        })
      )
      for (const provider of PROVIDERS) {
        await run(service, partnerId, 'provider_key_set', { provider, key: PROVIDER_KEY })
        for (const { id } of dice.some(world.agents[provider], 8)) await mapper.act(provider, id)
      }
      await vi.waitUntil(() => pages > PAGES_BEFORE, { timeout: 60_000 })
      each((provider) => relays[provider].stall())
      return {
        resume() {
          release()
          each((provider) => relays[provider].resume())
        },
        /** Every call, charged as an independent count says. */
        async expectRead() {
          const counted = countCalls(world, { mappings: mapper.said })
          expect(counted.filter(({ chargeMicros }) => chargeMicros).length).toBeGreaterThan(20)
          await vi.waitFor(
            async () => expect(await differences(service, partnerId, counted, 'UTC')).toEqual([]),
            { timeout: 120_000, interval: 500 }
          )
        }
      }
    },
    async close() {
      each((provider) => relays[provider].resume())
      await Promise.all([
        ...each((provider) => providers[provider].close()),
        ...each((provider) => relays[provider].close())
      ])
    }
  }
}

/** Servers of one customer each, for agents. */
export async function openServers() {
  const [sshd, upstream] = await Promise.all([startSshd(), startUpstream()])
  const relay = await relayTo(sshd.port)
  return {
    relay,
    env: {
      AI_UPSTREAM_URL: upstream.url,
      AI_UPSTREAM_KEY: UPSTREAM_KEY,
      CLI_AGENT_INSTALL: standInInstall,
      SSH_CONNECT_TIMEOUT_MS: '5000'
    },
    /** Asks for deploys on so many new servers, at once; resolves when one of their scripts has begun. */
    async beginDeploys({ service, fleet }: Kit, count: number) {
      const { partnerId, key } = await makePartner(service)
      await entitle(service, partnerId)
      const ids: string[] = []
      for (let nth = 0; nth < count; nth += 1)
        ids.push((await makeServer(service, partnerId, sshd, { port: relay.port })).id)
      const pathOf = (id: string) => `${fleet.url}/api/v1/mcp/instances/${id}/cli-agent/deploy`
      const authorization = `Bearer ${key}`
      const headers = { authorization, 'content-type': 'application/json' }
      const body = JSON.stringify({ businessName: 'Sol' })
      for (const id of ids) {
        const asked = { ...headers, 'idempotency-key': unique('key') }
        const answer = await fetch(pathOf(id), { method: 'POST', headers: asked, body })
        expect([answer.status, await answer.text()]).toEqual([202, expect.anything()])
      }
      await vi.waitUntil(
        async () => {
          const begun = service.database.read.selectFrom('deploy').where('steps', 'like', '%running%')
          return (await begun.select('id').execute()).length > 0
        },
        { timeout: 60_000 }
      )
      return {
        /** Each got through once, without anybody's doing. */
        async expectDeployed() {
          await noDeployUnderWay(service)
          for (const id of ids) {
            const state = await (await fetch(pathOf(id), { headers })).json()
            expect([at(state, 'data', 'state'), state]).toEqual(['succeeded', expect.anything()])
          }
          const alive = service.database.read.selectFrom('aiKey').where('instanceId', 'in', ids)
          expect(await alive.where('revokedAt', 'is', null).select('id').execute()).toHaveLength(count)
        }
      }
    },
    async close() {
      relay.resume()
      await Promise.all([sshd.remove(), upstream.close(), relay.close()])
    }
  }
}

export type Servers = Awaited<ReturnType<typeof openServers>>
export type Deploys = Awaited<ReturnType<Servers['beginDeploys']>>
