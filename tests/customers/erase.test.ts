// Nothing of an erased customer is left in any table or file; the audit entry of its erasure aside.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { OWN_TABLES } from '../../src/customers/export.ts'
import { everyTable } from '../memory/every-table.ts'
import { databases } from '../support/databases.ts'
import { makePartner, run } from '../support/fixture.ts'
import { writeLogBack } from '../support/log-written-back.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { type Everything, makeEverything } from './everything.ts'

describe.each(databases)('a customer that is erased on %s', (kind) => {
  let test: TestService
  let ada: Everything
  let bob: Everything

  beforeEach(async () => {
    test = await openTestService(kind)
    const { partnerId } = await makePartner(test.service)
    ada = await makeEverything(test.service, partnerId)
    bob = await makeEverything(test.service, partnerId)
  })
  afterEach(() => test.close())

  const tables = async () => {
    const all = new Map<string, unknown[]>()
    for await (const [table, rows] of everyTable(test.service.config.databaseLocation)) all.set(table, rows)
    return all
  }
  /** Tables with rows in which one of the texts stands, or that belong to the Mind of that number. */
  const tablesOf = async ({
    customerId,
    code,
    email,
    memberEmail,
    formerEmail,
    phone,
    planted,
    instanceId,
    mindKey,
    ...more
  }: Everything) => {
    const texts = [customerId, code, email, memberEmail, formerEmail, phone, planted, instanceId, more.mindId]
    const found = [...(await tables())].filter(([, rows]) => {
      const all = JSON.stringify(rows).toLowerCase()
      return (
        texts.some((text) => all.includes(text.toLowerCase())) ||
        rows.some((row) => Object(row).mindKey === mindKey)
      )
    })
    return found.map(([table]) => table).toSorted()
  }
  /** Every file in DATA_DIR, as Latin-1. */
  const files = async (): Promise<string> => {
    // Whoever copies the file as a backup does this first.
    if (kind === 'sqlite') await writeLogBack(test.service.config.databaseLocation)
    return readdirSync(test.service.config.dataDir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
      .join('\n')
  }
  const erase = (of: Everything) =>
    run(test.service, of.partnerId, 'customer_erase', { customerId: of.customerId, confirm: of.code })
  const mailsAreSent = () =>
    vi.waitFor(async () => {
      const queued = test.service.database.read.selectFrom('mail').where('status', '=', 'queued')
      expect(await queued.selectAll().execute()).toEqual([])
    }, 15_000)
  const allIsDone = () =>
    vi.waitFor(async () => {
      const left = test.service.database.read.selectFrom('customerContent').where('isErased', '=', 1)
      expect(await left.selectAll().execute()).toEqual([])
      const forgotten = test.service.database.read.selectFrom('mindContent').where('isForgotten', '=', 1)
      expect(await forgotten.selectAll().execute()).toEqual([])
    }, 15_000)

  it('is in no table, no file and no mail, and the others are as they were', async () => {
    test.service.start('https://mindgate.example')
    await mailsAreSent()
    const before = await tablesOf(ada)
    expect(before).toEqual(
      expect.arrayContaining([
        ...OWN_TABLES.map(({ table }) => table),
        'identity',
        'idempotency',
        'audit',
        'posting'
      ])
    )
    expect(await files()).toContain(`To: ${ada.email}`)
    const ofBob = await tablesOf(bob)

    expect(await erase(ada)).toEqual({ message: expect.stringContaining('The customer was erased.') })
    await allIsDone()

    expect(await tablesOf(ada)).toEqual(['audit'])
    const entries = (await tables()).get('audit') ?? []
    const named = entries.filter((entry) => JSON.stringify(entry).includes(ada.customerId))
    expect(named).toMatchObject([{ action: 'customer_erase', actor: 'key_test', targetId: ada.customerId }])
    for (const text of [ada.code, ada.email, ada.memberEmail, ada.phone, ada.planted])
      expect(JSON.stringify(entries)).not.toContain(text)
    const left = await files()
    for (const text of [ada.code, ada.email, ada.memberEmail, ada.phone, ada.planted])
      expect([text, left.includes(text)]).toEqual([text, false])
    if (kind === 'postgres') expect(left).not.toContain(ada.customerId)

    expect(await tablesOf(bob)).toEqual(ofBob)
    expect(left).toContain(`To: ${bob.email}`)
  })
})
