// Lists answer what reading all customers would, whatever is asked of them, on whichever page.
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { searchTextOf } from '../../src/customers/store.ts'
import type { CustomerTable } from '../../src/customers/table.ts'
import { foldText } from '../../src/fold.ts'
import { newId } from '../../src/ids.ts'
import { databases } from '../support/databases.ts'
import { at, run } from '../support/fixture.ts'
import { makeCustomerRow, makePartnerRow } from '../support/rows.ts'
import { openTestService, type TestService } from '../support/service.ts'

const NAMES = [
  'Ada Lovelace',
  'José Núñez',
  'Ｃｌｉｎｉｃ of Straße',
  '100% "sure"',
  "O'Brien_Sons",
  'back\\slash',
  '東京歯科医院',
  'Łódź İstanbul',
  'a b',
  '𝒜𝓁𝒶𝓃 Turing 🦷🦷🦷'
]

const SEARCHES = [
  ...[
    'ada',
    'LOVELACE',
    'da lo',
    'jose',
    'ÑÚ',
    'clinic',
    'strasse',
    'straße',
    '%',
    '100%',
    '"su',
    '"',
    "o'b",
    '_',
    'n_s'
  ],
  ...[
    '\\',
    'k\\s',
    '東京',
    '京歯科',
    '医院',
    'lodz',
    'istanbul',
    'b',
    'a b',
    'alan',
    '🦷🦷🦷',
    '🦷',
    'example.com',
    '+1 555',
    'nobody'
  ],
  ...[
    'AND',
    'a OR b',
    'text : ada',
    '*',
    'ada lovelace ada lovelace ada lovelace ada lovelace',
    '1 555 01',
    '(',
    '^ada',
    'NEAR('
  ]
]

/** The n-th of a list, round and round. */
const nth = <Value>(from: readonly Value[], n: number) => from[n % from.length] as Value

describe.each(databases)('customers on %s', (kind) => {
  let test: TestService
  beforeAll(async () => {
    test = await openTestService(kind)
  })
  afterAll(() => test.close())

  /** Two whose ids end alike, so that the index can't tell them apart. */
  async function partners(): Promise<[string, string]> {
    const partner = await makePartnerRow(test.service)
    const id = `${newId('prt').slice(0, -3)}${partner.id.slice(-3)}`
    const twin = { ...partner, id, slug: id }
    await test.service.database.transaction((tx) => tx.insertInto('partner').values(twin).execute())
    return [partner.id, id]
  }

  const add = (partnerId: string, given: Partial<CustomerTable>) => {
    const named = { firstName: null, lastName: null, companyName: null, businessPhone: null, ...given }
    const email = named.email ?? `${newId('e')}@example.com`
    return makeCustomerRow(test.service, partnerId, {
      ...named,
      email,
      emailKey: email,
      searchText: searchTextOf({ ...named, email })
    })
  }

  const plainly = async (partnerId: string, fits: (customer: CustomerTable) => boolean) => {
    const all = await test.service.database.read
      .selectFrom('customer')
      .where('partnerId', '=', partnerId)
      .selectAll()
      .execute()
    const orderOf = ({ createdAt, id }: CustomerTable) => `${createdAt} ${id}`
    return all
      .filter(fits)
      .sort((a, b) => (orderOf(a) < orderOf(b) ? 1 : -1))
      .map(({ id }) => id)
  }

  async function listed(partnerId: string, input: Record<string, unknown>) {
    const answer = await run(test.service, partnerId, 'customer_find', { limit: 100, ...input })
    const data = [at(answer, 'data')].flat()
    return { ids: data.map((customer) => at(customer, 'id')), count: at(answer, 'pagination', 'totalCount') }
  }

  it('are found by any part of what they are called, and nobody else’s', async () => {
    const [partnerId, twin] = await partners()
    for (const of of [partnerId, twin])
      for (const [n, companyName] of NAMES.entries())
        await add(of, { companyName, businessPhone: `+1 555 01${n}`, firstName: n % 2 ? 'Ada' : null })
    const renamed = await add(partnerId, { companyName: 'Before Long' })
    await run(test.service, partnerId, 'customer_update', {
      customerId: renamed.id,
      companyName: 'Afterwards'
    })
    const gone = await add(partnerId, { companyName: 'Gone Lovelace' })
    await run(test.service, partnerId, 'customer_erase', { customerId: gone.id, confirm: gone.code })
    for (const search of [...SEARCHES, 'before', 'long', 'afterw', 'gone']) {
      const ids = await plainly(partnerId, ({ searchText }) => searchText.includes(foldText(search)))
      expect({ search, ...(await listed(partnerId, { search })) }).toEqual({ search, ids, count: ids.length })
    }
  })

  it('are listed by what they have, one thing or several', async () => {
    const [partnerId, other] = await partners()
    for (let n = 0; n < 60; n += 1)
      await add(n % 10 === 9 ? other : partnerId, {
        firstName: nth(['Ada', 'Grace', 'Edsger'], n),
        monthlyCallVolume: nth(['0-500', '500-1000', null], n),
        callComplexity: nth(['low', 'high', null, ''], n),
        deploymentTimeline: nth(['1 month', null], n),
        credentialStatus: nth(['none', 'active', 'suspended'] as const, n * 2),
        orderStatus: nth(['new', 'active'], n),
        subscriptionStatus: nth(['none', 'trialing', 'active', 'past_due'] as const, n),
        createdAt: `2026-01-0${1 + (n % 3)}T00:00:00.000Z`,
        updatedAt: `2026-02-0${1 + (n % 5)}T00:00:00.000Z`
      })
    const conditions: [Record<string, unknown>, (customer: CustomerTable) => boolean][] = [
      [{ monthlyCallVolume: '0-500' }, (customer) => customer.monthlyCallVolume === '0-500'],
      // Listed is what has an empty one, and not what has none.
      [{ monthlyCallVolume: '' }, (customer) => customer.monthlyCallVolume === ''],
      [{ callComplexity: 'high' }, (customer) => customer.callComplexity === 'high'],
      [{ deploymentTimeline: '1 month' }, (customer) => customer.deploymentTimeline === '1 month'],
      [{ credentialStatus: 'suspended' }, (customer) => customer.credentialStatus === 'suspended'],
      [{ orderStatus: 'active' }, (customer) => customer.orderStatus === 'active'],
      [{ orderStatus: 'never' }, () => false],
      [{ isOnTrial: true }, (customer) => customer.subscriptionStatus === 'trialing'],
      [{ isOnTrial: false }, (customer) => customer.subscriptionStatus !== 'trialing'],
      [{ hasEntered: false }, () => true],
      [{ updatedSince: '2026-02-04T00:00:00Z' }, (customer) => customer.updatedAt >= '2026-02-04'],
      [{ search: 'grac' }, (customer) => customer.searchText.includes('grac')]
    ]
    expect(await listed(partnerId, {})).toMatchObject({
      count: 54,
      ids: await plainly(partnerId, () => true)
    })
    for (const [one, fitsOne] of conditions)
      for (const [two, fitsTwo] of conditions) {
        const input = { ...two, ...one }
        const isSame = Object.keys(one)[0] === Object.keys(two)[0]
        const ids = await plainly(partnerId, (customer) => fitsOne(customer) && (isSame || fitsTwo(customer)))
        expect({ input, ...(await listed(partnerId, input)) }).toEqual({ input, ids, count: ids.length })
        const second = await listed(partnerId, { ...input, limit: 3, page: 2 })
        expect({ input, ids: second.ids }).toEqual({ input, ids: ids.slice(3, 6) })
      }
    expect(at(await run(test.service, partnerId, 'customer_labels', {}), 'data')).toEqual({
      monthlyCallVolume: ['0-500', '500-1000'],
      callComplexity: ['high', 'low'],
      deploymentTimeline: ['1 month']
    })
  })

  it('come in the order that is asked for, of the days that are asked for, whole or in part', async () => {
    const [partnerId, other] = await partners()
    const names = ['Zoë Adams', 'ada Lovelace', 'Émile Zola', 'Ada Byron', '', 'bo']
    for (let n = 0; n < 230; n += 1)
      await add(n % 10 === 9 ? other : partnerId, {
        firstName: nth(names, n) || null,
        companyName: nth(['acme', 'Zeta', 'Beta', null], n),
        credentialStatus: nth(['none', 'active'] as const, n),
        createdAt: `2026-01-0${1 + (n % 5)}T23:59:59.999Z`
      })
    const key = {
      name: ({ searchText }: CustomerTable) => [...searchText].slice(0, 60).join(''),
      companyName: ({ companyName }: CustomerTable) => (companyName ?? '').toLowerCase(),
      createdAt: ({ createdAt }: CustomerTable) => createdAt
    }
    const rows = await test.service.database.read
      .selectFrom('customer')
      .where('partnerId', '=', partnerId)
      .selectAll()
      .execute()
    const fitting = (fits: (customer: CustomerTable) => boolean, sort: string) => {
      const of = key[sort.replace('-', '') as keyof typeof key]
      const text = (customer: CustomerTable) => Buffer.from(`${of(customer)}\0${customer.id}`)
      const sorted = rows.filter(fits).sort((a, b) => Buffer.compare(text(a), text(b)))
      return (sort.startsWith('-') ? sorted.reverse() : sorted).map(({ id }) => id)
    }
    const filters: [Record<string, unknown>, (customer: CustomerTable) => boolean][] = [
      [{}, () => true],
      [{ credentialStatus: 'none' }, (customer) => customer.credentialStatus === 'none'],
      [{ search: 'ada' }, (customer) => customer.searchText.includes('ada')],
      [{ createdFrom: '2026-01-03' }, ({ createdAt }) => createdAt >= '2026-01-03'],
      [{ createdTo: '2026-01-03' }, ({ createdAt }) => createdAt < '2026-01-04'],
      [
        { createdFrom: '2026-01-02', createdTo: '2026-01-02' },
        ({ createdAt }) => createdAt.startsWith('2026-01-02')
      ],
      [{ createdFrom: '2026-01-03', createdTo: '2026-01-02' }, () => false]
    ]
    for (const [filter, fits] of filters) {
      for (const name of Object.keys(key))
        for (const sort of [name, `-${name}`]) {
          const ids = fitting(fits, sort)
          for (const page of [1, 3]) {
            const input = { ...filter, sort, page }
            const expected = { input, ids: ids.slice((page - 1) * 100, page * 100), count: ids.length }
            expect({ input, ...(await listed(partnerId, input)) }).toEqual(expected)
          }
        }
      const exported: unknown[] = []
      for (let cursor: unknown; cursor !== null; ) {
        const slice = await run(test.service, partnerId, 'customer_export', {
          ...filter,
          ...(cursor === undefined ? {} : { cursor })
        })
        exported.push(...[at(slice, 'data')].flat().map((customer) => at(customer, 'id')))
        cursor = at(slice, 'nextCursor')
      }
      expect({ filter, exported }).toEqual({ filter, exported: fitting(fits, '-createdAt') })
    }
    const [mine] = rows
    const [theirs] = await plainly(other, () => true)
    const stranger = await test.service.database.read
      .selectFrom('customer')
      .where('id', '=', theirs ?? '')
      .selectAll()
      .executeTakeFirstOrThrow()
    const emails = [String(mine?.email).toUpperCase(), stranger.email, 'nobody@example.com']
    expect(await listed(partnerId, { emails })).toEqual({ ids: [mine?.id], count: 1 })
    expect(await listed(partnerId, { emails: [] })).toEqual({ ids: [], count: 0 })
  })

  it('stand on the same pages however deep these are', async () => {
    const [partnerId, other] = await partners()
    const template = await add(other, {})
    // Some of one instant, some of one minute, and days between; the clock of whoever wrote them went back and forth.
    const times = [0, 0, 1, 59_999, 60_000, 3_600_000, 86_400_000, 86_400_000 * 40]
    const rows = Array.from({ length: 2_600 }, (_, n) => {
      const id = newId('cus')
      const elapsedMs = nth(times, n) + (n > 2_000 ? 0 : Math.floor(n / 400) * 5_000_000)
      const createdAt = new Date(Date.parse('2026-03-01T23:59:00.000Z') + elapsedMs).toISOString()
      return { ...template, id, partnerId, code: id, email: id, emailKey: id, createdAt }
    })
    await test.service.database.transaction(async (tx) => {
      for (let start = 0; start < rows.length; start += 200)
        await tx
          .insertInto('customer')
          .values(rows.slice(start, start + 200))
          .execute()
      await sql`delete from "customer" where "partnerId" = ${partnerId} and "createdAt" like '%T23:59:00.001Z'`.execute(
        tx
      )
    })
    const ids = await plainly(partnerId, () => true)
    expect(ids.length).toBeGreaterThan(2_200)
    for (let page = 1; (page - 1) * 100 <= ids.length + 100; page += 1)
      expect({ page, ...(await listed(partnerId, { page })) }).toEqual({
        page,
        ids: ids.slice((page - 1) * 100, page * 100),
        count: ids.length
      })
    expect((await listed(partnerId, { page: 1_000_000 })).ids).toEqual([])
  })
})
