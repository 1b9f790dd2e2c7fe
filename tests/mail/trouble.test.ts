// The mail server refuses, stalls, dies or isn't there.
import { existsSync, readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { countGivenUp, listMails } from '../../src/mail/store.ts'
import { type DatabaseKind, databases } from '../support/databases.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { mailRow, makeAddressee, type WrittenLetter, writeLetter } from './letters.ts'
import { openPostOffice, openRawServer, type PostOffice, refusal } from './post-office.ts'

const PATIENCE = { timeout: 15_000, interval: 20 }

describe('a mail that meets trouble', () => {
  const opened: { close(): Promise<void> }[] = []
  afterEach(async () => {
    for (const one of opened.splice(0).reverse()) await one.close()
  })

  const office = async (...conduct: Parameters<typeof openPostOffice>): Promise<PostOffice> => {
    const server = await openPostOffice(...conduct)
    opened.push(server)
    return server
  }
  const rawServer = async (onConnection: (socket: Socket) => void) => {
    const server = await openRawServer(onConnection)
    opened.push(server)
    return server
  }

  /** A service that sends to `url` and comes back quickly, with one invite written. */
  const sendTo = async (
    url: string,
    env: Record<string, string> = {},
    kind: DatabaseKind = 'sqlite'
  ): Promise<TestService & { letter: WrittenLetter }> => {
    const given = { MAIL_URL: url, MAIL_RETRY_MS: '20', MAIL_TIMEOUT_MS: '5000', ...env }
    const test = await openTestService(kind, given)
    opened.push(test)
    const letter = await writeLetter(test.service, await makeAddressee(test.service))
    test.service.start('https://mindgate.example')
    return { ...test, letter }
  }

  const finished = ({ service, letter }: { service: TestService['service']; letter: WrittenLetter }) =>
    vi.waitFor(async () => {
      const row = await mailRow(service, letter.mailId)
      expect(row.status).not.toBe('queued')
      return row
    }, PATIENCE)

  /** The one line of an error. A row can be seen a moment before its writer hears that it is on the disk, and tells. */
  const onlyError = ({ logs }: TestService): Promise<string> =>
    vi.waitFor(() => {
      const errors = logs.filter((line) => line.includes('"level":"error"'))
      expect(errors).toHaveLength(1)
      return errors[0] ?? ''
    }, PATIENCE)

  it.each(databases)(
    'is sent later, under the same Message-ID and date, when the server says 4xx first, on %s',
    async (kind) => {
      const seen: (string | undefined)[][] = []
      const server = await office({
        onLetter({ messageId, date }) {
          seen.push([messageId, date])
          if (seen.length < 3) throw refusal(451, '4.3.0 try again later')
        }
      })
      const test = await sendTo(server.url, {}, kind)
      expect(await finished(test)).toMatchObject({ status: 'sent', attempts: 3, lastError: null })
      expect(seen).toHaveLength(3)
      expect(new Set(seen.map((one) => one.join())).size).toBe(1)
      expect(seen[0]?.[0]).toContain(test.letter.mailId)
    }
  )

  it('is given up at once when the recipient is refused with 5xx', async () => {
    let attempts = 0
    const server = await office({
      onRcptTo(_address, _session, callback) {
        attempts += 1
        callback(refusal(550, '5.1.1 no such user here'))
      }
    })
    const test = await sendTo(server.url)
    expect(await finished(test)).toMatchObject({
      status: 'failed',
      attempts: 1,
      sealedSecret: null,
      lastError: expect.stringContaining('550 5.1.1 no such user here'),
      finishedAt: expect.any(String)
    })
    expect(attempts).toBe(1)
    await onlyError(test)
  })

  it('keeps only the codes of a server that quotes the letter when it refuses it', async () => {
    const server = await office({
      onLetter({ text }) {
        throw refusal(554, `5.7.1 blocked: ${text?.replaceAll(/\s+/g, ' ')}`)
      }
    })
    const test = await sendTo(server.url)
    const row = await finished(test)
    expect(row).toMatchObject({
      status: 'failed',
      lastError: 'The mail server refused DATA: 554 5.7.1'
    })
    const kept = JSON.stringify([row, test.logs])
    expect(kept).not.toContain(test.letter.linkToken)
    expect(kept).not.toContain(test.letter.temporaryPassword)
  })

  it('waits for the operator when the login is refused', async () => {
    const passwords = new Set<string>()
    const server = await office({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth({ username, password }, _session, callback) {
        const isKnown = username === 'mind gate' && passwords.has(password ?? '')
        callback(isKnown ? null : refusal(535, `5.7.8 not ${password}`), { user: username })
      }
    })
    const test = await sendTo(`smtp://mind%20gate:p%40ss%3Aword@127.0.0.1:${server.port}`, {
      MAIL_ATTEMPTS: '100'
    })
    const waiting = await vi.waitFor(async () => {
      const row = await mailRow(test.service, test.letter.mailId)
      expect(row.attempts).toBeGreaterThan(1)
      expect(row.lastError).not.toBeNull()
      return row
    }, PATIENCE)
    expect(waiting.lastError).toBe('The mail server refused the login of MAIL_URL. 535 5.7.8')
    passwords.add('p@ss:word')
    expect((await finished(test)).status).toBe('sent')
    expect(test.logs.join()).not.toContain('p@ss')
  })

  it('is given up after the last attempt when no server is ever reached', async () => {
    const gone = await openPostOffice()
    await gone.close()
    const test = await sendTo(gone.url, { MAIL_ATTEMPTS: '3', MAIL_RETRY_MS: '5' })
    await finished(test)
    const reader = test.service.database.read
    expect((await listMails(reader, undefined, { status: 'failed' })).rows).toMatchObject([
      {
        id: test.letter.mailId,
        attempts: 3,
        lastError: 'The connection to the mail server failed. (ECONNREFUSED)'
      }
    ])
    expect(await countGivenUp(reader)).toBe(1)
    expect((await mailRow(test.service, test.letter.mailId)).sealedSecret).toBeNull()
    expect(JSON.parse(await onlyError(test))).toMatchObject({
      msg: 'a mail was given up',
      mailId: test.letter.mailId,
      template: 'portal_invite',
      attempts: 3,
      code: 'ESOCKET'
    })
  })

  it('lies sealed in the database while it waits', async () => {
    const gone = await openPostOffice()
    await gone.close()
    const { letter, service } = await sendTo(gone.url, { MAIL_RETRY_MS: '60000' })
    await vi.waitFor(
      async () => expect((await mailRow(service, letter.mailId)).lastError).toBeTruthy(),
      PATIENCE
    )
    expect((await mailRow(service, letter.mailId)).sealedSecret).toEqual(expect.any(String))
    const files = ['mindgate.db', 'mindgate.db-wal'].map((name) => join(service.config.dataDir, name))
    const bytes = files.filter((file) => existsSync(file)).map((file) => readFileSync(file, 'latin1'))
    const rows = await service.database.read.selectFrom('mail').selectAll().execute()
    const kept = bytes.join() + JSON.stringify(rows)
    expect(kept).toContain(letter.mailId)
    expect(kept).not.toContain(letter.linkToken)
    expect(kept).not.toContain(letter.temporaryPassword)
  })

  it('is tried again when the server never greets', async () => {
    const server = await rawServer(() => undefined)
    const test = await sendTo(server.url, { MAIL_TIMEOUT_MS: '150', MAIL_ATTEMPTS: '2' })
    expect(await finished(test)).toMatchObject({
      attempts: 2,
      lastError: 'The mail server didn’t answer in time.'
    })
    expect(server.connections()).toBe(2)
  })

  it('is tried again when the server falls silent after the letter, and holds nothing else up', async () => {
    const conduct: { isSilent: boolean } = { isSilent: true }
    const server = await office({
      async onLetter({ subject }) {
        if (conduct.isSilent && subject?.startsWith('Your access')) await new Promise(() => undefined)
      }
    })
    const test = await sendTo(server.url, { MAIL_TIMEOUT_MS: '400' })
    await writeLetter(test.service, await makeAddressee(test.service), { template: 'password_reset' })
    await vi.waitFor(() => expect(server.received).toHaveLength(1), PATIENCE)
    expect((await mailRow(test.service, test.letter.mailId)).status).toBe('queued')
    const failedOnce = async () =>
      expect((await mailRow(test.service, test.letter.mailId)).lastError).toBe(
        'The mail server didn’t answer in time.'
      )
    await vi.waitFor(failedOnce, PATIENCE)
    conduct.isSilent = false
    expect((await finished(test)).status).toBe('sent')
  })

  it('is cut off as a whole by a server that drips its answer to every command', async () => {
    const server = await rawServer((socket) => {
      socket.write('220 slow.example ESMTP\r\n')
      // Lines without end, so that no silence is ever long.
      socket.once('data', () => {
        const drip = setInterval(() => socket.write('250-PATIENCE\r\n'), 40)
        socket.once('close', () => clearInterval(drip))
      })
    })
    const test = await sendTo(server.url, { MAIL_TIMEOUT_MS: '200', MAIL_ATTEMPTS: '1' })
    expect((await finished(test)).lastError).toBe('The mail server took too long as a whole.')
  })

  it('is sent once the server is back that died in the middle of the letter', async () => {
    const dying = await rawServer((socket) => {
      socket.write('220 dying.example ESMTP\r\n')
      socket.on('data', (bytes) => {
        const command = bytes.toString()
        if (/^(EHLO|MAIL|RCPT)/.test(command)) socket.write('250 OK\r\n')
        else if (command.startsWith('DATA')) socket.write('354 go ahead\r\n')
        else socket.destroy()
      })
    })
    const test = await sendTo(dying.url)
    await vi.waitFor(async () => {
      expect((await mailRow(test.service, test.letter.mailId)).lastError).toBeTruthy()
    }, PATIENCE)
    await dying.close()
    const back = await office({ port: Number(new URL(dying.url).port) })
    expect((await finished(test)).status).toBe('sent')
    expect(back.received.map(({ messageId }) => messageId)).toEqual([
      (await mailRow(test.service, test.letter.mailId)).messageId
    ])
  })

  it('doesn’t go to a server whose certificate can’t be checked, unless the URL says so', async () => {
    // smtp-server brings a certificate that it signed itself.
    const server = await office({ hideSTARTTLS: false })
    const strict = await sendTo(server.url, { MAIL_ATTEMPTS: '1' })
    expect((await finished(strict)).status).toBe('failed')
    expect(server.received).toEqual([])
    const lenient = await sendTo(`${server.url}?tls.rejectUnauthorized=false`)
    expect((await finished(lenient)).status).toBe('sent')
  })

  it('is given up when its secret is gone or altered', async () => {
    const server = await office()
    const test = await openTestService('sqlite', { MAIL_URL: server.url })
    opened.push(test)
    const addressee = await makeAddressee(test.service)
    const gone = await writeLetter(test.service, addressee, { template: 'password_reset' })
    const altered = await writeLetter(test.service, addressee, { template: 'portal_invite' })
    await test.service.database.transaction(async (tx) => {
      await tx.updateTable('mail').set({ sealedSecret: null }).where('id', '=', gone.mailId).execute()
      await tx.updateTable('mail').set({ sealedSecret: 'AAAA' }).where('id', '=', altered.mailId).execute()
    })
    test.service.start('https://mindgate.example')
    expect((await finished({ ...test, letter: gone })).lastError).toContain('no longer kept')
    expect((await finished({ ...test, letter: altered })).lastError).toContain('can’t be read')
    expect(server.received).toEqual([])
  })
})
