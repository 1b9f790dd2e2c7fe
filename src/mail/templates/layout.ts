// One column, one action with its URL beside it, why one gets it. No images: nothing is missing when they are off.
import { directionOf, language, say } from '../../language/say.ts'
import type { Branding } from './branding.ts'
import { type Html, html, htmlText } from './html.ts'

/** One mail's words; every text is plain and escaped by the layout. */
export interface Page {
  subject: string
  /** The line that inboxes show beside the subject. */
  preview: string
  heading: string
  intro: readonly string[]
  /** What to type or to know, such as a temporary password. */
  details: readonly { label: string; value: string }[]
  action: { label: string; url: string } | undefined
  outro: readonly string[]
  /** Why one gets this mail, and what to do if it is a mistake. */
  reason: string
}

/** The text part; it says all that the HTML part says. */
export function layOutText(page: Page, { name, supportEmail, supportUrl }: Branding): string {
  // Beside words that are read from the right, a password that begins with a digit is not shown in its order.
  const gap = directionOf(language()) === 'rtl' ? '\n' : ' '
  const details = page.details.map(({ label, value }) => `${say('{label}:', { label })}${gap}${value}`)
  const support = [supportEmail, supportUrl].filter((contact) => contact !== undefined)
  const blocks = [
    page.heading,
    ...page.intro,
    ...(details.length > 0 ? [details.join('\n')] : []),
    ...(page.action ? [`${say('{label}:', page.action)}\n${page.action.url}`] : []),
    ...page.outro,
    ...(support.length > 0 ? [`${say('Questions?')} ${support.join(' · ')}`] : []),
    `${name}\n${page.reason}`
  ]
  return `${blocks.join('\n\n')}\n`
}

const FONT = "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
const MONO = 'font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace'

/** Inline styles are the light theme, for clients that drop style sheets. Nothing in this one needs escaping. */
const DARK = `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.page{background:#111317!important}
.card{background:#1b1e24!important;border-right-color:#343a44!important;border-bottom-color:#343a44!important;border-left-color:#343a44!important}
.text{color:#eceef2!important}
.soft{color:#aab2bf!important}
.box{background:#111317!important;border-color:#343a44!important}
.link{color:#9dbcff!important}
}`

/** Some clients drop what `html` says, so the table says it too. What is spelled from the left is, in every language. */
export function layOutHtml(page: Page, branding: Branding): string {
  const { name, accentColor } = branding
  const lang = language()
  const dir = directionOf(lang)
  return htmlText(html`<!doctype html>
<html lang="${lang}" dir="${dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${page.subject}</title>
<style>${DARK}</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f4f5f7;${FONT}">
<div style="display:none;max-height:0;overflow:hidden">${page.preview}</div>
<table role="presentation" lang="${lang}" dir="${dir}" width="100%" cellpadding="0" cellspacing="0" border="0" class="page" style="background:#f4f5f7">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" class="card" style="max-width:560px;background:#ffffff;border:1px solid #dfe2e8;border-top:4px solid ${accentColor};border-radius:8px">
<tr><td style="padding:32px">
<p class="soft" style="margin:0 0 24px;font-size:14px;line-height:20px;font-weight:600;color:#5b6472">${name}</p>
<h1 class="text" style="margin:0 0 16px;font-size:22px;line-height:28px;font-weight:600;color:#16181d">${page.heading}</h1>
${page.intro.map(paragraph)}
${details(page)}
${action(page, branding)}
${page.outro.map(paragraph)}
${support(branding)}
</td></tr>
</table>
<p class="soft" style="max-width:560px;margin:16px auto 0;font-size:13px;line-height:20px;color:#5b6472">${page.reason}</p>
</td></tr>
</table>
</body>
</html>
`)
}

const paragraph = (text: string): Html =>
  html`<p class="text" style="margin:0 0 16px;font-size:16px;line-height:24px;color:#16181d;word-break:break-word">${text}</p>
`

function details({ details: rows }: Page): Html | undefined {
  if (rows.length === 0) return undefined
  const row = ({
    label,
    value
  }: Page['details'][number]) => html`<p class="soft" style="margin:0;font-size:13px;line-height:20px;color:#5b6472">${label}</p>
<p class="text" style="margin:0 0 8px;font-size:16px;line-height:24px;color:#16181d;${MONO};word-break:break-word"><span dir="ltr">${value}</span></p>
`
  return html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 16px"><tr><td class="box" style="padding:12px 16px 4px;background:#f4f5f7;border:1px solid #dfe2e8;border-radius:8px">
${rows.map(row)}</td></tr></table>`
}

/** A button of padding and background, which every client draws, and the URL for those who would rather see it. */
function action({ action: link }: Page, { accentColor, accentText }: Branding): Html | undefined {
  if (!link) return undefined
  const { label, url } = link
  return html`<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 16px"><tr><td style="background:${accentColor};border-radius:8px">
<a href="${url}" style="display:inline-block;padding:12px 24px;font-size:16px;line-height:24px;font-weight:600;color:${accentText};text-decoration:none">${label}</a>
</td></tr></table>
<p class="soft" style="margin:0 0 24px;font-size:13px;line-height:20px;color:#5b6472;word-break:break-all">${say('Or open this address:')}<br><a href="${url}" dir="ltr" class="link" style="color:#1d4ed8">${url}</a></p>`
}

function support({ supportEmail, supportUrl }: Branding): Html | undefined {
  const links = [
    ...(supportEmail === undefined ? [] : [contact(`mailto:${supportEmail}`, supportEmail)]),
    ...(supportUrl === undefined ? [] : [contact(supportUrl, supportUrl)])
  ]
  if (links.length === 0) return undefined
  return html`<p class="soft" style="margin:0;font-size:14px;line-height:20px;color:#5b6472">${say('Questions?')} ${links}</p>`
}

const contact = (url: string, text: string): Html =>
  html`<a href="${url}" dir="ltr" class="link" style="color:#1d4ed8">${text}</a> `
