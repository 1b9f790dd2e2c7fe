// The one log line of a tool call: the HTTP request's own where it has one call, a line of its own otherwise.
import type { Context } from 'hono'
import type { Caller } from '../../src/caller.ts'
import { type ServiceError, statusOf } from '../../src/errors.ts'
import type { Log } from '../../src/log.ts'
import type { AnyOperation } from '../../src/operation.ts'
import { setRetryAfter } from '../middleware/error-answer.ts'
import type { RequestEnv } from '../middleware/request-env.ts'
import { countRequest } from '../request-figures.ts'

/** What is recorded of a finished call; `error` is what it was refused with. */
export type RecordCall = (operation: AnyOperation, durationMs: number, error?: ServiceError) => void

export const recordOnRequest =
  (c: Context<RequestEnv>): RecordCall =>
  (operation, _durationMs, error) => {
    c.set('operation', operation)
    if (!error) return
    c.set('code', error.code)
    setRetryAfter(c, error.retryAfterSeconds)
  }

/** For calls that share a request, or that end after its headers are gone. */
export const writeToLog =
  (log: Log, { caller, requestId }: { caller: Caller; requestId: string }): RecordCall =>
  (operation, durationMs, error) => {
    const fields = {
      channel: 'mcp',
      operation: operation.name,
      status: error ? statusOf(error.code) : 200,
      durationMs,
      requestId,
      partnerId: caller.partnerId,
      keyId: caller.actor,
      ...(error ? { code: error.code } : {})
    }
    countRequest(fields)
    log.info('tool called', fields)
  }
