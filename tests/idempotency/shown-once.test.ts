// A secret is in the first answer alone: what is kept for repetitions, and what they get, has none.
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { newId } from '../../src/ids.ts'
import { defineOperation, type Operation } from '../../src/operation.ts'
import { databases } from '../support/databases.ts'
import { makePartner, type TestPartner, unique } from '../support/fixture.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { type ChannelAnswer, callTool, type KeyedRequest, openChannels, postRest } from './channels.ts'

const PATH = '/test/secrets'
const SECRET = /pkt_very_[0-9a-z_]+/

const makeSecret = defineOperation({
  name: 'test_make_secret',
  title: 'Make a secret',
  summary: 'Makes a secret.',
  scope: 'customers:write',
  channels: ['rest', 'mcp'],
  http: { method: 'post', path: PATH, group: 'Customers' },
  input: z.strictObject({ name: z.string() }),
  output: z.object({ message: z.string(), name: z.string(), key: z.string().nullable() }),
  annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  shownOnce: ['key'],
  handle: (ctx, _, { name }) =>
    ctx.transaction(async (tx) => {
      const key = newId('pkt_very')
      await tx.insertInto('setting').values({ name, value: 'made' }).execute()
      return { message: 'Made.', name, key }
    })
})

/** The same beyond the database. */
const fetchSecret = defineOperation({
  name: 'test_fetch_secret',
  title: 'Fetch a secret',
  summary: 'Fetches a secret.',
  scope: 'customers:write',
  channels: ['rest', 'mcp'],
  http: { method: 'post', path: `${PATH}/fetched`, group: 'Customers' },
  input: z.strictObject({ name: z.string() }),
  output: z.object({ message: z.string(), name: z.string(), key: z.string().nullable() }),
  annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
  shownOnce: ['key'],
  deadlineMs: 60_000,
  handle: async (_ctx, _caller, { name }) => ({ message: 'Fetched.', name, key: newId('pkt_very') })
})

// Checked by the compiler: a field that can't be null can't be left out of a replay, and without a message the replay
// couldn't say why it was.
type ShownOnce<Output extends z.ZodObject> = NonNullable<Operation<z.ZodObject, Output>['shownOnce']>
const silent = z.object({ key: z.string().nullable() })
const fixed = z.object({ message: z.string(), key: z.string() })
expectTypeOf<['key']>().not.toExtend<ShownOnce<typeof silent>>()
expectTypeOf<['key']>().not.toExtend<ShownOnce<typeof fixed>>()

describe.each(databases)('a secret in an answer on %s', (kind) => {
  let opened: TestService
  let partner: TestPartner
  let channels: Awaited<ReturnType<typeof openChannels>>
  beforeAll(async () => {
    opened = await openTestService(kind)
    partner = await makePartner(opened.service)
    channels = await openChannels(opened.service, [makeSecret, fetchSecret])
  })
  afterAll(async () => {
    await channels.close()
    await opened.close()
  })

  const newRequest = (): KeyedRequest => ({
    url: channels.url,
    apiKey: partner.key,
    idempotencyKey: unique('key'),
    body: { name: unique('secret') }
  })

  const expectWithheld = (answer: ChannelAnswer) => {
    expect(answer).toMatchObject({ status: 200, isReplay: true })
    expect(answer.output.key).toBeNull()
    expect(answer.output.message).toMatch(/first request .+ had key: secrets are shown once/)
    expect(answer.text).not.toMatch(SECRET)
  }

  it.each([
    ['local work', PATH, 'test_make_secret'],
    ['external work', `${PATH}/fetched`, 'test_fetch_secret']
  ])('of %s is in no replay, and the rest of the answer is', async (_, path, tool) => {
    const request = newRequest()
    const first = await postRest(path, request)
    expect(first.output.key).toMatch(SECRET)
    for (const replay of [await postRest(path, request), await callTool(tool, request)]) {
      expectWithheld(replay)
      expect(replay.output.name).toBe(request.body.name)
    }
  })

  it('is kept nowhere', async () => {
    const request = newRequest()
    await postRest(PATH, request)
    const rows = await opened.service.database.read
      .selectFrom('idempotency')
      .where('key', '=', request.idempotencyKey)
      .selectAll()
      .execute()
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toMatch(SECRET)
  })

  it('is in one of twenty answers at once', async () => {
    const request = newRequest()
    const answers = await Promise.all(Array.from({ length: 20 }, () => postRest(PATH, request)))
    const [first, ...others] = answers.sort((a, b) => Number(a.isReplay) - Number(b.isReplay))
    expect(first?.output.key).toMatch(SECRET)
    for (const other of others) expectWithheld(other)
  })

  it('is in every answer where there is no key to replay it by', async () => {
    const { apiKey, url } = newRequest()
    const response = await fetch(`${url}/api/v1/mcp${PATH}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: unique('secret') })
    })
    expect(await response.text()).toMatch(SECRET)
  })
})
