// Whether assistants that run elsewhere can connect by address alone: they look it up, and send people there.
import type { Config } from '../config.ts'
import { AddressError } from '../net/addresses.ts'
import { UpstreamError } from '../net/fetch-json.ts'
import { fetchForeign } from '../net/foreign-document.ts'
import { type Finding, findingsOf } from './finding.ts'

const { ok, warn } = findingsOf('hosted assistants')
const METADATA = '/.well-known/oauth-protected-resource/api/mcp'

export async function checkSignIn({ publicUrl, oauthAllowPrivate: allowPrivate }: Config): Promise<Finding> {
  const url = publicUrl === undefined ? undefined : new URL(publicUrl)
  if (url?.protocol !== 'https:') {
    return warn(
      'Claude, ChatGPT and the like connect to https addresses alone. Local clients and keys work as they are.',
      'Set PUBLIC_URL to the https address that the internet reaches.'
    )
  }
  const address = url.origin + METADATA
  try {
    const asked = { tenant: '', allowPrivate, timeoutMs: 10_000, maxBytes: 65_536 }
    const { status, body } = await fetchForeign(address, asked)
    if (body.toString('utf8').includes(`"resource":"${url.origin}/api/mcp"`))
      return ok(`${url.origin} tells assistants how to sign in.`)
    return warn(
      `${address} answers ${status}, and doesn’t speak of ${url.origin}.`,
      'Have the proxy in front pass /.well-known, /oauth and /api on, with the Host header as it came.'
    )
  } catch (error) {
    if (!(error instanceof UpstreamError || error instanceof AddressError)) throw error
    return warn(
      `${address} can’t be read from here (${error.message}).`,
      'Start the service, and check DNS and TLS.'
    )
  }
}
