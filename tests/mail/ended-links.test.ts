// Mails whose link ends while they wait.
import { afterEach, describe, expect, it, vi } from 'vitest'
import { fromNow } from '../../src/clock.ts'
import { countGivenUp } from '../../src/mail/store.ts'
import { endLinks } from '../../src/portal-access/links.ts'
import { databases } from '../support/databases.ts'
import { run, stringAt } from '../support/fixture.ts'
import { openTestService } from '../support/service.ts'
import { type Addressee, mailRow, makeAddressee, writeLetter } from './letters.ts'
import { openPostOffice } from './post-office.ts'

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close()
})

describe.each(databases)('a mail that waits, on %s,', (kind) => {
  it('isn’t sent when its link was replaced or taken back, or ran out, and only the last is a failure', async () => {
    const server = await openPostOffice()
    opened.push(server)
    const test = await openTestService(kind, { MAIL_URL: server.url })
    opened.push(test)
    const { service } = test
    const write = service.database.transaction
    const newcomer = (): Promise<Addressee> => makeAddressee(service)

    const late = await writeLetter(service, await newcomer())
    await write((tx) =>
      tx
        .updateTable('accessLink')
        .set({ expiresAt: fromNow(-1) })
        .execute()
    )
    const addressee = await newcomer()
    const older = await writeLetter(service, addressee)
    const newer = await writeLetter(service, addressee)
    const leaver = await newcomer()
    const takenBack = await writeLetter(service, leaver)
    await write((tx) => endLinks(tx, leaver.partnerId, { customerId: leaver.customerId }))
    // A member who is removed before the invite has left.
    const { partnerId, customerId } = addressee
    const member = { customerId, email: 'grace@example.com', name: 'Grace' }
    const added = await run(service, partnerId, 'team_member_add', member)
    const teamMemberId = stringAt(added, 'data', 'id')
    await run(service, partnerId, 'team_member_remove', { customerId, teamMemberId })
    const { id: removed } = await service.database.read
      .selectFrom('mail')
      .where('recipient', '=', member.email)
      .select('id')
      .executeTakeFirstOrThrow()

    service.start('https://mindgate.example')
    const ended = (mailId: string) =>
      vi.waitFor(
        async () => {
          const { status, lastError, sealedSecret } = await mailRow(service, mailId)
          expect(status).not.toBe('queued')
          return { status, lastError, sealedSecret }
        },
        { timeout: 15_000, interval: 20 }
      )
    expect((await ended(newer.mailId)).status).toBe('sent')
    for (const mailId of [older.mailId, takenBack.mailId, removed]) {
      expect(await ended(mailId)).toEqual({
        status: 'dropped',
        sealedSecret: null,
        lastError: 'Its link was used, replaced by a newer one, or taken back.'
      })
    }
    expect(await ended(late.mailId)).toEqual({
      status: 'failed',
      sealedSecret: null,
      lastError: 'Its link ran out before it could be sent.'
    })
    expect(server.received).toHaveLength(1)
    expect(await countGivenUp(service.database.read)).toBe(1)
  })
})
