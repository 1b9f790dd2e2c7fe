// What is heard of a message while the agent works on it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { replyOf } from './chat-client.ts'
import { type ChatFixture, PATIENT, startChatFixture } from './chat-fixture.ts'

const SLOW = { timeout: 60_000 }

describe('a message that is worked on', PATIENT, () => {
  let fixture: ChatFixture
  beforeAll(async () => {
    fixture = await startChatFixture('sqlite')
  })
  afterAll(() => fixture.close())

  it('is heard by thirty at once and no more', async () => {
    const sandbox = await fixture.sandbox()
    sandbox.holdAgent()
    const sent = sandbox.chat.send('hello', { key: 'key-1' })
    await expect.poll(async () => (await sandbox.chat.history()).exchanges.length, SLOW).toBe(1)
    const leaving = new AbortController()
    const listen = () =>
      fetch(`${sandbox.chat.url}/events`, {
        headers: { cookie: sandbox.chat.cookie },
        signal: leaving.signal
      })
    const answers = await Promise.all(Array.from({ length: 35 }, listen))
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(5)
    leaving.abort()
    await expect
      .poll(
        async () =>
          (await fetch(`${sandbox.chat.url}/events`, { headers: { cookie: sandbox.chat.cookie } })).status,
        SLOW
      )
      .toBe(200)
    sandbox.letGo()
    expect((await sent).status).toBe(200)
  })

  it('is heard while it is at work: the text as it comes, and the tools', async () => {
    const sandbox = await fixture.sandbox()
    sandbox.fault('speaks 0.5')
    const answering = sandbox.chat.send('one two three four five six, which uses 2 tools', { key: 'key-1' })
    await expect.poll(async () => (await sandbox.chat.history()).exchanges.length, SLOW).toBe(1)
    const heard: { key: string; progress: { text: string; tools: string[] } | null }[] = []
    for (let isOver = false; !isOver; ) {
      const answer = await fetch(`${sandbox.chat.url}/events`, { headers: { cookie: sandbox.chat.cookie } })
      expect(answer.headers.get('content-type')).toContain('text/event-stream')
      const events = await answer.text()
      isOver = events.includes('event: end')
      for (const [, data = ''] of events.matchAll(/^data: (.*)$/gm)) heard.push(...JSON.parse(data).exchanges)
    }
    expect(heard[0]).toEqual({ key: 'key-1', progress: null })
    const texts = heard.map(({ progress }) => progress?.text ?? '')
    expect(texts.filter((text) => text !== '').length).toBeGreaterThan(2)
    for (const [index, text] of texts.entries()) expect(text.startsWith(texts[index - 1] ?? '')).toBe(true)
    expect(heard.at(-1)?.progress?.tools).toEqual(['terminal', 'web_search'])
    const { reply } = replyOf(await answering)
    expect(reply.startsWith(texts.at(-1) ?? 'none')).toBe(true)
    expect((await sandbox.chat.history()).exchanges).toMatchObject([{ progress: null }])
  })
})
