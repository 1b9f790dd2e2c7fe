// Commands change things by the same operations as every other channel: checked, capped and audited.
import type { z } from 'zod'
import { operatorFor } from '../../src/caller.ts'
import { type ErrorCode, ServiceError } from '../../src/errors.ts'
import { type ExecuteContext, execute } from '../../src/execute.ts'
import type { Answering } from '../../src/operation.ts'
import { CommandError } from './failure.ts'
import type { Workplace } from './workplace.ts'

interface Act {
  /** Another partner than the command's own. */
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
export type Operate = <Output extends z.ZodObject>(
  operation: Answering<Output>,
  input?: Record<string, unknown>,
  act?: Act
) => Promise<z.output<Output>>

/** Operations are about this partner, and get this customer, where there is one. */
export const operatorAt =
  ({ config, database }: Workplace, { partnerId: own = '', ...customer }: Subject = {}): Operate =>
  async (operation, input, { partnerId = own, parts, onProgress, refusals = {} } = {}) => {
    if (!operation.channels.includes('operator')) throw new Error(`${operation.name} is not the operator's`)
    const ctx = { ...ABSENT, ...parts, config, database }
    const call = { caller: operatorFor(partnerId), requestId: '', onProgress }
    try {
      const { output } = await execute(operation, ctx, call, { ...customer, ...input })
      return operation.output.parse(output)
    } catch (error) {
      const words = error instanceof ServiceError ? refusals[error.code] : undefined
      throw words === undefined ? error : new CommandError(words)
    }
  }

interface Subject {
  partnerId?: string
  customerId?: string
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
