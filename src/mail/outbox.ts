// The durable outbox: a mail is a row written in the transaction that causes it, sent by a worker after the commit.
// At least once, with one Message-ID: twice only if the process ended, or lost the database for longer than a lease,
// between the server's 250 and its mark. The file outbox is exactly once.
import { now } from '../clock.ts'
import type { WriteHandle } from '../database/database.ts'
import { newId } from '../ids.ts'
import { createQueue } from '../jobs/queue.ts'
import { messageIdHost, senderAddress } from './compose.ts'
import { attemptMail, type OutboxDeps } from './courier.ts'
import { mailFolder, openFileTransport } from './file-transport.ts'
import { openSmtpTransport } from './smtp-transport.ts'
import type { Letter, Notice } from './templates/letters.ts'

export type Outbox = ReturnType<typeof createOutbox>

/** Tests shorten them. */
interface OutboxTimes {
  /** How long a claimed mail is ours; longer than an attempt and its mark can take. */
  leaseMs: number
  pollMs: number
  stopGraceMs: number
}

/** Mails on their way at the same time; a server that stalls holds up no more than its share. */
const CONCURRENCY = 4
const POLL_MS = 5_000
const STOP_GRACE_MS = 25_000

/** What a mark may take beyond the wait for a locked database. */
const MARK_MARGIN_MS = 30_000

/** A conversation of normal pace has no more silences of the longest kind than these: connect, greeting, envelope, body. */
const SILENCES_PER_ATTEMPT = 4

/** A timeout of 0 would mean none, or the library's own of ten minutes. */
const SHORTEST_TIMEOUT_MS = 50

export function createOutbox(
  { config, database, secrets, log }: OutboxDeps,
  times: Partial<OutboxTimes> = {}
) {
  const silenceMs = Math.max(config.mailTimeoutMs, SHORTEST_TIMEOUT_MS)
  const attemptMs = silenceMs * SILENCES_PER_ATTEMPT
  const host = messageIdHost(senderAddress(config.mailFrom))
  const queue = createQueue(
    { database, log },
    {
      table: 'mail',
      concurrency: CONCURRENCY,
      leaseMs: times.leaseMs ?? attemptMs + config.busyDeadlineMs + MARK_MARGIN_MS,
      lookMs: times.pollMs ?? POLL_MS,
      stopGraceMs: times.stopGraceMs ?? STOP_GRACE_MS,
      taking: ({ attempts }) => ({ attempts: attempts + 1 }),
      messages: { take: 'mails could not be claimed', perform: 'a mail could not be sent' }
    }
  )
  return {
    /** Writes the mail in the caller's transaction; it leaves after the commit. */
    async enqueue(tx: WriteHandle, { params, ...letter }: Letter | Notice): Promise<void> {
      const { partnerId, customerId, template, recipient } = letter
      const id = newId('mail')
      const createdAt = now()
      await queue.enqueue(tx, {
        id,
        partnerId,
        customerId,
        template,
        recipient,
        messageId: `<${id}@${host}>`,
        params: JSON.stringify(params),
        sealedSecret: 'secret' in letter ? secrets.seal(JSON.stringify(letter.secret), id) : null,
        status: 'queued',
        attempts: 0,
        nextAttemptAt: createdAt,
        lastError: null,
        createdAt,
        finishedAt: null
      })
    },
    /** `publicUrl` is the base of links. */
    start(publicUrl: string): void {
      const { mailUrl } = config
      const transport =
        mailUrl === undefined ? openFileTransport(mailFolder(config)) : openSmtpTransport(mailUrl, silenceMs)
      const courier = { config, database, secrets, log, transport, publicUrl, attemptMs }
      queue.start((lease) => attemptMail(courier, lease))
    },
    /** Finishes the mails in hand, within a bound, and stops. */
    stop: () => queue.stop()
  }
}
