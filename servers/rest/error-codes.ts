import { type ErrorCode, statusOf } from '../../src/errors.ts'
import type { AnyOperation } from '../../src/operation.ts'

/** What every operation can refuse with. */
const EVERYWHERE: readonly ErrorCode[] = [
  'invalid_input',
  'unauthorized',
  'partner_not_found',
  'partner_inactive',
  'missing_scope',
  'rate_limited',
  'database_busy',
  'database_unavailable',
  'internal'
]

/** The codes that an operation can answer over REST, without repetition. */
export function errorCodesOf({ errors, http }: AnyOperation): ErrorCode[] {
  const takesBody = http?.method === 'post' || http?.method === 'patch'
  const codes: ErrorCode[] = [
    ...EVERYWHERE,
    ...(takesBody ? (['payload_too_large', 'unsupported_media_type'] as const) : []),
    ...(http?.method === 'post' ? (['idempotency_conflict', 'idempotency_in_progress'] as const) : []),
    ...errors
  ]
  return [...new Set(codes)]
}

export function codesByStatus(codes: readonly ErrorCode[]): [number, ErrorCode[]][] {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of codes) {
    const status = statusOf(code)
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return [...byStatus].sort(([a], [b]) => a - b)
}
