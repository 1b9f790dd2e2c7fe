// At the end: everything that a partner can see is what its model says, and so is what only the tables show.
import { expect } from 'vitest'
import { toMicros } from '../../../src/money.ts'
import type { TestPartner } from '../../support/fixture.ts'
import type { TestServer } from '../../support/http.ts'
import { expectTeam } from './access-steps.ts'
import { callOperation } from './channels.ts'
import type { Fields } from './command.ts'
import { expectPage, expectRecord } from './customer-steps.ts'
import type { PartnerModel } from './partner-model.ts'

export async function expectRecords(
  server: TestServer,
  { key, partnerId }: TestPartner,
  model: PartnerModel
): Promise<void> {
  const ask = async (operation: string, input: Fields): Promise<Fields> => {
    const { status, output } = await callOperation(server, key, { channel: 'REST', operation, input })
    expect(status).toBe(200)
    return output
  }
  expectPage(model, {}, { page: 1, limit: 100 }, await ask('customer_list', { limit: 100 }))
  for (const customer of model.customers) {
    const input = { customerId: customer.record.id }
    expectRecord(customer, await ask('customer_get', input))
    expectTeam(customer.team, await ask('team_member_list', input))
  }

  const { read } = server.service.database
  const mails = await read
    .selectFrom('mail')
    .where('partnerId', '=', partnerId)
    .select(['template', 'recipient', 'customerId'])
    .execute()
  expect(mails.map(({ template, recipient }) => `${template} ${recipient}`).toSorted()).toEqual(
    model.mails.toSorted()
  )
  const ids = model.customers.map(({ record }) => record.id)
  expect(mails.filter(({ customerId }) => !ids.includes(customerId ?? ''))).toEqual([])
  const agents = await read
    .selectFrom('voiceAgent')
    .where('partnerId', '=', partnerId)
    .select(['provider', 'agentId', 'customerId', 'multiplierMicros'])
    .execute()
  expect(agents).toHaveLength(model.agents.size)
  for (const { provider, agentId, customerId, multiplierMicros } of agents) {
    const mapping = model.agents.get(`${provider} ${agentId}`)
    expect({ customerId, multiplierMicros }).toEqual({
      customerId: mapping?.customer.record.id ?? null,
      multiplierMicros: mapping ? toMicros(mapping.profitMultiplier) : null
    })
  }
}
