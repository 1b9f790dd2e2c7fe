// Whose a webhook is, how many there are, and where none leads.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deleteRemoved } from '../../src/webhooks/store.ts'
import { makePartner, run, stringAt } from '../support/fixture.ts'
import { listen } from '../support/listen.ts'
import { openTestService, type TestService } from '../support/service.ts'

describe('a webhook', () => {
  let test: TestService
  beforeAll(async () => {
    test = await openTestService('sqlite', { WEBHOOK_RETRY_MS: '20' })
    test.service.webhooks.start()
  })
  afterAll(() => test.close())

  it('is at a public address over TLS, without a password', async () => {
    const { partnerId } = await makePartner(test.service)
    const urls = {
      'http://example.com/hook': 'must begin with https://',
      'https://127.0.0.1/hook': 'is a private address',
      'https://[::1]/hook': 'is a private address',
      'https://169.254.169.254/latest': 'is a private address',
      'https://me:secret@example.com/': 'can’t have a user or a password in it',
      'ftp://example.com': 'url',
      'javascript:alert(1)': 'url',
      [`https://example.com/${'x'.repeat(500)}`]: 'url'
    }
    for (const [url, message] of Object.entries(urls)) {
      const refused = run(test.service, partnerId, 'webhook_add', { url })
      await expect(refused, url).rejects.toMatchObject({ code: 'invalid_input', field: 'url' })
      await expect(refused, url).rejects.toThrow(message)
    }
  })

  it('that leads to a private address is sent nothing', async () => {
    const { partnerId } = await makePartner(test.service)
    const listener = await listen()
    const url = `https://localhost:${listener.port}/hook`
    const { webhookId } = await run(test.service, partnerId, 'webhook_add', { url })
    await run(test.service, partnerId, 'webhook_test', { webhookId })
    await test.service.webhooks.drain()
    expect(await run(test.service, partnerId, 'webhook_list', {})).toMatchObject({
      data: [{ trouble: 'Its address is a private one.' }]
    })
    expect(listener.connections()).toBe(0)
    await listener.close()
  })

  it('that was removed is gone at once, and its log soon after', async () => {
    const { partnerId } = await makePartner(test.service)
    const { database } = test.service
    const added = await run(test.service, partnerId, 'webhook_add', { url: 'https://hooks.invalid/hook' })
    const webhookId = stringAt(added, 'webhookId')
    await run(test.service, partnerId, 'webhook_update', { webhookId, isActive: false })
    await run(test.service, partnerId, 'webhook_test', { webhookId })
    await run(test.service, partnerId, 'webhook_remove', { webhookId })
    expect(await run(test.service, partnerId, 'webhook_list', {})).toEqual({ data: [] })
    const again = run(test.service, partnerId, 'webhook_update', { webhookId, isActive: true })
    await expect(again).rejects.toMatchObject({ code: 'webhook_not_found' })
    const log = database.read.selectFrom('webhookDelivery').where('webhookId', '=', webhookId).select('seq')
    expect(await log.execute()).toHaveLength(1)
    await deleteRemoved(database)
    expect(await log.execute()).toEqual([])
    expect(
      await database.read.selectFrom('webhook').where('id', '=', webhookId).select('id').execute()
    ).toEqual([])
  })

  it('is one of ten', async () => {
    const { partnerId } = await makePartner(test.service)
    const add = () => run(test.service, partnerId, 'webhook_add', { url: 'https://hooks.invalid/hook' })
    for (let i = 0; i < 10; i += 1) await add()
    await expect(add()).rejects.toMatchObject({ code: 'webhook_limit_reached' })
  })

  it('is tried sixty times an hour because somebody asks for it, and switched off whenever they like', async () => {
    const [{ partnerId }, other] = [await makePartner(test.service), await makePartner(test.service)]
    const addTo = async (id: string) =>
      stringAt(await run(test.service, id, 'webhook_add', { url: 'https://localhost/hook' }), 'webhookId')
    const [webhookId, theirs] = [await addTo(partnerId), await addTo(other.partnerId)]
    await run(test.service, partnerId, 'webhook_update', { webhookId, isActive: false })
    for (let i = 0; i < 30; i += 1) {
      await run(test.service, partnerId, 'webhook_test', { webhookId })
      await run(test.service, partnerId, 'webhook_update', { webhookId, inOrder: i % 2 === 0 })
    }
    const log = () => run(test.service, partnerId, 'webhook_delivery_list', { webhookId })
    const before = await log()
    const asks = { webhook_test: {}, webhook_send_again: {}, webhook_update: { isActive: true } }
    for (const [operation, input] of Object.entries(asks)) {
      const refused = run(test.service, partnerId, operation, { webhookId, ...input })
      await expect(refused, operation).rejects.toMatchObject({ code: 'rate_limited' })
      await expect(refused).rejects.toThrow(
        'Webhooks were tried often enough for now. Try again in 60 minutes.'
      )
    }
    expect(await log()).toEqual(before)
    await run(test.service, partnerId, 'webhook_update', { webhookId, isActive: false })
    await run(test.service, other.partnerId, 'webhook_test', { webhookId: theirs })
  })

  it('is its partner’s alone', async () => {
    const [{ partnerId }, other] = [await makePartner(test.service), await makePartner(test.service)]
    const added = await run(test.service, partnerId, 'webhook_add', { url: 'https://hooks.invalid/hook' })
    const webhookId = stringAt(added, 'webhookId')
    const foreign = {
      webhook_update: { isActive: false },
      webhook_remove: {},
      webhook_secret_rotate: {},
      webhook_test: {},
      webhook_delivery_list: {},
      webhook_send_again: {}
    }
    for (const [name, input] of Object.entries(foreign)) {
      const tried = run(test.service, other.partnerId, name, { webhookId, ...input })
      await expect(tried, name).rejects.toMatchObject({ code: 'webhook_not_found', field: 'webhookId' })
    }
    expect(await run(test.service, other.partnerId, 'webhook_list', {})).toEqual({ data: [] })
    expect(await run(test.service, partnerId, 'webhook_list', {})).toMatchObject({
      data: [{ isActive: true }]
    })
    expect(test.logs.join('')).not.toContain('whsec_')
  })
})
