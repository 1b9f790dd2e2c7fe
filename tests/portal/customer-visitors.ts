// People at a customer's portal, over HTTP against a real server: signed in as the service's own pages sign them in.
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { now } from '../../src/clock.ts'
import { emailKey } from '../../src/customers/email.ts'
import { newId } from '../../src/ids.ts'
import { hashPassword } from '../../src/portal-access/passwords.ts'
import type { TestServer } from '../support/http.ts'
import { run, stringAt, type TestPartner, uniqueEmail } from '../support/world.ts'

const PASSWORD = 'correct horse battery staple'

export interface PageAnswer {
  status: number
  headers: Headers
  html: string
}

/** Somebody's browser: it keeps its cookies, follows nothing by itself, and says where its forms come from. */
export interface Browser {
  get(path: string): Promise<PageAnswer>
  /** Sends a form; `path` is relative to the portal. */
  post(path: string, fields?: Record<string, string>): Promise<PageAnswer>
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
  await choosePassword(server, partner, email)
  return { customerId, email, owner: await signIn(server, partner, email) }
}

/** An active member of the customer's team, signed in. */
export async function makeTeamMate(
  server: TestServer,
  partner: TestPartner,
  customerId: string,
  role: 'admin' | 'member'
): Promise<{ teamMemberId: string; email: string; browser: Browser }> {
  const email = uniqueEmail()
  const added = await run(server.service, partner.partnerId, 'team_member_add', {
    customerId,
    email,
    name: 'Grace',
    role
  })
  const teamMemberId = stringAt(added, 'data', 'id')
  const identityId = newId('idn')
  await server.service.database.transaction(async (tx) => {
    await tx
      .insertInto('identity')
      .values({
        id: identityId,
        partnerId: partner.partnerId,
        email,
        emailKey: emailKey(email),
        passwordHash: null,
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
  await choosePassword(server, partner, email)
  return { teamMemberId, email, browser: await signIn(server, partner, email) }
}

/** Puts the password there, as if its owner had chosen it. */
async function choosePassword(
  { service }: TestServer,
  { partnerId }: TestPartner,
  email: string
): Promise<void> {
  const passwordHash = await hashPassword(PASSWORD)
  await service.database.transaction((tx) =>
    tx
      .updateTable('identity')
      .set({ passwordHash, temporaryPasswordHash: null })
      .where('partnerId', '=', partnerId)
      .where('emailKey', '=', emailKey(email))
      .execute()
  )
}

async function signIn(server: TestServer, { slug }: TestPartner, email: string): Promise<Browser> {
  const base = `${server.url}/portal/${slug}`
  const answer = await fetch(`${base}/sign-in`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password: PASSWORD }),
    redirect: 'manual'
  })
  const [cookie = ''] = answer.headers.getSetCookie().map((line) => line.split(';')[0] ?? '')
  if (!cookie.startsWith('mindgate_portal='))
    throw new Error(`No session: ${answer.status} ${await answer.text()}`)
  return browserAt(base, cookie)
}

function browserAt(base: string, session: string): Browser {
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
  const post = (path: string, fields: Record<string, string> = {}) =>
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
