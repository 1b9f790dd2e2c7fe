// What providers send of calls that have ended: half of it gets lost, and some comes twice, too late or from somebody else.
import { PROVIDERS, type Provider } from '../../schemas/voice-agent.ts'
import { run, stringAt } from '../support/fixture.ts'
import type { TestServer } from '../support/http.ts'
import { PROVIDER_KEY } from '../voice-agents/stand-in.ts'
import type { Dice } from './providers/dice.ts'
import { retellEvent, type VapiProof, vapiReport, type Webhook } from './providers/webhooks.ts'
import { MINUTE, versionNow, type World, type WorldCall } from './providers/world.ts'

const PROOFS: readonly VapiProof[] = ['bearer', 'secret', 'hmac']
const EVENTS = ['call_ended', 'call_analyzed', 'call_started'] as const
/** Longer ago than is believed. */
const TOO_LATE = 6 * MINUTE
const AT_ONCE = 10

interface Hook {
  path: string
  /** What the provider signs with. */
  secret: string
}

/** @returns sends what is to be sent of the calls that ended since; answers what was answered otherwise than it should be */
export async function makeHookSender(
  { url, service }: TestServer,
  partnerId: string,
  { world, dice }: { world: World; dice: Dice }
): Promise<(since: number) => Promise<string[]>> {
  const hookOf = async (provider: Provider): Promise<Hook> => {
    const hook = await run(service, partnerId, 'call_hook_get', { provider })
    const secret = provider === 'a' ? stringAt(hook, 'secret') : PROVIDER_KEY
    return { path: stringAt(hook, 'path'), secret }
  }
  const hooks: Record<Provider, Hook> = { a: await hookOf('a'), b: await hookOf('b') }

  function webhookOf(provider: Provider, call: WorldCall, secret: string, sentAt: number): Webhook {
    if (provider === 'b') return retellEvent(world, call, dice.pick(EVENTS), { key: secret, sentAt })
    const proof = sentAt < world.clock() - MINUTE ? 'hmac' : dice.pick(PROOFS)
    return vapiReport(world, call, { secret, proof, sentAt })
  }

  /** Each with the status that it should get. */
  function sendingsOf(provider: Provider, call: WorldCall): [Webhook, number][] {
    if (dice.chance(0.5)) return []
    const { secret } = hooks[provider]
    const now = world.clock()
    if (dice.chance(0.02)) return [[webhookOf(provider, call, `not-${secret}`, now), 401]]
    if (dice.chance(0.05)) return [[webhookOf(provider, call, secret, now - TOO_LATE), 401]]
    const good: [Webhook, number] = [webhookOf(provider, call, secret, now), 204]
    return dice.chance(0.2) ? [good, good] : [good]
  }

  return async (since) => {
    const wrong: string[] = []
    const sendings = PROVIDERS.flatMap((provider) => {
      const ended = world.calls[provider].filter(({ versions }) => {
        const at = versions.find(({ endedAt }) => endedAt !== null)?.at ?? 0
        return at > since && at < world.clock()
      })
      return ended
        .filter((call) => versionNow(world, call))
        .flatMap((call) => sendingsOf(provider, call).map((sending) => ({ provider, sending })))
    })
    for (let start = 0; start < sendings.length; start += AT_ONCE)
      await Promise.all(
        sendings
          .slice(start, start + AT_ONCE)
          .map(async ({ provider, sending: [{ body, headers }, wanted] }) => {
            const { status } = await fetch(url + hooks[provider].path, { method: 'POST', body, headers })
            if (status !== wanted) wrong.push(`${provider} got ${status}, not ${wanted}`)
          })
      )
    return wrong
  }
}
