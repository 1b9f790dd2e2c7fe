import { isAway } from '../database/faults.ts'

/** What one check found. A warning lets the service run, a failure doesn't. */
export interface Finding {
  check: string
  state: 'ok' | 'warn' | 'fail'
  message: string
  /** What to do about it; only good findings need nothing. */
  remedy?: string
}

export const ok = (check: string, message: string): Finding => ({ check, state: 'ok', message })

const bad =
  (state: 'warn' | 'fail') =>
  (check: string, message: string, remedy: string): Finding => ({ check, state, message, remedy })
export const warn = bad('warn')
export const fail = bad('fail')

/** The code of a system's or library's error, without its text: that can quote what a server sent. */
export function faultOf(error: unknown): string {
  const { code }: { code?: unknown } = Object(isAway(error) ? error.cause : error)
  return typeof code === 'string' ? code : 'no reason given'
}
