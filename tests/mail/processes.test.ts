// Several processes on one database, and processes that end in the middle.
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { loadConfig } from '../../src/config.ts'
import { createLog } from '../../src/log.ts'
import { createOutbox } from '../../src/mail/outbox.ts'
import { openService as openOtherService, type Service } from '../../src/service.ts'
import type { Bundle } from '../crash/bundle.ts'
import { makeGate } from '../idempotency/gate.ts'
import { databases } from '../support/databases.ts'
import { openTestService } from '../support/service.ts'
import { endLease, mailRow, makeAddressee, writeLetter } from './letters.ts'
import { openPostOffice } from './post-office.ts'
import { bundleSender, startSender } from './sender.ts'

const PUBLIC_URL = 'https://mindgate.example'
const PATIENCE = { timeout: 20_000, interval: 20 }

let program: Bundle
beforeAll(async () => {
  program = await bundleSender()
})
afterAll(() => program.remove())

describe.each(databases)('mails and processes, on %s', (kind) => {
  const opened: { close(): Promise<void> }[] = []
  afterEach(async () => {
    for (const one of opened.splice(0).reverse()) await one.close()
  })

  const openService = async (env: Record<string, string> = {}) => {
    const test = await openTestService(kind, env)
    opened.push(test)
    return test
  }
  /** Another service on the same database, with connections of its own. */
  const openBeside = async (env: Record<string, string>) => {
    const beside = await openOtherService(loadConfig(env), createLog('silent'))
    opened.push(beside)
    return beside
  }
  const office = async (...conduct: Parameters<typeof openPostOffice>) => {
    const server = await openPostOffice(...conduct)
    opened.push(server)
    return server
  }
  /** A worker beside the service's own, which isn't started. */
  const startOutbox = (service: Service, times: Parameters<typeof createOutbox>[1]) => {
    const outbox = createOutbox(service, { pollMs: 50, ...times })
    opened.push({ close: () => outbox.stop() })
    outbox.start(PUBLIC_URL)
    return outbox
  }
  const untilSent = (service: Service, mailId: string) =>
    vi.waitFor(async () => expect((await mailRow(service, mailId)).status).toBe('sent'), PATIENCE)

  it('are sent once each by two workers on one database', async () => {
    const server = await office()
    const { service, env } = await openService({ MAIL_URL: server.url })
    const addressees = await Promise.all(Array.from({ length: 30 }, () => makeAddressee(service)))
    for (const addressee of addressees) await writeLetter(service, addressee)
    const beside = await openBeside(env)
    startOutbox(service, {})
    startOutbox(beside, {})
    await vi.waitFor(async () => {
      const waiting = await service.database.read
        .selectFrom('mail')
        .where('status', '=', 'queued')
        .selectAll()
        .execute()
      expect(waiting).toEqual([])
    }, PATIENCE)
    expect(server.received).toHaveLength(30)
    expect(new Set(server.received.map(({ messageId }) => messageId)).size).toBe(30)
  })

  it('leave at once when the transaction commits, not at the next look', async () => {
    const server = await office()
    const { service } = await openService({ MAIL_URL: server.url })
    const outbox = startOutbox(service, { pollMs: 600_000 })
    await writeLetter(service, await makeAddressee(service), { outbox })
    await vi.waitFor(() => expect(server.received).toHaveLength(1), PATIENCE)
    await writeLetter(service, await makeAddressee(service), { outbox })
    await vi.waitFor(() => expect(server.received).toHaveLength(2), PATIENCE)
  })

  it('of a process that ended are taken over when its lease ends, and not before', async () => {
    const server = await office()
    const { service } = await openService({ MAIL_URL: server.url })
    const addressee = await makeAddressee(service)
    const { mailId } = await writeLetter(service, addressee)
    const leaseExpiresAt = new Date(Date.now() + 500).toISOString()
    await service.database.transaction((tx) =>
      tx
        .updateTable('mail')
        .set({ attempts: 1, leaseOwner: 'wrk_ended', leaseExpiresAt })
        .where('id', '=', mailId)
        .execute()
    )
    startOutbox(service, {})
    await untilSent(service, mailId)
    const { finishedAt, attempts } = await mailRow(service, mailId)
    expect(finishedAt).toSatisfy((at: string) => at > leaseExpiresAt)
    expect(attempts).toBe(2)
  })

  it('are given up when the process ended during the last attempt', async () => {
    const server = await office()
    const { service } = await openService({ MAIL_URL: server.url, MAIL_ATTEMPTS: '2' })
    const { mailId } = await writeLetter(service, await makeAddressee(service))
    await service.database.transaction((tx) =>
      tx.updateTable('mail').set({ attempts: 2 }).where('id', '=', mailId).execute()
    )
    startOutbox(service, {})
    await vi.waitFor(async () => expect((await mailRow(service, mailId)).status).toBe('failed'), PATIENCE)
    expect(await mailRow(service, mailId)).toMatchObject({ attempts: 2, sealedSecret: null })
    expect(server.received).toEqual([])
  })

  it('go out again under the same Message-ID when the process dies between the 250 and its mark', async () => {
    const { service, env } = await openService()
    const { mailId } = await writeLetter(service, await makeAddressee(service))
    const dying = makeGate()
    const hold = makeGate()
    let holding: Promise<unknown> = Promise.resolve()
    const heard: string[] = []
    const server = await office({
      async onLetter({ messageId = '' }) {
        if (heard.push(messageId) > 1) return
        // The row is locked before the 250 is said, so that the mark can't be made.
        const locked = makeGate()
        holding = service.database
          .transaction(async (tx) => {
            await tx.updateTable('mail').set({ lastError: 'locked' }).where('id', '=', mailId).execute()
            locked.open()
            await hold.opened
            throw new Error('unlock')
          })
          .catch(() => undefined)
        await locked.opened
      },
      onClose: () => dying.open()
    })
    const child = startSender(program, { ...env, MAIL_URL: server.url, LEASE_MS: '60000' })
    opened.push(child)
    // The client hangs up once it has its 250.
    await dying.opened
    await child.close()
    hold.open()
    await holding
    expect(server.received).toHaveLength(1)
    expect((await mailRow(service, mailId)).status).toBe('queued')
    await endLease(service, mailId)

    const next = createOutbox(
      { ...service, config: { ...service.config, mailUrl: server.url } },
      { pollMs: 50 }
    )
    opened.push({ close: () => next.stop() })
    next.start(PUBLIC_URL)
    await untilSent(service, mailId)
    const { messageId } = await mailRow(service, mailId)
    expect(server.received.map((letter) => letter.messageId)).toEqual([messageId, messageId])
  })

  it('in hand are finished before the process stops', async () => {
    const arrived = makeGate()
    const release = makeGate()
    const server = await office({
      async onLetter() {
        arrived.open()
        await release.opened
      }
    })
    const { service } = await openService({ MAIL_URL: server.url })
    const { mailId } = await writeLetter(service, await makeAddressee(service))
    const outbox = startOutbox(service, {})
    await arrived.opened
    const stopped = outbox.stop()
    release.open()
    await stopped
    expect((await mailRow(service, mailId)).status).toBe('sent')
  })

  it('in hand of a server that stalls are handed on, uncounted, when the process must stop', async () => {
    const arrived = makeGate()
    const conduct: { isStalling: boolean } = { isStalling: true }
    const server = await office({
      async onLetter() {
        if (!conduct.isStalling) return
        arrived.open()
        await new Promise(() => undefined)
      }
    })
    const { service } = await openService({ MAIL_URL: server.url })
    const { mailId } = await writeLetter(service, await makeAddressee(service))
    const outbox = startOutbox(service, { stopGraceMs: 50 })
    await arrived.opened
    await outbox.stop()
    expect(await mailRow(service, mailId)).toMatchObject({
      status: 'queued',
      attempts: 0,
      leaseOwner: null,
      leaseExpiresAt: null
    })
    conduct.isStalling = false
    startOutbox(service, {})
    await untilSent(service, mailId)
  })
})
