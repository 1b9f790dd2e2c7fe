import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { csvRow } from '../../src/csv.ts'
import { makeCall, makeCalls } from '../support/calls.ts'
import { mindgate } from '../support/cli.ts'
import { databases } from '../support/databases.ts'
import { makeCustomerRow, makePartnerRow } from '../support/rows.ts'
import { openTestService, type TestService } from '../support/service.ts'

describe.each(databases)('`usage export` on %s', (kind) => {
  let test: TestService
  let partner: { id: string; slug: string }
  let customer: { id: string; code: string }
  beforeAll(async () => {
    test = await openTestService(kind)
    partner = await makePartnerRow(test.service, { timeZone: 'Europe/Lisbon' })
    customer = await makeCustomerRow(test.service, partner.id)
  })
  afterAll(() => test.close())

  const run = (...args: string[]) =>
    mindgate(test.env, ['usage', 'export', '--partner', partner.slug, ...args])
  const rowsIn = (csv: string) =>
    csv
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(','))

  it('writes every call of the partner once, more than a page of them, and nobody else’s', async () => {
    const endedAt = '2026-07-01T12:00:00.000Z'
    const told = Array.from({ length: 501 }, () => ({ endedAt, customerId: customer.id }))
    const calls = await makeCalls(test.service, partner.id, told)
    const nobodys = await makeCall(test.service, partner.id, {
      endedAt: '2026-07-02T12:00:00.000Z',
      costMicros: null
    })
    await makeCall(test.service, (await makePartnerRow(test.service)).id)
    const file = join(test.service.config.dataDir, 'calls.csv')
    expect(await run('--file', file)).toEqual({ code: 0, stdout: '', stderr: '' })
    const [head = [], ...rows] = rowsIn(readFileSync(file, 'utf8'))
    expect(rows.map(([id]) => id)).toEqual([...calls.map(({ id }) => id).toSorted(), nobodys.id])
    const charges = rows.map((row) => Number(row[head.indexOf('charge')]) * 1e6)
    expect(Math.round(charges.reduce((sum, charge) => sum + charge, 0))).toBe(501 * 140_001)
    expect(rows[0]).toEqual([
      ...[rows[0]?.[0], customer.id, 'a', `asst-${customer.id}`, `Agent asst-${customer.id}`],
      ...['', endedAt, '60', 'customer-ended-call', '0.100001', '1.4', '0.140001', 'USD', '']
    ])
    expect(rows.at(-1)?.slice(head.indexOf('cost'))).toEqual(['', '', '', 'USD', ''])
  })

  it('takes a customer by its short code, and days of the partner’s time zone', async () => {
    // In Lisbon it is an hour later.
    const inside = await makeCall(test.service, partner.id, {
      customerId: customer.id,
      endedAt: '2026-08-01T22:59:59.999Z'
    })
    await makeCall(test.service, partner.id, { customerId: customer.id, endedAt: '2026-08-01T23:00:00.000Z' })
    const { stdout } = await run('--customer', customer.code, '--from', '2026-08-01', '--to', '2026-08-01')
    expect(rowsIn(stdout).map(([id]) => id)).toEqual(['id', inside.id])
  })

  it('writes nothing that a spreadsheet would calculate', async () => {
    const outcome = '=HYPERLINK("https://evil.example","x")'
    await makeCall(test.service, partner.id, {
      outcome,
      agentId: '@SUM(1)',
      endedAt: '2026-09-01T12:00:00.000Z'
    })
    const { stdout } = await run('--from', '2026-09-01', '--to', '2026-09-01')
    expect(stdout).toContain(`"'=HYPERLINK(""https://evil.example"",""x"")"`)
    expect(stdout).toContain(",'@SUM(1),'@SUM(1),")
  })

  it('refuses a customer of another partner, and what is no day', async () => {
    const other = await makePartnerRow(test.service)
    const theirs = await makeCustomerRow(test.service, other.id)
    for (const [args, complaint] of [
      [['--customer', theirs.id], 'no customer'],
      [['--from', 'yesterday'], 'from must be a day']
    ] as const) {
      const { code, stdout, stderr } = await run(...args)
      expect([code === 0, stdout, stderr]).toEqual([false, '', expect.stringContaining(complaint)])
    }
  })
})

it.each([
  [['a', 1, null, true, -0.5], 'a,1,,true,-0.5\r\n'],
  [['say "so"', 'two\nlines', 'a,b'], '"say ""so""","two\nlines","a,b"\r\n'],
  [['=1', '+1', '-1', '@a', '\t=1', '＝1', ' =1', '\r1'], "'=1,'+1,'-1,'@a,'\t=1,'＝1,' =1,\"'\r1\"\r\n"]
])('a row of CSV has no formula and no stray line: %j', (cells, row) => {
  expect(csvRow(cells)).toBe(row)
})
