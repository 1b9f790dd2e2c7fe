// The console's page for a partner's own words in mails: what is typed, shown, sent to oneself and kept.
import type { Email } from 'postal-mime'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { LANGUAGES } from '../../schemas/language.ts'
import { WordedMail } from '../../schemas/mail.ts'
import { openPostOffice, type PostOffice } from '../mail/post-office.ts'
import { makePartner, run, type TestPartner } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { type ConsoleBrowser, enterConsole, formOn, type PageAnswer } from './console-visitor.ts'

const INVITE = '/console/mail/texts?template=portal_invite&language=en'

describe('the page with the texts of mails', () => {
  let office: PostOffice
  let server: TestServer
  let mine: TestPartner
  let browser: ConsoleBrowser

  beforeAll(async () => {
    office = await openPostOffice()
    server = await startTestServer('sqlite', { MAIL_URL: office.url })
  })
  afterAll(async () => {
    await server.close()
    await office.close()
  })
  beforeEach(async () => {
    mine = await makePartner(server.service)
    browser = await enterConsole(server, mine)
  })

  const listed = async () => (await run(server.service, mine.partnerId, 'mail_text_list', {})).data
  /** The newest mail that this partner's user got. */
  const arrived = async (count = 1): Promise<Email> => {
    const user = await server.service.database.read
      .selectFrom('partnerUser')
      .where('partnerId', '=', mine.partnerId)
      .select('email')
      .executeTakeFirstOrThrow()
    return vi.waitFor(
      () => {
        const letters = office.received.filter(({ to }) => to?.[0]?.address === user.email)
        const [newest] = letters.slice(count - 1)
        if (!newest) throw new Error('Not there yet')
        return newest
      },
      { timeout: 15_000, interval: 20 }
    )
  }
  const fill = async (texts: Record<string, string>, act = '', address = INVITE): Promise<PageAnswer> => {
    const { action, fields } = formOn(await browser.get(address), address.replaceAll('&', '&amp;'))
    return browser.post(action.replaceAll('&amp;', '&'), { ...fields, ...texts, ...(act && { act }) })
  }
  /** As the page has it, without what a browser makes of line breaks. */
  const inOneLine = (text = '') => text.replaceAll(/\s+/g, ' ').trim()
  /** Until when: the mail is of another minute than the page. */
  const timeless = (text: string) => text.replaceAll(/\d+[^.]*UTC/g, '…')

  it('is found from the mails', async () => {
    expect((await browser.get('/mail')).html).toContain('href="/console/mail/texts"')
  })

  it('keeps what was typed, shows it again, and marks the language', async () => {
    const saved = await fill({ subject: 'Welcome', intro: 'Hi {name},\r\n\r\ncome in.', outro: '' })
    expect([saved.status, saved.headers.get('location')]).toEqual([303, INVITE])
    const again = await browser.get(INVITE)
    expect(again.text).toContain('The text was saved.')
    expect(again.text).toContain('English (your words)')
    expect(formOn(again, INVITE.replaceAll('&', '&amp;')).fields).toMatchObject({
      subject: 'Welcome',
      intro: 'Hi {name},\r\n\r\ncome in.',
      outro: ''
    })
    expect(await listed()).toEqual([
      {
        ...{ template: 'portal_invite', language: 'en', subject: 'Welcome' },
        ...{ intro: 'Hi {name},\n\ncome in.', outro: null }
      }
    ])
  })

  it('takes everything back to ours by empty fields', async () => {
    await fill({ subject: 'Welcome' })
    await fill({ subject: ' ' })
    expect(await listed()).toEqual([])
  })

  it('previews what was typed and keeps none of it', async () => {
    const { status, text, html } = await fill({ subject: 'Dear {name}', outro: '<b>Bye</b>' }, 'Preview')
    expect(status).toBe(200)
    expect(text).toContain('[Test] Dear Ada')
    expect(html).toContain('&lt;b&gt;Bye&lt;/b&gt;')
    expect(html).toContain('value="Dear {name}"')
    // What isn't said is in ours, which stand in the fields.
    expect(text).toContain('has opened its customer portal for Lovelace & Sons.')
    expect(html).toMatch(/<input[^>]*placeholder="Your access to the [^"]* portal"/)
    expect(html).toMatch(/<textarea[^>]*placeholder="Hello Ada,\n\n[^"]* has opened its customer portal/)
    expect(await listed()).toEqual([])
  })

  it.each(['', 'Preview', 'Send to me'])('says at the field what can’t be taken (%j)', async (act) => {
    const { status, text, html } = await fill({ intro: 'Hi {first}, <b>' }, act)
    expect(status).toBe(400)
    expect(text).toContain(
      'Opening can’t have {first}: this mail fills in {name}, {company}, {brand}, {time}.'
    )
    expect(html).toContain('Hi {first}, &lt;b&gt;</textarea>')
    expect(await listed()).toEqual([])
  })

  it.each(LANGUAGES)('sends to who is signed in what the preview shows, in %s', async (language) => {
    let sent = 0
    for (const template of WordedMail.options) {
      const address = `/console/mail/texts?template=${template}&language=${language}`
      const said = { subject: 'Now: {brand}', intro: 'One {name}\r\nTwo {company}', outro: '' }
      const { status, text } = await fill(said, 'Send to me', address)
      expect([status, text]).toEqual([200, expect.stringContaining('The test is on its way to')])
      sent += 1
      const letter = await arrived(sent)
      expect(letter.subject).toMatch(/^\[Test\] Now: /)
      expect(inOneLine(letter.text)).toContain('One')
      expect(timeless(inOneLine(text))).toContain(
        timeless(`${letter.subject} Text ${inOneLine(letter.text)}`)
      )
      // Its link opens nothing: it leads to where people sign in.
      const links = letter.html?.match(/href="[^"]*"/g)
      expect(new Set(links)).toEqual(new Set([`href="${server.url}/portal/${mine.slug}/sign-in"`]))
      expect(letter.html).not.toContain('token=')
    }
    expect(await listed()).toEqual([])
  })

  it('is told apart in the list of mails and isn’t sent again', async () => {
    await fill({ subject: 'x' }, 'Send to me')
    const { text, html } = await browser.get('/mail')
    expect(text).toContain('Test of a mail')
    expect(html).not.toContain('/resend')
  })

  it('sends a form that came twice once', async () => {
    const { fields } = formOn(await browser.get(INVITE), INVITE.replaceAll('&', '&amp;'))
    for (const _ of [1, 2]) await browser.post(INVITE, { ...fields, act: 'Send to me' })
    const mails = server.service.database.read.selectFrom('mail').where('partnerId', '=', mine.partnerId)
    expect(await mails.select('template').execute()).toEqual([{ template: 'mail_test' }])
  })

  it('sends one partner no more than twenty tests an hour, and others theirs', async () => {
    for (let sent = 0; sent < 20; sent += 1) {
      expect((await fill({ subject: 'x' }, 'Send to me')).status).toBe(200)
    }
    const { status, text } = await fill({ subject: 'x' }, 'Send to me')
    expect([status, text]).toEqual([
      429,
      expect.stringMatching(/enough tests for now\. Try again in \d+ min/)
    ])
    browser = await enterConsole(server, await makePartner(server.service))
    expect((await fill({ subject: 'x' }, 'Send to me')).status).toBe(200)
  })

  it('shows a mail and a language whatever is asked for', async () => {
    const { status, text } = await browser.get('/mail/texts?template=console_password&language=xx')
    expect([status, text]).toEqual([200, expect.stringContaining('{name}, {company}, {brand}, {time}')])
    expect((await browser.get('/mail/texts?template=low_credit')).text).toContain('{balance}, {threshold}')
  })

  it('shows nothing of another partner’s', async () => {
    await fill({ subject: 'Ours alone' })
    const stranger = await enterConsole(server, await makePartner(server.service))
    const { text, html } = await stranger.get(INVITE)
    expect(html).not.toContain('Ours alone')
    expect(text).not.toContain('your words)')
  })

  it('needs somebody who is signed in, also to be sent anything', async () => {
    const answer = await fetch(server.url + INVITE, { redirect: 'manual' })
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      expect.stringContaining('/sign-in')
    ])
    const words = { subject: 'x', intro: null, outro: null }
    const test = { template: 'low_credit', language: 'en', ...words }
    const attempt = run(server.service, mine.partnerId, 'mail_text_send', test)
    await expect(attempt).rejects.toMatchObject({ code: 'unauthorized' })
  })
})
