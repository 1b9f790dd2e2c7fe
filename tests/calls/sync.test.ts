// Calls are read from both providers, whatever goes wrong on the way: each once, and where it stands survives everything.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { PROVIDERS, type Provider } from '../../schemas/voice-agent.ts'
import { readCallsNow } from '../../src/calls/sync.ts'
import { noteHint } from '../../src/calls/sync-store.ts'
import { loadConfig } from '../../src/config.ts'
import { startRightingTimes } from '../../src/jobs/clock.ts'
import { createLog } from '../../src/log.ts'
import { openService, type Service } from '../../src/service.ts'
import { setProviderKey } from '../../src/voice-agents/providers/keys.ts'
import { databases } from '../support/databases.ts'
import { makePartnerRow } from '../support/rows.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { PROVIDER_KEY } from '../voice-agents/stand-in.ts'
import { type CountedCall, countCalls } from './independent-count.ts'
import { startRetell } from './providers/retell.ts'
import type { CallsStandIn } from './providers/server.ts'
import { startVapi } from './providers/vapi.ts'
import { DAY, HOUR, MINUTE, makeWorld, versionNow, type World } from './providers/world.ts'

/** Not behind PostgreSQL's clock, by which a slow one is known. */
const NOW = Date.UTC(2036, 4, 20, 12)
const CALLS = 700

describe.each(databases)('calls of both providers on %s', (kind) => {
  let test: TestService
  let world: World
  const providers = {} as Record<Provider, CallsStandIn>
  let partnerId: string
  let second: Service | undefined
  /** How far our clock is ahead of the providers'. */
  let aheadMs = 0
  beforeAll(async () => {
    world = makeWorld({
      seed: 11,
      calls: CALLS,
      from: NOW - 12 * DAY,
      to: NOW + DAY,
      clock: () => Date.now() - aheadMs
    })
    providers.a = await startVapi(world)
    providers.b = await startRetell(world)
    const urls = { PROVIDER_A_URL: providers.a.url, PROVIDER_B_URL: providers.b.url }
    test = await openTestService(kind, urls)
  })
  afterAll(async () => {
    await test.close()
    await Promise.all(PROVIDERS.map((provider) => providers[provider].close()))
  })
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    vi.setSystemTime(NOW)
    partnerId = (await makePartnerRow(test.service)).id
  })
  afterEach(async () => {
    vi.useRealTimers()
    await second?.close()
    second = undefined
    for (const provider of PROVIDERS) {
      providers[provider].refuseKey(false)
      providers[provider].misbehave(0)
      providers[provider].onRequest(undefined)
    }
  })

  const setKey = (provider: Provider, key = PROVIDER_KEY) =>
    test.service.database.transaction((tx) =>
      setProviderKey(tx, test.service.secrets, { partnerId, provider }, key)
    )
  const readNow = (provider: Provider, signal = new AbortController().signal) =>
    readCallsNow(test.service, { partnerId, provider }, { signal, onProgress: () => undefined })
  const told = () => countCalls(world, { mappings: [] })
  const kept = async () => {
    const calls = test.service.database.read.selectFrom('call').where('partnerId', '=', partnerId)
    const rows = await calls.select(['provider', 'callId', 'costMicros', 'durationMs']).execute()
    return rows.map((row) => ({
      ...row,
      costMicros: row.costMicros === null ? null : BigInt(row.costMicros)
    }))
  }
  /** Of a cost that the provider told once and takes back again, nobody who comes later knows. */
  const isToldNow = (provider: Provider, callId: string) => {
    const call = world.calls[provider].find(({ id }) => id === callId)
    return call && versionNow(world, call)?.cost !== null
  }
  const shown = (
    provider: Provider,
    calls: readonly Pick<CountedCall, 'provider' | 'callId' | 'costMicros'>[]
  ) =>
    calls
      .filter((call) => call.provider === provider)
      .map(({ callId, costMicros, ...call }) => {
        const cost = isToldNow(provider, callId) ? costMicros : 'unknown'
        return `${callId} ${cost} ${Reflect.get(call, 'durationMs')}`
      })
      .toSorted()
  const wanted = (provider: Provider) => shown(provider, told())
  const found = async (provider: Provider) => shown(provider, await kept())
  const sync = (provider: Provider) =>
    test.service.database.read
      .selectFrom('usageSync')
      .where('partnerId', '=', partnerId)
      .where('provider', '=', provider)
      .selectAll()
      .executeTakeFirstOrThrow()

  /** In a process of its own, this partner's alone. */
  const syncInBackground = async () => {
    await test.service.database.transaction((tx) =>
      tx.deleteFrom('usageSync').where('partnerId', '<>', partnerId).execute()
    )
    second = await openService(loadConfig(test.env), createLog('silent'))
    second.usageSync.start()
    await second.usageSync.drain()
  }

  it.each(PROVIDERS)(
    'reads every call of provider %s once, and later what has changed since',
    async (provider) => {
      await setKey(provider)
      await readNow(provider)
      expect(await found(provider)).toEqual(wanted(provider))
      expect(await sync(provider)).toMatchObject({ failures: 0, lastError: null, leaseOwner: null })
      // What changes of provider B's calls is looked for once an hour.
      for (const laterMs of [61 * MINUTE, 3 * HOUR, DAY]) {
        vi.setSystemTime(NOW + laterMs)
        await readNow(provider)
        expect(await found(provider)).toEqual(wanted(provider))
      }
    }
  )

  it.each(PROVIDERS)(
    'reads at once what changed at provider %s after a clock that ran ahead had read, once it is right again',
    async (provider) => {
      const { database, config, log } = test.service
      await setKey(provider)
      await readNow(provider)
      const before = wanted(provider)
      aheadMs = 7 * HOUR
      vi.setSystemTime(NOW + aheadMs)
      await readNow(provider)
      aheadMs = 0
      vi.setSystemTime(NOW + 3 * HOUR)
      expect(wanted(provider)).not.toEqual(before)
      const righting = startRightingTimes(database, config, log)
      await righting.settled()
      await righting.stop()
      await syncInBackground()
      expect(await found(provider)).toEqual(wanted(provider))
      expect(Date.parse((await sync(provider)).syncedTo ?? '')).toBe(NOW + 3 * HOUR)
    }
  )

  it.each(PROVIDERS)('bears odd pages of provider %s', async (provider) => {
    await setKey(provider)
    providers[provider].misbehave(0.3, ['is-slow', 'doubles', 'repeats', 'is-empty'])
    await readNow(provider)
    expect(await found(provider)).toEqual(wanted(provider))
  })

  it.each(PROVIDERS)('goes on after each fault of provider %s where it stood', async (provider) => {
    await setKey(provider)
    for (const fault of ['fails', 'limits', 'resets', 'cuts', 'is-away'] as const) {
      let requests = 0
      // Provider B's pages are large, and so few.
      const wanted = provider === 'a' ? 2 : 1
      providers[provider].onRequest(() => {
        requests += 1
        if (requests === wanted) providers[provider].next(fault)
      })
      await expect(readNow(provider)).rejects.toMatchObject({ code: 'provider_unavailable' })
    }
    providers[provider].onRequest(undefined)
    await readNow(provider)
    expect(await found(provider)).toEqual(wanted(provider))
  })

  it('waits as long as it is told to, and says in words why', async () => {
    await setKey('a')
    providers.a.next('is-away-for-seconds')
    await expect(readNow('a')).rejects.toMatchObject({ code: 'provider_unavailable' })
    const { dueAt, failures, lastError } = await sync('a')
    expect(Date.parse(dueAt ?? '') - NOW).toBeGreaterThanOrEqual(2_000)
    expect(failures).toBe(1)
    expect(lastError).toMatch(/^Vapi /)
    expect(lastError).not.toContain('503')
  })

  it.each(PROVIDERS)(
    'reads what was there when the key of %s was set, however long it is away',
    async (provider) => {
      await setKey(provider)
      providers[provider].misbehave(1, ['fails'])
      await expect(readNow(provider)).rejects.toMatchObject({ code: 'provider_unavailable' })
      providers[provider].misbehave(0)
      vi.setSystemTime(NOW + 20 * DAY)
      // Up to when it was set, and then up to now.
      await readNow(provider)
      await readNow(provider)
      expect(await found(provider)).toEqual(wanted(provider))
    }
  )

  it('stops where the key is refused, until one is set', async () => {
    await setKey('b')
    providers.b.refuseKey(true)
    await expect(readNow('b')).rejects.toMatchObject({ code: 'provider_unavailable' })
    expect(await sync('b')).toMatchObject({
      dueAt: null,
      lastError: expect.stringContaining('refused your key')
    })
    providers.b.refuseKey(false)
    await setKey('b')
    expect(await sync('b')).toMatchObject({
      dueAt: new Date(NOW).toISOString(),
      lastError: null,
      failures: 0
    })
  })

  it('writes nothing once the lease is lost, as where another key is set meanwhile', async () => {
    await setKey('a')
    let requests = 0
    providers.a.onRequest(async () => {
      requests += 1
      if (requests === 3) await setKey('a')
    })
    await expect(readNow('a')).rejects.toMatchObject({ code: 'rate_limited' })
    expect((await kept()).length).toBeLessThanOrEqual(100)
    expect(await sync('a')).toMatchObject({ position: '{}', leaseOwner: null })
    await readNow('a')
    expect(await found('a')).toEqual(wanted('a'))
  })

  it('lets one process read at a time', async () => {
    await setKey('a')
    let other: Promise<unknown> | undefined
    providers.a.onRequest(async () => {
      other ??= readNow('a').catch((error: unknown) => error)
      await other
    })
    await readNow('a')
    expect(await other).toMatchObject({ code: 'rate_limited' })
    expect(await found('a')).toEqual(wanted('a'))
  })

  it('reads in the background when it is due, and next after the interval', async () => {
    await setKey('a')
    await setKey('b')
    await syncInBackground()
    expect([await found('a'), await found('b')]).toEqual([wanted('a'), wanted('b')])
    expect((await sync('a')).dueAt).toBe(new Date(NOW + 300_000).toISOString())
  })

  it('reads a call that the provider told of by itself, once, and forgets what it doesn’t know', async () => {
    await setKey('a')
    const [call] = told().filter(({ provider }) => provider === 'a')
    const callId = call?.callId ?? ''
    const hint = (id: string) =>
      test.service.database.transaction((tx) => noteHint(tx, { partnerId, provider: 'a' }, id))
    await readNow('a')
    await test.service.database.transaction((tx) =>
      tx.deleteFrom('call').where('partnerId', '=', partnerId).execute()
    )
    vi.setSystemTime(NOW + MINUTE)
    for (const id of [callId, callId, 'nobody', '00000000-0000-4000-8000-000000000000']) await hint(id)
    expect((await sync('a')).dueAt).toBe(new Date(NOW + MINUTE).toISOString())
    const requests = providers.a.requests.length
    await syncInBackground()
    expect(await found('a')).toEqual(wanted('a').filter((line) => line.includes(callId)))
    expect(providers.a.requests.slice(requests).filter((asked) => !asked.startsWith('GET /call/'))).toEqual(
      []
    )
    const hints = test.service.database.read.selectFrom('callHint').where('partnerId', '=', partnerId)
    expect(await hints.selectAll().execute()).toEqual([])
    expect((await sync('a')).dueAt).toBe(new Date(NOW + 300_000).toISOString())
  })

  it('keeps no more than a thousand hints, and warns of a sync that is behind', async () => {
    await setKey('a')
    await test.service.database.transaction(async (tx) => {
      for (let n = 0; n < 1_010; n += 1) await noteHint(tx, { partnerId, provider: 'a' }, `c${n}`)
    })
    const hints = test.service.database.read.selectFrom('callHint').where('partnerId', '=', partnerId)
    expect((await hints.select('callId').execute()).length).toBe(1_000)
    await readNow('a')
    vi.setSystemTime(NOW + 20 * DAY)
    await readNow('a')
    expect(
      test.logs.filter((line) => line.includes('may have been deleted') && line.includes(partnerId)).length
    ).toBe(1)
  })
})
