// The notice about low credits, from the payment that crosses the threshold to the inbox.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { PartnerRole } from '../../schemas/partner-user.ts'
import { now } from '../../src/clock.ts'
import { chargeFor, type Payer } from '../../src/credits/payment.ts'
import { refund, reserve } from '../../src/credits/reservations.ts'
import type { CustomerTable } from '../../src/customers/table.ts'
import { newId } from '../../src/ids.ts'
import { toMicros } from '../../src/money.ts'
import { insertPartnerUser } from '../../src/partners/users.ts'
import { grantTo, makePayer, payingIn } from '../credits/payers.ts'
import { run } from '../support/fixture.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { openPostOffice, type PostOffice } from './post-office.ts'

const PUBLIC_URL = 'https://mindgate.example'
const WATCHED = {
  credits: 10,
  companyName: 'Engines & Sons',
  firstName: 'Ada',
  lowCreditNotificationsEnabled: 1,
  lowCreditThresholdMicros: 5_000_000
} satisfies Partial<CustomerTable> & { credits: number }

describe('a low balance', () => {
  let office: PostOffice
  let test: TestService
  let service: TestService['service']

  beforeEach(async () => {
    office = await openPostOffice({
      // The one address that this server wouldn't take.
      onRcptTo({ address }, _session, callback) {
        callback(
          address.startsWith('gone') ? Object.assign(new Error('no such user'), { responseCode: 550 }) : null
        )
      }
    })
    test = await openTestService('sqlite', { MAIL_URL: office.url })
    service = test.service
    service.start(PUBLIC_URL)
  })
  afterEach(async () => {
    await test.close()
    await office.close()
  })

  const pay = (payer: Payer, credits: number) =>
    service.database.transaction((tx) =>
      chargeFor(payingIn(service), tx, payer, {
        operation: 'memory_remember',
        priceMicros: toMicros(credits),
        reference: newId('mem')
      })
    )
  const hold = async (payer: Payer, credits: number) => {
    const priceMicros = toMicros(credits)
    const priced = { operation: 'memory_ask', priceMicros, mindId: 'mind_1', expiresAt: now() }
    const held = service.database.transaction((tx) => reserve(payingIn(service), tx, payer, priced))
    return (await held).reservationId
  }
  const giveBack = (reservationId: string) => service.database.transaction((tx) => refund(tx, reservationId))
  const addUser = ({ partnerId }: Payer, email: string, role: PartnerRole = 'owner') =>
    service.database.transaction((tx) => insertPartnerUser(tx, partnerId, { name: '', email, role }))
  const noticesOf = ({ partnerId }: Payer) =>
    service.database.read
      .selectFrom('mail')
      .where('partnerId', '=', partnerId)
      .select(['id', 'template', 'recipient', 'status', 'sealedSecret', 'customerId'])
      .orderBy('template')
      .orderBy('recipient')
      .execute()
  const arrived = async (address: string) => {
    const letter = await vi.waitFor(() => {
      const found = office.received.find(({ to }) => to?.[0]?.address === address)
      expect(found).toBeDefined()
      return found
    }, 10_000)
    if (!letter) throw new Error('no letter')
    return letter
  }

  it('mails the customer in its partner’s name and everybody of the partner’s who may grant credits', async () => {
    const payer = await makePayer(service, {
      ...WATCHED,
      credentialStatus: 'active',
      customerPortalEnabled: 1
    })
    await addUser(payer, 'ops@acme.example')
    await addUser(payer, 'billing@acme.example', 'billing')
    await addUser(payer, 'support@acme.example', 'support')
    await pay(payer, 5.5)

    const own = await arrived(payer.customer.email)
    expect(own.subject).toBe('Your AI credits at Acme Voice are running low')
    expect(own.from?.name).toBe('Acme Voice')
    for (const part of [own.text, own.html]) {
      expect(part).toContain('Hello Ada,')
      expect(part).toContain('have fallen below 5')
      expect(part).toContain('4.5')
      expect(part).toMatch(/https:\/\/mindgate\.example\/portal\/prt-\w+/)
      expect(part).toContain('You get this mail because')
      expect(part).not.toContain('/console')
    }
    for (const address of ['ops@acme.example', 'billing@acme.example']) {
      const theirs = await arrived(address)
      expect(theirs.subject).toBe('Engines & Sons is running low on AI credits')
      expect(theirs.text).toContain(`Engines & Sons (${payer.customer.code})`)
      expect(theirs.text).toContain(`\n${PUBLIC_URL}/console\n`)
      expect(theirs.html).toContain(`href="${PUBLIC_URL}/console"`)
    }
    expect(await noticesOf(payer)).toHaveLength(3)
  })

  it.each<Partial<CustomerTable>>([
    {},
    { credentialStatus: 'active', customerPortalEnabled: 0 },
    { credentialStatus: 'suspended', customerPortalEnabled: 1 }
  ])('sends a customer without portal access to no portal: %j', async (access) => {
    const payer = await makePayer(service, { ...WATCHED, ...access })
    await pay(payer, 6)
    const { text, html } = await arrived(payer.customer.email)
    for (const part of [text, html]) {
      expect(part).toContain('Ask Acme Voice for more credits.')
      expect(part).not.toMatch(/mindgate\.example|undefined|<a /)
    }
  })

  it('mails once for each fall below the threshold', async () => {
    const payer = await makePayer(service, WATCHED)
    await pay(payer, 5)
    expect(await noticesOf(payer)).toEqual([])
    await pay(payer, 0.000001)
    expect(await noticesOf(payer)).toHaveLength(1)
    await pay(payer, 1)
    expect(await noticesOf(payer)).toHaveLength(1)
    // To the threshold is high enough.
    await grantTo(service, payer, 1.000001)
    await pay(payer, 0.000001)
    expect(await noticesOf(payer)).toHaveLength(2)
  })

  it('mails nobody about a balance that was never above', async () => {
    const payer = await makePayer(service, { ...WATCHED, credits: 4 })
    await pay(payer, 1)
    expect(await noticesOf(payer)).toEqual([])
  })

  it('mails no second time when refunds lift the balance and asks take it down again', async () => {
    const payer = await makePayer(service, { ...WATCHED, credits: 5 })
    for (let ask = 0; ask < 3; ask += 1) await giveBack(await hold(payer, 1))
    expect(await noticesOf(payer)).toHaveLength(1)
  })

  it('does not count a grant that leaves the balance below the threshold', async () => {
    const payer = await makePayer(service, { ...WATCHED, credits: 5 })
    const held = await hold(payer, 3)
    await grantTo(service, payer, 1)
    await giveBack(held)
    await pay(payer, 2)
    expect(await noticesOf(payer)).toHaveLength(1)
  })

  it('mails again when the threshold was changed and the new one is crossed', async () => {
    const payer = await makePayer(service, WATCHED)
    await pay(payer, 6)
    const lowered = { ...payer, customer: { ...payer.customer, lowCreditThresholdMicros: 2_000_000 } }
    await pay(lowered, 3)
    expect(await noticesOf(payer)).toHaveLength(2)
  })

  it.each<[string, Partial<CustomerTable>]>([
    ['notices are off', { lowCreditNotificationsEnabled: 0 }],
    ['there is no threshold', { lowCreditThresholdMicros: null }],
    ['the customer has no AI credits of its own', { aiCreditsEnabled: 0 }]
  ])('mails nobody when %s', async (_, given) => {
    const payer = await makePayer(service, { ...WATCHED, ...given })
    await pay(payer, 9)
    expect(await noticesOf(payer)).toEqual([])
  })

  it('mails nobody about a payment that was rolled back', async () => {
    const payer = await makePayer(service, WATCHED)
    const work = service.database.transaction(async (tx) => {
      const priced = { operation: 'memory_remember', priceMicros: 9_000_000, reference: newId('mem') }
      await chargeFor(payingIn(service), tx, payer, priced)
      throw new Error('rolled back')
    })
    await expect(work).rejects.toThrow('rolled back')
    expect(await noticesOf(payer)).toEqual([])
    await pay(payer, 9)
    expect(await noticesOf(payer)).toHaveLength(1)
  })

  it('is no obstacle to paying when the customer can’t be reached', async () => {
    const payer = await makePayer(service, { ...WATCHED, email: 'gone@example.com' })
    await pay(payer, 9)
    await vi.waitFor(async () => expect((await noticesOf(payer))[0]?.status).toBe('failed'), 10_000)
    expect(await pay(payer, 1)).toEqual({ credits: 1 })
  })

  it('is told by a mail that carries no secret and is not sent again', async () => {
    const payer = await makePayer(service, WATCHED)
    await pay(payer, 9)
    const [notice] = await noticesOf(payer)
    expect(notice).toMatchObject({ sealedSecret: null, customerId: payer.customer.id })
    await expect(run(service, payer.partnerId, 'mail_resend', { mailId: notice?.id })).rejects.toMatchObject({
      code: 'mail_not_found'
    })
  })
})
