// Whoever the service calls takes connections and stays silent for a while: what waits for it is done in the end, once, and
// nobody else notices.
import { afterAll, beforeAll, describe, it } from 'vitest'
import { makeTestPlace, type TestPlace } from '../support/databases.ts'
import type { Kind } from './calls.ts'
import { comeThrough } from './fault.ts'
import { type Kit, openKit } from './kit.ts'
import { type Deploys, openProviders, openServers, type Servers } from './outside.ts'

const STALLED_MS = 10_000
const ALL: readonly Kind[] = ['onboard', 'remember', 'recall', 'ask']

describe('four processes on PostgreSQL', () => {
  let place: TestPlace
  let providers: Awaited<ReturnType<typeof openProviders>>
  let servers: Servers
  let kit: Kit

  beforeAll(async () => {
    place = await makeTestPlace('postgres')
    providers = await openProviders()
    servers = await openServers()
    const env = { ...providers.env, ...servers.env }
    kit = await openKit({ place, environments: [{}, {}, {}, {}], env })
  })
  afterAll(async () => {
    await kit?.close()
    await Promise.all([providers?.close(), servers?.close()])
    await place?.remove()
  })

  it('send their mails once an SMTP server that stalled speaks again', () =>
    comeThrough(kit, {
      name: 'SMTP silent for 10 s',
      lastsMs: STALLED_MS,
      begin: () => kit.mail.stall(),
      end: () => kit.mail.resume(),
      untouched: ALL
    }))

  it('answer by passages, without charge, while the language model stalls', () =>
    comeThrough(kit, {
      name: 'the language model silent for 10 s',
      lastsMs: STALLED_MS,
      begin: () => kit.model.stall(),
      end: () => kit.model.resume(),
      untouched: ALL.filter((kind) => kind !== 'ask')
    }))

  it('read every call of providers that stalled amid the reading', async () => {
    let reading: Awaited<ReturnType<typeof providers.beginReading>> | undefined
    await comeThrough(kit, {
      name: 'both voice providers silent for 10 s',
      lastsMs: STALLED_MS,
      begin: async () => {
        reading = await providers.beginReading(kit)
      },
      end: () => reading?.resume(),
      untouched: ALL
    })
    await reading?.expectRead()
  })

  it('get their deploys through on servers that stalled meanwhile', async () => {
    let deploys: Deploys | undefined
    await comeThrough(kit, {
      name: 'customers’ servers silent for 10 s',
      lastsMs: STALLED_MS,
      begin: async () => {
        deploys = await servers.beginDeploys(kit, 3)
        servers.relay.stall()
      },
      end: () => servers.relay.resume(),
      untouched: ALL
    })
    await deploys?.expectDeployed()
  })

  it('take up the deploys of one of them that is killed', async () => {
    let deploys: Deploys | undefined
    await comeThrough(kit, {
      name: 'one of four processes killed amid deploys',
      lastsMs: STALLED_MS,
      begin: async () => {
        deploys = await servers.beginDeploys(kit, 4)
        await kit.fleet.kill(1)
      },
      end: () => kit.fleet.start(1)
    })
    await deploys?.expectDeployed()
  })
})
