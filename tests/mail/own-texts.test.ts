// Mails to customers' people in their partner's words: from the operation to the inbox, with a real SMTP server.
import type { Email } from 'postal-mime'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { WordedMail } from '../../schemas/mail.ts'
import { refused } from '../portal/settings-acts.ts'
import { databases } from '../support/databases.ts'
import { run, uniqueEmail } from '../support/fixture.ts'
import { everyRow } from '../support/rows-snapshot.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { type Addressee, makeAddressee, writeLetter } from './letters.ts'
import { openPostOffice, type PostOffice } from './post-office.ts'

const NOTHING = { subject: null, intro: null, outro: null }
const PARAMS = { recipientName: 'Ada', companyName: 'Lovelace & Sons' }
const AMOUNTS = { balance: '1234.5', threshold: '2000' }

/** What stays of each, whatever the partner says: where its button leads, and why one gets it. */
const KEPT: Record<WordedMail, [link: RegExp, reason: string]> = {
  portal_invite: [/\/accept\?token=\w/, 'manages a customer account under'],
  team_invite: [/\/accept\?token=\w/, 'to its team'],
  password_reset: [/\/reset\?token=\w/, 'asked for it on your behalf'],
  password_forgotten: [/\/reset\?token=\w/, 'entered your address'],
  low_credit: [/portal\/prt-\w+$/m, 'switched on notices about low credits']
}

describe.each(databases)('a partner’s own words in mails on %s', (kind) => {
  let office: PostOffice
  let test: TestService
  let ours: Addressee
  let theirs: Addressee
  beforeAll(async () => {
    office = await openPostOffice()
    test = await openTestService(kind, { MAIL_URL: office.url })
    test.service.start('https://mindgate.example')
    ours = await makeAddressee(test.service, { name: 'Acme' })
    theirs = await makeAddressee(test.service, { name: 'Other' })
  })
  afterAll(async () => {
    await test.close()
    await office.close()
  })
  afterEach(() =>
    test.service.database.transaction(async (tx) => {
      await tx.deleteFrom('mailText').execute()
      await tx.updateTable('partner').set({ brand: '{}' }).execute()
    })
  )

  const set = (of: Addressee, text: Record<string, unknown>) =>
    run(test.service, of.partnerId, 'mail_text_set', { language: 'en', ...NOTHING, ...text })
  const listed = async ({ partnerId }: Addressee) =>
    (await run(test.service, partnerId, 'mail_text_list', {})).data
  /** Sends such a mail to one of the customer's people, and waits until it is in the inbox. */
  const arrived = async (
    of: Addressee,
    template: WordedMail,
    params: Partial<typeof PARAMS> = PARAMS
  ): Promise<Email & { text: string; html: string }> => {
    const recipient = uniqueEmail()
    if (template === 'low_credit') {
      const { partnerId, customerId } = of
      const notice = { partnerId, customerId, template, recipient } as const
      const all = { ...params, ...AMOUNTS, hasPortal: true }
      await test.service.database.transaction((tx) =>
        test.service.outbox.enqueue(tx, { ...notice, params: all })
      )
    } else await writeLetter(test.service, of, { template, params, recipient })
    return vi.waitFor(
      () => {
        const letter = office.received.find(({ to }) => to?.[0]?.address === recipient)
        if (letter?.text === undefined || letter.html === undefined) throw new Error('Not there yet')
        return { ...letter, text: letter.text, html: letter.html }
      },
      { timeout: 15_000, interval: 20 }
    )
  }

  it.each(WordedMail.options)('replace ours in the %s, and leave its link and reason', async (template) => {
    const plain = await arrived(ours, template)
    const values = template === 'low_credit' ? '{balance} of {threshold}' : '{time}'
    await set(ours, {
      template,
      subject: 'News from {brand}',
      intro: 'Dear {name},\n\ngreetings to {company}.\nUse the button.',
      outro: `That is: ${values}. See you!`
    })
    const { subject, text, html } = await arrived(ours, template)
    expect(subject).toBe('News from Acme')
    expect(text).toContain('Dear Ada,\n\ngreetings to Lovelace & Sons.\n\nUse the button.\n\n')
    const filled = template === 'low_credit' ? /1,234\.5 of 2,000/ : /\d+ \w+ 20\d\d at \d\d:\d\d UTC/
    expect(text).toMatch(new RegExp(`That is: (${filled.source})\\. See you!`))
    expect(html).toMatch(/>greetings to Lovelace &amp; Sons\.<\/p>/)
    // Ours are gone but for what can't be replaced.
    const [heading, greeting, opening] = plain.text.split('\n\n')
    expect(text.startsWith(`${heading}\n\n`)).toBe(true)
    for (const gone of [greeting, opening]) expect(text).not.toContain(gone)
    const [link, reason] = KEPT[template]
    for (const part of [plain, { text, html }]) {
      expect(part.text).toMatch(link)
      expect(part.html).toContain(`<a href="${link.exec(part.text)?.input.match(/https:\S+/)?.[0]}"`)
      expect(part.text).toContain(reason)
      expect(part.html).toContain(reason)
    }
  })

  it('keep the e-mail address and the temporary password where ours had them', async () => {
    await set(ours, { template: 'portal_invite', subject: 'S', intro: 'I', outro: 'O' })
    const { text } = await arrived(ours, 'portal_invite')
    expect(text).toMatch(
      /\n\nI\n\nE-mail: \S+@example\.com\nTemporary password: \w{4}-\S+\n\nAccept the invite:\n/
    )
  })

  it('leave in ours what is not said', async () => {
    const plain = await arrived(ours, 'team_invite')
    await set(ours, { template: 'team_invite', subject: 'Come in' })
    const { subject, text } = await arrived(ours, 'team_invite')
    const withoutToken = (one: string) => one.replaceAll(/token=\S+|person\w+|at \d\d:\d\d/g, '')
    expect([subject, withoutToken(text)]).toEqual(['Come in', withoutToken(plain.text)])
  })

  it('fill in the address where no name is known', async () => {
    await set(ours, { template: 'password_reset', intro: 'Hello {name} of {company}' })
    const { text, to } = await arrived(ours, 'password_reset', {})
    const [address] = to ?? []
    expect(text).toContain(`Hello ${address?.address} of ${address?.address}\n`)
  })

  it('are of one language: in another one the mail is in ours', async () => {
    await set(ours, { template: 'portal_invite', language: 'de', subject: 'Guten Tag' })
    expect((await arrived(ours, 'portal_invite')).subject).toBe('Your access to the Acme portal')
    await run(test.service, ours.partnerId, 'brand_update', { language: 'de' })
    expect((await arrived(ours, 'portal_invite')).subject).toBe('Guten Tag')
    expect((await arrived(ours, 'team_invite')).subject).toContain('Einladung ins Team')
  })

  it('stand by themselves among letters from the right', async () => {
    await run(test.service, ours.partnerId, 'brand_update', { language: 'ar', name: 'Acme (EU)' })
    await set(ours, {
      template: 'portal_invite',
      language: 'ar',
      subject: 'مرحبا {brand}!',
      intro: 'أهلا {name}'
    })
    const { subject, html } = await arrived(ours, 'portal_invite')
    expect(subject).toBe('مرحبا \u2068Acme (EU)\u2069!')
    expect(html).toContain('<html lang="ar" dir="rtl">')
    expect(html).toContain('>أهلا \u2068Ada\u2069</p>')
  })

  it('are taken back by null, and the mail is ours again', async () => {
    await set(ours, { template: 'portal_invite', subject: 'Mine' })
    expect(await listed(ours)).toEqual([
      { template: 'portal_invite', language: 'en', ...NOTHING, subject: 'Mine' }
    ])
    await set(ours, { template: 'portal_invite' })
    expect(await listed(ours)).toEqual([])
    expect((await arrived(ours, 'portal_invite')).subject).toBe('Your access to the Acme portal')
  })

  it('are a partner’s own: another one reads, changes and uses none of them', async () => {
    await set(ours, { template: 'portal_invite', subject: 'Ours alone' })
    await set(theirs, { template: 'portal_invite', intro: 'Theirs' })
    await set(theirs, { template: 'portal_invite' })
    expect(await listed(theirs)).toEqual([])
    expect(await listed(ours)).toMatchObject([{ subject: 'Ours alone' }])
    expect((await arrived(theirs, 'portal_invite')).subject).toBe('Your access to the Other portal')
  })

  it('go with the partner', async () => {
    const gone = await makeAddressee(test.service)
    await set(gone, { template: 'portal_invite', subject: 'Mine' })
    await test.service.database.transaction((tx) =>
      tx.deleteFrom('partner').where('id', '=', gone.partnerId).execute()
    )
    expect(JSON.stringify((await everyRow(test.service)).mailText)).not.toContain(gone.partnerId)
  })

  it('are never markup', async () => {
    const hostile = '<img src=x onerror="alert(1)"></p><script>1</script> &amp; "{name}"'
    await set(ours, { template: 'portal_invite', subject: hostile, intro: hostile, outro: hostile })
    const params = { ...PARAMS, recipientName: '</p><b>$&{brand}' }
    const { subject, text, html } = await arrived(ours, 'portal_invite', params)
    const filled = hostile.replace('{name}', () => params.recipientName)
    expect(subject).toBe(filled)
    expect(text).toContain(`\n\n${filled}\n\n`)
    expect(html).not.toMatch(/<(img|script|b)\b/)
    expect(html).toContain('&lt;/p&gt;&lt;b&gt;$&amp;{brand}')
  })

  it.each([
    ['a line break in the subject', { subject: 'Hi\r\nBcc: all@example.com' }, 'subject', /one line/],
    ['a subject that is too long', { subject: 'x'.repeat(151) }, 'subject', /at most 150/],
    ['a text that is too long', { outro: 'x'.repeat(2_001) }, 'outro', /at most 2000/],
    ['a text that nobody sees', { intro: '\u200b\u200d' }, 'intro', /blank/],
    ['control characters', { intro: 'Hi\u001b[2J' }, 'intro', /control characters/],
    [
      'an unknown placeholder',
      { intro: 'Hi {firstName}' },
      'intro',
      /\{firstName\}.*\{name\}, \{company\}, \{brand\}, \{time\}\./
    ],
    ['a placeholder of another mail', { outro: 'Left: {balance}' }, 'outro', /\{balance\}/],
    ['ICU’s syntax', { intro: '{n, plural, one {#} other {#}}' }, 'intro', /\{n, plural, one/],
    ['two braces', { intro: 'Hi {{name}}' }, 'intro', /can’t have \{:/],
    ['a brace by itself', { intro: 'Hi name}' }, 'intro', /can’t have \}:/],
    ['what every object has', { intro: '{constructor}{__proto__}' }, 'intro', /\{constructor\}/]
  ])('refuse %s by name', async (_, text, field, message) => {
    const attempt = set(ours, { template: 'portal_invite', ...text })
    await expect(attempt).rejects.toEqual(refused('invalid_input', field))
    await expect(attempt).rejects.toThrow(message)
    expect(await listed(ours)).toEqual([])
  })

  it('are refused for mails that go to the partner’s own people, and for no mail at all', async () => {
    for (const template of ['console_password', 'low_credit_partner', 'mail_test', 'nothing']) {
      await expect(set(ours, { template, subject: 'x' })).rejects.toEqual(
        refused('invalid_input', 'template')
      )
    }
  })

  it('send the longest word within its column', async () => {
    await set(ours, { template: 'portal_invite', intro: 'ä'.repeat(2_000) })
    const { text, html } = await arrived(ours, 'portal_invite')
    expect(text).toContain('ä'.repeat(2_000))
    expect(html).toMatch(/word-break:break-word">ä{2000}</)
  })

  it('are changed with an entry in the audit log that names the mail and no word', async () => {
    await set(ours, { template: 'portal_invite', language: 'fr', subject: 'Secret plan', outro: 'Old' })
    await set(ours, { template: 'portal_invite', language: 'fr', subject: 'Secret plan', outro: 'New' })
    const { data } = await run(test.service, ours.partnerId, 'audit_list', { limit: 1 })
    expect(data).toMatchObject([
      { action: 'mail_text_set', targetType: 'mail_text', targetId: 'portal_invite fr', fields: ['outro'] }
    ])
    expect(JSON.stringify(data)).not.toMatch(/Secret|New/)
  })
})
