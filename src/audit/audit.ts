// Who did what, written in the transaction that does it.
import type { ExpressionBuilder } from 'kysely'
import { now } from '../clock.ts'
import type { WriteHandle } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import { newId } from '../ids.ts'
import { tellOfAct } from '../webhooks/events.ts'

export interface AuditAct {
  targetType:
    | 'customer'
    | 'team_member'
    | 'voice_agent'
    | 'mind'
    | 'memory'
    | 'customer_token'
    | 'connected_app'
    | 'instance'
    | 'api_key'
    | 'plan'
    | 'brand'
    | 'provider_key'
    | 'mail'
    | 'mail_text'
    | 'partner_user'
    | 'identity'
    | 'partner'
    | 'secret_key'
    | 'statement'
    | 'webhook'
  targetId: string
  /** Whose log it stands in where that isn't the caller's: nobody's for what is about no partner. */
  partnerId?: string | null
  /** Names of what changed; never the values. */
  fields?: readonly string[]
  /** What a webhook is told of it beside ids. */
  told?: object
}

interface Act extends AuditAct {
  partnerId: string | null
  /** Whose customer's timeline it belongs to, by id or short code, where the target doesn't say so. */
  customerId?: string | undefined
  /** Whose id the caller carries: an API key's, a customer's token's, a connected app's, of who was signed in; `operator`. */
  actor: string
  action: string
  requestId: string
}

export async function recordAct(tx: WriteHandle, { fields = [], told, ...act }: Act): Promise<void> {
  const row = { id: newId('aud'), ...act, fields: JSON.stringify(fields), createdAt: now() }
  const { customerId } = await tx
    .insertInto('audit')
    .values((eb) => ({ ...row, customerId: customerOf(eb, act) }))
    .returning('customerId')
    .executeTakeFirstOrThrow()
  await tellOfAct(tx, { ...act, fields }, customerId, told)
}

/** Where customers' things are, by what they are called here. */
const THINGS = {
  team_member: 'teamMember',
  mind: 'mind',
  customer_token: 'customerToken',
  connected_app: 'connectedApp',
  instance: 'instance',
  statement: 'statement'
} as const

function customerOf(eb: ExpressionBuilder<Tables, 'audit'>, { targetType, targetId, ...act }: Act) {
  if (targetType === 'customer') return targetId
  const { partnerId, customerId } = act
  if (customerId !== undefined)
    return eb
      .selectFrom('customer')
      .where('partnerId', '=', partnerId ?? '')
      .where((one) => one.or([one('id', '=', customerId), one('code', '=', customerId)]))
      .select('customer.id')
  const thing = targetType in THINGS && THINGS[targetType as keyof typeof THINGS]
  return thing ? eb.selectFrom(thing).where(`${thing}.id`, '=', targetId).select(`${thing}.customerId`) : null
}

declare module '../database/tables.ts' {
  interface Tables {
    audit: {
      id: string
      /** `null` for what the operator does that is about no partner. */
      partnerId: string | null
      actor: string
      action: string
      targetType: string
      targetId: string
      fields: string
      /** Of whom it is, if it is about a customer or what it has. */
      customerId: string | null
      requestId: string
      createdAt: string
    }
  }
}
