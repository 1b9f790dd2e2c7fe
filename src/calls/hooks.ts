// What providers tell of calls: a hint that one has ended, never the truth about it. The call is fetched by its id.
import { createHmac } from 'node:crypto'
import type { Selectable } from 'kysely'
import { z } from 'zod'
import type { Provider } from '../../schemas/voice-agent.ts'
import { MINUTE_MS } from '../clock.ts'
import type { ReadHandle, WriteHandle } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import { parseJson } from '../json-shape.ts'
import { randomToken } from '../keys/token.ts'
import { isSameSecret, type Secrets } from '../secrets.ts'
import { hookSecretContext, providerKeyContext } from '../voice-agents/providers/keys.ts'
import { PROVIDER_ID } from '../voice-agents/providers/port.ts'
import { ofAccount, type ProviderAccount } from '../voice-agents/store.ts'
import { refuseWithoutKey } from './sync-store.ts'

/** Where the providers tell of calls, below the service's address, with the hook's token behind it. */
export const HOOKS_PATH = '/api/hooks/calls'

type Hook = Selectable<Tables['providerKey']>

/** Whose address that is; nothing for a token that is nobody's. */
export const findHook = (db: ReadHandle, hookToken: string): Promise<Hook | undefined> =>
  db.selectFrom('providerKey').where('hookToken', '=', hookToken).selectAll().executeTakeFirst()

/**
 * The path that a provider tells of calls, and the secret by which provider A shows that it is; B signs with the API key.
 * They are made when first asked for.
 *
 * @throws ServiceError `provider_key_not_found`
 */
export async function hookOf(tx: WriteHandle, secrets: Secrets, account: ProviderAccount) {
  const keys = tx.selectFrom('providerKey').where(ofAccount(account)).selectAll()
  const { partnerId, provider, ...kept } = (await keys.executeTakeFirst()) ?? refuseWithoutKey()
  const context = hookSecretContext(partnerId, provider)
  const hookToken = kept.hookToken ?? randomToken()
  const sealedHookSecret = kept.sealedHookSecret ?? secrets.seal(randomToken(), context)
  const made = { hookToken, sealedHookSecret }
  await tx.updateTable('providerKey').set(made).where(ofAccount(account)).execute()
  const secret = provider === 'a' ? secrets.unseal(sealedHookSecret, context) : null
  return { path: `${HOOKS_PATH}/${hookToken}`, secret }
}

/** Whether it was the hook's provider that sent it, just now. */
export function isFromProvider(secrets: Secrets, hook: Hook, headers: Headers, body: Uint8Array): boolean {
  const { partnerId, provider, sealedKey, sealedHookSecret } = hook
  if (provider === 'b') {
    const key = secrets.unseal(sealedKey, providerKeyContext(partnerId, provider))
    const [, at = '', digest = ''] = /^v=(\d+),d=(\w+)$/.exec(headers.get('x-retell-signature') ?? '') ?? []
    return (
      isRecent(at) && isSameSecret(digest, createHmac('sha256', key).update(body).update(at).digest('hex'))
    )
  }
  if (sealedHookSecret === null) return false
  const secret = secrets.unseal(sealedHookSecret, hookSecretContext(partnerId, provider))
  const bearer = /^Bearer (.+)$/.exec(headers.get('authorization') ?? '')?.[1]
  const told = bearer ?? headers.get('x-vapi-secret')
  if (told !== null) return isSameSecret(told, secret)
  const at = headers.get('x-timestamp') ?? ''
  const digest = headers.get('x-signature')?.replace(/^sha256=/, '') ?? ''
  const wanted = createHmac('sha256', secret).update(`${at}.`).update(body).digest('hex')
  return isRecent(at) && isSameSecret(digest, wanted)
}

const LONGEST_WAY_MS = 5 * MINUTE_MS
/** What is less counts in seconds. */
const LEAST_MS = 1e11

function isRecent(at: string): boolean {
  const told = Number(at)
  const ms = told < LEAST_MS ? told * 1_000 : told
  return Math.abs(Date.now() - ms) <= LONGEST_WAY_MS
}

const CallId = z.string().regex(PROVIDER_ID)

const Events: Record<Provider, z.ZodType<string>> = {
  a: z
    .object({
      message: z.object({ type: z.literal('end-of-call-report'), call: z.object({ id: CallId }) })
    })
    .transform(({ message }) => message.call.id),
  b: z
    .object({ event: z.enum(['call_ended', 'call_analyzed']), call: z.object({ call_id: CallId }) })
    .transform(({ call }) => call.call_id)
}

/** A report brings all that was said, word by word. */
const REPORT = { depth: 64, values: 100_000 }

/** The call that has ended; nothing where it tells of anything else. @throws ServiceError `invalid_input` for no JSON */
export const endedCallIn = (provider: Provider, body: Uint8Array): string | undefined =>
  Events[provider].safeParse(parseJson(body, REPORT)).data
