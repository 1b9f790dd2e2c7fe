// What goes on without the page that asked: a reload ends nothing, a cancel ends everything, and another process of the
// service knows of both.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningServer, startServer } from '../../servers/main.ts'
import { fromNow } from '../../src/clock.ts'
import { loadConfig } from '../../src/config.ts'
import { claimExchange } from '../../src/instances/chat/store.ts'
import { createLog } from '../../src/log.ts'
import { agentRuns } from '../support/agent/stand-in.ts'
import { chatClient, replyOf } from './chat-client.ts'
import { type ChatFixture, PATIENT, processesIn, type Sandbox, startChatFixture } from './chat-fixture.ts'

const SLOW = { timeout: 60_000 }

describe('a chat', PATIENT, () => {
  let fixture: ChatFixture
  let second: RunningServer
  beforeAll(async () => {
    // PostgreSQL is what several processes share.
    fixture = await startChatFixture('postgres')
    second = await startServer(loadConfig(fixture.server.env), createLog('silent'))
  })
  afterAll(async () => {
    await second.stop()
    await fixture.close()
  })

  const begun = ({ begunWith }: Sandbox, message: string) => expect.poll(begunWith, SLOW).toContain(message)
  const elsewhere = ({ chat, instance }: Sandbox) => chatClient(second.url, chat.cookie, instance.id)

  it('goes on when the page that asked is gone', async () => {
    const sandbox = await fixture.sandbox()
    sandbox.holdAgent()
    const leaving = new AbortController()
    const sent = sandbox.chat.send('hello', { key: 'key-1', signal: leaving.signal })
    await begun(sandbox, 'hello')
    leaving.abort()
    await expect(sent).rejects.toThrow()
    expect((await sandbox.chat.history()).exchanges).toMatchObject([{ key: 'key-1', state: 'waiting' }])
    sandbox.letGo()
    const states = async () => (await sandbox.chat.history()).exchanges.map(({ state }) => state)
    await expect.poll(states, SLOW).toEqual(['answered'])
    // The page is back and asks again.
    expect(replyOf(await sandbox.chat.send('hello', { key: 'key-1' })).reply).toContain('You said: hello')
    expect(sandbox.begunWith()).toEqual(['hello'])
  })

  it('is cancelled on the server, too, and the next message goes through', async () => {
    const sandbox = await fixture.sandbox()
    sandbox.holdAgent("trap '' TERM INT HUP\n")
    const sent = sandbox.chat.send('hello', { key: 'key/1_%?' })
    await begun(sandbox, 'hello')
    const waiting = sandbox.chat.send('and this', { key: 'key-2' })
    await expect.poll(async () => (await sandbox.chat.history()).exchanges.length, SLOW).toBe(2)
    expect(await sandbox.chat.cancel('key-2')).toBe(true)
    expect(await waiting).toMatchObject({ status: 409, body: { code: 'cancelled' } })
    expect(await sandbox.chat.cancel(encodeURIComponent('key/1_%?'))).toBe(true)
    expect(await sent).toMatchObject({ status: 409, body: { code: 'cancelled' } })
    await expect.poll(() => processesIn(sandbox), SLOW).toEqual([])
    sandbox.letGo()
    expect((await sandbox.chat.send('next')).status).toBe(200)
    expect(sandbox.begunWith()).toEqual(['hello', 'next'])
    expect((await sandbox.chat.history()).exchanges).toMatchObject([
      { message: 'hello', state: 'cancelled', code: 'cancelled', reply: null },
      { message: 'and this', state: 'cancelled' },
      { message: 'next', state: 'answered' }
    ])
  })

  it('isn’t cancelled once answered, and what nobody sent isn’t either', async () => {
    const sandbox = await fixture.sandbox()
    await sandbox.chat.send('hello', { key: 'key-1' })
    expect(await sandbox.chat.cancel('key-1')).toBe(false)
    expect(await sandbox.chat.cancel('key-2')).toBe(false)
    expect((await sandbox.chat.history()).exchanges).toMatchObject([{ state: 'answered' }])
  })

  it('is seen, joined and cancelled through another process', async () => {
    const sandbox = await fixture.sandbox()
    const there = elsewhere(sandbox)
    sandbox.holdAgent()
    const sent = sandbox.chat.send('hello', { key: 'key-1' })
    await begun(sandbox, 'hello')
    const joined = there.send('hello', { key: 'key-1' })
    expect((await there.history()).exchanges).toMatchObject([{ message: 'hello', state: 'waiting' }])
    sandbox.letGo()
    expect((await joined).body).toEqual((await sent).body)
    expect(sandbox.begunWith()).toEqual(['hello'])

    sandbox.holdAgent()
    const stuck = sandbox.chat.send('stuck', { key: 'key-2' })
    await begun(sandbox, 'stuck')
    expect(await there.cancel('key-2')).toBe(true)
    expect(await stuck).toMatchObject({ status: 409, body: { code: 'cancelled' } })
    await expect.poll(() => processesIn(sandbox), SLOW).toEqual([])
  })

  it('goes on with its process gone, and the next one brings its answer', async () => {
    const sandbox = await fixture.sandbox()
    const hasty = { ...fixture.server.env, CHAT_TIMEOUT_MS: '4000' }
    const third = await startServer(loadConfig(hasty), createLog('silent'))
    const there = chatClient(third.url, sandbox.chat.cookie, sandbox.instance.id)
    sandbox.holdAgent()
    const sent = there.send('hello', { key: 'key-1' })
    await begun(sandbox, 'hello')
    expect(await sent).toMatchObject({ status: 504, body: { isRunning: true } })
    await third.stop()
    expect((await sandbox.chat.history()).exchanges).toMatchObject([{ state: 'waiting' }])
    sandbox.letGo()
    const states = async () => (await sandbox.chat.history()).exchanges.map(({ state }) => state)
    await expect.poll(states, { timeout: 20_000 }).toEqual(['answered'])
    expect(sandbox.begunWith()).toEqual(['hello'])
  })

  it('that never began with its process is told so, and can be sent again', async () => {
    const sandbox = await fixture.sandbox()
    const { instance } = sandbox
    const sent = { key: 'key-1', message: 'hello', model: 'auto', timeoutMs: 60_000 }
    const { exchange } = await fixture.server.service.database.transaction((tx) =>
      claimExchange(tx, instance, sent)
    )
    expect(await sandbox.chat.history()).toMatchObject({ exchanges: [{ state: 'waiting' }] })
    // As after a kill: nobody renews its lease.
    const history = async () => (await sandbox.chat.history()).exchanges
    await expect.poll(history, { timeout: 20_000 }).toMatchObject([{ state: 'failed', hasStarted: false }])
    expect((await sandbox.chat.send('hello', { key: exchange.key })).status).toBe(200)
  })

  it('whose limit passed while nobody looked is ended, whoever had it', async () => {
    const sandbox = await fixture.sandbox()
    const sent = { key: 'key-1', message: 'hello', model: 'auto', timeoutMs: -60_000 }
    await fixture.server.service.database.transaction((tx) => claimExchange(tx, sandbox.instance, sent))
    const history = async () => (await sandbox.chat.history()).exchanges
    const ended = { state: 'failed', code: 'agent_timeout', hasStarted: false }
    await expect.poll(history, { timeout: 30_000 }).toMatchObject([ended])
  })

  it('is answered, too, where its limit passed while nobody looked', async () => {
    const sandbox = await fixture.sandbox()
    const hasty = { ...fixture.server.env, CHAT_TIMEOUT_MS: '4000' }
    const third = await startServer(loadConfig(hasty), createLog('silent'))
    const there = chatClient(third.url, sandbox.chat.cookie, sandbox.instance.id)
    sandbox.holdAgent()
    const sent = there.send('hello', { key: 'key-1' })
    await begun(sandbox, 'hello')
    await sent
    const { database } = fixture.server.service
    await database.transaction((tx) =>
      tx
        .updateTable('chatExchange')
        .set({ leaseOwner: 'nobody', leaseExpiresAt: fromNow(6_000), deadlineAt: fromNow(-60_000) })
        .where('instanceId', '=', sandbox.instance.id)
        .execute()
    )
    await third.stop()
    sandbox.letGo()
    const states = async () => (await sandbox.chat.history()).exchanges.map(({ state }) => state)
    await expect.poll(states, { timeout: 30_000 }).toEqual(['answered'])
  })

  it('never overlaps with one of another process', async () => {
    const sandbox = await fixture.sandbox()
    const there = elsewhere(sandbox)
    sandbox.fault('slow 0.3')
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd'].map((message, index) => (index % 2 ? there : sandbox.chat).send(message))
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const events = agentRuns(sandbox.home).map(({ event }) => event)
    expect(events).toEqual(['begin', 'end', 'begin', 'end', 'begin', 'end', 'begin', 'end'])
  })
})
