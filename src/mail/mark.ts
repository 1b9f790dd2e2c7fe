// What an attempt leaves in the mail's row: sent, due again, given up, or dropped.
import { setTimeout as sleep } from 'node:timers/promises'
import { HOUR_MS } from '../clock.ts'
import type { WriteHandle } from '../database/database.ts'
import { backoffMs } from '../net/backoff.ts'
import type { Verdict } from './failure.ts'
import type { OutboxContext } from './outbox.ts'
import { type ClaimedMail, markGivenUp, markSent, postpone } from './store.ts'

type MarkContext = Pick<OutboxContext, 'config' | 'database' | 'log'>

/** Wait before the mark is tried again while the database is away. */
const MARK_RETRY_MS = 500

/** Insists while the database is away: a mail that is out must not look as if it were not. */
export async function mark(
  ctx: MarkContext,
  mail: ClaimedMail,
  verdict: Verdict | 'sent',
  signal: AbortSignal
): Promise<void> {
  for (;;) {
    try {
      return await markOnce(ctx, mail, verdict)
    } catch (error) {
      ctx.log.warn('a mail’s state could not be kept', { mailId: mail.id, error })
      // Given up at shutdown: the lease ends, and another process takes the mail.
      if (signal.aborted) return
      await sleep(MARK_RETRY_MS)
    }
  }
}

async function markOnce(ctx: MarkContext, mail: ClaimedMail, verdict: Verdict | 'sent'): Promise<void> {
  const { config, log } = ctx
  const write = <T>(work: (tx: WriteHandle) => Promise<T>) => ctx.database.transaction(work)
  const fields = { mailId: mail.id, template: mail.template, partnerId: mail.partnerId }
  if (verdict === 'sent') {
    await write((tx) => markSent(tx, mail))
    return log.info('a mail was sent', { ...fields, attempts: mail.attempts })
  }
  if (verdict.kind === 'interrupted') {
    // Not the mail's fault: it counts for nothing, and the next process goes on at once.
    const attempts = mail.attempts - 1
    return write((tx) => postpone(tx, mail, { delayMs: 0, lastError: mail.lastError, attempts }))
  }
  const attempts = Math.min(mail.attempts, config.mailAttempts)
  if (verdict.kind === 'drop') {
    await write((tx) => markGivenUp(tx, mail, { status: 'dropped', reason: verdict.reason, attempts }))
    return log.info('a mail was no longer needed', { ...fields, code: verdict.code })
  }
  if (verdict.kind === 'give_up' || mail.attempts >= config.mailAttempts) {
    const wasOurs = await write((tx) =>
      markGivenUp(tx, mail, { status: 'failed', reason: verdict.reason, attempts })
    )
    if (wasOurs) log.error('a mail was given up', { ...fields, attempts, code: verdict.code })
    return
  }
  const backoff = { firstMs: config.mailRetryMs, longestMs: HOUR_MS }
  const delayMs = backoffMs(backoff, mail.attempts - 1)
  await write((tx) => postpone(tx, mail, { delayMs, lastError: verdict.reason, attempts }))
  log.warn('a mail could not be sent yet', { ...fields, attempts, code: verdict.code })
}
