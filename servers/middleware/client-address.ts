// Where a request came from, behind as many proxies as the operator says.
import { isIP } from 'node:net'
import { getConnInfo } from '@hono/node-server/conninfo'
import type { Context } from 'hono'

/**
 * The client's IP address; `undefined` when the request came through no socket, as in a test without a server.
 * @param trustedProxies how many proxies stand in front. Each adds its peer to the right of X-Forwarded-For, so the
 *   client is that many entries from the right, and whatever it wrote there itself stands further left.
 */
export function clientAddress(c: Context, trustedProxies: number): string | undefined {
  const peer = c.env?.incoming?.socket ? getConnInfo(c).remote.address : undefined
  if (trustedProxies === 0) return peer
  const hops = c.req.header('x-forwarded-for')?.split(',') ?? []
  const entry = hops[Math.max(0, hops.length - trustedProxies)]
  return (entry && withoutPort(entry.trim())) || peer
}

/** Some proxies write `192.0.2.1:4711` or `[2001:db8::1]:4711`; what is no address at all is empty. */
function withoutPort(entry: string): string {
  const bare = /^\[([^\]]*)\](?::\d+)?$/.exec(entry)?.[1] ?? /^([\d.]+):\d+$/.exec(entry)?.[1] ?? entry
  return isIP(bare) === 0 ? '' : bare
}
