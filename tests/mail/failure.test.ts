import { describe, expect, it } from 'vitest'
import { messageIdHost, senderAddress } from '../../src/mail/compose.ts'
import { judge } from '../../src/mail/failure.ts'

const smtpError = (given: Record<string, unknown>): Error =>
  Object.assign(new Error('from the library'), given)
const recipientRefused = (responseCode: number, response: string): Error =>
  smtpError({ code: 'EENVELOPE', command: 'RCPT TO', responseCode, response })

describe('a failed attempt', () => {
  it.each([
    [550, 'give_up'],
    [553, 'give_up'],
    [450, 'retry'],
    [421, 'retry'],
    // Our conversation was out of step.
    [503, 'retry'],
    // The operator's login or TLS is missing.
    [530, 'retry']
  ])('whose recipient is answered with %i means %s', (responseCode, kind) => {
    expect(judge(recipientRefused(responseCode, `${responseCode} no`), [])).toMatchObject({ kind })
  })

  it.each(['ETIMEDOUT', 'ECONNECTION', 'ESOCKET', 'EDNS', 'ETLS', 'EABORT', 'ENOSPC'])(
    'of %s comes back',
    (code) => {
      expect(judge(smtpError({ code }), [])).toMatchObject({ kind: 'retry', code })
    }
  )

  it('of a refused login comes back, and tells nothing that the server quotes', () => {
    const error = smtpError({
      code: 'EAUTH',
      command: 'AUTH PLAIN',
      responseCode: 535,
      response: '535 5.7.8 bad login for me:secret'
    })
    expect(judge(error, [])).toEqual({
      kind: 'retry',
      code: 'EAUTH 535',
      reason: 'The mail server refused the login of MAIL_URL. 535 5.7.8'
    })
  })

  it('of an address that the library itself refuses is the last', () => {
    expect(judge(smtpError({ code: 'EENVELOPE', command: 'API' }), [])).toMatchObject({ kind: 'give_up' })
  })

  it('keeps a short reason on one line without links, tokens or the letter’s own secrets', () => {
    const token = 'A1b2'.repeat(11)
    const response = `550 no: abcd-efgh seen at https://x.example/accept?token=${token}, ${token}\r\nBcc: x ${'long '.repeat(200)}`
    const verdict = judge(recipientRefused(550, response), ['abcd-efgh'])
    if (verdict.kind === 'interrupted') throw new Error('not interrupted')
    expect(verdict.reason).toHaveLength(300)
    expect(verdict.reason).toMatch(
      /^The mail server refused RCPT TO: 550 no: \[removed\] seen at \[link\] \[removed\] Bcc: x/
    )
    expect(verdict.reason).not.toContain('A1b2')
  })

  it('that threw something else than an error is told by its type', () => {
    expect(judge('text', [])).toMatchObject({ kind: 'retry', code: 'string' })
  })
})

describe('MAIL_FROM', () => {
  it.each([
    ['Mindgate <no-reply@mail.example>', 'no-reply@mail.example', 'mail.example'],
    ['no-reply@MAIL.example', 'no-reply@MAIL.example', 'mail.example'],
    ['Post <a@bücher.example>', 'a@bücher.example', 'xn--bcher-kva.example'],
    ['nobody', '', 'mindgate']
  ])('%s gives the address %s and Message-IDs at %s', (mailFrom, address, host) => {
    expect(senderAddress(mailFrom)).toBe(address)
    expect(messageIdHost(address)).toBe(host)
  })
})
