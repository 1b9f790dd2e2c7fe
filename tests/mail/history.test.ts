import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY_MS, fromNow } from '../../src/clock.ts'
import { countGivenUp, findMail, listMails } from '../../src/mail/store.ts'
import { databases } from '../support/databases.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { type Addressee, makeAddressee, writeLetter } from './letters.ts'

describe.each(databases)('the list of mails on %s', (kind) => {
  let test: TestService
  let ours: Addressee
  let ids: string[]
  let foreignId: string

  const change = (mailId: string, values: { createdAt: string; status?: 'failed'; finishedAt?: string }) =>
    test.service.database.transaction((tx) =>
      tx.updateTable('mail').set(values).where('id', '=', mailId).execute()
    )

  beforeAll(async () => {
    test = await openTestService(kind)
    ours = await makeAddressee(test.service)
    const params = { teamMemberId: 'tm_1', role: 'member' }
    const first = await writeLetter(test.service, ours, { template: 'team_invite', params })
    const second = await writeLetter(test.service, ours)
    const third = await writeLetter(test.service, ours)
    ids = [first.mailId, second.mailId, third.mailId]
    foreignId = (await writeLetter(test.service, await makeAddressee(test.service))).mailId
    await change(first.mailId, { createdAt: fromNow(-3_000) })
    await change(second.mailId, { createdAt: fromNow(-2_000), status: 'failed', finishedAt: fromNow(-1_000) })
    await change(third.mailId, {
      createdAt: fromNow(-1_000),
      status: 'failed',
      finishedAt: fromNow(-8 * DAY_MS)
    })
  })
  afterAll(() => test.close())

  it('shows one partner’s mails, newest first, without what is secret', async () => {
    const { rows: mails } = await listMails(test.service.database.read, ours.partnerId)
    expect(mails.map(({ id }) => id)).toEqual(ids.toReversed())
    expect(mails[2]).toEqual({
      id: ids[0],
      partnerId: ours.partnerId,
      customerId: ours.customerId,
      template: 'team_invite',
      recipient: ours.email,
      status: 'queued',
      attempts: 0,
      lastError: null,
      createdAt: expect.any(String),
      finishedAt: null
    })
  })

  it('shows the operator every partner’s', async () => {
    const { rows: mails } = await listMails(test.service.database.read, undefined)
    expect(new Set(mails.map(({ id }) => id))).toEqual(new Set([...ids, foreignId]))
  })

  it('takes a status and a limit', async () => {
    const given = { status: 'failed', limit: 1 } as const
    const { rows: mails } = await listMails(test.service.database.read, ours.partnerId, given)
    expect(mails.map(({ id }) => id)).toEqual([ids[2]])
  })

  it('counts what was given up in the last 7 days', async () => {
    expect(await countGivenUp(test.service.database.read)).toBe(1)
  })

  it('finds a mail of the partner’s with what a new one needs', async () => {
    expect(await findMail(test.service.database.read, ours.partnerId, ids[0] ?? '')).toEqual({
      id: ids[0],
      template: 'team_invite',
      customerId: ours.customerId,
      status: 'queued',
      params: { teamMemberId: 'tm_1', role: 'member' }
    })
  })

  it('finds no other partner’s mail', async () => {
    expect(await findMail(test.service.database.read, ours.partnerId, foreignId)).toBeUndefined()
  })
})
