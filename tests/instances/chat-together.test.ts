// Many messages at once, on one instance and on many; and servers that restart, connections that are kept.
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { receivedMessages } from '../support/agent/stand-in.ts'
import { replyOf } from './chat-client.ts'
import { type ChatFixture, PATIENT, processesIn, type Sandbox, startChatFixture } from './chat-fixture.ts'
import { runsOf } from './chat-runs.ts'

const TEN = Array.from({ length: 10 }, (_, number) => `message ${number}`)

describe('chats at once', PATIENT, () => {
  let fixture: ChatFixture
  beforeAll(async () => {
    fixture = await startChatFixture('sqlite')
  })
  afterAll(() => fixture.close())

  it('on one instance: replies in order, and never two runs at once', async () => {
    const messages = TEN.slice(0, 5)
    const runs = await runsOf(await fixture.sandbox(), messages, 0.1)
    expect(runs.map(({ event, message }) => [event, message])).toEqual(
      messages.flatMap((message) => [
        ['begin', message],
        ['end', message]
      ])
    )
  })

  it('on one instance, all in the same moment: as many replies, and the thread in one order everywhere', async () => {
    const sandbox = await fixture.sandbox()
    const messages = TEN.slice(0, 5)
    const answers = await Promise.all(messages.map((message) => sandbox.chat.send(message)))
    expect(answers.map(({ status }) => status)).toEqual(messages.map(() => 200))
    const { exchanges } = await sandbox.chat.history()
    const order = exchanges.map(({ message }) => message)
    expect(order.toSorted()).toEqual(messages)
    expect(receivedMessages(sandbox.home).map((bytes) => String(bytes).split('\n')[0])).toEqual(order)
    exchanges.forEach(({ reply }, index) => {
      expect(reply).toContain(`Turn ${index + 1}.`)
    })
  })

  it('in two conversations of one instance know nothing of each other, and the first goes on as it was', async () => {
    const sandbox = await fixture.sandbox()
    const { chat, instance, paths } = sandbox
    const said = async (message: string) => replyOf(await chat.send(message))
    const first = await said('My name is Dana.')
    // So a release before several conversations left it.
    expect(readdirSync(paths.threadDir)).toEqual([instance.id])
    expect((await said('And I am 40.')).reply).toContain('Turn 2. Before that: My name is Dana.')
    await chat.begin()
    const second = await said('What is my name?')
    expect(second.reply).toMatch(/Turn 1\.$/)
    expect(second.sessionId).not.toBe(first.sessionId)
    // Also where the server has lost what it kept, each goes on by what the database knows.
    rmSync(paths.threadDir, { recursive: true })
    expect((await said('And my age?')).reply).toContain('Turn 2. Before that: What is my name?')
    expect((await chat.history(`?conversation=${instance.id}`)).exchanges).toHaveLength(2)
  })

  it('under way ends in its own conversation, and the next one waits for it', async () => {
    const sandbox = await fixture.sandbox()
    const { chat, instance } = sandbox
    sandbox.holdAgent()
    const slow = chat.send('slow')
    await expect.poll(sandbox.begunWith, SLOW).toEqual(['slow'])
    const { id } = await chat.begin()
    const next = chat.send('next')
    await expect.poll(async () => (await chat.history()).exchanges.length, SLOW).toBe(1)
    sandbox.letGo()
    expect([(await slow).status, (await next).status]).toEqual([200, 200])
    expect(sandbox.begunWith()).toEqual(['slow', 'next'])
    const former = await chat.history(`?conversation=${instance.id}`)
    expect(former.exchanges).toMatchObject([{ message: 'slow', reply: 'You said: slow' }])
    expect(await chat.history()).toMatchObject({ conversation: id, exchanges: [{ reply: 'You said: next' }] })
  })

  it('on one instance, more than can wait: the rest is told to come again', async () => {
    const sandbox = await fixture.sandbox()
    sandbox.holdAgent()
    const keys = Array.from({ length: 24 }, (_, number) => `key-${number}`)
    const refused: unknown[] = []
    const send = async (key: string) => {
      const { status, body, headers } = await sandbox.chat.send('hello', { key })
      if (status === 429) refused.push({ body, retryAfter: headers.get('retry-after') })
      return status
    }
    const [first = '', ...others] = keys
    const answers = [send(first)]
    await expect.poll(sandbox.begunWith, SLOW).toHaveLength(1)
    answers.push(...others.map(send))
    await expect.poll(() => refused, SLOW).toHaveLength(4)
    expect(refused[0]).toMatchObject({ body: { code: 'rate_limited' }, retryAfter: '5' })
    // The first one's end would let the next one begin.
    await Promise.all(others.map((key) => sandbox.chat.cancel(key)))
    await sandbox.chat.cancel(first)
    expect((await Promise.all(answers)).filter((status) => status === 409)).toHaveLength(20)
    // Those that waited were never begun.
    expect(sandbox.begunWith()).toHaveLength(1)
  })

  it('on ten instances don’t wait for each other', async () => {
    const meeting = join(fixture.sshd.root, 'meeting')
    mkdirSync(meeting)
    const sandboxes = await Promise.all(TEN.map(() => fixture.sandbox()))
    for (const [number, sandbox] of sandboxes.entries()) {
      // Each ends only once all ten are there.
      sandbox.replaceAgent(
        [
          `: >'${meeting}/${number}'`,
          `until [ "$(ls '${meeting}' | wc -l)" -ge ${sandboxes.length} ]; do sleep 0.1; done`,
          'echo "we are all here"'
        ].join('\n')
      )
    }
    const answers = await Promise.all(sandboxes.map(({ chat }) => chat.send('hello')))
    expect(answers.map((answer) => replyOf(answer).reply)).toEqual(TEN.map(() => 'we are all here'))
  })

  it('aren’t held up by a child that the agent leaves behind', async () => {
    const sandbox = await fixture.sandbox()
    // Held up, the next one would wait for longer than it may.
    sandbox.fault('child 180')
    expect((await sandbox.chat.send('first')).status).toBe(200)
    sandbox.fault()
    expect(replyOf(await sandbox.chat.send('second')).reply).toContain('Turn 2.')
    endChildren(sandbox)
  })
})

describe('a connection to a server', PATIENT, () => {
  let fixture: ChatFixture
  let sandbox: Sandbox
  beforeAll(async () => {
    fixture = await startChatFixture('sqlite')
    sandbox = await fixture.sandbox()
  })
  afterAll(() => fixture.close())

  it('is made once for two chats', async () => {
    await sandbox.chat.send('one')
    const before = fixture.sshd.handshakes()
    expect(before).toBe(1)
    expect((await sandbox.chat.send('two')).status).toBe(200)
    expect((await sandbox.chat.health()).status).toBe(200)
    expect(fixture.sshd.handshakes()).toBe(before)
  })

  it('is made again when the server was restarted between two chats', async () => {
    expect((await sandbox.chat.send('before')).status).toBe(200)
    await fixture.sshd.stop()
    await fixture.sshd.start()
    expect(replyOf(await sandbox.chat.send('after')).reply).toContain('Before that: before')
  })

  it('that breaks under a message makes it 503 while the server is away, and the agent works on', async () => {
    sandbox.holdAgent()
    const answering = sandbox.chat.send('hello', { key: 'key-broken' })
    await expect.poll(sandbox.begunWith, SLOW).toEqual(['hello'])
    await fixture.sshd.kill()
    expect(await answering).toMatchObject({
      status: 503,
      body: { code: 'ssh_unavailable', hasStarted: true, isRunning: true }
    })
    expect(await sandbox.chat.send('now?')).toMatchObject({ status: 503, body: { hasStarted: false } })
    sandbox.letGo()
    await fixture.sshd.start()
    // Joined, not begun again.
    expect(replyOf(await sandbox.chat.send('hello', { key: 'key-broken' })).reply).toContain(
      'You said: hello'
    )
    expect(sandbox.begunWith()).toEqual(['hello'])
    expect((await sandbox.chat.send('now?')).status).toBe(200)
  })

  it('that breaks for a moment only costs no reply', async () => {
    sandbox.holdAgent()
    const answering = sandbox.chat.send('hello again')
    await expect.poll(sandbox.begunWith, SLOW).toContain('hello again')
    await fixture.sshd.kill()
    await fixture.sshd.start()
    sandbox.letGo()
    expect(replyOf(await answering).reply).toContain('You said: hello again')
  })
})

const SLOW = { timeout: 60_000 }

/** What the stand-in left behind is ours to end. */
function endChildren(sandbox: Sandbox): void {
  for (const { pid, command } of processesIn(sandbox)) {
    if (command.startsWith('sleep 180')) process.kill(pid)
  }
}
