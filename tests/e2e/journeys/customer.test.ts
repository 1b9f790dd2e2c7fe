// A customer whose record says Arabic accepts the invite on a phone, asks its memory, chats with its agent on a real server,
// and buys credits.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type DeployFixture, startDeployFixture } from '../../instances/deploy-fixture.ts'
import { openPostOffice, type PostOffice } from '../../mail/post-office.ts'
import { run, stringAt, uniqueEmail } from '../../support/fixture.ts'
import { repliesOf } from '../support/acts.ts'
import { leaveBrowser, openBrowser } from '../support/browser.ts'
import { inWords, setOut, type Taken, type Way } from '../support/journey.ts'
import { linkIn, nextMail, PASSWORD } from '../walk-fixture.ts'

let postOffice: PostOffice
let ground: DeployFixture
let browser: Awaited<ReturnType<typeof openBrowser>>

beforeAll(async () => {
  postOffice = await openPostOffice()
  ground = await startDeployFixture('sqlite', { env: { MAIL_URL: postOffice.url } })
  browser = await openBrowser()
})
afterAll(async () => {
  await leaveBrowser(browser)
  await ground?.close()
  await postOffice?.close()
})

const act = (name: string, input: Record<string, unknown>) =>
  run(ground.server.service, ground.partnerId, name, input)

const WAYS: [Way, Taken][] = [
  [
    { width: 390, colorScheme: 'light', language: 'ar', script: true },
    { clicks: 13, fields: 3 }
  ],
  [
    { width: 1280, colorScheme: 'dark', language: 'en', script: true },
    { clicks: 10, fields: 3 }
  ],
  [
    { width: 390, colorScheme: 'dark', language: 'ar', script: false },
    { clicks: 12, fields: 2 }
  ]
]

it.each(WAYS.map(([way, most]) => ({ how: inWords(way), way, most })))(
  'a customer accepts, asks, chats and buys credits: $how',
  { timeout: 240_000 },
  async ({ way, most }) => {
    const email = await inviteCustomer(way)
    const journey = setOut(browser, 'customer', way)
    const { said } = journey
    const owner = await journey.join()
    const { page } = owner
    const isThere = (heading: string) => owner.sees(page.getByRole('heading', { name: heading, exact: true }))

    await owner.follow(linkIn((await nextMail(postOffice, email)).text ?? ''))
    expect(await page.locator('html').getAttribute('dir')).toBe(way.language === 'ar' ? 'rtl' : 'ltr')
    await owner.fill({ [said('New password')]: PASSWORD })
    await owner.go(said('Accept the invite'))
    await isThere(said('Home'))

    await owner.menu(said('Memory'))
    await owner.go(said('Ask a question'))
    await owner.fill({ [said('Question')]: 'When does Dr. Ferrer work?' })
    await owner.go(said('Ask'))
    await isThere(said('Answer'))
    await owner.sees(/Mondays and Thursdays only/)

    await owner.menu(said('Chat'))
    if (way.script) {
      await owner.fill({ [said('Message')]: 'مرحبا، متى تفتحون؟' })
      await owner.touch(said('Send message'))
      await owner.sees(repliesOf(page))
      await owner.look()
    } else {
      const word = 'The chat needs JavaScript. Switch it on in your browser, then load this page again.'
      expect(await page.locator('noscript').innerText()).toBe(said(word))
    }

    await owner.menu(said('Home'))
    await owner.go(said('Buy credits'))
    await owner.touch(page.getByRole('row', { name: '500 credits' }).getByRole('button'))
    await owner.go(page.getByRole('dialog').getByRole('button', { name: said('Buy'), exact: true }))
    await owner.sees(/598/)
    await journey.end(most)
  }
)

/** Who has a memory, an agent on a server, credits, and a pack to buy. */
async function inviteCustomer({ language }: Way): Promise<string> {
  const email = uniqueEmail()
  const instance = await ground.instance()
  const { customerId } = instance
  const pack = { name: '500 credits', kind: 'credit', features: {}, price: 49, credits: 500 }
  const planId = stringAt(await act('plan_create', pack), 'data', 'planId')
  await act('customer_update', {
    ...{ customerId, email, firstName: 'Amira', lastName: 'Haddad', companyName: 'عيادة حداد' },
    ...{ portalLanguage: language, enableAiMemory: true, aiCreditsEnabled: true, creditPlanIds: [planId] }
  })
  await act('credits_grant', { customerId, amount: 100, note: 'Welcome' })
  const content = 'Amira: Dr. Ferrer works on Mondays and Thursdays only.'
  await act('memory_remember', { customerId, content })
  await act('instance_deploy', { instanceId: instance.id, businessName: 'عيادة حداد' })
  await act('customer_enable_portal_access', { customerId })
  await ground.ended(instance)
  return email
}
