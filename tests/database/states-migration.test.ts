// What states are told by, made of the rows that were there before.
import { expect, it } from 'vitest'
import { databases } from '../support/databases.ts'
import { AT, openUpgraded } from '../support/first-schema.ts'

const SEEN = '2026-02-02T10:00:00.000Z'
const FAILED = '2026-03-03T10:00:00.000Z'

it.each(databases)(
  'who was in a portal last and which deploys failed is known of rows of before, on %s',
  async (kind) => {
    const upgraded = await openUpgraded(kind, async (insert) => {
      const partnerId = 'prt_1'
      await insert('partner', { id: partnerId, slug: 'acme', isActive: 1, brand: '{}' })
      const customerId = 'cus_1'
      await insert('customer', { id: customerId, partnerId, emailKey: 'a@b.c', code: 'C-1' })
      for (const id of ['idn_in', 'idn_out']) await insert('identity', { id, partnerId, emailKey: id })
      const session = { partnerId, site: 'portal' }
      await insert('session', {
        ...session,
        id: 'ses_1',
        tokenHash: '1',
        identityId: 'idn_in',
        customerId,
        lastSeenAt: AT
      })
      await insert('session', {
        ...session,
        id: 'ses_2',
        tokenHash: '2',
        identityId: 'idn_in',
        customerId,
        lastSeenAt: SEEN
      })
      // With a password to choose first.
      await insert('session', {
        ...session,
        id: 'ses_3',
        tokenHash: '3',
        identityId: 'idn_out',
        lastSeenAt: SEEN
      })
      const server = { partnerId, customerId }
      const status = { ins_failed: 'failed:cli-agent', ins_mended: 'cli-agent', ins_moved: 'registered' }
      for (const [id, of] of Object.entries(status)) {
        await insert('instance', { ...server, id, host: id, status: of })
        const deploy = { partnerId, instanceId: id, statusBefore: 'registered', finishedAt: FAILED }
        const supersededAt = id === 'ins_mended' ? FAILED : null
        await insert('deploy', { ...deploy, id: `${id}_1`, number: 1, phase: 'failed', supersededAt })
      }
      await insert('deploy', {
        partnerId,
        instanceId: 'ins_mended',
        id: 'dep_2',
        number: 2,
        phase: 'succeeded',
        finishedAt: FAILED
      })
    })
    try {
      const { read } = upgraded.database
      const seen = await read.selectFrom('identity').select(['id', 'lastSeenAt']).orderBy('id').execute()
      expect(seen).toEqual([
        { id: 'idn_in', lastSeenAt: SEEN },
        { id: 'idn_out', lastSeenAt: null }
      ])
      const failed = await read.selectFrom('instance').select(['id', 'failedAt']).orderBy('id').execute()
      expect(failed).toEqual([
        { id: 'ins_failed', failedAt: FAILED },
        { id: 'ins_mended', failedAt: null },
        { id: 'ins_moved', failedAt: null }
      ])
    } finally {
      await upgraded.close()
    }
  }
)
