// The durable outbox: a mail is a row written in the transaction that causes it, sent by a worker after the commit.
// At least once, with one Message-ID: twice only if the process ended, or lost the database for longer than a lease,
// between the server's 250 and its mark. The file outbox is exactly once.
import type { Config } from '../config.ts'
import type { Database, WriteHandle } from '../database/database.ts'
import { afterCommit } from '../database/guard.ts'
import type { LetterTemplate, NoticeTemplate } from '../database/tables.ts'
import { newId } from '../ids.ts'
import type { Log } from '../log.ts'
import type { Secrets } from '../secrets.ts'
import { createCourier } from './courier.ts'
import { messageIdHost, senderAddress } from './sender.ts'
import { insertMail } from './store.ts'
import { openTransport } from './transport.ts'
import { startWorker, type Worker } from './worker.ts'

/** What a mail carries that must not lie in the database in the clear, nor longer than needed. */
export interface MailSecret {
  /** Token of the link in it. */
  linkToken: string
  temporaryPassword?: string
}

/** One mail to send that lets somebody in. */
export interface Letter {
  partnerId: string
  /** Whom it is about; `null` for the partner's own people. */
  customerId: string | null
  template: LetterTemplate
  recipient: string
  /** What the template shows beside the brand; nothing secret. */
  params: { recipientName?: string; companyName?: string; teamMemberId?: string; role?: string }
  secret: MailSecret
}

/** One mail to send that only tells something. */
export interface Notice extends Pick<Letter, 'partnerId' | 'recipient'> {
  customerId: string
  template: NoticeTemplate
  params: {
    recipientName?: string
    companyName?: string
    customerName?: string
    customerCode?: string
    balance: string
    threshold: string
    hasPortal?: boolean
  }
}

export interface Outbox {
  /** Writes the mail in the caller's transaction; it leaves after the commit. */
  enqueue(tx: WriteHandle, letter: Letter | Notice): Promise<void>
  /** Starts sending; `publicUrl` is the base of links. */
  start(publicUrl: string): void
  /** Finishes the mails in hand, within a bound, and stops. */
  stop(): Promise<void>
}

export interface OutboxContext {
  config: Config
  database: Database
  secrets: Secrets
  log: Log
}

/** Times in milliseconds; tests shorten them. */
interface OutboxTimes {
  /** How long a claimed mail is ours; longer than an attempt and its mark can take. */
  leaseMs: number
  /** How often to look for mails that another process left behind. */
  pollMs: number
  /** How long `stop` waits for the mails in hand before it cuts them off. */
  stopGraceMs: number
}

const POLL_MS = 5_000
const STOP_GRACE_MS = 25_000

/** What a mark may take beyond the wait for a locked database. */
const MARK_MARGIN_MS = 30_000

/** A conversation of normal pace has no more silences of the longest kind than these: connect, greeting, envelope, body. */
const SILENCES_PER_ATTEMPT = 4

/** A timeout of 0 would mean none, or the library's own of ten minutes. */
const SHORTEST_TIMEOUT_MS = 50

/** The outbox of this process. Mails can be enqueued at once; nothing is sent until `start`. */
export function createOutbox(
  { config, database, secrets, log }: OutboxContext,
  times: Partial<OutboxTimes> = {}
): Outbox {
  const silenceMs = Math.max(config.mailTimeoutMs, SHORTEST_TIMEOUT_MS)
  const attemptMs = silenceMs * SILENCES_PER_ATTEMPT
  const leaseMs = times.leaseMs ?? attemptMs + config.busyDeadlineMs + MARK_MARGIN_MS
  const host = messageIdHost(senderAddress(config.mailFrom))
  let worker: Worker | undefined
  return {
    async enqueue(tx, letter) {
      const id = newId('mail')
      await insertMail(tx, letter, {
        id,
        messageId: `<${id}@${host}>`,
        sealedSecret: 'secret' in letter ? secrets.seal(JSON.stringify(letter.secret), id) : null
      })
      afterCommit(() => worker?.wake())
    },
    start(publicUrl) {
      const transport = openTransport(config, silenceMs)
      const courier = createCourier({ config, database, secrets, log, transport, publicUrl, attemptMs })
      worker ??= startWorker({
        database,
        log,
        leaseMs,
        pollMs: times.pollMs ?? POLL_MS,
        stopGraceMs: times.stopGraceMs ?? STOP_GRACE_MS,
        attempt: (mail, signal) => courier.attempt(mail, signal)
      })
    },
    async stop() {
      await worker?.stop()
      worker = undefined
    }
  }
}
