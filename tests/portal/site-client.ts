// Somebody at the sites with a cookie jar: what a browser keeps and sends, without the browser.
import { emailKey } from '../../src/customers/email.ts'
import type { Service } from '../../src/service.ts'
import { quickHash, run, stringAt } from '../support/fixture.ts'

export interface SiteAnswer {
  status: number
  headers: Headers
  location: string | null
  text: string
}

export interface DoorRequest {
  /** Sent as a form, with the headers of a browser on the same site. */
  form?: Record<string, string> | URLSearchParams
  json?: unknown
  headers?: Record<string, string>
}

export interface SiteClient {
  /** Name to value, as the browser keeps them. */
  cookies: Map<string, string>
  /** What the last answer set, attributes and all. */
  setCookies: string[]
  get(path: string, headers?: Record<string, string>): Promise<SiteAnswer>
  post(path: string, request?: DoorRequest): Promise<SiteAnswer>
}

/** A browser's cookies and headers against the server at `url`, or wherever `fetch` has it; nothing is followed. */
export function siteClient(url: string, fetch = globalThis.fetch): SiteClient {
  const client: SiteClient = {
    cookies: new Map(),
    setCookies: [],
    get: (path, headers = {}) => send('GET', path, { headers: { accept: 'text/html', ...headers } }),
    post(path, { form, json, headers = {} } = {}) {
      if (json !== undefined) {
        const body = JSON.stringify(json)
        return send('POST', path, { body, headers: { 'content-type': 'application/json', ...headers } })
      }
      return send('POST', path, {
        body: new URLSearchParams(form ?? {}),
        headers: { accept: 'text/html', 'sec-fetch-site': 'same-origin', ...headers }
      })
    }
  }

  async function send(
    method: string,
    path: string,
    { body, headers }: { body?: string | URLSearchParams; headers: Record<string, string> }
  ): Promise<SiteAnswer> {
    const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(url + path, {
      method,
      redirect: 'manual',
      headers: { ...(cookie ? { cookie } : {}), ...headers },
      ...(body === undefined ? {} : { body })
    })
    client.setCookies = answer.headers.getSetCookie()
    for (const line of client.setCookies) keep(client.cookies, line)
    return {
      status: answer.status,
      headers: answer.headers,
      location: answer.headers.get('location'),
      text: await answer.text()
    }
  }
  return client
}

function keep(cookies: Map<string, string>, line: string): void {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
  if (/;\s*max-age=0/i.test(line)) cookies.delete(name)
  else cookies.set(name, value)
}

/** The secret of the newest mail to that address that was made of this template, before it is sent. */
export async function mailedSecret(
  service: Service,
  recipient: string,
  template: string
): Promise<{ linkToken: string; temporaryPassword: string }> {
  const mail = await service.database.read
    .selectFrom('mail')
    .where('recipient', '=', recipient)
    .where('template', '=', template as 'portal_invite')
    .select(['id', 'sealedSecret'])
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst()
  const { linkToken, temporaryPassword = '' } = JSON.parse(
    service.secrets.unseal(mail?.sealedSecret ?? '', mail?.id ?? '')
  )
  return { linkToken, temporaryPassword }
}

export interface Onboarded {
  customerId: string
  email: string
  temporaryPassword: string
  linkToken: string
}

/** A customer who was just invited to the portal. Mails must not be leaving: their secrets would be gone. */
export async function onboard(
  service: Service,
  partnerId: string,
  email: string,
  companyName = 'Engines'
): Promise<Onboarded> {
  const output = await run(service, partnerId, 'customer_onboard', {
    basic: { email, firstName: 'Ada', lastName: 'Lovelace' },
    business: { companyName },
    allowPortalAccess: true
  })
  const secret = await mailedSecret(service, email, 'portal_invite')
  return { customerId: stringAt(output, 'data', 'id'), email, ...secret }
}

export const PASSWORD = 'correct horse battery'

/** A customer whose owner has `PASSWORD`, as if it had been chosen. */
export async function onboardOwner(
  service: Service,
  { partnerId }: { partnerId: string },
  email: string,
  companyName?: string
): Promise<Onboarded> {
  const owner = await onboard(service, partnerId, email, companyName)
  const passwordHash = await quickHash(PASSWORD)
  await service.database.transaction((tx) =>
    tx
      .updateTable('identity')
      .set({ passwordHash, temporaryPasswordHash: null, temporaryPasswordExpiresAt: null })
      .where('partnerId', '=', partnerId)
      .where('emailKey', '=', emailKey(email))
      .execute()
  )
  return owner
}
