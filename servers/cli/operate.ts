// Commands change things by the same operations as every other channel: checked, capped and audited.
import type { z } from 'zod'
import { operatorFor } from '../../src/caller.ts'
import { type ErrorCode, ServiceError } from '../../src/errors.ts'
import { type ExecuteContext, execute } from '../../src/execute.ts'
import type { AnyOperation } from '../../src/operation.ts'
import { CommandError } from './failure.ts'
import type { Workplace } from './workplace.ts'

interface Act<Output extends z.ZodType> {
  /** The operation's output schema. */
  output: Output
  input?: Record<string, unknown>
  /** The partner that it is about; none when left out. */
  partnerId?: string | undefined
  /** What the operation works with beside the database: a command opens no more than it needs. */
  parts?: Partial<ExecuteContext>
  onProgress?: (done: number) => void
  /** Refusals in words for the terminal. */
  refusals?: Partial<Record<ErrorCode, string>>
}

/**
 * Calls an operation as the operator and answers its output.
 *
 * @throws CommandError for a refusal that `refusals` has words for; ServiceError for the others
 */
export async function operate<Output extends z.ZodType>(
  { config, database }: Workplace,
  operation: AnyOperation,
  { output, input = {}, partnerId = '', parts, onProgress, refusals = {} }: Act<Output>
): Promise<z.output<Output>> {
  if (!operation.channels.includes('operator')) throw new Error(`${operation.name} is not the operator's`)
  const ctx = { ...ABSENT, ...parts, config, database }
  const call = { caller: operatorFor(partnerId), requestId: '', onProgress }
  try {
    return output.parse((await execute(operation, ctx, call, input)).output)
  } catch (error) {
    const words = error instanceof ServiceError ? refusals[error.code] : undefined
    throw words === undefined ? error : new CommandError(words)
  }
}

/** Stands where a command has opened nothing. */
const absent = (part: string) =>
  new Proxy(Object.create(null), {
    get() {
      throw new Error(`This command works without ${part}.`)
    }
  })

const ABSENT: Omit<ExecuteContext, keyof Workplace> = {
  secrets: absent('secrets'),
  outbox: absent('mail'),
  limitMemory: absent('limits'),
  memoryEngine: absent('memory'),
  ssh: absent('SSH'),
  deploys: absent('deploys'),
  aiKeys: absent('AI keys')
}
