import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LANGUAGES, type Language } from '../../schemas/language.ts'
import type { Tables } from '../../src/database/tables.ts'
import { compose } from '../../src/mail/compose.ts'
import type { MailPartner } from '../../src/mail/store.ts'
import { brandingOf, readableOn } from '../../src/mail/templates/branding.ts'
import { html, htmlText } from '../../src/mail/templates/html.ts'
import type { LetterParams } from '../../src/mail/templates/letter-parts.ts'
import type { LetterTemplate, NoticeTemplate } from '../../src/mail/templates/letters.ts'
import { englishIn } from '../language/spoken.ts'

const letters: LetterTemplate[] = [
  'portal_invite',
  'password_reset',
  'password_forgotten',
  'team_invite',
  'console_invite',
  'console_password'
]
const notices: NoticeTemplate[] = ['low_credit', 'low_credit_partner', 'agent_unreachable', 'agent_answers']
const VALID_UNTIL = '2026-03-08T16:05:00.000Z'

function write(
  template: Tables['mail']['template'],
  params: LetterParams = {},
  { language = 'en', ...given }: Partial<MailPartner> & { language?: Language } = {}
): { subject: string; text: string; html: string } {
  const mail: Tables['mail'] = {
    id: 'mail_1',
    partnerId: 'prt_1',
    customerId: 'cus_1',
    template,
    recipient: 'ada@example.com',
    messageId: '<mail_1@mindgate>',
    params: '{}',
    sealedSecret: null,
    status: 'queued',
    attempts: 1,
    nextAttemptAt: '2026-03-01T16:05:00.000Z',
    leaseOwner: 'wrk_1',
    leaseExpiresAt: null,
    lastError: null,
    createdAt: '2026-03-01T16:05:00.000Z',
    finishedAt: null
  }
  const partner = { slug: 'acme', name: 'Acme', isActive: true, brand: {}, portalOrigin: null, ...given }
  const access = {
    linkToken: 'TOKEN',
    temporaryPassword: 'abcd-efgh-jkmn-pqrs',
    validUntil: VALID_UNTIL
  }
  const surroundings = {
    partner,
    language,
    mailFrom: 'Mindgate <no-reply@mindgate.example>',
    linkBase: 'https://mindgate.example/portal/acme',
    consoleUrl: 'https://mindgate.example/console'
  }
  const { message } = compose(mail, params, access, surroundings)
  return { subject: String(message.subject), text: String(message.text), html: String(message.html) }
}

/** Every parameter that holds a text, with that text. */
const everyName = (name: string): LetterParams => ({
  recipientName: name,
  companyName: name,
  role: name,
  customerName: name,
  customerCode: name,
  balance: '12.5',
  threshold: '20',
  serverName: name,
  instanceId: 'ins_1',
  since: VALID_UNTIL,
  why: name,
  others: 3,
  hasPortal: true
})

/** What a reader sees of HTML. */
const wordsOf = (markup: string): string =>
  markup
    .replace(/<head>[\s\S]*<\/head>/, '')
    .replaceAll(/<div style="display:none[\s\S]*?<\/div>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')

describe.each([...letters, ...notices])('the %s mail', (template) => {
  it('says in its HTML part all that its text part says', () => {
    const params = everyName('Ada & Sons')
    const brand = { supportEmail: 'help@acme.example', supportUrl: 'https://acme.example/help' }
    const { text, html: page } = write(template, params, { brand })
    const words = wordsOf(page)
    // Labels and their values stand on lines of their own there, without the colon.
    const phrases = text
      .split(/\n+|: (?=\S)| · |Questions\? /)
      .map((phrase) => phrase.trim().replace(/:$/, ''))
    for (const phrase of phrases.filter(Boolean)) expect(words).toContain(phrase)
  })

  it('needs no image, script, style sheet or font from anywhere', () => {
    const { html: page } = write(template)
    expect(page).not.toMatch(/<img|<script|<link|<iframe|url\(|@import|src=/i)
  })

  it('declares light and dark', () => {
    const { html: page } = write(template)
    expect(page).toContain('<meta name="color-scheme" content="light dark">')
    expect(page).toContain('@media (prefers-color-scheme:dark)')
  })

  it('says why', () => {
    expect(write(template).text).toContain('You get this mail because')
  })

  it('reads well without names', () => {
    const { subject, text, html: page } = write(template)
    for (const part of [subject, text, page]) expect(part).not.toMatch(/undefined|null|\bof\s*[.,]/)
    expect(text).toContain('Hello,')
  })

  it('lets no name become markup', () => {
    const name = fc.string({
      unit: fc.constantFrom('<', '>', '"', "'", '&', ';', '/', 'b', 'script', ' ', '=')
    })
    fc.assert(
      fc.property(name, name, name, (recipientName, companyName, brandName) => {
        const params = { ...everyName(companyName), recipientName, role: brandName }
        const tags = (page: string) =>
          [...page.matchAll(/<\/?([a-z0-9]+)[\s>]/g)].map(([, tag]) => tag).join()
        const plain = write(template, everyName('x'))
        const hostile = write(template, params, { name: brandName })
        expect(tags(hostile.html)).toBe(tags(plain.html))
      })
    )
  })
})

const PAGES: Record<LetterTemplate, string> = {
  portal_invite: 'portal/acme/accept',
  password_reset: 'portal/acme/reset',
  password_forgotten: 'portal/acme/reset',
  team_invite: 'portal/acme/accept',
  console_invite: 'console/set-password',
  console_password: 'console/set-password'
}

describe.each(letters)('the %s mail', (template) => {
  it('has one link to act on, and its URL in plain sight', () => {
    const { text, html: page } = write(template)
    const targets = [...page.matchAll(/href="([^"]*)"/g)].map(([, target]) => target)
    const link = `https://mindgate.example/${PAGES[template]}?token=TOKEN`
    expect(targets).toEqual([link, link])
    expect(wordsOf(page)).toContain(link)
    expect(text).toContain(`\n${link}\n`)
  })

  it('says until when', () => {
    expect(write(template).text).toContain('until 8 March 2026 at 16:05 UTC')
  })
})

describe('the brand in a mail', () => {
  it('has readable text on whatever accent colour', () => {
    const channel = (value: number) => {
      const share = value / 255
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    }
    const hex = (value: number) => value.toString(16).padStart(2, '0')
    const byte = fc.integer({ min: 0, max: 255 })
    fc.assert(
      fc.property(byte, byte, byte, (red, green, blue) => {
        const luminance = 0.2126 * channel(red) + 0.7152 * channel(green) + 0.0722 * channel(blue)
        const textLuminance = readableOn(`#${hex(red)}${hex(green)}${hex(blue)}`) === '#ffffff' ? 1 : 0
        const [lighter, darker] = [Math.max(luminance, textLuminance), Math.min(luminance, textLuminance)]
        expect((lighter + 0.05) / (darker + 0.05)).toBeGreaterThanOrEqual(4.5)
      })
    )
  })

  it.each([
    ['#ffee00', '#000000'],
    ['#1D4ED8', '#ffffff']
  ])('writes on %s in %s', (accent, expected) => {
    expect(readableOn(accent)).toBe(expected)
  })

  it.each(['javascript:alert(1)', 'data:text/html,x', 'not a link'])(
    'shows no support link that isn’t one: %s',
    (supportUrl) => {
      expect(brandingOf({ name: 'Acme', brand: { supportUrl } }).supportUrl).toBeUndefined()
    }
  )
})

describe('the html template', () => {
  it('escapes values and keeps what it made itself', () => {
    const value = `<a href="x" title='y'>&`
    const inner = html`<b>${value}</b>`
    expect(htmlText(html`<p>${inner}${[inner, inner]}${undefined}</p>`)).toBe(
      `<p>${'<b>&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;</b>'.repeat(3)}</p>`
    )
  })
})

describe.each(LANGUAGES)('mails in %s', (language) => {
  const toPartners = [
    'console_invite',
    'console_password',
    'low_credit_partner',
    'agent_unreachable',
    'agent_answers'
  ]

  it.each([...letters, ...notices])('are whole: %s', (template) => {
    const isTheirs = toPartners.includes(template)
    const english = write(template, everyName('Ada'))
    const own = write(template, everyName('Ada'), { language })
    const spoken = isTheirs ? 'en' : language
    expect(own.html).toContain(`<html lang="${spoken}" dir="${spoken === 'ar' ? 'rtl' : 'ltr'}">`)
    expect(own.subject === english.subject).toBe(spoken === 'en')
    for (const part of [own.subject, own.text, own.html.replace(/<style>[\s\S]*?<\/style>/, '')]) {
      expect(part).not.toMatch(/[{}]|undefined|NaN/)
    }
    for (const value of [/https?:\S+/, /abcd-\S+/, /TOKEN/]) {
      expect(value.exec(own.text)?.[0]).toBe(value.exec(english.text)?.[0])
    }
  })

  it('say amounts as they are written there', () => {
    const amount = { en: '1,234.5', es: '1234,5', de: '1.234,5', fr: '1 234,5', pt: '1.234,5' }
    const { text } = write('low_credit', { balance: '1234.5', threshold: '2000' }, { language })
    expect(text).toContain({ ar: '1,234.5', ja: '1,234.5', ...amount }[language])
    // As mails had it before they knew languages.
    expect(write('low_credit', { balance: '1,234.5', threshold: '2,000' }, { language }).text).toBe(text)
  })

  it('leave no English word to a customer', () => {
    if (language !== 'ja') return
    for (const template of [...letters, ...notices].filter((one) => !toPartners.includes(one))) {
      const { subject, text } = write(template, { ...everyName('花子'), role: 'admin' }, { language })
      expect([template, englishIn(`${subject} ${text.replaceAll(/https?:\S+|abcd-\S+/g, '')}`)]).toEqual([
        template,
        []
      ])
    }
  })
})
