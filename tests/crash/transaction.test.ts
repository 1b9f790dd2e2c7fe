// A process that dies at the worst moments of one request, and the request that is sent again afterwards.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type RunningServer, startServer } from '../../servers/main.ts'
import { loadConfig } from '../../src/config.ts'
import { createLog } from '../../src/log.ts'
import { openService, type Service } from '../../src/service.ts'
import { type KeyedRequest, openChannels, postRest } from '../idempotency/channels.ts'
import { countsOf, OUTSIDE_PATH, outsideWork } from '../idempotency/outside-work.ts'
import { databases, makeTestPlace, type TestPlace } from '../support/databases.ts'
import { at, makePartner, unique, uniqueEmail } from '../support/fixture.ts'
import { type Bundle, bundle } from './bundle.ts'
import { type Point, startDying } from './dying.ts'

const silent = createLog('silent')

const NOTHING_WRITTEN = [
  ['before its transaction', 'before', false],
  ['when its transaction has begun', 'begun', false]
] as const

let program: Bundle
beforeAll(async () => {
  program = await bundle(new URL('./dying-service.ts', import.meta.url).pathname)
})
afterAll(() => program.remove())

describe.each(databases)('a process that dies on %s', (kind) => {
  let place: TestPlace
  let env: Record<string, string>
  let apiKey: string
  const opened: { close(): Promise<void> }[] = []

  beforeEach(async () => {
    place = await makeTestPlace(kind)
    env = {
      DATA_DIR: place.dataDir,
      PORT: '0',
      ...(place.databaseUrl ? { DATABASE_URL: place.databaseUrl } : {})
    }
    const service = await openService(loadConfig(env), silent)
    apiKey = (await makePartner(service)).key
    await service.close()
  })
  afterEach(async () => {
    vi.useRealTimers()
    for (const one of opened.splice(0).reverse()) await one.close()
    await place.remove()
  })

  /** Sends the request to a process that dies of it. */
  const dieOf = async (point: Point, path: string, request: Omit<KeyedRequest, 'url'>) => {
    const dying = await startDying(program.file, env, point)
    opened.push(dying)
    await expect(postRest(path, { ...request, url: dying.url })).rejects.toThrow()
    expect(await dying.ended).toBe('SIGKILL')
  }

  describe('of an onboarding', () => {
    const restart = async (): Promise<RunningServer> => {
      const server = await startServer(loadConfig(env), silent)
      opened.push({ close: server.stop })
      return server
    }
    const mailsTo = (service: Service, email: string) =>
      service.database.read.selectFrom('mail').where('recipient', '=', email).selectAll().execute()

    it.each([
      // Where nothing is written yet, the databases can't differ.
      ...(kind === 'sqlite' ? NOTHING_WRITTEN : []),
      ['when everything is written but not committed', 'written', false] as const,
      ['between the commit and the answer', 'committed', true] as const
    ])('%s leaves one customer with one mail to a repeated request', async (_, point, isReplay) => {
      const email = uniqueEmail()
      const request = {
        apiKey,
        idempotencyKey: unique('key'),
        body: { basic: { email }, allowPortalAccess: true }
      }
      await dieOf(point, '/customers/onboard', request)
      const { url, service } = await restart()
      const before = await mailsTo(service, email)
      expect(before).toHaveLength(isReplay ? 1 : 0)

      const again = await postRest('/customers/onboard', { ...request, url })
      expect(again).toMatchObject({ status: 200, isReplay })
      const third = await postRest('/customers/onboard', { ...request, url })
      expect(third).toMatchObject({ status: 200, isReplay: true, output: again.output })

      const customers = await service.database.read.selectFrom('customer').select(['id', 'email']).execute()
      expect(customers).toEqual([{ id: at(again.output, 'data', 'id'), email }])
      await vi.waitFor(
        async () => expect(await mailsTo(service, email)).toMatchObject([{ status: 'sent' }]),
        { timeout: 10_000, interval: 20 }
      )
      const [mail] = await mailsTo(service, email)
      expect(readdirSync(join(place.dataDir, 'outbox'))).toEqual([`${mail?.id}.eml`])
    })
  })

  describe('of external work', () => {
    /** A service that survives; it does the same work. */
    const survive = async () => {
      const service = await openService(loadConfig(env), silent)
      opened.push(service)
      const channels = await openChannels(service, [outsideWork()])
      opened.push(channels)
      return { url: channels.url, service }
    }
    const newRequest = () => ({
      apiKey,
      idempotencyKey: unique('key'),
      body: { counter: unique('counter') }
    })

    it('outside holds its key until the lease ends; then the work is done once more', async () => {
      const request = newRequest()
      await dieOf('outside', OUTSIDE_PATH, request)
      const { url, service } = await survive()
      const repeat = () => postRest(OUTSIDE_PATH, { ...request, url })
      expect(await repeat()).toMatchObject({ status: 409, code: 'idempotency_in_progress', retryAfter: '5' })
      expect(await countsOf(service.database.read, request.body.counter)).toEqual({ begun: 1, settled: 0 })

      const { leaseExpiresAt } = await service.database.read
        .selectFrom('idempotency')
        .select('leaseExpiresAt')
        .executeTakeFirstOrThrow()
      vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(leaseExpiresAt ?? '') + 1 })
      const again = await repeat()
      expect(again).toMatchObject({ status: 200, isReplay: false, output: { run: 2 } })
      expect(await repeat()).toMatchObject({ status: 200, isReplay: true, output: again.output })
      expect(await countsOf(service.database.read, request.body.counter)).toEqual({ begun: 2, settled: 1 })
    })

    it('between the settling and the answer has kept the answer', async () => {
      const request = newRequest()
      await dieOf('settled', OUTSIDE_PATH, request)
      const { url, service } = await survive()
      expect(await postRest(OUTSIDE_PATH, { ...request, url })).toMatchObject({
        status: 200,
        isReplay: true,
        output: { run: 1 }
      })
      expect(await countsOf(service.database.read, request.body.counter)).toEqual({ begun: 1, settled: 1 })
    })
  })
})
