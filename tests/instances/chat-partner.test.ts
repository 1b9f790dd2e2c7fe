// The partner asks a customer's agent over REST: in a conversation of its own, which stands beside the customer's.
import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { receivedMessages } from '../support/agent/stand-in.ts'
import { mindgate } from '../support/cli.ts'
import { databases } from '../support/databases.ts'
import { at, makePartner } from '../support/fixture.ts'
import { replyOf } from './chat-client.ts'
import { type ChatFixture, PATIENT, type Sandbox, startChatFixture } from './chat-fixture.ts'

const SLOW = { timeout: 60_000 }

interface Asked {
  isNew?: boolean
  key?: string
  apiKey?: string
}

const askerOf =
  ({ server }: ChatFixture) =>
  ({ instance }: Sandbox, message: unknown, { isNew, key, apiKey = server.partner.key }: Asked = {}) =>
    server.api('POST', `/instances/${instance.id}/cli-agent/chat`, {
      key: apiKey,
      body: { message, ...(isNew === undefined ? {} : { isNew }) },
      headers: key === undefined ? {} : { 'Idempotency-Key': key }
    })

describe.each(databases)('what a partner asks on %s', PATIENT, (kind) => {
  let fixture: ChatFixture
  let ask: ReturnType<typeof askerOf>
  beforeAll(async () => {
    fixture = await startChatFixture(kind)
    ask = askerOf(fixture)
  })
  afterAll(() => fixture.close())

  const told = async (...args: Parameters<typeof ask>) => {
    const { status, body } = await ask(...args)
    expect([status, body]).toEqual([200, expect.anything()])
    return String(at(body, 'data', 'reply'))
  }
  const acts = ({ instance }: Sandbox) =>
    fixture.server.service.database.read
      .selectFrom('audit')
      .where('targetId', '=', instance.id)
      .where('action', '=', 'instance_chat')
      .select(['actor', 'partnerId'])
      .execute()

  it('is answered and goes on in a thread of its own, of which its customer sees nothing', async () => {
    const box = await fixture.sandbox({ model: 'gpt-large' })
    expect(replyOf(await box.chat.send('the customer’s secret')).reply).toContain('Turn 1.')
    const first = await ask(box, 'the partner’s secret')
    expect(first).toMatchObject({
      status: 200,
      body: {
        success: true,
        data: {
          reply: expect.stringMatching(/You said: the partner’s secret.*Turn 1\./s),
          sessionId: expect.stringMatching(/^\d{8}_/),
          model: 'gpt-large'
        }
      }
    })
    const second = await told(box, 'and again')
    expect(second).toContain('Turn 2. Before that: the partner’s secret')
    expect(second).not.toContain('customer')

    const theirs = replyOf(await box.chat.send('what was it?'))
    expect(theirs.reply).toContain('Turn 2. Before that: the customer’s secret')
    const history = await box.chat.history()
    expect(history.exchanges.map(({ message }) => message)).toEqual(['the customer’s secret', 'what was it?'])
    expect(await box.chat.conversations()).toHaveLength(1)
    const { read } = fixture.server.service.database
    const own = await read
      .selectFrom('chatConversation')
      .where('instanceId', '=', box.instance.id)
      .where('isPartners', '=', 1)
      .selectAll()
      .execute()
    expect(own).toMatchObject([{ sessionId: at(first.body, 'data', 'sessionId') }])
    const refused = await box.chat.request(`/history?conversation=${own[0]?.id}`)
    expect(refused).toMatchObject({ status: 404, body: { code: 'conversation_not_found' } })
    expect(await acts(box)).toEqual(
      Array.from({ length: 2 }, () => ({
        actor: expect.stringMatching(/^key_/),
        partnerId: box.instance.partnerId
      }))
    )
  })

  it('begins anew where that is wanted, and goes on there; the customer’s own stays', async () => {
    const box = await fixture.sandbox()
    await box.chat.send('mine')
    await told(box, 'one')
    expect(await told(box, 'two', { isNew: true })).toContain('Turn 1.')
    expect(await told(box, 'three')).toContain('Turn 2. Before that: two')
    expect((await box.chat.begin()).id).not.toBe(box.instance.id)
    expect(await told(box, 'four')).toContain('Turn 3.')
    expect(replyOf(await box.chat.send('mine again')).reply).toContain('Turn 1.')
    expect((await box.chat.conversations()).map(({ title }) => title)).toEqual(['mine again', 'mine'])
  })

  it('is done once for a key, which is none of its customer’s', async () => {
    const box = await fixture.sandbox()
    const once = await ask(box, 'hello', { key: 'key-1', isNew: true })
    const again = await ask(box, 'hello', { key: 'key-1', isNew: true })
    expect(again.body).toEqual(once.body)
    expect(receivedMessages(box.home)).toHaveLength(1)
    expect(await acts(box)).toHaveLength(1)
    expect(await ask(box, 'other', { key: 'key-1' })).toMatchObject({
      status: 409,
      body: { code: 'idempotency_conflict' }
    })
    expect(await ask(box, 'hello', { key: 'no blanks' })).toMatchObject({
      status: 400,
      body: { code: 'invalid_input', field: 'Idempotency-Key' }
    })
    // The customer's key of the same name is another message, and neither gets the other's reply.
    expect((await box.chat.send('another', { key: 'key-1' })).status).toBe(200)
    expect(receivedMessages(box.home)).toHaveLength(2)
  })

  it('takes its turn behind its customer’s messages, who neither sees nor ends it', async () => {
    const box = await fixture.sandbox()
    box.holdAgent()
    const theirs = box.chat.send('first', { key: 'theirs' })
    await expect.poll(box.begunWith, SLOW).toEqual(['first'])
    const mine = ask(box, 'second', { key: 'mine' })
    const waiting = async () => {
      const { read } = fixture.server.service.database
      const rows = read.selectFrom('chatExchange').where('instanceId', '=', box.instance.id)
      return (await rows.where('state', '=', 'waiting').select('key').orderBy('seq').execute()).map(
        ({ key }) => key
      )
    }
    await expect.poll(waiting, SLOW).toEqual(['theirs', 'partner mine'])
    expect(box.begunWith()).toEqual(['first'])
    for (const key of ['mine', 'partner mine'])
      expect(await box.chat.cancel(encodeURIComponent(key))).toBe(false)
    const leaving = new AbortController()
    const events = await fetch(`${box.chat.url}/events`, {
      headers: { cookie: box.chat.cookie, 'sec-fetch-site': 'same-origin' },
      signal: leaving.signal
    })
    const { value } = (await events.body?.getReader().read()) ?? {}
    leaving.abort()
    const seen = new TextDecoder().decode(value)
    expect(seen).toContain('"theirs"')
    expect(seen).not.toMatch(/[ "]mine"|second/)
    box.letGo()
    expect(replyOf(await theirs).reply).toContain('first')
    expect((await mine).status).toBe(200)
    expect(box.begunWith()).toEqual(['first', 'second'])
  })

  it('is refused as §7 has it, in words for who can mend it', async () => {
    const box = await fixture.sandbox()
    for (const message of ['', ' ', 7, undefined, 'x'.repeat(32_769)])
      expect(await ask(box, message)).toMatchObject({
        status: 400,
        body: { code: 'invalid_input', field: 'message' }
      })
    const stranger = await makePartner(fixture.server.service)
    const nobodys = { ...box, instance: { ...box.instance, id: 'ins_none' } }
    for (const asked of [ask(box, 'hello', { apiKey: stranger.key }), ask(nobodys, 'hello')])
      expect(await asked).toMatchObject({ status: 404, body: { code: 'instance_not_found' } })
    rmSync(box.paths.marker)
    expect(await ask(box, 'hello')).toMatchObject({ status: 409, body: { code: 'agent_not_ready' } })
    expect(receivedMessages(box.home)).toEqual([])
    box.markReady()
    box.fault('error HTTP 401: Invalid API key sk-abcdefgh')
    const { status, body } = await ask(box, 'hello')
    expect([status, body]).toEqual([
      502,
      {
        success: false,
        code: 'agent_error',
        reason: 'model_refused',
        error: expect.stringContaining('The AI gateway refused the agent.'),
        requestId: expect.any(String)
      }
    ])
    const away = await fixture.sandbox({ port: 1 })
    const asked = await ask(away, 'hello', { key: 'key-1' })
    expect(asked).toMatchObject({ status: 503, body: { code: 'ssh_unavailable', hasStarted: false } })
    expect(asked.body).not.toHaveProperty('isRunning')
  })
})

describe('a reply that takes longer', PATIENT, () => {
  let fixture: ChatFixture
  let box: Sandbox
  beforeAll(async () => {
    fixture = await startChatFixture('sqlite', { CHAT_TIMEOUT_MS: 8_000 })
  })
  afterAll(() => fixture.close())

  it('is 504 while the agent works on, and comes to who sends the same key again', async () => {
    box = await fixture.sandbox()
    box.holdAgent()
    const ask = askerOf(fixture)
    const late = { status: 504, body: { code: 'agent_timeout', hasStarted: true, isRunning: true } }
    expect(await ask(box, 'slow', { key: 'key-1' })).toMatchObject(late)
    expect(await ask(box, 'slow', { key: 'key-1' })).toMatchObject(late)
    // It surely never begins, for the one before it is at work.
    const behind = await ask(box, 'behind')
    expect(behind).toMatchObject({ status: 504, body: { code: 'agent_timeout', hasStarted: false } })
    expect(behind.body).not.toHaveProperty('isRunning')
    box.letGo()
    await expect
      .poll(() => ask(box, 'slow', { key: 'key-1' }), SLOW)
      .toMatchObject({ status: 200, body: { data: { reply: 'You said: slow' } } })
    expect(box.begunWith()).toEqual(['slow'])
    expect((await box.chat.history()).exchanges).toEqual([])
  })

  const cli = (args: string[], input = '') =>
    mindgate(fixture.server.env, ['instance', 'chat', box.instance.id, ...args], input)

  it('is waited for at the command line', async () => {
    box = await fixture.sandbox()
    box.holdAgent()
    const waits = cli(['take your time'])
    await expect.poll(box.begunWith, SLOW).toEqual(['take your time'])
    await new Promise((resolve) => setTimeout(resolve, 9_000))
    box.letGo()
    expect(await waits).toEqual({ code: 0, stdout: 'You said: take your time\n', stderr: '' })
  })

  it('is printed in plain text, of a message that was typed or came by standard input', async () => {
    box.fault()
    box.replaceAgent(`printf 'one\\033[31mred\\033[0m\\007\\ntwo\\n'`)
    expect(await cli([], 'from a file\n')).toMatchObject({ code: 0, stdout: 'onered\ntwo\n' })
    const json = JSON.parse((await cli(['--new', '--json', 'again'])).stdout)
    expect(json).toEqual({
      instanceId: box.instance.id,
      reply: expect.stringMatching(/^one.*two$/s),
      sessionId: expect.any(String),
      model: 'auto'
    })
    expect(await cli([], ' \n')).toMatchObject({ code: 1, stderr: expect.stringContaining('no message') })
    expect(await cli([' '])).toMatchObject({ code: 2, stderr: expect.stringContaining('must not be empty') })
    rmSync(box.paths.marker)
    expect(await cli(['hello'])).toMatchObject({ code: 1, stderr: expect.stringContaining('not ready') })
  })
})
