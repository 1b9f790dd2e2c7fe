import { isAway } from '../database/faults.ts'

/** What one check found. A warning lets the service run, a failure doesn't. */
export interface Finding {
  check: string
  state: 'ok' | 'warn' | 'fail'
  message: string
  /** What to do about it; only good findings need nothing. */
  remedy?: string
}

/** What one check can find. */
export const findingsOf = (check: string) => ({
  ok: (message: string): Finding => ({ check, state: 'ok', message }),
  warn: (message: string, remedy: string): Finding => ({ check, state: 'warn', message, remedy }),
  fail: (message: string, remedy: string): Finding => ({ check, state: 'fail', message, remedy })
})

/** The code of a system's or library's error, without its text: that can quote what a server sent. */
export function faultOf(error: unknown): string {
  const { code }: { code?: unknown } = Object(isAway(error) ? error.cause : error)
  return typeof code === 'string' ? code : 'no reason given'
}
