// What was written before searches folded accents is folded by the migration, however many rows there are.
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { up } from '../../src/database/migrations/004-folded-search.ts'
import { databases } from '../support/databases.ts'
import { makeVoiceAgent } from '../support/fixture.ts'
import { makeCustomerRow, makePartnerRow } from '../support/rows.ts'
import { openTestService } from '../support/service.ts'

it.each(databases)('rows of before are folded on %s', async (kind) => {
  const { service, close } = await openTestService(kind)
  const { id: partnerId } = await makePartnerRow(service)
  const { id } = await makeCustomerRow(service, partnerId)
  const agentId = await makeVoiceAgent(service, partnerId, 'a')
  await service.database.transaction(async (tx) => {
    await sql`update "customer" set "searchText" = ${'josé\nx@y.example\n\nclínica'}`.execute(tx)
    await sql`alter table "voiceAgent" drop column "searchText"`.execute(tx)
    await sql`update "voiceAgent" set "name" = ${'Recepción'}`.execute(tx)
    // The migration's own handle may do everything.
    await up(tx as unknown as Parameters<typeof up>[0])
    const customer = await tx
      .selectFrom('customer')
      .where('id', '=', id)
      .select('searchText')
      .executeTakeFirst()
    expect(customer?.searchText).toBe('jose\nx@y.example\n\nclinica')
    const agent = await tx
      .selectFrom('voiceAgent')
      .where('agentId', '=', agentId)
      .select('searchText')
      .executeTakeFirst()
    expect(agent?.searchText).toBe(`recepcion\n${agentId.toLowerCase()}`)
  })
  await close()
})

describe('a page of the migration', () => {
  it('ends where the rows end', async () => {
    const { service, close } = await openTestService('sqlite')
    const { id: partnerId } = await makePartnerRow(service)
    for (let i = 0; i < 501; i += 1) await makeCustomerRow(service, partnerId)
    await service.database.transaction(async (tx) => {
      await sql`update "customer" set "searchText" = ${'Í'}`.execute(tx)
      await sql`alter table "voiceAgent" drop column "searchText"`.execute(tx)
      await up(tx as unknown as Parameters<typeof up>[0])
      const left = await tx.selectFrom('customer').where('searchText', '!=', 'i').select('id').execute()
      expect(left).toEqual([])
    })
    await close()
  })
})
