// Takes due mails a few at a time. Any number of processes may do so on one database: a lease says whose a mail is.
import type { Database } from '../database/database.ts'
import { newOwner } from '../jobs/owner.ts'
import type { Log } from '../log.ts'
import { type ClaimedMail, claimDueMails, untilNextDue } from './store.ts'

export interface Worker {
  /** Looks for due mails now; right after a commit that wrote one. */
  wake(): void
  stop(): Promise<void>
}

interface WorkerOptions {
  database: Database
  log: Log
  leaseMs: number
  pollMs: number
  stopGraceMs: number
  /** Sends one mail and marks how it went; never throws. `signal` cuts the conversation off. */
  attempt(mail: ClaimedMail, signal: AbortSignal): Promise<void>
}

/** Mails on their way at the same time; a server that stalls holds up no more than its share. */
const CONCURRENCY = 4

/** When another process was quicker to the mails that we saw. */
const OVERTAKEN_MS = 100

/** Starts looking for mails, at once and then every `pollMs` or when woken, until stopped. */
export function startWorker(options: WorkerOptions): Worker {
  const { database, log, leaseMs, pollMs, stopGraceMs, attempt } = options
  const owner = newOwner()
  const inHand = new Map<string, Promise<void>>()
  const cutOff = new AbortController()
  let isStopping = false
  let isWoken = false
  let looking: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  const wake = () => {
    isWoken = true
    if (!isStopping) looking ??= look()
  }

  const look = async () => {
    while (isWoken && !isStopping) {
      isWoken = false
      clearTimeout(timer)
      const waitMs = await takeDue().catch((error: unknown) => {
        log.warn('mails could not be claimed', { error })
        return pollMs
      })
      timer = setTimeout(wake, Math.min(waitMs, pollMs)).unref()
    }
    looking = undefined
  }

  /** Fills the free places. Returns after how many milliseconds there may be more to do. */
  const takeDue = async (): Promise<number> => {
    while (!isStopping && inHand.size < CONCURRENCY) {
      // A look at the reader first: polling an idle outbox takes no write lock.
      const dueInMs = await untilNextDue(database.read, [...inHand.keys()])
      if (dueInMs !== 0) return dueInMs ?? pollMs
      const claim = { owner, leaseMs, limit: CONCURRENCY - inHand.size, inHand: [...inHand.keys()] }
      const mails = await database.transaction((tx) => claimDueMails(tx, database.kind, claim))
      if (mails.length === 0) return OVERTAKEN_MS
      for (const mail of mails) hold(mail)
    }
    return pollMs
  }

  const hold = (mail: ClaimedMail) => {
    const done = attempt(mail, cutOff.signal).finally(() => {
      inHand.delete(mail.id)
      wake()
    })
    inHand.set(mail.id, done)
  }

  wake()
  return {
    wake,
    async stop() {
      isStopping = true
      clearTimeout(timer)
      await looking
      clearTimeout(timer)
      const patience = setTimeout(() => cutOff.abort(), stopGraceMs)
      await Promise.all(inHand.values())
      clearTimeout(patience)
    }
  }
}
