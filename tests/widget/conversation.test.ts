// What a page knows of a conversation, whatever order the network tells it in.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Conversation, type Happening } from '../../servers/portal/widget/browser/conversation.ts'
import { ChatRefusal, CONNECTION_LOST } from '../../servers/portal/widget/browser/protocol.ts'
import { exchange, page, Server } from './server.ts'

let server: Server
let conversation: Conversation
let happened: Happening[]
const states = () => conversation.exchanges.map(({ message, state }) => `${message}: ${state}`)
const whatHappened = () => happened.map(({ what }) => what).filter((what) => what !== 'changed')

beforeEach(async () => {
  vi.useFakeTimers()
  server = new Server()
  happened = []
  conversation = new Conversation(server, (happening) => happened.push(happening))
  await conversation.open()
})
afterEach(() => {
  conversation.end()
  vi.useRealTimers()
})

const known = <T>(thing: T | undefined): T => {
  if (thing === undefined) throw new Error('There is none')
  return thing
}
/** The message that was sent last, once it is under way. */
const lastSent = () => known(server.sent.at(-1))

describe('a message', () => {
  it('is shown at once and answered once', async () => {
    const sending = conversation.send('hello')
    expect(states()).toEqual(['hello: waiting'])
    expect(conversation.canSend).toBe(false)
    server.page = page([exchange('1')])
    lastSent().settle('hi')
    await sending
    expect(states()).toEqual(['message 1: answered', 'hello: answered'])
    expect(whatHappened()).toEqual(['loaded', 'sent', 'answered', 'answered'])
    expect(conversation.canSend).toBe(true)
  })

  it('whose answer the history tells first is not answered twice', async () => {
    const sending = conversation.send('hello')
    const { key, settle } = lastSent()
    server.page = page([exchange('1', { key, message: 'hello', reply: 'hi' })])
    await conversation.refresh()
    expect(states()).toEqual(['hello: answered'])
    settle('hi')
    await sending
    expect(states()).toEqual(['hello: answered'])
    expect(whatHappened()).toEqual(['loaded', 'sent', 'answered'])
  })

  it('stays answered when an older page of the history still has it waiting', async () => {
    const sending = conversation.send('hello')
    const { key, settle } = lastSent()
    server.page = page([exchange('1', { key, message: 'hello', state: 'waiting', reply: null })])
    settle('hi')
    await sending
    expect(conversation.exchanges[0]).toMatchObject({ state: 'answered', reply: 'hi' })
  })

  it.each(['unauthorized', 'forbidden', 'instance_not_found', 'invalid_input', 'rate_limited', 'cross_site'])(
    'goes back to who wrote it when it was never taken: %s',
    async (code) => {
      const sending = conversation.send('hello')
      lastSent().settle(new ChatRefusal(code))
      await sending
      expect(states()).toEqual([])
      expect(happened.at(-1)).toMatchObject({ what: 'returned', exchange: { message: 'hello' } })
      expect(conversation.problem?.code).toBe(code)
    }
  )

  it.each([
    ['agent_error', 'failed'],
    ['agent_timeout', 'failed'],
    ['ssh_unavailable', 'failed'],
    ['cancelled', 'cancelled']
  ])('stays where it is with what became of it: %s', async (code, state) => {
    const sending = conversation.send('hello')
    lastSent().settle(new ChatRefusal(code, false))
    await sending
    expect(conversation.exchanges[0]).toMatchObject({ state, code, hasStarted: false })
    expect(conversation.canSend).toBe(true)
  })
})

describe('a run that takes longer than its request waits', () => {
  const goesOn = new ChatRefusal('agent_timeout', true, undefined, { isRunning: true })
  const listener = () => known([...server.listeners][0])

  it('is heard of from its beginning to its end', async () => {
    const sending = conversation.send('hello')
    const { key, settle } = lastSent()
    expect(server.listeners.size).toBe(0)
    await vi.advanceTimersByTimeAsync(1_000)
    const progress = { text: 'It is', tools: ['terminal'] }
    listener().progress(new Map([[key, progress]]))
    expect(conversation.exchanges[0]).toMatchObject({ state: 'waiting', progress })
    server.page = page([exchange('1', { key, message: 'hello', state: 'waiting', reply: null, progress })])
    settle(goesOn)
    await sending
    expect(conversation.exchanges[0]).toMatchObject({ state: 'waiting', isOpen: false })
    expect(conversation.canSend).toBe(false)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(server.listeners.size).toBe(1)
    server.page = page([exchange('1', { key, message: 'hello', reply: 'It is done.' })])
    listener().end()
    await vi.advanceTimersByTimeAsync(0)
    expect(conversation.exchanges[0]).toMatchObject({ state: 'answered', reply: 'It is done.' })
    expect(whatHappened()).toEqual(['loaded', 'sent', 'answered'])
    expect(conversation.canSend).toBe(true)
  })

  it('is heard of by who comes later, and hushed by who leaves', async () => {
    server.page = page([
      exchange('1', { state: 'waiting', reply: null, progress: { text: '', tools: ['a'] } })
    ])
    await conversation.refresh()
    expect(conversation.exchanges[0]?.progress?.tools).toEqual(['a'])
    await vi.advanceTimersByTimeAsync(1_000)
    listener().progress(new Map([['1', { text: '', tools: ['a', 'b'] }]]))
    expect(conversation.exchanges[0]?.progress?.tools).toEqual(['a', 'b'])
    conversation.end()
    expect(server.listeners.size).toBe(0)
  })
})

describe('a lost connection', () => {
  const lose = async () => {
    const sending = conversation.send('hello')
    const { key, settle } = lastSent()
    settle(new ChatRefusal(CONNECTION_LOST))
    await sending
    return key
  }

  it('gives the message back once the server says that it never heard of it', async () => {
    await lose()
    expect(states()).toEqual(['hello: waiting'])
    await vi.advanceTimersByTimeAsync(1_000)
    expect(states()).toEqual([])
    expect(happened.at(-1)).toMatchObject({ what: 'returned', exchange: { message: 'hello' } })
    expect(conversation.problem?.code).toBe('not_sent')
  })

  it('waits on for the reply where the server has the message, and sends nothing again', async () => {
    const key = await lose()
    server.page = page([exchange('1', { key, message: 'hello', state: 'waiting', reply: null })])
    await vi.advanceTimersByTimeAsync(10_000)
    expect(states()).toEqual(['hello: waiting'])
    server.page = page([exchange('1', { key, message: 'hello', reply: 'hi' })])
    await vi.advanceTimersByTimeAsync(8_000)
    expect(conversation.exchanges[0]).toMatchObject({ state: 'answered', reply: 'hi' })
    expect(whatHappened()).toEqual(['loaded', 'sent', 'answered'])
    expect(server.sent).toHaveLength(1)
  })

  it('decides nothing while the server can’t be asked', async () => {
    server.lost = true
    await lose()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(states()).toEqual(['hello: waiting'])
    expect(conversation.problem?.code).toBe(CONNECTION_LOST)
    server.lost = false
    await vi.advanceTimersByTimeAsync(8_000)
    expect(states()).toEqual([])
    expect(conversation.problem?.code).toBe('not_sent')
  })
})

describe('the history', () => {
  it('keeps what was loaded before its newest page, in order', async () => {
    server.page = page([exchange('5'), exchange('6')], '4')
    await conversation.refresh()
    await conversation.loadOlder()
    server.page = page([exchange('6'), exchange('7')], '5')
    await conversation.refresh()
    expect(conversation.exchanges.map(({ key }) => key)).toEqual(['4', '5', '6', '7'])
    expect(conversation.older).toBeNull()
  })

  it('begins anew where so much was said elsewhere that nobody knows what lies between', async () => {
    server.page = page([exchange('1'), exchange('2')])
    await conversation.refresh()
    server.page = page([exchange('8'), exchange('9')], '7')
    await conversation.refresh()
    expect(conversation.exchanges.map(({ key }) => key)).toEqual(['8', '9'])
    expect(conversation.older).toBe('7')
  })

  it('leaves out what went back into a box', async () => {
    const refused = { state: 'failed', reply: null, code: 'agent_not_ready' } as const
    server.page = page([exchange('1'), exchange('2', refused)])
    await conversation.refresh()
    expect(conversation.exchanges.map(({ key }) => key)).toEqual(['1'])
  })

  it('is asked again while something said elsewhere waits for its reply, and then no more', async () => {
    const history = vi.spyOn(server, 'history')
    server.page = page([exchange('1', { state: 'waiting', reply: null })])
    await conversation.refresh()
    await vi.advanceTimersByTimeAsync(5_000)
    expect(history.mock.calls.length).toBeGreaterThan(2)
    server.page = page([exchange('1')])
    await vi.advanceTimersByTimeAsync(8_000)
    expect(whatHappened()).toEqual(['loaded', 'answered'])
    history.mockClear()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(history).not.toHaveBeenCalled()
  })
})

describe('news of another tab', () => {
  it('are looked for until they are there, and not for ever', async () => {
    const history = vi.spyOn(server, 'history')
    await conversation.expectNews()
    expect(states()).toEqual([])
    server.page = page([exchange('1')])
    await vi.advanceTimersByTimeAsync(1_000)
    expect(states()).toEqual(['message 1: answered'])
    await vi.advanceTimersByTimeAsync(30_000)
    history.mockClear()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(history).not.toHaveBeenCalled()
  })
})

describe('an agent that isn’t ready', () => {
  it('takes no message, is asked again, and takes one when it is', async () => {
    server.notReady = new ChatRefusal('agent_not_ready')
    await conversation.open()
    expect(conversation.canSend).toBe(false)
    await vi.advanceTimersByTimeAsync(6_000)
    expect(conversation.problem?.code).toBe('agent_not_ready')
    server.notReady = undefined
    await vi.advanceTimersByTimeAsync(8_000)
    expect(conversation.problem).toBeUndefined()
    expect(conversation.canSend).toBe(true)
  })
})
