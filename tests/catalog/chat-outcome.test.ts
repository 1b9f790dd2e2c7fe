import { describe, expect, it } from 'vitest'
import { readChatOutcome } from '../../src/catalog/cli-agent/chat.ts'

const outcome = (exitCode: number, stdout = '', stderr = '') =>
  readChatOutcome({ exitCode, stdout: Buffer.from(stdout), stderr: Buffer.from(stderr) })

describe('what a chat ended with', () => {
  it('keeps the reply as it is, but for the line breaks around it', () => {
    const reply = '    code first\n\n```sh\necho "1"\n```'
    expect(outcome(0, `\n \n${reply}\n\n`, 'warning\nsession_id: 20260529_101112_ab12cd\n')).toEqual({
      kind: 'reply',
      reply,
      sessionId: '20260529_101112_ab12cd'
    })
  })

  it('drops notices that lead the reply, and no others', () => {
    const notices = '↻ Resumed session a_b (3 messages)\nSession a_b was compressed into c_d\n'
    expect(outcome(0, `${notices}Yes.\nSession a was compressed into b`)).toMatchObject({
      reply: 'Yes.\nSession a was compressed into b',
      sessionId: null
    })
    expect(outcome(0, notices)).toMatchObject({ kind: 'agent_error' })
  })

  it('takes the last session id, and none of a strange form', () => {
    expect(outcome(0, 'a', 'session_id: one\nsession_id: two\n')).toMatchObject({ sessionId: 'two' })
    expect(outcome(0, 'a', 'session_id: <script>\n')).toMatchObject({ sessionId: null })
    expect(outcome(0, 'a', `session_id: ${'x'.repeat(201)}\n`)).toMatchObject({ sessionId: null })
  })

  it('knows a time-out that began from one that didn’t', () => {
    expect(outcome(76)).toEqual({ kind: 'timeout', hasStarted: false })
    expect(outcome(124, 'half a reply')).toEqual({ kind: 'timeout', hasStarted: true })
    expect(outcome(143)).toEqual({ kind: 'timeout', hasStarted: true })
  })

  it('gives the agent’s last words without keys, and not too many', () => {
    const said =
      'Error: key sk-abcdefghijk of mct_abcdefghijk and bot 1234567:AAabcdefghijklmnopqrst\nexit_code: 3\n'
    expect(outcome(70, '', said)).toEqual({
      kind: 'agent_error',
      detail: 'The agent ended with 3. Error: key ••• of ••• and bot •••'
    })
    expect(outcome(70, 'API call failed after 3 retries: x')).toMatchObject({
      detail: 'The agent ended with 70. API call failed after 3 retries: x'
    })
    const { detail } = { detail: '', ...outcome(1, 'y'.repeat(100_000)) }
    expect(detail.length).toBeLessThan(400)
  })
})
