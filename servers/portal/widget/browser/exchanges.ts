// What is known of the conversation, from here and from the server, as one list.
import type { ChatFile, HistoryPage, KeptExchange } from './protocol.ts'

/** An exchange and what this page knows of it beside. */
export interface Exchange extends KeptExchange {
  /** Sent from here, and the request for its reply is still open. */
  isOpen: boolean
  /** The connection was lost before an answer: the server may or may not have it. */
  isUnsure: boolean
  isStopping: boolean
  /** Sent from here, and worked on beyond the wait of its request. */
  isRunning: boolean
  /** When waiting began by this machine's clock, in ms since the epoch. */
  sentAt: number
  isKept: boolean
}

export const newExchange = (key: string, message: string, files: ChatFile[] = []): Exchange => ({
  id: '',
  key,
  files,
  message,
  state: 'waiting',
  reply: null,
  code: null,
  reason: null,
  progress: null,
  createdAt: new Date().toISOString(),
  answeredAt: '',
  isOpen: true,
  isUnsure: false,
  isStopping: false,
  isRunning: false,
  hasStarted: undefined,
  sentAt: Date.now(),
  isKept: false
})

/** Refused before the agent was asked: the text went back into the box of whoever wrote it. */
const NEVER_ASKED: ReadonlySet<string> = new Set([
  'unauthorized',
  'forbidden',
  'instance_not_found',
  'agent_not_ready',
  'invalid_input',
  'rate_limited'
])

/** The newest page of the history laid over what is known; `isNewStart` when nothing before that page is known. */
export function withNewest(known: readonly Exchange[], { exchanges }: HistoryPage) {
  const page = exchangesOf(exchanges, known)
  const inPage = new Set(page.map(({ key }) => key))
  const [oldest] = page
  // Without an overlap so much was said elsewhere that nobody knows what lies between the page and what is shown.
  const hasOverlap = known.some(({ key, isKept }) => isKept && inPage.has(key))
  const before =
    oldest && hasOverlap
      ? known.filter((exchange) => exchange.isKept && !inPage.has(exchange.key) && isBefore(exchange, oldest))
      : []
  const notKept = known.filter(({ key, isKept }) => !isKept && !inPage.has(key))
  return { exchanges: [...before, ...page, ...notKept], isNewStart: !hasOverlap }
}

export function withOlder(known: readonly Exchange[], { exchanges }: HistoryPage): Exchange[] {
  const older = exchangesOf(exchanges, known)
  const inPage = new Set(older.map(({ key }) => key))
  return [...older, ...known.filter(({ key }) => !inPage.has(key))]
}

const isBefore = (one: Exchange, other: Exchange): boolean =>
  Date.parse(one.createdAt) < Date.parse(other.createdAt)

const exchangesOf = (exchanges: readonly KeptExchange[], known: readonly Exchange[]): Exchange[] =>
  exchanges
    .filter(({ state, code }) => state !== 'failed' || code === null || !NEVER_ASKED.has(code))
    .map((exchange) => {
      const before = known.find(({ key }) => key === exchange.key)
      if (!before) return exchangeFromElsewhere(exchange)
      // A page that was read a moment ago may not have the reply yet that is shown already.
      const isStale = exchange.state === 'waiting' && before.state !== 'waiting'
      const latest = isStale ? { ...before, createdAt: exchange.createdAt } : { ...before, ...exchange }
      const hasStarted = exchange.hasStarted ?? before.hasStarted
      return { ...latest, hasStarted, isUnsure: false, isKept: true }
    })

const exchangeFromElsewhere = (exchange: KeptExchange): Exchange => ({
  ...newExchange(exchange.key, exchange.message),
  ...exchange,
  isOpen: false,
  isKept: true,
  // A server's clock that is ahead of this one mustn't make it wait for less than nothing.
  sentAt: Math.min(Date.now(), Date.parse(exchange.createdAt))
})
