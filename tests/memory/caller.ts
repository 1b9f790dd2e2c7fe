// A customer with memory, and the operations called on its behalf without a channel.
import { SCOPES } from '../../schemas/api-key.ts'
import type { CustomerTable } from '../../src/customers/table.ts'
import { ServiceError } from '../../src/errors.ts'
import { type Call, execute } from '../../src/execute.ts'
import { operations } from '../../src/operations.ts'
import type { Service } from '../../src/service.ts'
import { makePartner } from '../support/fixture.ts'
import { makeCustomerRow } from '../support/rows.ts'

export interface MemoryCaller {
  partnerId: string
  customerId: string
  /** Calls `memory_<name>` of the customer. */
  call(name: string, input?: Record<string, unknown>, more?: Partial<Call>): Promise<Record<string, unknown>>
  /** What the call is refused with; an error unless it is. */
  refusal(name: string, input?: Record<string, unknown>): Promise<ServiceError>
  /** The same customer, through a service that is changed in a part. */
  through(changed: Partial<Service>): MemoryCaller
  /** The same customer, called by somebody else. */
  as(actor: string): MemoryCaller
}

/** A customer of the given partner, or of a new one. */
export async function makeMemoryCaller(
  service: Service,
  { partnerId: given, ...customer }: Partial<CustomerTable> = {}
): Promise<MemoryCaller> {
  const partnerId = given ?? (await makePartner(service)).partnerId
  const { id: customerId } = await makeCustomerRow(service, partnerId, { enableAiMemory: 1, ...customer })
  return callerOf(service, partnerId, customerId)
}

function callerOf(service: Service, partnerId: string, customerId: string, actor = 'key_test'): MemoryCaller {
  const call: MemoryCaller['call'] = async (name, input = {}, more = {}) => {
    const operation = operations.find((candidate) => candidate.name === `memory_${name}`)
    if (!operation) throw new Error(`There is no operation memory_${name}`)
    const caller = { partnerId, actor, scopes: new Set(SCOPES) }
    const { output } = await execute(
      operation,
      service,
      { caller, requestId: 'req_test', ...more },
      { customerId, ...input }
    )
    return output
  }
  return {
    partnerId,
    customerId,
    call,
    async refusal(name, input) {
      const outcome = await call(name, input).catch((error: unknown) => error)
      if (outcome instanceof ServiceError) return outcome
      throw new Error(`Not refused: ${JSON.stringify(outcome)}`, { cause: outcome })
    },
    through: (changed) => callerOf({ ...service, ...changed }, partnerId, customerId, actor),
    as: (other) => callerOf(service, partnerId, customerId, other)
  }
}

/** Credits of the partner. */
export async function balanceOf(service: Service, partnerId: string): Promise<number> {
  const { balanceMicros } = await service.database.read
    .selectFrom('creditAccount')
    .where('id', '=', partnerId)
    .select('balanceMicros')
    .executeTakeFirstOrThrow()
  return balanceMicros / 1_000_000
}
