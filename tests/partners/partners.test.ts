import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { erasePartner } from '../../src/partners/erase.ts'
import { findPartner, insertPartner, updatePartner } from '../../src/partners/store.ts'
import { makeCall } from '../support/calls.ts'
import { databases } from '../support/databases.ts'
import { openTestService, type TestService } from '../support/service.ts'

describe.each(databases)('partners on %s', (kind) => {
  let place: TestService
  beforeAll(async () => {
    place = await openTestService(kind)
  })
  afterAll(() => place.close())

  let counter = 0
  const create = (name: string, more: { slug?: string; email?: string } = {}) => {
    counter += 1
    const partner = { name, email: `user-${counter}@partner.example`, ...more }
    return place.service.database.transaction((tx) => insertPartner(tx, partner))
  }

  it('numbers the slugs of equal names', async () => {
    const slugs = [await create('Nord Voice'), await create('Nord  Voice!'), await create('nord-voice')]
    expect(slugs.map(({ slug }) => slug)).toEqual(['nord-voice', 'nord-voice-2', 'nord-voice-3'])
  })

  it('gives racing partners of one name a slug each', async () => {
    const created = await Promise.all(Array.from({ length: 8 }, () => create('Racing')))
    expect(new Set(created.map(({ slug }) => slug)).size).toBe(8)
  })

  it('refuses a slug that is taken instead of numbering it', async () => {
    await create('First', { slug: 'mine' })
    await expect(create('Second', { slug: 'mine' })).rejects.toMatchObject({
      code: 'invalid_input',
      field: 'slug'
    })
  })

  it('refuses an e-mail that a user of any partner has, whatever its case, and creates nothing', async () => {
    await create('Holder', { email: 'Held@partner.example' })
    await expect(create('Second Holder', { email: 'hELD@partner.example' })).rejects.toMatchObject({
      code: 'email_exists',
      field: 'email'
    })
    expect(await findPartner(place.service.database.read, 'second-holder')).toBeUndefined()
  })

  it('finds a partner by id and by slug, and nobody by anything else', async () => {
    const { partnerId, slug } = await create('Findable')
    const { read } = place.service.database
    expect(await findPartner(read, partnerId)).toMatchObject({
      partnerId,
      slug,
      isActive: true,
      hasAiMemory: true
    })
    expect(await findPartner(read, slug)).toMatchObject({ partnerId })
    expect(await findPartner(read, 'findabl')).toBeUndefined()
    expect(await findPartner(read, '%')).toBeUndefined()
  })

  it('refuses to change a partner that is not there', async () => {
    const change = place.service.database.transaction((tx) =>
      updatePartner(tx, 'prt_none', { isActive: false })
    )
    await expect(change).rejects.toMatchObject({ code: 'partner_not_found' })
  })

  it('are erased with their calls of nobody before their record, which would take a million at once', async () => {
    const { service } = place
    const { partnerId } = await create('Busy')
    await makeCall(service, partnerId)
    const stopped = async () => {
      throw new Error('stopped')
    }
    const { config, database, aiKeys, memoryEngine, secrets, limitMemory, ssh } = service
    const ctx = {
      ...{ config, database, aiKeys, memoryEngine, secrets, limitMemory, ssh, db: database.read },
      ...{ deploys: service.deploys, agentChat: service.agentChat, idempotencyKey: undefined },
      ...{ mail: stopped, audit: stopped, transaction: stopped, onProgress: () => {} },
      step: database.transaction,
      signal: new AbortController().signal
    }
    await expect(erasePartner(ctx, partnerId)).rejects.toThrow('stopped')
    const left = database.read.selectFrom('call').where('partnerId', '=', partnerId).select('id')
    expect(await left.execute()).toEqual([])
  })
})
