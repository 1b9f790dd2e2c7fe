// A partner invites a colleague, who signs in with a passkey, or with an app where no script runs, brings in fifty customers
// whose names are as bad as names get, and bills one of them.
import { generate } from 'otplib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { csvRow } from '../../../src/csv.ts'
import { at, run } from '../../support/fixture.ts'
import { lineOf, makeClosedStatement } from '../../support/statements.ts'
import { HOSTILE } from '../support/hostile.ts'
import { inWords, type Journey, type Person, setOut, type Taken, type Way } from '../support/journey.ts'
import { type Fixture, linkIn, openFixture, PASSWORD } from '../walk-fixture.ts'

const MARKUP = '<b>Sun</b> & "Sons" <img src=x onerror="document.title=1">'
/** Turns what comes after it around, and never back. */
const TURNED = 'Marina \u202e\u2067سيرفيس'

let fixture: Fixture
beforeAll(async () => {
  fixture = await openFixture()
})
afterAll(() => fixture?.close())

const WAYS: [Way, Taken][] = [
  [
    { width: 390, colorScheme: 'light', language: 'en', script: true },
    { clicks: 26, fields: 10 }
  ],
  [
    { width: 1280, colorScheme: 'dark', language: 'en', script: true },
    { clicks: 22, fields: 10 }
  ],
  [
    { width: 390, colorScheme: 'dark', language: 'en', script: false },
    { clicks: 26, fields: 12 }
  ]
]

it.each(WAYS.map(([way, most]) => ({ how: inWords(way), way, most })))(
  'a colleague with a second step brings in fifty customers and bills one: $how',
  { timeout: 240_000 },
  async ({ way, most }) => {
    const partner = await fixture.makePartner(`Coast${way.width}${way.colorScheme}`)
    const journey = setOut(fixture.browser, 'colleague', way)

    const owner = await journey.join()
    await owner.follow(partner.setPasswordUrl)
    await owner.fill({ 'New password': PASSWORD })
    await owner.go('Save and sign in')
    await owner.menu('Team')
    const email = `ida@${partner.slug}.example`
    await owner.fill({ Name: HOSTILE.slice(100), 'E-mail': email })
    await owner.choose('Role', 'Admin')
    await owner.go('Send invite')
    await owner.sees(`The invite to ${email} is on its way.`)

    const ida = await acceptInvite(journey, email, way.script)
    await ida.menu('Customers')
    await ida.go('Import')
    await ida.attach('File', 'customers.csv', sheet('someone at nowhere'))
    await ida.go('Check file')
    await ida.sees('1 to mend')
    await ida.sees(ida.page.getByRole('row', { name: /Line 17 .*E-mail/ }))
    await ida.attach('File', 'customers.csv', sheet('mended@coast.example'))
    await ida.go('Check file')
    await ida.sees('Customers in it: 50.')
    await ida.go('Onboard them')
    await ida.sees('50 of 50')

    await ida.go('Customers')
    await closeMonth(partner.partnerId)
    await ida.go('Hostile Name')
    await ida.sees(ida.page.getByRole('heading', { level: 1, name: MARKUP }))
    expect(await ida.page.title()).toContain(MARKUP)
    await ida.go('Billing')
    await ida.go('Statement 1')
    await ida.sees(ida.page.getByRole('heading', { name: '$5.25' }))
    await ida.touch('Mark as billed: Mark Statement 1 as billed?')
    await ida.go(ida.page.getByRole('dialog').getByRole('button', { name: 'Mark as billed' }))
    await ida.sees(ida.page.locator('.badge', { hasText: 'Billed' }))
    await journey.end(most)
  }
)

async function acceptInvite(journey: Journey, email: string, hasScript: boolean): Promise<Person> {
  const person = await journey.join('passkey')
  const { page } = person
  await person.follow(linkIn(await fixture.nextMail(email)))
  await person.fill({ 'New password': PASSWORD })
  await person.go('Save and sign in')
  await person.menu('Account')
  await person.go('Set up or change')
  const secret = (await page.locator('figure.snippet code').first().textContent()) ?? ''
  /** Each works once. */
  const code = (nth: number) => generate({ secret, epoch: Math.floor(Date.now() / 1_000) + nth * 30 })
  await person.fill({ 'Present password': PASSWORD })
  if (!hasScript) await person.fill({ Code: await code(0) })
  await person.go(hasScript ? 'Add a passkey' : 'Use this app')
  await person.sees(page.getByRole('heading', { level: 1, name: 'Recovery codes' }))
  await person.go('Go on')
  await person.sees('10 recovery codes are left.')
  await person.menu('Sign out')
  await person.fill({ 'E-mail': email, Password: PASSWORD })
  await person.go('Sign in')
  if (!hasScript) await person.fill({ Code: await code(1) })
  await person.go(hasScript ? 'Use a passkey' : 'Go on')
  await person.sees(page.getByRole('heading', { level: 1, name: 'Dashboard' }))
  return person
}

/** Fifty customers; the e-mail address in line 17 is whatever is said. */
const sheet = (seventeenth: string): string =>
  csvRow(['E-mail', 'First name', 'Last name', 'Company', 'Monthly call volume']) +
  Array.from({ length: 50 }, (_, n) => {
    const email = n === 15 ? seventeenth : `person${n}@coast.example`
    if (n === 49) return csvRow([email, 'Hostile', 'Name', MARKUP, '100-500'])
    if (n === 48) return csvRow([email, HOSTILE.slice(0, 100), '', HOSTILE.slice(20), '100-500'])
    if (n === 47) return csvRow([email, TURNED, '', TURNED, '100-500'])
    return csvRow([email, 'Ada', `Byron ${n}`, '', '100-500'])
  }).join('')

/** A month of the customer’s with a charge of $5.25 is over. */
async function closeMonth(partnerId: string): Promise<void> {
  const found = await run(fixture.service, partnerId, 'customer_list', { search: 'person49@coast.example' })
  const customerId = String(at(found, 'data', '0', 'id'))
  const lines = [lineOf({ amountMicros: 5_250_000, description: TURNED })]
  await makeClosedStatement(fixture.service, { partnerId, customerId }, { lines })
}
