// How every page of the sites is answered: nothing runs or loads but what is ours, and nothing is kept.
import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { isHttps } from './cookies.ts'

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'"
].join('; ')

const HEADERS = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  // Links in mails have their token in the URL: no other place learns it. `no-referrer` would take the Origin from
  // our own forms as well, and they would be refused as cross-site.
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  'X-Robots-Tag': 'noindex',
  'Cache-Control': 'no-store'
}

/** A year; the operator alone decides about other hosts below this one. */
const STRICT_TRANSPORT_SECURITY = 'max-age=31536000'

export async function page(c: Context, content: Child, status: ContentfulStatusCode = 200) {
  const html = await (await content)?.toString()
  if (isHttps(c)) c.header('Strict-Transport-Security', STRICT_TRANSPORT_SECURITY)
  return c.html(`<!doctype html>${html}`, status, HEADERS)
}
