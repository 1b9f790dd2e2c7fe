// What a client says of itself, when it registers (RFC 7591) or at the address that is its id (CIMD): only what we go by
// is read, and what the server decides is decided here.
import { z } from 'zod'
import { say } from '../../src/language/say.ts'

const LOOPBACKS = new Set(['localhost', '127.0.0.1', '[::1]'])
/** Schemes that an app has for itself, such as `cursor:`; none that a browser gives a meaning of its own. */
const PRIVATE_SCHEME =
  /^(?!(?:javascript|data|blob|file|about|vbscript|view-source|ws|wss|ftp|mailto|tel|intent):)[a-z][a-z0-9+.-]*:$/

/** An https address, one of this machine's own, or one of the app's own scheme; nothing that reads as another one. */
function isRedirect(uri: string): boolean {
  if (!URL.canParse(uri) || /[\s\\#*]/.test(uri) || /[^\x20-\x7e]/.test(uri)) return false
  const { protocol, hostname, username, password } = new URL(uri)
  if (username !== '' || password !== '') return false
  if (protocol === 'https:') return !LOOPBACKS.has(hostname)
  if (protocol === 'http:') return LOOPBACKS.has(hostname)
  return PRIVATE_SCHEME.test(protocol)
}

const Redirect = z
  .string()
  .max(500)
  .refine(isRedirect, 'must be an https address, one of this machine’s own, or one of the app’s own scheme')

const Line = z
  .string()
  .transform(
    (text) =>
      text
        .replaceAll(/[\p{C}\p{Z}]+/gu, ' ')
        .trim()
        .slice(0, 60) || undefined
  )
  .optional()
  .catch(undefined)

export const ClientMetadata = z
  .object({
    client_id: z.string().optional(),
    client_name: Line,
    redirect_uris: z.array(Redirect).min(1).max(20)
  })
  .transform((client) => ({
    ...client,
    // Nothing that a client on somebody's own machine could keep secret.
    token_endpoint_auth_method: 'none' as const,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    // A native one is let through on any port of its own machine.
    application_type: client.redirect_uris.every((uri) => uri.startsWith('https:')) ? 'web' : 'native'
  }))

/** What stands at a client's own address: everybody reads it, so there is no secret in it (CIMD §4.1). */
export const ClientDocument = z
  .looseObject({
    token_endpoint_auth_method: z
      .string()
      .regex(/^(?!client_secret_)/)
      .optional(),
    client_secret: z.undefined().optional(),
    client_secret_expires_at: z.undefined().optional()
  })
  .pipe(ClientMetadata)

/** Where the answer goes, as who decides about it reads it. */
export function destinationOf(redirectUri: string): string {
  const { protocol, host, hostname } = new URL(redirectUri)
  if (LOOPBACKS.has(hostname)) return say('an app on your own computer')
  return protocol === 'https:'
    ? host
    : say('the app that opens {scheme} on your device', { scheme: `${protocol}//` })
}
