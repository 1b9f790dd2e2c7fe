import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openTestService, type TestService } from '../support/service.ts'
import { type Addressee, mailRow, makeAddressee, writeLetter } from './letters.ts'
import { openPostOffice, type PostOffice } from './post-office.ts'

const PUBLIC_URL = 'https://mindgate.example'

describe('a mail that is accepted', () => {
  let office: PostOffice
  let test: TestService
  let service: TestService['service']

  beforeEach(async () => {
    office = await openPostOffice()
    test = await openTestService('sqlite', {
      MAIL_URL: office.url,
      MAIL_FROM: 'Mindgate <no-reply@mail.mindgate.example>'
    })
    service = test.service
    service.start(PUBLIC_URL)
  })
  afterEach(async () => {
    await test.close()
    await office.close()
  })

  const arrived = async (count = 1) => {
    await vi.waitFor(() => expect(office.received).toHaveLength(count), 10_000)
    const letter = office.received[count - 1]
    if (!letter) throw new Error('no letter')
    return letter
  }
  const slugOf = async ({ partnerId }: Addressee) => {
    const query = service.database.read.selectFrom('partner').where('id', '=', partnerId).select('slug')
    return (await query.executeTakeFirstOrThrow()).slug
  }

  it('invites to the portal with the temporary password and the accept link in both parts', async () => {
    const addressee = await makeAddressee(service)
    const params = { recipientName: 'Ada', companyName: 'Analytical Engines' }
    const { linkToken, temporaryPassword } = await writeLetter(service, addressee, { params })
    const letter = await arrived()
    const link = `${PUBLIC_URL}/portal/${await slugOf(addressee)}/accept?token=${linkToken}`
    expect(letter.subject).toBe('Your access to the Acme Voice portal')
    expect(letter.to).toEqual([{ name: '', address: addressee.email }])
    for (const part of [letter.text, letter.html]) {
      expect(part).toContain('Hello Ada,')
      expect(part).toContain('Analytical Engines')
      expect(part).toContain(addressee.email)
      expect(part).toContain(temporaryPassword)
      expect(part).toContain(link)
      expect(part).toMatch(/valid until \d{1,2} \w+ \d{4} at \d\d:\d\d UTC/)
      expect(part).toContain('You get this mail because')
    }
    expect(letter.html).toContain(`<a href="${link}"`)
  })

  it('sends a password reset with its link and how long it is valid', async () => {
    const addressee = await makeAddressee(service)
    const { linkToken } = await writeLetter(service, addressee, { template: 'password_reset' })
    const letter = await arrived()
    const link = `${PUBLIC_URL}/portal/${await slugOf(addressee)}/reset?token=${linkToken}`
    expect(letter.subject).toBe('Set a new password for the Acme Voice portal')
    for (const part of [letter.text, letter.html]) {
      expect(part).toContain(link)
      expect(part).toContain('valid for 60 minutes')
      expect(part).not.toContain('Temporary password')
    }
  })

  it('invites to a team with role and company', async () => {
    const addressee = await makeAddressee(service)
    const params = { recipientName: 'Grace', companyName: 'Navy & Co', role: 'admin', teamMemberId: 'tm_1' }
    const { linkToken } = await writeLetter(service, addressee, {
      template: 'team_invite',
      recipient: 'grace@example.org',
      params
    })
    const letter = await arrived()
    expect(letter.to).toEqual([{ name: '', address: 'grace@example.org' }])
    expect(letter.subject).toBe('You’re invited to the team of Navy & Co on Acme Voice')
    expect(letter.text).toContain('Role: admin')
    expect(letter.text).toContain('the team of Navy & Co')
    expect(letter.html).toContain('the team of Navy &amp; Co')
    const link = `/portal/${await slugOf(addressee)}/accept?token=${linkToken}`
    expect(letter.text).toContain(`${PUBLIC_URL}${link}`)
    expect(letter.html).toContain(`href="${PUBLIC_URL}${link}"`)
  })

  it('carries the brand as sender’s name and its support address as Reply-To', async () => {
    const brand = { name: 'Nimbus', accentColor: '#ffee00', supportEmail: 'help@nimbus.example' }
    await writeLetter(service, await makeAddressee(service, { brand: JSON.stringify(brand) }))
    const letter = await arrived()
    expect(letter.from).toEqual({ name: 'Nimbus', address: 'no-reply@mail.mindgate.example' })
    expect(letter.replyTo).toEqual([{ name: 'Nimbus', address: 'help@nimbus.example' }])
    expect(letter.html).toContain('background:#ffee00')
    expect(letter.text).toContain('help@nimbus.example')
    expect(letter.text).not.toContain('Acme Voice')
  })

  it('has no Reply-To without a support address', async () => {
    await writeLetter(service, await makeAddressee(service))
    expect((await arrived()).replyTo).toBeUndefined()
  })

  it('shows hostile names as text', async () => {
    const name = `Bob's "<script>alert(1)</script>" & <img src=x>`
    const addressee = await makeAddressee(service, { name })
    await writeLetter(service, addressee, { params: { recipientName: name, companyName: name } })
    const letter = await arrived()
    expect(letter.html).not.toContain('<script')
    expect(letter.html).not.toContain('<img')
    expect(letter.html).toContain('&lt;script&gt;')
    expect(letter.text).toContain(name)
    expect(letter.from).toEqual({ name, address: 'no-reply@mail.mindgate.example' })
  })

  it('leads to the host that the operator approved for the partner', async () => {
    const addressee = await makeAddressee(service, { portalOrigin: 'https://portal.nimbus.example' })
    const { linkToken } = await writeLetter(service, addressee)
    const letter = await arrived()
    const link = `https://portal.nimbus.example/accept?token=${linkToken}`
    expect(letter.text).toContain(link)
    expect(letter.html).toContain(`href="${link}"`)
    expect(letter.html).not.toContain(PUBLIC_URL)
  })

  it('is in the customer’s language, else in its partner’s', async () => {
    const addressee = await makeAddressee(service, { brand: JSON.stringify({ language: 'fr' }) })
    await writeLetter(service, addressee)
    expect((await arrived()).html).toContain('<html lang="fr"')
    await service.database.transaction((tx) =>
      tx
        .updateTable('customer')
        .set({ portalLanguage: 'de' })
        .where('id', '=', addressee.customerId)
        .execute()
    )
    await writeLetter(service, addressee)
    expect((await arrived(2)).html).toContain('<html lang="de"')
  })

  it('asks for no automatic answers and has its id at the sender’s host', async () => {
    const { mailId } = await writeLetter(service, await makeAddressee(service))
    const letter = await arrived()
    const header = (key: string) => letter.headers.find((one) => one.key === key)?.value
    expect(header('auto-submitted')).toBe('auto-generated')
    expect(letter.messageId).toBe(`<${mailId}@mail.mindgate.example>`)
    expect(letter.messageId).toBe((await mailRow(service, mailId)).messageId)
  })

  it('is marked sent and its secret erased', async () => {
    const { mailId } = await writeLetter(service, await makeAddressee(service))
    await vi.waitFor(async () => expect((await mailRow(service, mailId)).status).toBe('sent'), 10_000)
    expect(await mailRow(service, mailId)).toMatchObject({
      sealedSecret: null,
      attempts: 1,
      lastError: null,
      leaseOwner: null,
      finishedAt: expect.any(String)
    })
  })

  it('is not sent when its transaction rolls back', async () => {
    const addressee = await makeAddressee(service)
    const work = service.database.transaction(async (tx) => {
      const { partnerId, customerId, email: recipient } = addressee
      const secret = { linkToken: 'never-sent' }
      const letter = {
        partnerId,
        customerId,
        template: 'portal_invite' as const,
        recipient,
        params: {},
        secret
      }
      await service.outbox.enqueue(tx, letter)
      throw new Error('rolled back')
    })
    await expect(work).rejects.toThrow('rolled back')
    // The next one overtakes nothing: were the first one there, it would be sent before.
    const { mailId } = await writeLetter(service, addressee)
    expect((await arrived()).messageId).toContain(mailId)
    expect(await service.database.read.selectFrom('mail').selectAll().execute()).toHaveLength(1)
  })

  it('gives up what an inactive partner would have sent', async () => {
    const { mailId } = await writeLetter(service, await makeAddressee(service, { isActive: 0 }))
    await vi.waitFor(async () => expect((await mailRow(service, mailId)).status).toBe('failed'), 10_000)
    expect(await mailRow(service, mailId)).toMatchObject({
      sealedSecret: null,
      lastError: 'The partner is inactive.'
    })
    expect(office.received).toEqual([])
  })

  it('leaves no temporary password or link token in logs or in the database', async () => {
    const { mailId, linkToken, temporaryPassword } = await writeLetter(service, await makeAddressee(service))
    await vi.waitFor(async () => expect((await mailRow(service, mailId)).status).toBe('sent'), 10_000)
    const kept = JSON.stringify([
      await service.database.read.selectFrom('mail').selectAll().execute(),
      await service.database.read.selectFrom('accessLink').selectAll().execute(),
      await service.database.read.selectFrom('identity').selectAll().execute(),
      test.logs
    ])
    expect(kept).toContain(mailId)
    expect(kept).not.toContain(linkToken)
    expect(kept).not.toContain(temporaryPassword)
  })
})
