// Where the customer's agents connect, and where this process itself listens.
import type { Context } from 'hono'
import type { Config } from '../../../src/config.ts'
import type { PageEnv } from '../env.ts'

export const GATEWAY_PATH = '/api/mcp'

/** The gateway as agents reach it: on the partner's own host where the portal stands there, else on ours. */
export function gatewayUrl({ publicUrl }: Config, c: Context<PageEnv>): string {
  const isOwnHost = c.get('site').base === ''
  const origin = isOwnHost ? c.get('origin') : (publicUrl ?? c.get('origin'))
  return origin + GATEWAY_PATH
}

export interface ListeningAddress {
  address: string
  port: number
}

/** The socket that this request came in on: nothing that a client says has a part in it. */
export function listeningAddress(c: Context<PageEnv>): ListeningAddress | undefined {
  const { localAddress: address, localPort: port } = c.env.incoming?.socket ?? {}
  return address === undefined || port === undefined ? undefined : { address, port }
}
