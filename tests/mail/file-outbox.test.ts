// Without MAIL_URL, mails are files.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createOutbox } from '../../src/mail/outbox.ts'
import type { Service } from '../../src/service.ts'
import type { Bundle } from '../crash/bundle.ts'
import { openTestService } from '../support/service.ts'
import { endLease, mailRow, makeAddressee, writeLetter } from './letters.ts'
import { bundleSender, startSender } from './sender.ts'

const PUBLIC_URL = 'https://mindgate.example'

describe('mails without a mail server', () => {
  let program: Bundle
  beforeAll(async () => {
    program = await bundleSender()
  })
  afterAll(() => program.remove())

  const opened: { close(): Promise<void> }[] = []
  afterEach(async () => {
    for (const one of opened.splice(0).reverse()) await one.close()
  })

  const openService = async () => {
    const test = await openTestService('sqlite')
    opened.push(test)
    return test
  }
  const untilSent = (service: Service, mailId: string) =>
    vi.waitFor(async () => expect((await mailRow(service, mailId)).status).toBe('sent'), {
      timeout: 20_000,
      interval: 20
    })

  it.each(['before mkdir', 'after open', 'before link', 'after link', 'before unlink', 'after unlink'])(
    'become exactly one file though the process dies %s',
    async (step) => {
      const { service, env } = await openService()
      const { mailId, linkToken } = await writeLetter(service, await makeAddressee(service))
      const child = startSender(program, { ...env, LEASE_MS: '60000', DIE_AT: step })
      opened.push(child)
      expect(await child.ended).toBe('SIGKILL')
      expect((await mailRow(service, mailId)).status).toBe('queued')
      await endLease(service, mailId)

      const outbox = createOutbox(service, { pollMs: 50 })
      opened.push({ close: () => outbox.stop() })
      outbox.start(PUBLIC_URL)
      await untilSent(service, mailId)
      const folder = join(service.config.dataDir, 'outbox')
      // Hidden drafts would be listed as well.
      expect(readdirSync(folder)).toEqual([`${mailId}.eml`])
      const letter = await PostalMime.parse(readFileSync(join(folder, `${mailId}.eml`)))
      expect(letter.text).toContain(linkToken)
    }
  )

  it('become files that only this user can read', async () => {
    const { service } = await openService()
    const { mailId } = await writeLetter(service, await makeAddressee(service))
    service.start(PUBLIC_URL)
    await untilSent(service, mailId)
    const folder = join(service.config.dataDir, 'outbox')
    const file = join(folder, `${mailId}.eml`)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })
})
