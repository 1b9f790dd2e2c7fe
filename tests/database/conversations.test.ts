// What was said before there were several conversations is the first one's, and servers know its thread by the same name.
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { up } from '../../src/database/migrations/007-conversations.ts'
import { up as partnersChat } from '../../src/database/migrations/013-partners-chat.ts'
import { readHistory } from '../../src/instances/chat/history.ts'
import { claimExchange, finishExchange } from '../../src/instances/chat/store.ts'
import { databases } from '../support/databases.ts'
import { makeInstance } from '../support/instances.ts'
import { makeCustomerRow, makePartnerRow } from '../support/rows.ts'
import { openTestService } from '../support/service.ts'

it.each(databases)('messages of before go on as one conversation on %s', async (kind) => {
  const { service, close } = await openTestService(kind)
  const { id: partnerId } = await makePartnerRow(service)
  const { id: customerId } = await makeCustomerRow(service, partnerId)
  const spoken = await makeInstance(service, partnerId, customerId)
  const silent = await makeInstance(service, partnerId, customerId)
  await service.database.transaction(async (tx) => {
    const claim = (message: string) =>
      claimExchange(tx, spoken, { key: undefined, message, model: 'auto', timeoutMs: 60_000 })
    const result = { state: 'answered', model: 'auto', hasStarted: true, reply: 'hi' } as const
    await finishExchange(tx, (await claim('one')).exchange, { ...result, sessionId: 'session-1' })
    // As the release before left it.
    await sql`drop index "chatExchangeOfConversation"`.execute(tx)
    await sql`alter table "chatExchange" drop column "conversationId"`.execute(tx)
    await sql`drop table "chatConversation"`.execute(tx)
    await sql`alter table "chatThread" add column "sessionId" text`.execute(tx)
    await sql`update "chatThread" set "sessionId" = 'session-1'`.execute(tx)

    // The migration's own handle may do everything.
    await up(tx as unknown as Parameters<typeof up>[0])
    await partnersChat(tx as unknown as Parameters<typeof up>[0])

    const rows = await tx.selectFrom('chatConversation').selectAll().execute()
    const first = ({ id, createdAt }: typeof spoken, sessionId: string | null) =>
      ({ id, partnerId, instanceId: id, createdAt, seq: 0, sessionId, isPartners: 0 }) as const
    expect(rows).toHaveLength(2)
    expect(rows).toEqual(expect.arrayContaining([first(spoken, 'session-1'), first(silent, null)]))
    const { exchange, sessionId } = await claim('two')
    expect([exchange.conversationId, sessionId]).toEqual([spoken.id, 'session-1'])
    const { conversation, exchanges } = await readHistory(tx, spoken, { limit: 50 })
    expect(conversation).toBe(spoken.id)
    expect(exchanges.map(({ message }) => message)).toEqual(['one', 'two'])
  })
  await close()
})
