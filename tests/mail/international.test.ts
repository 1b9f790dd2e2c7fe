// Addresses beyond ASCII over SMTP (RFC 6531): to servers that take them, and to those that don't.
import { afterEach, describe, expect, it, vi } from 'vitest'
import { openTestService, type TestService } from '../support/service.ts'
import { mailRow, makeAddressee, writeLetter } from './letters.ts'
import { openPostOffice, openRawServer, type PostOffice } from './post-office.ts'

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal']
const PATIENCE = { timeout: 15_000, interval: 20 }

describe('a mail to an international address', () => {
  const opened: { close(): Promise<void> }[] = []
  afterEach(async () => {
    for (const one of opened.splice(0).reverse()) await one.close()
  })

  /** A mail server that notes what it is told, and a service that sends to it. */
  const post = async (conduct: Parameters<typeof openPostOffice>[0] = {}) => {
    const told: string[] = []
    const note = (_: unknown, format: string, ...words: unknown[]) => {
      const line = words.join(' ')
      if (format.includes('C:') && /^(?:MAIL|RCPT)/.test(line)) told.push(line)
    }
    const logger = Object.fromEntries(LEVELS.map((level) => [level, note]))
    const office = await openPostOffice({ logger, ...conduct })
    opened.push(office)
    return { ...(await service(office.url)), office, told }
  }
  const service = async (url: string): Promise<TestService> => {
    const test = await openTestService('sqlite', {
      MAIL_URL: url,
      MAIL_FROM: 'Mindgate <no-reply@mail.mindgate.example>',
      MAIL_RETRY_MS: '20',
      MAIL_ATTEMPTS: '2',
      MAIL_TIMEOUT_MS: '300'
    })
    opened.push(test)
    test.service.start('https://mindgate.example')
    return test
  }
  const send = async (
    { service }: TestService,
    recipient: string,
    partner: Parameters<typeof makeAddressee>[1] = {}
  ) => {
    const letter = await writeLetter(service, await makeAddressee(service, partner), { recipient })
    return vi.waitFor(async () => {
      const row = await mailRow(service, letter.mailId)
      expect(row.status).not.toBe('queued')
      return row
    }, PATIENCE)
  }
  const only = ({ received }: PostOffice) => {
    expect(received).toHaveLength(1)
    return received[0]
  }

  it('goes to its domain in A-labels, which every server takes', async () => {
    const test = await post({ hideSMTPUTF8: true })
    expect(await send(test, 'Ada@Bücher.example')).toMatchObject({ status: 'sent', attempts: 1 })
    expect(test.told).toEqual([
      expect.not.stringContaining('SMTPUTF8'),
      'RCPT TO:<Ada@xn--bcher-kva.example>'
    ])
    expect(only(test.office)?.to).toEqual([{ name: '', address: 'Ada@xn--bcher-kva.example' }])
  })

  it('with letters beyond ASCII before the @ goes to a server that offers SMTPUTF8', async () => {
    const test = await post()
    expect(await send(test, 'josé@bücher.example')).toMatchObject({ status: 'sent', attempts: 1 })
    expect(test.told).toEqual([
      expect.stringContaining(' SMTPUTF8'),
      expect.stringMatching(/^RCPT TO:<josé@(bücher|xn--bcher-kva)\.example>$/)
    ])
    expect(only(test.office)?.to?.[0]?.address).toMatch(/^josé@(bücher|xn--bcher-kva)\.example$/)
  })

  it('with such letters is given up at once, and nothing is sent, where the server doesn’t', async () => {
    const test = await post({ hideSMTPUTF8: true })
    expect(await send(test, 'josé@bücher.example')).toMatchObject({
      status: 'failed',
      attempts: 1,
      sealedSecret: null,
      lastError: expect.stringContaining('no address with letters like é before the @')
    })
    expect(test.told).toEqual([])
    expect(await send(test, 'ada@example.com')).toMatchObject({ status: 'sent' })
  })

  it('is tried again while the server can’t be asked', async () => {
    const raw = await openRawServer((socket) => socket.end('421 4.3.2 closing down\r\n'))
    opened.push(raw)
    const row = await send(await service(raw.url), 'josé@bücher.example')
    expect(row).toMatchObject({ status: 'failed', attempts: 2 })
    expect(row.lastError).not.toContain('é')
    const silent = await openRawServer(() => undefined)
    opened.push(silent)
    expect(await send(await service(silent.url), 'josé@bücher.example')).toMatchObject({
      attempts: 2,
      lastError: expect.stringContaining('in time')
    })
  })

  it('doesn’t make other mails need SMTPUTF8: the support address isn’t in their headers', async () => {
    const brand = (supportEmail: string) => ({ brand: JSON.stringify({ supportEmail }) })
    const test = await post({ hideSMTPUTF8: true })
    await send(test, 'ada@example.com', brand('josé@bücher.example'))
    expect(only(test.office)?.replyTo).toBeUndefined()
    expect(only(test.office)?.text).toContain('josé@bücher.example')
    await send(test, 'ada@example.com', brand('help@bücher.example'))
    expect(test.office.received[1]?.replyTo?.[0]?.address).toBe('help@xn--bcher-kva.example')
  })
})
