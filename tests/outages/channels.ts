// Every channel, and one request at it that a well database answers.
import { mintCustomerToken } from '../../src/keys/credentials.ts'
import { makeAgent } from '../ai-gateway/agents.ts'
import { call, modern, modernHeaders, request } from '../mcp/messages.ts'
import { CONSOLE_PASSWORD, enterConsole } from '../portal/console-visitor.ts'
import { makePortalCustomer } from '../portal/customer-visitors.ts'
import { makeKey, unique, uniqueEmail } from '../support/fixture.ts'
import type { TestServer } from '../support/http.ts'
import { makeInstance } from '../support/instances.ts'

export const METRICS_TOKEN = 'a-token-for-the-metrics'

/** Who asks at the channels. */
export interface Callers {
  url: string
  partnerKey: string
  customerId: string
  /** One whose sessions nobody needs. */
  blockedId: string
  customerToken: string
  slug: string
  portalCookie: string
  consoleCookie: string
  consoleEmail: string
  instanceId: string
  aiKey: string
  /** Each for one to be revoked. */
  spareKeyIds: string[]
}

export async function makeCallers(server: TestServer): Promise<Callers> {
  const { service, partner, url } = server
  const { customerId, owner } = await makePortalCustomer(server)
  const { token } = await service.database.transaction((tx) =>
    mintCustomerToken(tx, partner.partnerId, customerId, { name: 'test' })
  )
  await enterConsole(server, partner)
  const { email } = await service.database.read
    .selectFrom('partnerUser')
    .where('partnerId', '=', partner.partnerId)
    .select('email')
    .executeTakeFirstOrThrow()
  const callers = {
    url,
    partnerKey: partner.key,
    customerId,
    blockedId: (await makePortalCustomer(server)).customerId,
    customerToken: token,
    slug: partner.slug,
    portalCookie: owner.identity.cookie,
    consoleCookie: '',
    consoleEmail: email,
    instanceId: (await makeInstance(service, partner.partnerId, customerId)).id,
    aiKey: (await makeAgent(service)).key,
    spareKeyIds: await Promise.all(
      Array.from({ length: 9 }, async () => (await makeKey(service, partner.partnerId)).keyId)
    )
  }
  const signedIn = await signIn(callers)
  await signedIn.text()
  const consoleCookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  return { ...callers, consoleCookie }
}

/** How a channel words a refusal. */
export type Shape = 'envelope' | 'json-rpc' | 'tool result' | 'chat' | 'openai' | 'page' | 'probe'

export interface Channel {
  name: string
  shape: Shape
  /** Asks for something that is written; the others only read. */
  writes?: true
  ask(callers: Callers): Promise<Response>
}

const json = (key: string | undefined, body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    ...headers
  },
  body: JSON.stringify(body)
})
const bearer = (key: string): RequestInit => ({ headers: { authorization: `Bearer ${key}` } })
const browsing = (cookie = ''): RequestInit => ({
  redirect: 'manual',
  headers: { accept: 'text/html', ...(cookie ? { cookie } : {}) }
})
const sending = (cookie: string, fields: Record<string, string>): RequestInit => ({
  method: 'POST',
  redirect: 'manual',
  headers: { accept: 'text/html', 'sec-fetch-site': 'same-origin', ...(cookie ? { cookie } : {}) },
  body: new URLSearchParams(fields)
})
const signIn = ({ url, consoleEmail: email }: Callers): Promise<Response> =>
  fetch(`${url}/console/sign-in`, sending('', { email, password: CONSOLE_PASSWORD }))
const chatPath = ({ url, instanceId }: Callers) =>
  `${url}/api/whitelabel/vps/instances/${instanceId}/cli-agent/chat`
const remember = (callers: Callers) => ({ customerId: callers.customerId, content: unique('The code is ') })

export const channels: readonly Channel[] = [
  {
    name: 'REST, reading',
    shape: 'envelope',
    ask: ({ url, partnerKey }) => fetch(`${url}/api/v1/mcp/customers`, bearer(partnerKey))
  },
  {
    name: 'REST, writing',
    shape: 'envelope',
    writes: true,
    ask: ({ url, partnerKey }) =>
      fetch(`${url}/api/v1/mcp/customers`, json(partnerKey, { email: uniqueEmail() }))
  },
  {
    name: 'REST, writing with an idempotency key',
    shape: 'envelope',
    writes: true,
    ask: ({ url, partnerKey }) =>
      fetch(
        `${url}/api/v1/mcp/customers`,
        json(partnerKey, { email: uniqueEmail() }, { 'idempotency-key': unique('key') })
      )
  },
  {
    name: 'the customer gateway, initialize',
    shape: 'json-rpc',
    ask: ({ url, customerToken }) =>
      fetch(
        `${url}/api/mcp`,
        json(customerToken, request('initialize', { protocolVersion: '2025-11-25', capabilities: {} }))
      )
  },
  {
    name: 'the partner gateway, tools/list',
    shape: 'json-rpc',
    ask: ({ url, partnerKey }) => fetch(`${url}/api/partner-mcp`, json(partnerKey, request('tools/list')))
  },
  {
    name: 'the customer gateway, tools/call',
    shape: 'tool result',
    writes: true,
    ask: ({ url, customerToken }) => {
      const message = call('internal_memory_remember', { content: unique('The code is ') })
      return fetch(`${url}/api/mcp`, json(customerToken, message))
    }
  },
  {
    name: 'the partner gateway, tools/call of 2026-07-28',
    shape: 'tool result',
    writes: true,
    ask: ({ url, partnerKey }) => {
      const message = call('customer_create', { email: uniqueEmail() })
      return fetch(`${url}/api/partner-mcp`, json(partnerKey, modern(message), modernHeaders(message)))
    }
  },
  {
    name: 'plain tools, reading',
    shape: 'envelope',
    ask: ({ url, customerToken }) =>
      fetch(`${url}/api/mcp/tools/internal_memory_recall`, json(customerToken, {}))
  },
  {
    name: 'plain tools, writing',
    shape: 'envelope',
    writes: true,
    ask: (callers) =>
      fetch(
        `${callers.url}/api/partner-mcp/tools/memory_remember`,
        json(callers.partnerKey, remember(callers))
      )
  },
  {
    name: 'the chat’s history',
    shape: 'chat',
    ask: (callers) => fetch(`${chatPath(callers)}/history`, { headers: { cookie: callers.portalCookie } })
  },
  {
    name: 'the chat',
    shape: 'chat',
    writes: true,
    ask: (callers) => {
      const headers = { cookie: callers.portalCookie, 'sec-fetch-site': 'same-origin' }
      return fetch(chatPath(callers), json(undefined, { message: 'hello' }, headers))
    }
  },
  {
    name: 'the portal’s session',
    shape: 'envelope',
    ask: ({ url, portalCookie: cookie }) => fetch(`${url}/api/whitelabel/session`, { headers: { cookie } })
  },
  {
    name: 'the AI gateway',
    shape: 'openai',
    ask: ({ url, aiKey }) => fetch(`${url}/ai/v1/models`, bearer(aiKey))
  },
  {
    name: 'a page of the portal',
    shape: 'page',
    ask: ({ url, slug, portalCookie }) => fetch(`${url}/portal/${slug}`, browsing(portalCookie))
  },
  {
    name: 'the portal’s sign-in',
    shape: 'page',
    ask: ({ url, slug }) => fetch(`${url}/portal/${slug}/sign-in`, browsing())
  },
  {
    name: 'a form of the portal',
    shape: 'page',
    writes: true,
    ask: ({ url, slug, portalCookie }) =>
      fetch(
        `${url}/portal/${slug}/team/invite`,
        sending(portalCookie, { name: 'Grace', email: uniqueEmail(), role: 'member' })
      )
  },
  {
    name: 'the link of a mail',
    shape: 'page',
    ask: ({ url, slug }) => fetch(`${url}/portal/${slug}/reset?token=${'a'.repeat(43)}`, browsing())
  },
  {
    name: 'a page of the console',
    shape: 'page',
    ask: ({ url, consoleCookie }) => fetch(`${url}/console/customers`, browsing(consoleCookie))
  },
  { name: 'the console’s sign-in', shape: 'page', writes: true, ask: signIn },
  {
    name: 'a button on a list of the console',
    shape: 'page',
    writes: true,
    ask: ({ url, spareKeyIds, consoleCookie }) =>
      fetch(`${url}/console/keys/${spareKeyIds.pop()}/revoke`, sending(consoleCookie, {}))
  },
  {
    name: 'a form of the console',
    shape: 'page',
    writes: true,
    ask: ({ url, blockedId, consoleCookie }) =>
      fetch(`${url}/console/customers/${blockedId}/portal-access/invite`, sending(consoleCookie, {}))
  },
  {
    name: 'what may be a portal’s own host',
    shape: 'page',
    ask: ({ url }) => fetch(`${url}/memory`, browsing())
  },
  {
    name: 'a logo',
    shape: 'envelope',
    ask: ({ url }) => fetch(`${url}/logos/ptn_some/${'a'.repeat(32)}.webp`)
  },
  {
    name: 'a certificate’s host',
    shape: 'envelope',
    ask: ({ url }) => fetch(`${url}/api/whitelabel/host?domain=portal.example`)
  },
  {
    name: 'the metrics',
    shape: 'envelope',
    ask: ({ url }) => fetch(`${url}/metrics`, bearer(METRICS_TOKEN))
  },
  { name: '/readyz', shape: 'probe', writes: true, ask: ({ url }) => fetch(`${url}/readyz`) }
]
