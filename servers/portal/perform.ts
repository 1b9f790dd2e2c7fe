// Pages work through the same operations as REST and MCP, with the same checks.
import type { Context } from 'hono'
import type { z } from 'zod'
import type { Caller } from '../../src/caller.ts'
import { execute } from '../../src/execute.ts'
import type { AnyOperation } from '../../src/operation.ts'
import type { Service } from '../../src/service.ts'
import type { PageEnv } from './env.ts'

/**
 * Runs an operation for whoever is signed in and answers its output as `output` reads it.
 *
 * @param performance its `idempotencyKey` is the form's hidden field: a form that is sent twice acts once
 * @throws ServiceError what the operation refuses with; a page shows it where it belongs
 * @throws Error when the operation isn't offered at this door: a mistake of the page, not of who is signed in
 */
export async function perform<Output extends z.ZodType>(
  service: Service,
  c: Context<PageEnv>,
  operation: AnyOperation,
  { input, output, caller, idempotencyKey }: Performance<Output>
): Promise<z.output<Output>> {
  const door = caller.customerId === undefined ? 'console' : 'portal'
  if (!operation.channels.includes(door)) throw new Error(`${operation.name} is not offered at the ${door}`)
  c.set('operation', operation)
  const answer = await execute(
    operation,
    service,
    { caller, requestId: c.get('requestId'), idempotencyKey },
    input
  )
  return output.parse(answer.output)
}

interface Performance<Output> {
  caller: Caller
  input: Record<string, unknown>
  /** The operation's output schema, or the part of it that the page shows. */
  output: Output
  idempotencyKey?: string | undefined
}
