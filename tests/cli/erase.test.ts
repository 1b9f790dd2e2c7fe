// `mindgate customer export`, `customer erase` and `partner erase`.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Everything, makeEverything } from '../customers/everything.ts'
import { everyTable, tablesWith } from '../memory/every-table.ts'
import { mindgate } from '../support/cli.ts'
import { databases } from '../support/databases.ts'
import { makePartner, type TestPartner } from '../support/fixture.ts'
import { openTestService, type TestService } from '../support/service.ts'

describe.each(databases)('the CLI on %s', (kind) => {
  let test: TestService
  let partner: TestPartner
  let ada: Everything
  beforeEach(async () => {
    test = await openTestService(kind)
    partner = await makePartner(test.service)
    ada = await makeEverything(test.service, partner.partnerId)
  })
  afterEach(() => test.close())

  const run = (...args: string[]) => mindgate(test.env, args)

  it('exports everything about a customer, to standard output or a file for its owner’s eyes', async () => {
    const { code, stdout } = await run(
      'customer',
      'export',
      '--customer',
      ada.code,
      '--partner',
      partner.slug
    )
    expect(code).toBe(0)
    const kinds = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).kind)
    expect(kinds[0]).toBe('customer')
    expect(kinds).toEqual(expect.arrayContaining(['memory', 'chatExchange', 'mail', 'audit']))
    const file = join(test.service.config.dataDir, 'ada.jsonl')
    await run('customer', 'export', '--customer', ada.customerId, '--file', file)
    expect(readFileSync(file, 'utf8')).toBe(stdout)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('erases a customer whose code is named, to the end, and notes it', async () => {
    const erase = (confirm: string, ...more: string[]) =>
      run('customer', 'erase', '--customer', ada.customerId, '--confirm', confirm, ...more)
    const refused = await erase(ada.email)
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('short code')])
    expect(await tablesWith(test, ada.planted)).toContain('memory')
    const { code, stdout } = await erase(ada.code, '--json')
    expect([code, JSON.parse(stdout)]).toEqual([0, { customerId: ada.customerId, erased: true }])
    expect(await tablesWith(test, ada.planted)).toEqual([])
    const entries = await test.service.database.read
      .selectFrom('audit')
      .where('targetId', '=', ada.customerId)
      .select(['action', 'actor'])
      .execute()
    expect(entries).toEqual([{ action: 'customer_erase', actor: 'operator' }])
    expect((await erase(ada.code)).code).toBe(1)
  })

  it('erases a partner whose slug is named, with all that it has, and no other', async () => {
    await makeEverything(test.service, partner.partnerId)
    const other = await makePartner(test.service)
    const bob = await makeEverything(test.service, other.partnerId)
    const erase = (confirm: string) =>
      run('partner', 'erase', '--partner', partner.partnerId, '--confirm', confirm, '--json')
    const refused = await erase(other.slug)
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('slug')])
    expect(await tablesWith(test, ada.planted)).toContain('memory')

    const { code, stdout } = await erase(partner.slug)
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      { partnerId: partner.partnerId, customers: 2, erased: true }
    ])
    for (const text of [partner.partnerId, partner.slug, partner.keyId, ada.planted, ada.customerId])
      expect([text, await tablesWith(test, text)]).toEqual([text, []])
    expect(await tablesWith(test, bob.planted)).toContain('memory')
    const partners = new Map<string, unknown[]>()
    for await (const [table, rows] of everyTable(test.service.config.databaseLocation))
      partners.set(table, rows)
    expect(partners.get('partner')).toHaveLength(1)
    expect((await erase(partner.slug)).code).toBe(1)
  })
})
