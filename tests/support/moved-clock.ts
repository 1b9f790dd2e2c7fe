// A clock of this process that a test moves; it goes on by itself in between. Timers are as ever.

export interface MovedClock {
  now(): number
  /** It is that time now. */
  set(at: number): void
  restore(): void
}

/** From now on it is that time, for everything in this process. */
export function moveClock(at: number): MovedClock {
  const RealDate = Date
  let aheadMs = at - RealDate.now()
  const now = () => RealDate.now() + aheadMs
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, given, self) => Reflect.construct(target, given.length > 0 ? given : [now()], self),
    get: (target, key) => (key === 'now' ? now : Reflect.get(target, key))
  })
  return {
    now,
    set: (next) => {
      aheadMs = next - RealDate.now()
    },
    restore: () => {
      globalThis.Date = RealDate
    }
  }
}
