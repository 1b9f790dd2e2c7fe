import { setImmediate } from 'node:timers/promises'
import { INVALID_REQUEST, PARSE_ERROR } from '@modelcontextprotocol/server'
import type { Context } from 'hono'
import { ServiceError } from '../../src/errors.ts'
import { parseJson } from '../../src/json-shape.ts'
import { readBody } from '../middleware/body-limit.ts'
import type { RequestEnv } from '../middleware/request-env.ts'
import { asRequest, httpRefusal, type Refusal, type RpcRequest } from './json-rpc.ts'
import { type Reply, textOf } from './methods.ts'

/**
 * The parsed body, or why there is none: 413 over the shared limit, −32600 for what is too deep or holds too much,
 * −32700 for what isn't JSON in UTF-8. @throws ServiceError `rate_limited`
 */
export async function readMessage(c: Context<RequestEnv>) {
  try {
    return { body: parseJson(await readBody(c)) }
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === 'rate_limited') throw error
    return { refusal: refusalOf(error) }
  }
}

function refusalOf({ code, field, message }: ServiceError): Refusal {
  if (code === 'payload_too_large') return httpRefusal(413, message)
  return { status: 400, code: field === 'body' ? INVALID_REQUEST : PARSE_ERROR, message }
}

/** Answers a batch of 2025-03-26 one by one: a later message sees what an earlier one did. `undefined` when it holds nothing but notifications. */
export async function answerBatch(
  messages: readonly unknown[],
  answer: (request: RpcRequest) => Promise<Reply>
): Promise<string | undefined> {
  const bodies: string[] = []
  for (const message of messages) {
    const request = asRequest(message)
    if (!request) continue
    // SQLite answers in place: without a pause nobody else would be heard before the last message.
    await setImmediate()
    bodies.push(textOf(await answer(request)))
  }
  return bodies.length > 0 ? `[${bodies.join(',')}]` : undefined
}
