// The claim itself, as requests meet in it that all found the key free when they looked.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  AlreadyClaimed,
  type Claim,
  claimFor,
  claimKey,
  withLease
} from '../../src/idempotency/idempotency.ts'
import { databases } from '../support/databases.ts'
import { makePartner, unique } from '../support/fixture.ts'
import { openTestService, type TestService } from '../support/service.ts'

const LIVE = { deadlineMs: 60_000, busyDeadlineMs: 0 }
const LAPSED = { deadlineMs: -120_000, busyDeadlineMs: 0 }

describe.each(databases)('a claim on a key on %s', (kind) => {
  let opened: TestService
  let partnerId: string
  beforeAll(async () => {
    opened = await openTestService(kind)
    partnerId = (await makePartner(opened.service)).partnerId
  })
  afterAll(() => opened.close())

  const newClaim = () => claimFor(partnerId, 'test_outside', unique('key'), { wanted: 'this' })
  const take = (claim: Claim) => opened.service.database.transaction((tx) => claimKey(tx, claim))
  const ownerOf = async ({ key }: Claim) => {
    const row = await opened.service.database.read
      .selectFrom('idempotency')
      .where('key', '=', key)
      .select('leaseOwner')
      .executeTakeFirst()
    return row?.leaseOwner
  }

  it('leaves a lease that holds to its owner', async () => {
    const claim = newClaim()
    const first = withLease(claim, LIVE)
    await take(first)
    await expect(take(withLease(claim, LIVE))).rejects.toThrow(AlreadyClaimed)
    await expect(take(claim)).rejects.toThrow(AlreadyClaimed)
    expect(await ownerOf(claim)).toBe(first.lease.owner)
  })

  it('takes over a lease that has lapsed', async () => {
    const claim = newClaim()
    await take(withLease(claim, LAPSED))
    const second = withLease(claim, LIVE)
    await take(second)
    expect(await ownerOf(claim)).toBe(second.lease.owner)
  })

  it('leaves a lapsed lease of another input as it is', async () => {
    const claim = newClaim()
    const first = withLease(claim, LAPSED)
    await take(first)
    const other = claimFor(partnerId, claim.operation, claim.key, { wanted: 'that' })
    await expect(take(withLease(other, LIVE))).rejects.toThrow(AlreadyClaimed)
    expect(await ownerOf(claim)).toBe(first.lease.owner)
  })
})
