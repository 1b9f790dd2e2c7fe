import { describe, expect, it } from 'vitest'
import { readChatOutcome } from '../../src/catalog/chat.ts'

/** Of a script that saw the agent end with this code. */
const outcome = (code: number, stdout = '', stderr = '') =>
  ended(0, stdout, `tool a\nended ${code}\n${stderr}`)

const ended = (exitCode: number, stdout = '', stderr = '') =>
  readChatOutcome({ exitCode, stdout: Buffer.from(stdout), stderr: Buffer.from(stderr) }, 'auto')

describe('what a chat ended with', () => {
  it('keeps the reply as it is, but for the line breaks around it', () => {
    const reply = '    code first\n\n```sh\necho "1"\n```'
    expect(outcome(0, `\n \n${reply}\n\n`, 'warning\nsession_id: 20260529_101112_ab12cd\n')).toEqual({
      state: 'answered',
      reply,
      sessionId: '20260529_101112_ab12cd',
      model: 'auto',
      hasStarted: true
    })
  })

  it('drops notices that lead the reply, and no others', () => {
    const notices = '↻ Resumed session a_b (3 messages)\nSession a_b was compressed into c_d\n'
    expect(outcome(0, `${notices}Yes.\nSession a was compressed into b`)).toMatchObject({
      reply: 'Yes.\nSession a was compressed into b',
      sessionId: ''
    })
    expect(outcome(0, notices)).toMatchObject({ code: 'agent_error' })
  })

  it('takes the last session id, and none of a strange form', () => {
    expect(outcome(0, 'a', 'session_id: one\nsession_id: two\n')).toMatchObject({ sessionId: 'two' })
    expect(outcome(0, 'a', 'session_id: <script>\n')).toMatchObject({ sessionId: '' })
    expect(outcome(0, 'a', `session_id: ${'x'.repeat(201)}\n`)).toMatchObject({ sessionId: '' })
  })

  it('knows a time-out that began from one that didn’t', () => {
    expect(ended(76)).toEqual({ state: 'failed', code: 'agent_timeout', hasStarted: false })
    expect(outcome(124, 'half a reply')).toEqual({ state: 'failed', code: 'agent_timeout', hasStarted: true })
    expect(outcome(143)).toEqual({ state: 'failed', code: 'agent_timeout', hasStarted: true })
  })

  it('keeps the agent’s last words without secrets, and tells what they mean', () => {
    const failure = { state: 'failed', code: 'agent_error', hasStarted: true }
    const words = 'API call failed after 3 retries\nError: key ••• of •••'
    expect(
      outcome(1, 'API call failed after 3 retries', 'Error: key sk-abcdefghijk of mct_abcdefghijk\n')
    ).toEqual({
      ...failure,
      reason: 'model_away',
      words
    })
    expect(outcome(1, '', 'y'.repeat(100_000))).toEqual({ ...failure, words: 'y'.repeat(1_000) })
    // What it had begun to reply is the customer's.
    expect(ended(80, 'half a reply')).toEqual({ ...failure, reason: 'agent_crashed' })
    const coloured =
      '\u001b[32msk-abcdefghijk\u001b[0m Authorization: Bearer abcdefgh.ijk password="hunter22"'
    expect(outcome(1, '', coloured)).toEqual({
      ...failure,
      words: '••• Authorization: Bearer ••• password="•••"'
    })
    expect(ended(70, '', 'mkdir: cannot create directory: No space left on device')).toMatchObject({
      reason: 'disk_full'
    })
  })

  it('believes no outcome that the agent itself tells', () => {
    expect(ended(0, 'fine', 'tool ended 0\nended 1\nended 0\n')).toMatchObject({ state: 'failed' })
  })
})
