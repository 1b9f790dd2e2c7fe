// Somebody of a partner's in the console, over HTTP against a real server.

import type { PartnerRole } from '../../schemas/partner-user.ts'
import { insertPartnerUser } from '../../src/partners/users.ts'
import { quickHash, type TestPartner, uniqueEmail } from '../support/fixture.ts'
import type { TestServer } from '../support/http.ts'

export interface PageAnswer {
  status: number
  headers: Headers
  html: string
  /** What the page says, without its markup. */
  text: string
}

/** A browser that keeps its session, follows nothing by itself, and says where its forms come from. */
export interface ConsoleBrowser {
  /** That of the session. */
  cookie: string
  /** `path` is relative to `/console`, or begins with it. */
  get(path: string): Promise<PageAnswer>
  /** Sends a form, whatever is answered. */
  post(path: string, fields?: Fields): Promise<PageAnswer>
  /** Sends a form and follows to the page with its result. */
  submit(path: string, fields?: Fields): Promise<PageAnswer>
}

export type Fields = Readonly<Record<string, string | readonly string[]>>

/** What everybody who enters has for a password. */
export const CONSOLE_PASSWORD = 'nine patient lanterns'

/** Has the partner's user enter by `CONSOLE_PASSWORD`; their address. */
export async function giveConsolePassword(
  service: TestServer['service'],
  partnerId: string
): Promise<string> {
  const passwordHash = await quickHash(CONSOLE_PASSWORD)
  const { email } = await service.database.transaction((tx) =>
    tx
      .updateTable('partnerUser')
      .set({ passwordHash })
      .where('partnerId', '=', partnerId)
      .returning('email')
      .executeTakeFirstOrThrow()
  )
  return email
}

/** Signs the partner's user in to the console. */
export async function enterConsole(
  { service, url }: Pick<TestServer, 'service' | 'url'>,
  { partnerId }: Pick<TestPartner, 'partnerId'>
): Promise<ConsoleBrowser> {
  return signInAt(url, await giveConsolePassword(service, partnerId))
}

/** Somebody else of the partner's, who has accepted their invite. */
export async function makeColleague(
  service: TestServer['service'],
  partnerId: string,
  role: PartnerRole
): Promise<{ id: string; email: string }> {
  const passwordHash = await quickHash(CONSOLE_PASSWORD)
  return service.database.transaction(async (tx) => {
    const { id, email } = await insertPartnerUser(tx, partnerId, { name: '', email: uniqueEmail(), role })
    await tx.updateTable('partnerUser').set({ passwordHash }).where('id', '=', id).execute()
    return { id, email }
  })
}

/** Signs in whoever has `CONSOLE_PASSWORD`. */
export async function signInAt(url: string, email: string): Promise<ConsoleBrowser> {
  const answer = await fetch(`${url}/console/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: CONSOLE_PASSWORD })
  })
  await answer.text()
  const [session] = answer.headers
    .getSetCookie()
    .flatMap((line) => line.match(/^mindgate_console=[^;]+/) ?? [])
  if (session === undefined) throw new Error(`Signing in answered ${answer.status}`)
  return browserAt(url, session)
}

function browserAt(origin: string, session: string): ConsoleBrowser {
  let flash = ''
  const send = async (path: string, init: RequestInit): Promise<PageAnswer> => {
    const target = new URL(path.startsWith('/console') ? path : `/console${path}`, origin)
    const answer = await fetch(target, {
      ...init,
      redirect: 'manual',
      headers: { cookie: [session, flash].filter(Boolean).join('; '), accept: 'text/html', ...init.headers }
    })
    const kept = answer.headers.getSetCookie().find((line) => line.startsWith('mindgate_flash='))
    if (kept !== undefined) flash = kept.split(';')[0] ?? ''
    const html = await answer.text()
    return { status: answer.status, headers: answer.headers, html, text: textOf(html) }
  }
  const get = (path: string) => send(path, {})
  const post = (path: string, fields: Fields = {}) =>
    send(path, { method: 'POST', headers: { 'sec-fetch-site': 'same-origin' }, body: bodyOf(fields) })
  return {
    cookie: session,
    get,
    post,
    async submit(path, fields) {
      const answer = await post(path, fields)
      const next = answer.headers.get('location')
      if (answer.status !== 303 || next === null) {
        throw new Error(`${path} answered ${answer.status}: ${answer.text.slice(0, 2_000)}`)
      }
      return get(next)
    }
  }
}

const bodyOf = (fields: Fields): URLSearchParams =>
  new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [name, one])
    )
  )

/** What is between the tags, entities read. */
export const textOf = (html: string): string =>
  html
    .replaceAll(/<(style|script)[\s\S]*?<\/\1>/g, ' ')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim()

export interface FilledForm {
  action: string
  /** As a browser would send it untouched. */
  fields: Record<string, string | string[]>
}

/** The form of the page that posts to that address, as it stands. */
export function formOn({ html }: PageAnswer, action: string): FilledForm {
  const form = html.match(new RegExp(`<form[^>]*action="${escaped(action)}"[^>]*>([\\s\\S]*?)</form>`))?.[1]
  if (form === undefined) throw new Error(`The page has no form to ${action}`)
  const fields: Record<string, string | string[]> = {}
  const add = (name: string, value: string) => {
    const before = fields[name]
    fields[name] = before === undefined ? value : [before, value].flat()
  }
  for (const [tag] of form.matchAll(/<input[^>]*>/g)) {
    const name = attribute(tag, 'name')
    if (name === undefined) continue
    if (attribute(tag, 'type') === 'checkbox' && !/ checked(=|[ >/])/.test(tag)) continue
    add(name, attribute(tag, 'value') ?? '')
  }
  for (const [, tag = '', content = ''] of form.matchAll(/<textarea([^>]*)>([\s\S]*?)<\/textarea>/g)) {
    // A browser drops the first line break and sends the others as two characters.
    add(attribute(tag, 'name') ?? '', unescaped(content).replace(/^\n/, '').replaceAll('\n', '\r\n'))
  }
  for (const [, tag = '', content = ''] of form.matchAll(/<select([^>]*)>([\s\S]*?)<\/select>/g)) {
    const options = [...content.matchAll(/<option[^>]*>/g)].map(([option]) => option)
    const chosen = options.find((option) => / selected(=|[ >/])/.test(option)) ?? options[0] ?? ''
    add(attribute(tag, 'name') ?? '', attribute(chosen, 'value') ?? '')
  }
  return { action, fields }
}

const attribute = (tag: string, name: string): string | undefined => {
  const value = tag.match(new RegExp(` ${name}="([^"]*)"`))?.[1]
  return value === undefined ? undefined : unescaped(value)
}

const unescaped = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
