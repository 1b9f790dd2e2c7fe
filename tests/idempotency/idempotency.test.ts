// Idempotency-Key: what happens to a request that is sent again, in `execute` and at the REST channel.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Caller } from '../../src/caller.ts'
import { fromNow, now } from '../../src/clock.ts'
import { ServiceError } from '../../src/errors.ts'
import { execute } from '../../src/execute.ts'
import { defineOperation, type OperationContext } from '../../src/operation.ts'
import { databases } from '../support/databases.ts'
import { at, makePartner, unique, uniqueEmail } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { sweepAll } from '../support/sweep.ts'

type Counted = OperationContext<{ counter: string; count: number; hidden?: string }>

/** Counts its runs in the database, and refuses what it is told to refuse; `look` comes before its transaction. */
const counting = (look: (ctx: Counted, counter: string) => Promise<void> = async () => undefined) =>
  defineOperation({
    name: 'test_count_run',
    title: 'Count a run',
    summary: 'Counts.',
    scope: 'customers:write',
    channels: [],
    http: { method: 'post', path: '/test/runs', group: 'Customers' },
    input: z.strictObject({ counter: z.string(), refuse: z.boolean().optional(), step: z.int().default(1) }),
    output: z.object({ counter: z.string(), count: z.int() }),
    annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
    errors: [],
    async handle(ctx: Counted, _, input) {
      await look(ctx, input.counter)
      return ctx.transaction(async (tx) => {
        await tx
          .insertInto('setting')
          .values({ name: input.counter, value: '0' })
          .onConflict((conflict) => conflict.doNothing())
          .execute()
        const { value } = await tx
          .updateTable('setting')
          .set((eb) => ({ value: eb('value', '||', '1') }))
          .where('name', '=', input.counter)
          .returning('value')
          .executeTakeFirstOrThrow()
        if (input.refuse) throw new ServiceError('plan_not_found', 'Refused after the work.')
        return { counter: input.counter, count: (value.length - 1) * input.step, hidden: 'column' }
      })
    }
  })

const countRun = counting()

describe.each(databases)('an Idempotency-Key on %s', (kind) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer(kind)
  })
  afterAll(() => server.close())

  const callerOf = (partnerId = server.partner.partnerId): Caller => ({
    partnerId,
    actor: 'key_test',
    scopes: new Set(['customers:write'])
  })
  const run = (idempotencyKey: string | undefined, input: Record<string, unknown>, caller = callerOf()) =>
    execute(countRun, server.service, { caller, requestId: 'req_test', idempotencyKey }, input)

  /** How often the operation's work was committed. */
  const runsOf = async (counter: string): Promise<number> => {
    const row = await server.service.database.read
      .selectFrom('setting')
      .where('name', '=', counter)
      .select('value')
      .executeTakeFirst()
    return row ? row.value.length - 1 : 0
  }
  const expireAll = () =>
    server.service.database.transaction((tx) =>
      tx
        .updateTable('idempotency')
        .set({ expiresAt: fromNow(-1) })
        .execute()
    )

  it('gets the answer that another call gave meanwhile, where that is what would refuse it', async () => {
    const [key, counter] = [unique('key'), unique('counter')]
    const looking = counting(async ({ db }, name) => {
      await run(key, { counter })
      const isThere = await db
        .selectFrom('setting')
        .where('name', '=', name)
        .select('name')
        .executeTakeFirst()
      if (isThere) throw new ServiceError('email_exists', 'It is there already.')
    })
    const call = { caller: callerOf(), requestId: 'req_test', idempotencyKey: key }
    const answer = await execute(looking, server.service, call, { counter })
    expect(answer).toEqual({ output: { counter, count: 1 }, isReplay: true })
    const another = execute(looking, server.service, { ...call, idempotencyKey: unique('key') }, { counter })
    await expect(another).rejects.toMatchObject({ code: 'email_exists' })
  })

  it('gets the first answer again, and the work is done once', async () => {
    const [key, counter] = [unique('key'), unique('counter')]
    const first = await run(key, { counter })
    const second = await run(key, { counter })
    expect(first).toEqual({ output: { counter, count: 1 }, isReplay: false })
    expect(second).toEqual({ output: { counter, count: 1 }, isReplay: true })
    expect(await runsOf(counter)).toBe(1)
  })

  it('means nothing where it is absent', async () => {
    const counter = unique('counter')
    await run(undefined, { counter })
    expect(await run(undefined, { counter })).toEqual({ output: { counter, count: 2 }, isReplay: false })
  })

  it('counts equal inputs as equal, whatever was left to a default', async () => {
    const [key, counter] = [unique('key'), unique('counter')]
    await run(key, { counter })
    expect(await run(key, { step: 1, counter })).toMatchObject({ isReplay: true })
  })

  it('is refused with another input, and nothing happens', async () => {
    const [key, counter] = [unique('key'), unique('counter')]
    await run(key, { counter })
    await expect(run(key, { counter, step: 2 })).rejects.toMatchObject({
      code: 'idempotency_conflict',
      field: 'Idempotency-Key'
    })
    expect(await runsOf(counter)).toBe(1)
  })

  it('is free again after a refusal', async () => {
    const [key, counter] = [unique('key'), unique('counter')]
    await expect(run(key, { counter, refuse: true })).rejects.toMatchObject({ code: 'plan_not_found' })
    expect(await runsOf(counter)).toBe(0)
    expect(await run(key, { counter })).toEqual({ output: { counter, count: 1 }, isReplay: false })
  })

  it('lets one of twenty at once do the work and gives its answer to all', async () => {
    const [key, counter] = [unique('key'), unique('counter')]
    const answers = await Promise.all(Array.from({ length: 20 }, () => run(key, { counter })))
    expect(answers.map(({ output }) => output)).toEqual(Array(20).fill({ counter, count: 1 }))
    expect(answers.filter(({ isReplay }) => !isReplay)).toHaveLength(1)
    expect(await runsOf(counter)).toBe(1)
  })

  it('lets one of twenty different requests at once through and refuses the others', async () => {
    const [key, counter] = [unique('key'), unique('counter')]
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, step) => run(key, { counter, step }))
    )
    const refusals = results.flatMap((result) =>
      result.status === 'rejected' ? [at(result.reason, 'code')] : []
    )
    expect(refusals).toEqual(Array(19).fill('idempotency_conflict'))
    expect(await runsOf(counter)).toBe(1)
  })

  it('is free again after a day', async () => {
    const [key, counter] = [unique('key'), unique('counter')]
    await run(key, { counter })
    await expireAll()
    expect(await run(key, { counter })).toEqual({ output: { counter, count: 2 }, isReplay: false })
    expect(await run(key, { counter })).toMatchObject({ isReplay: true })
  })

  it('is kept for a day and then swept away', async () => {
    const { database } = server.service
    const key = unique('key')
    await run(key, { counter: unique('counter') })
    const { expiresAt } = await database.read
      .selectFrom('idempotency')
      .where('key', '=', key)
      .select('expiresAt')
      .executeTakeFirstOrThrow()
    expect(Date.parse(expiresAt) - Date.parse(now())).toBeGreaterThan(23.9 * 3_600_000)
    await expireAll()
    await run(unique('key'), { counter: unique('counter') })
    await sweepAll(server.service)
    const left = await database.read.selectFrom('idempotency').select('expiresAt').execute()
    expect(left).toHaveLength(1)
  })

  it('belongs to one partner', async () => {
    const [key, counter] = [unique('key'), unique('counter')]
    const other = await makePartner(server.service)
    await run(key, { counter })
    expect(await run(key, { counter }, callerOf(other.partnerId))).toEqual({
      output: { counter, count: 2 },
      isReplay: false
    })
  })

  it('keeps only what the output schema names', async () => {
    const key = unique('key')
    await run(key, { counter: unique('counter') })
    const { answer } = await server.service.database.read
      .selectFrom('idempotency')
      .where('key', '=', key)
      .select('answer')
      .executeTakeFirstOrThrow()
    expect(answer).not.toContain('hidden')
  })

  it('is refused when it is malformed', async () => {
    for (const key of ['', ' ', 'a b', 'ü', 'x'.repeat(256), 'a\n']) {
      await expect(run(key, { counter: unique('counter') })).rejects.toMatchObject({
        code: 'invalid_input',
        field: 'Idempotency-Key'
      })
    }
    await run('x'.repeat(255), { counter: unique('counter') })
  })

  describe('at the REST channel', () => {
    const post = (path: string, body: unknown, idempotencyKey: string) =>
      server.api('POST', path, {
        key: server.partner.key,
        body,
        headers: { 'Idempotency-Key': idempotencyKey }
      })

    it('answers a repetition with the same body, marked as replayed', async () => {
      const [key, email] = [unique('key'), uniqueEmail()]
      const first = await post('/customers', { email }, key)
      const second = await post('/customers', { email }, key)
      expect([first.status, second.status]).toEqual([200, 200])
      expect(second.body).toEqual(first.body)
      expect(first.headers.get('idempotent-replayed')).toBeNull()
      expect(second.headers.get('idempotent-replayed')).toBe('true')
    })

    it('is 409 for another body', async () => {
      const key = unique('key')
      await post('/customers', { email: uniqueEmail() }, key)
      const { status, body } = await post('/customers', { email: uniqueEmail() }, key)
      expect([status, body.code]).toEqual([409, 'idempotency_conflict'])
    })

    it('tells two paths apart', async () => {
      const key = unique('key')
      const [one, two] = await Promise.all([
        post('/customers', { email: uniqueEmail() }, unique('key')),
        post('/customers', { email: uniqueEmail() }, unique('key'))
      ])
      const path = (body: unknown) => `/customers/${at(body, 'data', 'id')}/portal-access`
      expect((await post(path(one.body), {}, key)).status).toBe(200)
      expect((await post(path(two.body), {}, key)).status).toBe(409)
      expect((await post('/customers', { email: uniqueEmail() }, key)).status).toBe(200)
    })

    it('mails once for a request that is sent twenty times at once', async () => {
      const [key, email] = [unique('key'), uniqueEmail()]
      const body = { basic: { email }, allowPortalAccess: true }
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => post('/customers/onboard', body, key))
      )
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
      expect(new Set(answers.map((answer) => at(answer.body, 'data', 'id'))).size).toBe(1)
      const mails = await server.service.database.read
        .selectFrom('mail')
        .where('recipient', '=', email)
        .select('id')
        .execute()
      expect(mails).toHaveLength(1)
    })

    it('is 400 when it is malformed', async () => {
      const { status, body } = await post('/customers', { email: uniqueEmail() }, 'a b')
      expect([status, body.field]).toEqual([400, 'Idempotency-Key'])
    })

    it('is ignored where nothing is posted', async () => {
      const { status } = await server.api('GET', '/customers', {
        key: server.partner.key,
        headers: { 'Idempotency-Key': 'a b' }
      })
      expect(status).toBe(200)
    })
  })
})
