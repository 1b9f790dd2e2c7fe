// What a command works with: the database, and the operations of every other channel, which check, cap and audit.
import type { z } from 'zod'
import { operatorFor } from '../../src/caller.ts'
import type { Config } from '../../src/config.ts'
import { getCustomer, partnerIdOfCustomer } from '../../src/customers/store.ts'
import type { CustomerTable } from '../../src/customers/table.ts'
import type { Database } from '../../src/database/database.ts'
import { type ErrorCode, ServiceError } from '../../src/errors.ts'
import { type ExecuteContext, execute } from '../../src/execute.ts'
import { partnerIdOfInstance } from '../../src/instances/store.ts'
import type { Answering } from '../../src/operation.ts'
import { findPartner, type Partner } from '../../src/partners/store.ts'
import { CommandError } from './failure.ts'

export interface Workplace {
  config: Config
  database: Database
}

export interface Subject {
  partner?: Partner
  customer?: CustomerTable
  instance?: { instanceId: string; partnerId: string }
}

export interface Act {
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
 * @throws CommandError for a refusal that `refusals` has words for; ServiceError for the others
 */
export type Operate = <Output extends z.ZodObject>(
  operation: Answering<Output>,
  input?: Record<string, unknown>,
  act?: Act
) => Promise<z.output<Output>>

/** Operations are about this partner, or get this customer or this instance. */
export const operatorAt =
  ({ config, database }: Workplace, { partner, customer, instance }: Subject): Operate =>
  async (operation, input, { partnerId, parts, onProgress, refusals = {} } = {}) => {
    if (!operation.channels.includes('operator')) throw new Error(`${operation.name} is not the operator's`)
    const ctx = { ...ABSENT, ...parts, config, database }
    const caller = operatorFor(partnerId ?? (customer ?? partner ?? instance)?.partnerId ?? '')
    const own = customer ? { customerId: customer.id } : instance && { instanceId: instance.instanceId }
    try {
      const { output } = await execute(
        operation,
        ctx,
        { caller, requestId: '', onProgress },
        { ...own, ...input }
      )
      return operation.output.parse(output)
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
  agentChat: absent('chat'),
  aiKeys: absent('AI keys')
}

/** @throws CommandError when no partner has that id or slug */
export async function partnerNamed(database: Database, idOrSlug: string): Promise<Partner> {
  const partner = await findPartner(database.read, idOrSlug)
  if (partner) return partner
  throw new CommandError(
    `No partner has the id or slug ${idOrSlug}. \`mindgate partner list\` shows them; DATA_DIR and DATABASE_URL say where it looks.`
  )
}

/**
 * The customer with that record id, or with that short code, which is unique within its partner only.
 * @throws CommandError when there is none
 */
export async function customerNamed(
  database: Database,
  reference: string,
  partner?: string
): Promise<CustomerTable> {
  const partnerId = partner
    ? (await partnerNamed(database, partner)).partnerId
    : await partnerIdOfCustomer(database.read, reference)
  try {
    if (partnerId) return await getCustomer(database.read, partnerId, reference)
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === 'customer_not_found')) throw error
  }
  throw new CommandError(
    `No customer${partner ? ` of ${partner}` : ''} has the id ${reference}. Give the record id (cus_…), or the short code (C-…) together with --partner.`
  )
}

/** @throws CommandError when no server has that id */
export async function instanceWith(database: Database, instanceId: string) {
  const partnerId = await partnerIdOfInstance(database.read, instanceId)
  if (partnerId) return { instanceId, partnerId }
  throw new CommandError(
    `No server has the id ${instanceId}. \`mindgate instance list --customer ID\` shows a customer’s.`
  )
}
