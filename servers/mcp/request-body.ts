import { ServiceError } from '../../src/errors.ts'
import { readBody } from '../middleware/body-limit.ts'
import { parseJson } from '../middleware/json-body.ts'
import { doorRefusal, type Refusal, unreadable } from './json-rpc.ts'

/** The parsed body, or why there is none: 413 over the shared limit, −32700 for what isn't JSON in UTF-8. */
export async function readMessage(
  request: Request
): Promise<{ isRead: true; body: unknown } | { isRead: false; refusal: Refusal }> {
  try {
    return { isRead: true, body: parseJson(await readBody(request)) }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const { code, message } = error
    return {
      isRead: false,
      refusal: code === 'payload_too_large' ? doorRefusal(413, message) : unreadable(message)
    }
  }
}
