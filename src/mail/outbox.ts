// The durable outbox: a mail is a row written in the transaction that causes it, sent by a worker after the commit.
import type { Config } from '../config.ts'
import type { Database, WriteHandle } from '../database/database.ts'
import type { MailTable } from '../database/tables.ts'
import type { Log } from '../log.ts'
import type { Secrets } from '../secrets.ts'

/** What a mail carries that must not lie in the database in the clear, nor longer than needed. */
export interface MailSecret {
  /** Token of the link in it. */
  linkToken: string
  temporaryPassword?: string
}

/** One mail to send. */
export interface Letter {
  partnerId: string
  customerId: string
  template: MailTable['template']
  recipient: string
  /** What the template shows beside the brand; nothing secret. */
  params: { recipientName?: string; companyName?: string; teamMemberId?: string; role?: string }
  secret: MailSecret
}

export interface Outbox {
  /** Writes the mail in the caller's transaction; it leaves after the commit. */
  enqueue(tx: WriteHandle, letter: Letter): Promise<void>
  /** Starts sending; `publicUrl` is the base of links. */
  start(publicUrl: string): void
  /** Finishes the mail in hand and stops. */
  stop(): Promise<void>
}

export interface OutboxContext {
  config: Config
  database: Database
  secrets: Secrets
  log: Log
}

export function createOutbox(_ctx: OutboxContext): Outbox {
  throw new Error('not written yet')
}
