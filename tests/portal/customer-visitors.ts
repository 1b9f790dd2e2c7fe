// People at a customer's portal, over HTTP against a real server. How they sign in is tested in sign-in.test.ts.
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { now } from '../../src/clock.ts'
import { emailKey } from '../../src/customers/email.ts'
import { newId } from '../../src/ids.ts'
import { membershipsOf } from '../../src/portal-access/memberships.ts'
import { beginSession } from '../../src/portal-access/sessions.ts'
import type { Service } from '../../src/service.ts'
import { quickHash, run, stringAt, type TestPartner, uniqueEmail } from '../support/fixture.ts'
import type { TestServer } from '../support/http.ts'

export interface PageAnswer {
  status: number
  headers: Headers
  html: string
}

/** With pairs, a name may come several times. */
type Fields = Record<string, string> | [name: string, value: string][]

/** Somebody's browser: it keeps its cookies, follows nothing by itself, and says where its forms come from. */
export interface Browser {
  get(path: string): Promise<PageAnswer>
  /** Sends a form; `path` is relative to the portal. */
  post(path: string, fields?: Fields): Promise<PageAnswer>
  /** Sends a form and answers the page that it leads to. */
  submit(path: string, fields?: Record<string, string>): Promise<PageAnswer>
  identity: { base: string; cookie: string }
  /** Asks the server by another name, and sends a form there; `fetch` would not let a test choose its Host. */
  sendTo(host: string, url: string, fields?: Record<string, string>): Promise<PageAnswer>
}

export interface PortalCustomer {
  customerId: string
  email: string
  owner: Browser
}

/** A customer with memory, team and API access switched on, and its owner signed in. */
export async function makePortalCustomer(
  server: TestServer,
  partner: TestPartner = server.partner,
  changes: Record<string, unknown> = {}
): Promise<PortalCustomer> {
  const email = uniqueEmail()
  const basic = { email, firstName: 'Ada', lastName: 'Byron' }
  const onboarded = await run(server.service, partner.partnerId, 'customer_onboard', {
    basic,
    allowPortalAccess: true
  })
  const customerId = stringAt(onboarded, 'data', 'id')
  await run(server.service, partner.partnerId, 'customer_update', {
    customerId,
    enableAiMemory: true,
    enableApiAccess: true,
    ...changes
  })
  return { customerId, email, owner: await enter(server, partner, email) }
}

/** An active member of the customer's team, signed in. */
export async function makeTeamMate(
  server: TestServer,
  partner: TestPartner,
  customerId: string,
  role: 'admin' | 'member'
): Promise<{ teamMemberId: string; email: string; browser: Browser }> {
  const mate = await addTeamMate(server.service, partner.partnerId, customerId, role)
  return { ...mate, browser: await enter(server, partner, mate.email) }
}

/** An active member of the customer's team with that password. */
export async function addTeamMate(
  service: Service,
  partnerId: string,
  customerId: string,
  role: 'admin' | 'member',
  password?: string
): Promise<{ teamMemberId: string; email: string }> {
  const email = uniqueEmail()
  const added = await run(service, partnerId, 'team_member_add', { customerId, email, name: 'Grace', role })
  const teamMemberId = stringAt(added, 'data', 'id')
  const identityId = newId('idn')
  const passwordHash = password === undefined ? null : await quickHash(password)
  await service.database.transaction(async (tx) => {
    await tx
      .insertInto('identity')
      .values({
        id: identityId,
        partnerId,
        email,
        emailKey: emailKey(email),
        passwordHash,
        temporaryPasswordHash: null,
        temporaryPasswordExpiresAt: null,
        createdAt: now(),
        updatedAt: now()
      })
      .execute()
    await tx
      .updateTable('teamMember')
      .set({ status: 'active', identityId })
      .where('id', '=', teamMemberId)
      .execute()
  })
  return { teamMemberId, email }
}

async function enter(
  { service, url }: TestServer,
  { partnerId, slug }: TestPartner,
  email: string
): Promise<Browser> {
  const token = await openSession(service, partnerId, email)
  return browserAt(`${url}/portal/${slug}`, `mindgate_portal=${token}`)
}

/** The token of a session as signing in begins it. */
export const openSession = (service: Service, partnerId: string, email: string): Promise<string> =>
  service.database.transaction(async (tx) => {
    const { id: identityId } = await tx
      .selectFrom('identity')
      .where('partnerId', '=', partnerId)
      .where('emailKey', '=', emailKey(email))
      .select('id')
      .executeTakeFirstOrThrow()
    const [membership] = await membershipsOf(tx, partnerId, identityId)
    const userAgent = undefined
    return beginSession(tx, {
      site: 'portal',
      partnerId,
      identityId,
      membership,
      mustChangePassword: false,
      userAgent
    })
  })

export function browserAt(base: string, session: string): Browser {
  let flash = ''
  const send = async (path: string, init: RequestInit): Promise<PageAnswer> => {
    const url = path.startsWith('/portal/') ? new URL(base).origin + path : base + path
    const headers = { cookie: [session, flash].filter(Boolean).join('; '), ...init.headers }
    const answer = await fetch(url, { ...init, redirect: 'manual', headers })
    const kept = answer.headers.getSetCookie().find((line) => line.startsWith('mindgate_flash='))
    if (kept !== undefined) flash = kept.split(';')[0] ?? ''
    return { status: answer.status, headers: answer.headers, html: await answer.text() }
  }
  const get = (path: string) => send(path, { headers: { accept: 'text/html' } })
  const post = (path: string, fields: Fields = {}) =>
    send(path, {
      method: 'POST',
      headers: { accept: 'text/html', 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams(fields)
    })
  return {
    identity: { base, cookie: session },
    sendTo: (host, url, fields) => sendTo(host, url, session, fields),
    get,
    post,
    async submit(path, fields) {
      const answer = await post(path, fields)
      const to = answer.headers.get('location')
      if (answer.status !== 303 || to === null) throw new Error(`${answer.status} ${textOf(answer.html)}`)
      return get(to)
    }
  }
}

/** Over https the cookie goes by the name that is bound to its host. */
function sendTo(
  host: string,
  url: string,
  cookie: string,
  fields?: Record<string, string>
): Promise<PageAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method: fields ? 'POST' : 'GET',
        headers: {
          host,
          accept: 'text/html',
          cookie: `${cookie}; __Host-${cookie}`,
          'sec-fetch-site': 'same-origin',
          ...(fields ? { 'content-type': 'application/x-www-form-urlencoded' } : {})
        }
      },
      (answer) => {
        const headers = new Headers(
          Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)])
        )
        text(answer).then((html) => resolve({ status: answer.statusCode ?? 0, headers, html }), reject)
      }
    )
    sent.on('error', reject)
    sent.end(fields ? new URLSearchParams(fields).toString() : undefined)
  })
}

/** What a page says, without its markup. */
export const textOf = (html: string): string =>
  html
    .replace(/^[\s\S]*<main/, '<main')
    .replaceAll(/<(style|script)[\s\S]*?<\/\1>/g, ' ')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', '’')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim()
