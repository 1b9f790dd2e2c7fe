// A few places for work that everybody needs, given to tenants in rotation: one with a thousand calls waits for itself.

export interface FairQueue {
  /**
   * What waits leaves the queue with its caller's signal; what has begun is the work's own to end.
   * @throws the queue's refusal when too much waits already, or the signal's reason
   */
  run<T>(tenant: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>
  count(tenant: string): number
}

export interface FairQueueOptions {
  /** For all tenants together; any number unless told. */
  atOnce?: number
  /** Of these, how many one tenant can have; one unless told. */
  atOncePerTenant?: number
  waitingPerTenant: number
  /** How much can wait in all; beyond it, whoever has most waiting loses what came last. */
  waiting?: number
  refusal(): Error
}

interface Entry {
  begin(): void
  refuse(reason: unknown): void
}

interface Lane {
  running: number
  waiting: Entry[]
}

/** Each tenant's work is done one after the other, and any number of it may wait. */
export const createLanes = (atOnce = Number.POSITIVE_INFINITY): FairQueue =>
  createFairQueue({
    atOnce,
    waitingPerTenant: Number.POSITIVE_INFINITY,
    waiting: Number.POSITIVE_INFINITY,
    refusal: () => new Error('Any number may wait')
  })

export function createFairQueue({
  atOnce = Number.POSITIVE_INFINITY,
  atOncePerTenant = 1,
  waitingPerTenant,
  waiting: mostWaiting = 10_000,
  refusal
}: FairQueueOptions): FairQueue {
  /** Of every tenant that has work here; who was served last stands last. */
  const lanes = new Map<string, Lane>()
  let running = 0
  let waiting = 0

  const take = (tenant: string, lane: Lane): void => {
    lanes.delete(tenant)
    lanes.set(tenant, lane)
    running += 1
    lane.running += 1
  }

  const beginNext = (): void => {
    if (running >= atOnce) return
    for (const [tenant, lane] of lanes) {
      if (lane.running >= atOncePerTenant) continue
      const next = lane.waiting.shift()
      if (!next) continue
      waiting -= 1
      take(tenant, lane)
      next.begin()
      return
    }
  }

  const dropIfIdle = (tenant: string, lane: Lane): void => {
    if (lane.running === 0 && lane.waiting.length === 0) lanes.delete(tenant)
  }

  const leave = (tenant: string, lane: Lane, entry: Entry): void => {
    const at = lane.waiting.indexOf(entry)
    if (at === -1) return
    lane.waiting.splice(at, 1)
    waiting -= 1
    dropIfIdle(tenant, lane)
  }

  const makeRoom = (): void => {
    if (waiting <= mostWaiting) return
    const [tenant, lane] = [...lanes].reduce((a, b) => (b[1].waiting.length > a[1].waiting.length ? b : a))
    const last = lane.waiting.at(-1)
    if (!last) return
    leave(tenant, lane, last)
    last.refuse(refusal())
  }

  const place = (tenant: string, lane: Lane, signal: AbortSignal | undefined): Promise<void> =>
    new Promise((resolve, reject) => {
      const settle = (act: () => void) => {
        signal?.removeEventListener('abort', abort)
        act()
      }
      const entry: Entry = { begin: () => settle(resolve), refuse: (reason) => settle(() => reject(reason)) }
      const abort = () => {
        leave(tenant, lane, entry)
        entry.refuse(signal?.reason)
      }
      signal?.addEventListener('abort', abort, { once: true })
      lanes.set(tenant, lane)
      lane.waiting.push(entry)
      waiting += 1
      makeRoom()
    })

  return {
    async run(tenant, work, signal) {
      signal?.throwIfAborted()
      const lane = lanes.get(tenant) ?? { running: 0, waiting: [] }
      const hasPlace = running < atOnce && lane.running < atOncePerTenant
      if (!hasPlace && lane.waiting.length >= waitingPerTenant) throw refusal()
      if (hasPlace) take(tenant, lane)
      else await place(tenant, lane, signal)
      try {
        return await work()
      } finally {
        running -= 1
        lane.running -= 1
        dropIfIdle(tenant, lane)
        beginNext()
      }
    },
    count(tenant) {
      const lane = lanes.get(tenant)
      return lane ? lane.running + lane.waiting.length : 0
    }
  }
}
