// How the browser names this service: scheme and host. The scheme is known from the configuration or from a proxy that
// is trusted; the host is the request's own, which nobody but its sender can choose.
import type { Context } from 'hono'
import type { Config } from '../../../src/config.ts'
import type { DoorEnv } from '../../middleware/door-env.ts'

/** The host that the request is for, as a URL writes it: lower case, without a default port. */
export function requestHost(c: Context<DoorEnv>): string {
  const host = c.req.header('host') ?? ''
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).host : ''
}

/**
 * The origin of this request's place.
 *
 * @param approved the partner's own origin, when the request is for it
 */
export function originOf(
  c: Context<DoorEnv>,
  { publicUrl, trustedProxies }: Pick<Config, 'publicUrl' | 'trustedProxies'>,
  approved: string | undefined
): string {
  const known = approved ?? publicUrl
  const isHttps = known?.startsWith('https:') || forwardedScheme(c, trustedProxies) === 'https'
  return new URL(`${isHttps ? 'https' : 'http'}://${requestHost(c) || 'localhost'}`).origin
}

/** What the outermost trusted proxy was asked by; without one the header is anybody's. */
function forwardedScheme(c: Context<DoorEnv>, trustedProxies: number): string | undefined {
  if (trustedProxies === 0) return undefined
  const hops = c.req.header('x-forwarded-proto')?.split(',') ?? []
  return hops[Math.max(0, hops.length - trustedProxies)]?.trim().toLowerCase()
}
