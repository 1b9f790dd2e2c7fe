// What can go wrong, in the service's own words. Each channel translates a code once into its protocol.
import type { ChatRefusal } from '../schemas/chat.ts'
import { ERRORS } from './error-table.ts'

type Table = typeof ERRORS

export type ErrorStatus = keyof Table

export type ErrorCode = { [Status in ErrorStatus]: keyof Table[Status] }[ErrorStatus]

interface ErrorEntry {
  status: ErrorStatus
  /** When it is answered, and what to do. */
  meaning: string
  /** A sentence as `error` would hold it, where that isn't the meaning's, and the input that it would name. */
  example?: string
  field?: string
  /** It ends by itself, and says when. */
  isPassing?: true
  /** What a partner's agent does about it. */
  nextStep?: string | readonly string[]
  /** What a customer's own agent does, whose tools are others. */
  customerStep?: string | readonly string[]
}

const ENTRIES = Object.fromEntries(
  Object.entries(ERRORS).flatMap(([status, entries]) =>
    Object.entries(entries).map(([code, entry]) => [code, { ...entry, status: Number(status) }])
  )
) as Record<ErrorCode, ErrorEntry>

export const errorOf = (code: ErrorCode): ErrorEntry => ENTRIES[code]

/** The HTTP status of a code (§7). */
export const statusOf = (code: ErrorCode): ErrorStatus => ENTRIES[code].status

interface ErrorOptions {
  /** Path of the offending input, such as `basic.email`. */
  field?: string
  /** Seconds after which the same call may succeed. */
  retryAfterSeconds?: number
  /** What of it programs read beside its code. */
  facts?: Pick<ChatRefusal, 'reason' | 'hasStarted' | 'isRunning'>
  /** Whether the message is in its reader's language already. */
  isSaid?: boolean
  cause?: unknown
}

/**
 * A refusal that the caller is meant to read. `message` is one or two plain sentences: what was wrong and what to
 * do; it never holds a secret, SQL or a stack.
 */
export class ServiceError extends Error {
  readonly code: ErrorCode
  readonly field: string | undefined
  readonly retryAfterSeconds: number | undefined
  readonly facts: ErrorOptions['facts']
  readonly isSaid: boolean

  /** @param message the example of its row unless told, with the field of that */
  constructor(code: ErrorCode, message?: string, options: ErrorOptions = {}) {
    const { meaning, example = meaning, field } = errorOf(code)
    super(message ?? example, { cause: options.cause })
    this.name = 'ServiceError'
    this.code = code
    this.field = message === undefined ? field : options.field
    this.retryAfterSeconds = options.retryAfterSeconds
    this.facts = options.facts
    this.isSaid = options.isSaid ?? false
  }
}

/** What a caller may see of any error: a ServiceError as it is, everything else as an internal error without details. */
export const toServiceError = (error: unknown): ServiceError =>
  error instanceof ServiceError ? error : new ServiceError('internal', undefined, { cause: error })
