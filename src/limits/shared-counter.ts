import type { Log } from '../log.ts'
import type { Counter, Use } from './budget.ts'

/** So long, requests that nobody waits for are gathered. */
const GATHER_MS = 100
/** What the store said longer ago than that is asked again before a request passes. */
const FRESH_MS = 1_000
/** The part of the quota that a process admits unasked: ten of them can't admit too many. (With a half, three did.) */
const UNASKED_PART = 1 / 10
const REST_MS = 5_000

interface Store {
  /** @throws Error when the database doesn't answer within two seconds */
  add: Counter
  /** Then this process counts alone, and says nothing of it. */
  isClosed(): boolean
}

interface Options {
  quota: number
  windowSeconds: number
  log: Log
}

/** What this process knows of a key's window; times are of `performance.now()`. */
interface Window {
  /** Requests of all processes, as far as known, and of this one those that aren't added yet. */
  used: number
  endsAt: number
  toldAt: number
  /** Requests that wait for the one before them to be added. */
  gathering: Batch | undefined
  /** Ends when everything that was sent is answered. */
  sent: Promise<unknown>
}

interface Batch {
  size: number
  /** What the window holds with this batch; `undefined` when the store can't be reached. */
  added: Promise<Use | undefined>
  send(): void
}

/**
 * Without a write per request: a key's requests are gathered and added together, and only near the limit everybody waits
 * for that. While the store fails this process counts alone, and says so once.
 */
export function createSharedCounter(store: Store, { quota, windowSeconds, log }: Options): Counter {
  const windows = new Map<string, Window>()
  /** Set while the store doesn't answer: when to ask it again. */
  let restsUntil: number | undefined
  return count

  async function count(key: string, requests = 1): Promise<Use> {
    const window = windowOf(key)
    // What is spent stays spent until the window ends: nothing to add.
    if (window.used > quota) return { used: window.used, msLeft: msUntil(window.endsAt) }
    const isFresh = performance.now() - window.toldAt < FRESH_MS
    window.gathering ??= gather(key, window)
    const batch = window.gathering
    batch.size += requests
    window.used += requests
    const place = batch.size
    const local = { used: window.used, msLeft: msUntil(window.endsAt) }
    if (restsUntil !== undefined || (isFresh && window.used <= quota * UNASKED_PART)) return local
    batch.send()
    const all = await batch.added
    return all ? { used: all.used - batch.size + place, msLeft: all.msLeft } : local
  }

  function windowOf(key: string): Window {
    const now = performance.now()
    const known = windows.get(key)
    if (known && known.endsAt > now) return known
    windows.delete(key)
    // In the order in which they began, which is about the order in which they end.
    for (const [other, { endsAt }] of windows) {
      if (endsAt > now) break
      windows.delete(other)
    }
    const window: Window = {
      used: 0,
      endsAt: now + windowSeconds * 1000,
      toldAt: Number.NEGATIVE_INFINITY,
      gathering: undefined,
      sent: Promise.resolve()
    }
    windows.set(key, window)
    return window
  }

  function gather(key: string, window: Window): Batch {
    let send = () => {}
    const isFull = new Promise<void>((resolve) => {
      send = resolve
    })
    const timer = setTimeout(send, GATHER_MS).unref()
    const added = Promise.all([isFull, window.sent]).then(async () => {
      clearTimeout(timer)
      window.gathering = undefined
      const use = await addIfUp(key, batch.size)
      if (use) learn(window, use)
      return use
    })
    window.sent = added
    const batch: Batch = { size: 0, added, send }
    return batch
  }

  /** While this batch was on its way others have gathered; the store doesn't know of them yet. */
  function learn(window: Window, { used, msLeft }: Use): void {
    window.used = used + (window.gathering?.size ?? 0)
    window.toldAt = performance.now()
    window.endsAt = window.toldAt + msLeft
  }

  async function addIfUp(key: string, requests: number): Promise<Use | undefined> {
    if (store.isClosed() || (restsUntil !== undefined && performance.now() < restsUntil)) return undefined
    try {
      const use = await store.add(key, requests)
      if (restsUntil !== undefined) log.info('rate limits are shared again')
      restsUntil = undefined
      return use
    } catch (error) {
      if (restsUntil === undefined)
        log.warn('the database can’t count requests; this process counts its own', { error })
      restsUntil = performance.now() + REST_MS
      return undefined
    }
  }
}

const msUntil = (time: number): number => Math.max(0, time - performance.now())
