// Conversations: one is the current one, the former ones can be read, and all are their customer's alone.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { claimExchange, finishExchange } from '../../src/instances/chat/store.ts'
import { deleteInstance, type InstanceRow } from '../../src/instances/store.ts'
import { makePortalCustomer, makeTeamMate } from '../portal/customer-visitors.ts'
import { databases } from '../support/databases.ts'
import { makePartner } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { makeInstance } from '../support/instances.ts'
import { nextInstant } from '../support/next-instant.ts'
import { type ChatClient, chatClient } from './chat-client.ts'

describe.each(databases)('the conversations of a chat on %s', (kind) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer(kind, { SSH_ALLOW_PRIVATE: '1', RATE_LIMIT: '1000' })
  })
  afterAll(() => server.close())

  interface Chatter {
    instance: InstanceRow
    chat: ChatClient
  }
  const newChat = async (partner = server.partner): Promise<Chatter> => {
    const customer = await makePortalCustomer(server, partner)
    const instance = await makeInstance(server.service, partner.partnerId, customer.customerId)
    return { instance, chat: chatClient(server.url, customer.owner.identity.cookie, instance.id) }
  }
  const write = <T>(work: Parameters<typeof server.service.database.transaction<T>>[0]) =>
    server.service.database.transaction(work)
  const ask = async ({ instance }: Chatter, message: string) => {
    const sent = { key: undefined, message, model: 'auto', timeoutMs: 60_000 }
    return (await write((tx) => claimExchange(tx, instance, sent))).exchange
  }
  const answer = (exchange: Awaited<ReturnType<typeof ask>>, reply: string, sessionId = '') =>
    write((tx) =>
      finishExchange(tx, exchange, { state: 'answered', model: 'auto', hasStarted: true, reply, sessionId })
    )
  const talk = async (chatter: Chatter, message: string, sessionId = '') =>
    answer(await ask(chatter, message), `You said: ${message}`, sessionId)
  const messages = async ({ chat }: Chatter, conversation?: string) => {
    const history = await chat.history(conversation === undefined ? '' : `?conversation=${conversation}`)
    return history.exchanges.map(({ message }) => message)
  }

  it('begin with the one that comes with the instance, and is named as it', async () => {
    const one = await newChat()
    const { id, createdAt } = one.instance
    const first = { id, title: '', createdAt, lastAt: createdAt, isCurrent: true }
    expect(await one.chat.conversations()).toEqual([first])
    expect(await one.chat.history()).toEqual({ conversation: id, exchanges: [], next: null })
    expect(await one.chat.begin()).toEqual(first)
    expect(await one.chat.conversations()).toEqual([first])
  })

  it('are listed newest first, and each is read by its id', async () => {
    const one = await newChat()
    await talk(one, 'one')
    await talk(one, 'two')
    await nextInstant()
    const begun = await one.chat.begin()
    expect(begun).toMatchObject({ id: expect.stringMatching(/^cnv_/), title: '', isCurrent: true })
    expect(begun.createdAt > one.instance.createdAt).toBe(true)
    expect(await messages(one)).toEqual([])
    // Nothing was said in it yet.
    expect(await one.chat.begin()).toEqual(begun)
    await talk(one, 'three')
    const [current, former, ...others] = await one.chat.conversations()
    expect(others).toEqual([])
    expect(current).toMatchObject({ id: begun.id, title: 'three', isCurrent: true })
    expect(former).toMatchObject({ id: one.instance.id, title: 'one', isCurrent: false })
    const read = await one.chat.history(`?conversation=${one.instance.id}`)
    expect(read.conversation).toBe(one.instance.id)
    expect(former?.lastAt).toBe(read.exchanges.at(-1)?.createdAt)
    expect(await messages(one, one.instance.id)).toEqual(['one', 'two'])
    expect(await messages(one, begun.id)).toEqual(['three'])
    expect(await one.chat.history()).toMatchObject({ conversation: begun.id })
  })

  it('are each paged through by themselves', async () => {
    const one = await newChat()
    for (const message of ['a', 'b', 'c']) await talk(one, message)
    await one.chat.begin()
    for (const message of ['d', 'e', 'f']) await talk(one, message)
    for (const [query, all] of [
      ['', ['d', 'e', 'f']],
      [`&conversation=${one.instance.id}`, ['a', 'b', 'c']]
    ] as const) {
      const newest = await one.chat.history(`?limit=2${query}`)
      const oldest = await one.chat.history(`?limit=2&before=${newest.next}${query}`)
      expect([...oldest.exchanges, ...newest.exchanges].map(({ message }) => message)).toEqual(all)
      expect(oldest.next).toBeNull()
    }
  })

  it('keep a message under way: its reply lands where it was asked', async () => {
    const one = await newChat()
    const asked = await ask(one, 'slow')
    const begun = await one.chat.begin()
    await talk(one, 'quick', 'session-2')
    await answer(asked, 'at last', 'session-1')
    expect(await messages(one)).toEqual(['quick'])
    const { exchanges } = await one.chat.history(`?conversation=${one.instance.id}`)
    expect(exchanges).toMatchObject([{ message: 'slow', reply: 'at last', sessionId: 'session-1' }])
    // Who doesn't say what its session is called is still on the one of that conversation.
    await talk(one, 'again')
    const now = await one.chat.history()
    expect(now.conversation).toBe(begun.id)
    expect(now.exchanges.map(({ sessionId }) => sessionId)).toEqual(['session-2', 'session-2'])
  })

  it('take a message that never began again where its sender is by now', async () => {
    const one = await newChat()
    // Nothing listens where the instance is, and nothing was deployed there.
    const send = () => one.chat.send('hello', { key: 'key-1' })
    expect((await send()).status).toBe(409)
    const { id } = await one.chat.begin()
    expect((await send()).status).toBe(409)
    expect(await messages(one, id)).toEqual(['hello'])
    expect(await messages(one, one.instance.id)).toEqual([])
    // What is empty isn't listed, but for the current one.
    expect((await one.chat.conversations()).map((listed) => listed.id)).toEqual([id])
  })

  it('go to the current one, whatever the sessionId or the query says', async () => {
    const one = await newChat()
    await talk(one, 'one', 'session-1')
    await one.chat.begin()
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ message: 'two', sessionId: 'session-1' })
    await one.chat.request(`?conversation=${one.instance.id}`, { method: 'POST', headers, body })
    expect(await messages(one)).toEqual(['two'])
  })

  it.each([
    ['  What\n\n is\t it? ', 'What is it?'],
    ['x'.repeat(100), 'x'.repeat(80)],
    [`${'x'.repeat(79)}😀`, 'x'.repeat(79)],
    [`${'x'.repeat(70)}👨‍👩‍👧‍👦 and`, `${'x'.repeat(70)}`],
    [`${'é'.repeat(40)}`, 'é'.repeat(40)],
    [`${'\n'.repeat(500)}Hello`, 'Hello']
  ])('are called as their first message begins: %j', async (message, title) => {
    const one = await newChat()
    await talk(one, message)
    await talk(one, 'another')
    expect(await one.chat.conversations()).toMatchObject([{ title }])
  })

  it('are a hundred: the oldest go with what was said, but not while a message of theirs is under way', async () => {
    const one = await newChat()
    const waiting = await ask(one, 'waits')
    const second = await one.chat.begin()
    await talk(one, 'second')
    for (let i = 3; i <= 101; i += 1) {
      await one.chat.begin()
      await talk(one, `number ${i}`)
    }
    const titles = async () => (await one.chat.conversations()).map(({ title }) => title)
    expect(await titles()).toHaveLength(101)
    await one.chat.begin()
    expect((await titles()).slice(-2)).toEqual(['number 3', 'waits'])
    await answer(waiting, 'done')
    await talk(one, 'number 102')
    await one.chat.begin()
    expect(await titles()).toHaveLength(100)
    expect((await titles()).at(-1)).toBe('number 4')
    for (const id of [second.id, one.instance.id])
      expect(await one.chat.request(`/history?conversation=${id}`)).toMatchObject({ status: 404 })
    const { read } = server.service.database
    const rows = read.selectFrom('chatExchange').where('instanceId', '=', one.instance.id)
    expect(await rows.select('id').execute()).toHaveLength(99)
  })

  it('are a hundred of the partner’s, too, which are in none of its customer’s places and make none of those go', async () => {
    const one = await newChat()
    await talk(one, 'mine')
    const partners = { ...one.instance, isPartners: 1 } as const
    for (let i = 1; i <= 101; i += 1) {
      const { isMine, exchange } = await write((tx) =>
        claimExchange(tx, partners, {
          key: undefined,
          message: `${i}`,
          isNew: true,
          model: 'auto',
          timeoutMs: 60_000
        })
      )
      expect(isMine).toBe(true)
      await answer(exchange, 'yes')
    }
    expect((await one.chat.conversations()).map(({ title }) => title)).toEqual(['mine'])
    expect(await messages(one)).toEqual(['mine'])
    const { read } = server.service.database
    const kept = read.selectFrom('chatConversation').where('instanceId', '=', one.instance.id)
    expect(await kept.where('isPartners', '=', 1).select('id').execute()).toHaveLength(100)
    await one.chat.begin()
    await talk(one, 'mine again')
    expect((await one.chat.conversations()).map(({ title }) => title)).toEqual(['mine again', 'mine'])
    expect(await kept.where('isPartners', '=', 1).select('id').execute()).toHaveLength(100)
  })

  it('are begun once by who begins twice at once', async () => {
    const one = await newChat()
    await talk(one, 'hello')
    const begun = await Promise.all(Array.from({ length: 8 }, () => one.chat.begin()))
    expect(new Set(begun.map(({ id }) => id)).size).toBe(1)
  })

  it('are shared by the team, whoever begins one', async () => {
    const one = await newChat()
    await talk(one, 'hello')
    const { browser } = await makeTeamMate(server, server.partner, one.instance.customerId, 'member')
    const member = chatClient(server.url, browser.identity.cookie, one.instance.id)
    const { id } = await member.begin()
    expect((await one.chat.history()).conversation).toBe(id)
    expect(await member.conversations()).toEqual(await one.chat.conversations())
  })

  it('are nobody else’s: another customer’s or partner’s is as none, also under one’s own instance', async () => {
    const [mine, neighbour] = [await newChat(), await newChat()]
    const stranger = await newChat(await makePartner(server.service))
    for (const other of [neighbour, stranger]) {
      await talk(other, 'private')
      const { id } = await other.chat.begin()
      await talk(other, 'more')
      for (const conversation of [id, other.instance.id, 'cnv_unknown', '', '%', "' or 1=1 --"]) {
        const query = `/history?conversation=${encodeURIComponent(conversation)}`
        const refused = await mine.chat.request(query)
        expect(refused).toMatchObject({ status: 404, body: { code: 'conversation_not_found' } })
        expect(JSON.stringify(refused.body)).not.toContain('private')
      }
      const before = await other.chat.conversations()
      const intruder = chatClient(server.url, mine.chat.cookie, other.instance.id)
      const status = other === neighbour ? 403 : 404
      expect(await intruder.request('/conversations')).toMatchObject({ status })
      expect(await intruder.request('/conversations', { method: 'POST' })).toMatchObject({ status })
      expect(await other.chat.conversations()).toEqual(before)
    }
    expect(await mine.chat.conversations()).toMatchObject([{ id: mine.instance.id, title: '' }])
  })

  it('end with their instance', async () => {
    const one = await newChat()
    await talk(one, 'hello')
    await one.chat.begin()
    await write((tx) => deleteInstance(tx, one.instance.partnerId, one.instance.id))
    for (const table of ['chatConversation', 'chatExchange'] as const) {
      const left = server.service.database.read
        .selectFrom(table)
        .where('instanceId', '=', one.instance.id)
        .selectAll()
      expect(await left.execute()).toEqual([])
    }
  })
})
