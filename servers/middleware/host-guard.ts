// DNS rebinding: a web page must not reach this service through the reader's own browser.
import { isIPv6 } from 'node:net'
import { validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server'
import type { Context, MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'
import type { Config } from '../../src/config.ts'
import { partnerOfHost } from '../../src/partners/portal-site.ts'
import type { Service } from '../../src/service.ts'

const OWN_HOSTS = ['localhost', '127.0.0.1', '[::1]']
/** So many spellings of the allowed hosts, with their ports, are worth remembering. */
const MAX_KNOWN = 100
const WILDCARD_HOSTS = ['0.0.0.0', '::', '']

const REQUEST_HEADERS = [
  'Authorization',
  'Content-Type',
  'Accept',
  'MCP-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
  'Mcp-Session-Id',
  'Last-Event-ID',
  'Idempotency-Key',
  'X-API-Key',
  'X-Request-Id'
]

/** Answers 403 in the words of a gateway. */
type Refuse = (c: Context, message: string) => Response

/**
 * Refuses other hosts and origins than this machine's, PUBLIC_URL's, ALLOWED_HOSTS' and those of partners' own portals
 * with 403, and lets pages of the allowed ones read the answers.
 */
export function hostGuard({ config, database }: Service, refuse: Refuse): MiddlewareHandler {
  const hostnames = allowedHostnames(config)
  const isPartners = async (url: string) =>
    URL.canParse(url) && (await partnerOfHost(database.read, new URL(url).host)) !== undefined
  // A header that has passed once passes from then on; there are only as many as hosts × ports in use.
  const known = new Set<string>()
  const allowPage = cors({
    origin: (origin) => origin,
    allowMethods: ['POST'],
    allowHeaders: REQUEST_HEADERS,
    exposeHeaders: ['WWW-Authenticate', 'Mcp-Session-Id', 'Retry-After', 'X-Request-Id'],
    maxAge: 86_400
  })
  return async function checkHost(c, next) {
    const host = c.req.header('host')
    if (host === undefined || !known.has(host)) {
      if (validateHostHeader(host, hostnames).ok) {
        if (host !== undefined && known.size < MAX_KNOWN) known.add(host)
      } else if (!(await isPartners(`http://${host}`))) return refuse(c, 'This host is not served here.')
    }
    const origin = c.req.header('origin')
    if (origin === undefined) return next()
    if (origin === '' || !(validateOriginHeader(origin, hostnames).ok || (await isPartners(origin))))
      return refuse(c, 'Pages of this origin are not served.')
    return allowPage(c, next)
  }
}

export const isOwnHost = (config: Config, host: string): boolean =>
  validateHostHeader(host, allowedHostnames(config)).ok

function allowedHostnames({ host, publicUrl, allowedHosts }: Config): string[] {
  const listenedOn = WILDCARD_HOSTS.includes(host) ? [] : [host]
  const named = [...listenedOn, ...allowedHosts].map(hostnameOf)
  return [...OWN_HOSTS, ...(publicUrl ? [new URL(publicUrl).hostname] : []), ...named]
}

/** As a URL writes it: lower case, without a port, IPv6 in brackets. */
function hostnameOf(host: string): string {
  const url = `http://${isIPv6(host) ? `[${host}]` : host}`
  return URL.canParse(url) ? new URL(url).hostname : host
}

/** The request's own address as clients know it, without a query. */
export const ownUrl = ({ config }: Service, { req }: Context): string =>
  (config.publicUrl ?? new URL(req.url).origin) + req.path
