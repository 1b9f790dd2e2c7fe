// An app that takes each step of a sign-in by itself, so that each can be taken wrongly: right unless told otherwise.
import { createHash } from 'node:crypto'
import { type SiteClient, siteClient } from '../portal/site-client.ts'
import { stringAt, type TestPartner } from '../support/fixture.ts'
import type { TestServer } from '../support/http.ts'
import { type Decision, decide, makeOwner as makePerson } from './people.ts'

export const CALLBACK = 'https://app.example/callback'
export const VERIFIER = 'v'.repeat(43)
export const challengeOf = (verifier: string): string =>
  createHash('sha256').update(verifier).digest('base64url')

/** What is sent instead of the right thing; `undefined` leaves it out. */
type Changed = Record<string, string | undefined>

export interface Reply {
  status: number
  headers: Headers
  body: Record<string, unknown>
}

/** An answer in JSON; of anything else the body is `{ text }`. */
export async function ask(url: string, init: RequestInit = {}): Promise<Reply> {
  const answer = await fetch(url, { redirect: 'manual', ...init })
  const text = await answer.text()
  const isJson = answer.headers.get('content-type')?.includes('json') === true
  return { status: answer.status, headers: answer.headers, body: isJson ? JSON.parse(text) : { text } }
}

export const register = (url: string, metadata: Record<string, unknown> = {}): Promise<Reply> =>
  ask(`${url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Test assistant', redirect_uris: [CALLBACK], ...metadata })
  })

/** A client that was registered just now; its id. */
export async function makeClient(url: string, metadata: Record<string, unknown> = {}): Promise<string> {
  const { status, body } = await register(url, metadata)
  if (status !== 201) throw new Error(`Registering answered ${status} ${JSON.stringify(body)}`)
  return stringAt(body, 'client_id')
}

export const RESOURCES = { customer: '/api/mcp', partner: '/api/partner-mcp' } as const

/** Where the app sends its user, relative to the server. */
export function authorizePath(url: string, clientId: string, changed: Changed = {}): string {
  const query = given({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: CALLBACK,
    resource: url + RESOURCES.customer,
    code_challenge: challengeOf(VERIFIER),
    code_challenge_method: 'S256',
    state: 'some-state',
    ...changed
  })
  return `/oauth/authorize?${query}`
}

const given = (parameters: Changed): URLSearchParams =>
  new URLSearchParams(
    Object.entries(parameters).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, value]]
    )
  )

export const sendForm = (url: string, path: string, form: Changed): Promise<Reply> =>
  ask(url + path, { method: 'POST', body: given(form) })

export const redeem = (url: string, clientId: string, code: string, changed: Changed = {}): Promise<Reply> =>
  sendForm(url, '/oauth/token', {
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    code_verifier: VERIFIER,
    redirect_uri: CALLBACK,
    ...changed
  })

export const refresh = (
  url: string,
  clientId: string,
  token: string,
  changed: Changed = {}
): Promise<Reply> =>
  sendForm(url, '/oauth/token', {
    grant_type: 'refresh_token',
    client_id: clientId,
    refresh_token: token,
    ...changed
  })

/** The status of a call of the gateway that opens tools at once: 200 for who is let in. */
export async function callGateway(url: string, path: string, token: string): Promise<number> {
  const { status } = await ask(url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25'
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  })
  return status
}

export interface Owner extends Decision {
  customerId: string
}

/** A customer's owner, whose memory apps may be let into. */
export async function makeOwner(
  server: TestServer,
  partner: TestPartner = server.partner,
  companyName?: string
): Promise<Owner> {
  const at = { service: server.service, partner }
  const { customerId, decision } = await makePerson(at, companyName === undefined ? {} : { companyName })
  return { customerId, ...decision }
}

/** What the app is answered by way of its user's browser. */
export const answerTo = (
  url: string,
  clientId: string,
  decision: Decision,
  changed: Changed = {}
): Promise<URL> => decide(url, url + authorizePath(url, clientId, changed), decision)

export const codeOf = (answer: URL): string => {
  const code = answer.searchParams.get('code')
  if (code === null) throw new Error(`No code in ${answer}`)
  return code
}

export interface Tokens {
  clientId: string
  code: string
  accessToken: string
  refreshToken: string
}

/** An app that was let in, and has its tokens. */
export async function connect(
  url: string,
  decision: Decision,
  gateway: keyof typeof RESOURCES = 'customer'
): Promise<Tokens> {
  const clientId = await makeClient(url)
  const code = codeOf(await answerTo(url, clientId, decision, { resource: url + RESOURCES[gateway] }))
  return { clientId, code, ...tokensOf(await redeem(url, clientId, code)) }
}

export function tokensOf({ status, body }: Reply): Pick<Tokens, 'accessToken' | 'refreshToken'> {
  if (status !== 200) throw new Error(`No tokens: ${status} ${JSON.stringify(body)}`)
  return { accessToken: stringAt(body, 'access_token'), refreshToken: stringAt(body, 'refresh_token') }
}

/** Somebody's browser that is signed in to a portal. */
export async function signedIn(
  url: string,
  { email, password }: Decision,
  slug: string
): Promise<SiteClient> {
  const browser = siteClient(url)
  const { status } = await browser.post(`/portal/${slug}/sign-in`, { form: { email, password } })
  if (status !== 303) throw new Error(`Signing in answered ${status}`)
  return browser
}

/** Begins a request in that browser; the path of the page that asks for consent. */
export async function begin(
  browser: SiteClient,
  url: string,
  clientId: string,
  changed: Changed = {}
): Promise<string> {
  const { status, location, text } = await browser.get(authorizePath(url, clientId, changed))
  const path = location === null ? '' : new URL(location, url).pathname
  if (!path.includes('/connect/')) throw new Error(`Not asked for consent: ${status} ${location} ${text}`)
  return path
}

/** Follows the page that was shown after a decision, up to the app's own address. */
export async function comeBack(
  browser: SiteClient,
  answer: { headers: Headers; text: string }
): Promise<URL> {
  const path = /url=(.+)$/.exec(answer.headers.get('refresh') ?? '')?.[1]
  if (path === undefined) throw new Error(`Not decided: ${answer.text.slice(0, 2_000)}`)
  const { location, status } = await browser.get(path)
  if (location === null) throw new Error(`Not sent back: ${status}`)
  return new URL(location)
}
