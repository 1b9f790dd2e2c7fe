import { setImmediate } from 'node:timers/promises'
import { asRequest, type RpcRequest } from './json-rpc.ts'
import { type Reply, textOf } from './methods.ts'

/**
 * Answers a batch of 2025-03-26 in order, one after the other. `undefined` when it holds nothing but notifications.
 */
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
    // One by one, so that a later message sees what an earlier one did.
    bodies.push(textOf(await answer(request)))
  }
  return bodies.length > 0 ? `[${bodies.join(',')}]` : undefined
}
