// A reply that comes when nobody waits for it any more.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { replyOf } from './chat-client.ts'
import { type ChatFixture, PATIENT, startChatFixture } from './chat-fixture.ts'

let fixture: ChatFixture
afterAll(() => fixture.close())

describe('a message whose time is over', PATIENT, () => {
  beforeAll(async () => {
    fixture = await startChatFixture('sqlite', { CHAT_TIMEOUT_MS: 8_000 })
  })

  it('is answered in the history once its time is over, and to who asks again', async () => {
    const sandbox = await fixture.sandbox()
    sandbox.holdAgent()
    const sent = { key: 'key-1' }
    expect(await sandbox.chat.send('hello', sent)).toMatchObject({ status: 504, body: { isRunning: true } })
    expect(await sandbox.chat.history()).toMatchObject({ exchanges: [{ state: 'waiting', reply: null }] })
    const again = sandbox.chat.send('hello', sent)
    sandbox.letGo()
    expect(replyOf(await again).reply).toContain('You said: hello')
    expect((await sandbox.chat.history()).exchanges).toMatchObject([{ key: 'key-1', state: 'answered' }])
    expect(sandbox.begunWith()).toEqual(['hello'])
  })
})
