// A new conversation, begun here or elsewhere, and the former ones.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Conversation, type Happening } from '../../servers/portal/widget/browser/conversation.ts'
import { Former } from '../../servers/portal/widget/browser/former.ts'
import { ChatRefusal, CONNECTION_LOST } from '../../servers/portal/widget/browser/protocol.ts'
import { exchange, page, Server } from './server.ts'

let server: Server
let conversation: Conversation
let happened: Happening[]
const messages = (of = conversation) => of.exchanges.map(({ message }) => message)
const whatHappened = () => happened.map(({ what }) => what).filter((what) => what !== 'changed')

beforeEach(async () => {
  vi.useFakeTimers()
  server = new Server()
  server.page = page([exchange('1'), exchange('2')], '1')
  happened = []
  conversation = new Conversation(server, (happening) => happened.push(happening))
  await conversation.open()
  happened = []
})
afterEach(() => {
  conversation.end()
  vi.useRealTimers()
})

describe('a new conversation', () => {
  it('is empty, and whoever shows it is told', async () => {
    await conversation.begin()
    expect(messages()).toEqual([])
    expect(conversation.older).toBeNull()
    expect(conversation.canSend).toBe(true)
    expect(whatHappened()).toEqual(['loaded', 'begun'])
  })

  it('that was begun elsewhere is shown at the next look, without a word of its replies', async () => {
    server.page = page([exchange('3'), exchange('4')], null, 'cnv_2')
    await conversation.refresh()
    expect(messages()).toEqual(['message 3', 'message 4'])
    expect(whatHappened()).toEqual(['loaded'])
  })

  it('leaves what is under way to the one before', async () => {
    const sending = conversation.send('slow')
    const [sent] = server.sent
    await conversation.begin()
    expect(messages()).toEqual([])
    expect(conversation.canSend).toBe(true)
    sent?.settle('at last')
    await sending
    expect(messages()).toEqual([])
    expect(whatHappened()).toEqual(['sent', 'loaded', 'begun'])
  })

  it('gives a message back of which nobody knows whether it arrived, and doesn’t say that it didn’t', async () => {
    const sending = conversation.send('lost')
    server.lost = true
    server.sent[0]?.settle(new ChatRefusal(CONNECTION_LOST))
    await sending
    server.lost = false
    await conversation.begin()
    expect(happened).toContainEqual(
      expect.objectContaining({ what: 'returned', exchange: expect.objectContaining({ message: 'lost' }) })
    )
    expect(conversation.problem).toBeUndefined()
  })

  it('isn’t there where it couldn’t be begun', async () => {
    server.lost = true
    await conversation.begin()
    expect(messages()).toEqual(['message 1', 'message 2'])
    expect(conversation.problem?.code).toBe(CONNECTION_LOST)
    server.lost = false
    await vi.advanceTimersByTimeAsync(8_000)
    expect(conversation.problem).toBeUndefined()
    expect(whatHappened()).toEqual([])
  })
})

describe('former conversations', () => {
  const listed = { id: 'cnv_0', title: 'message 7', lastAt: '2026-01-01T00:00:00Z' }
  let former: Former
  beforeEach(() => {
    server.list = [listed]
    server.earlier.set('cnv_0', page([exchange('7')], null, 'cnv_0'))
    former = new Former(server, (happening) => happened.push(happening))
  })
  afterEach(() => former.close())

  it('are listed, and read beside the current one', async () => {
    await former.open()
    expect(former.list).toEqual([listed])
    former.read('cnv_0')
    await vi.advanceTimersByTimeAsync(0)
    expect(former.reading && messages(former.reading)).toEqual(['message 7'])
    expect(messages()).toEqual(['message 1', 'message 2'])
    former.close()
    expect(former).toMatchObject({ isOpen: false, reading: undefined })
  })

  it('are asked for again where they couldn’t be read', async () => {
    server.lost = true
    await former.open()
    expect(former.problem?.code).toBe(CONNECTION_LOST)
    server.lost = false
    await former.again()
    expect(former.problem).toBeUndefined()
    expect(former.list).toHaveLength(1)
  })

  it('show how a message ends that is under way there', async () => {
    const waiting = exchange('7', { state: 'waiting', reply: null })
    server.earlier.set('cnv_0', page([waiting], null, 'cnv_0'))
    former.read('cnv_0')
    await vi.advanceTimersByTimeAsync(1_000)
    expect(server.listeners.size).toBe(1)
    server.earlier.set('cnv_0', page([exchange('7')], null, 'cnv_0'))
    await vi.advanceTimersByTimeAsync(8_000)
    expect(former.reading?.exchanges).toMatchObject([{ state: 'answered' }])
    former.close()
    expect(server.listeners.size).toBe(0)
  })
})
