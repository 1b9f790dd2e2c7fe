// A partner whose customer has memory, with a key and a token, and a call of each tool that works.
import { mintCustomerToken } from '../../src/keys/credentials.ts'
import type { Service } from '../../src/service.ts'
import { makePartner, run, stringAt, type TestPartner, unique } from '../support/fixture.ts'
import { makeCustomerRow } from '../support/rows.ts'
import type { MemoryTool } from './spec-4b.ts'

export interface MemoryFixture {
  partner: TestPartner
  customerId: string
  /** The customer's short code. */
  code: string
  token: string
  tokenId: string
  /** A Mind of the customer that is not its primary one. */
  mindId: string
  memoryId: string
}

/** A customer with memory, a second Mind and one memory in it; of a new partner unless one is given. */
export async function makeMemoryFixture(service: Service, given?: TestPartner): Promise<MemoryFixture> {
  const partner = given ?? (await makePartner(service))
  const { partnerId } = partner
  const { id: customerId, code } = await makeCustomerRow(service, partnerId, { enableAiMemory: 1 })
  const { token, tokenId } = await service.database.transaction((tx) =>
    mintCustomerToken(tx, partnerId, customerId, { name: 'assistant' })
  )
  const mind = await run(service, partnerId, 'memory_create_mind', { customerId, name: unique('Mind ') })
  const mindId = stringAt(mind, 'mindId')
  const remembered = await run(service, partnerId, 'memory_remember', {
    customerId,
    mindId,
    content: `The launch code of ${unique('project ')} is kept by Imogen.`
  })
  return { partner, customerId, code, token, tokenId, mindId, memoryId: stringAt(remembered, 'memoryId') }
}

/** Another token of that customer. */
export const mintToken = (
  service: Service,
  { partner, customerId }: MemoryFixture,
  options: { scopes?: MemoryTool['scope'][]; expiresAt?: string } = {}
) =>
  service.database.transaction((tx) =>
    mintCustomerToken(tx, partner.partnerId, customerId, { name: 'another', ...options })
  )

/** What opens the tool's gateway for that customer. */
export const keyFor = ({ gateway }: MemoryTool, { partner, token }: MemoryFixture): string =>
  gateway === 'customer' ? token : partner.key

/** Parameters with which the tool works; contents are new each time, so that none is taken for another. */
export function parametersFor(
  { parameters }: MemoryTool,
  { customerId }: MemoryFixture
): Record<string, unknown> {
  const values: Record<string, unknown> = {
    customerId,
    content: `Imogen met ${unique('guest ')} today.`,
    question: 'Whom did Imogen meet?',
    name: unique('Mind ')
  }
  const wanted = Object.entries(parameters).filter(([, { isRequired }]) => isRequired)
  return Object.fromEntries(wanted.map(([name]) => [name, values[name]]))
}
