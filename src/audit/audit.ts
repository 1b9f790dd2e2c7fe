// Who did what, written in the transaction that does it.
import { now } from '../clock.ts'
import type { WriteHandle } from '../database/database.ts'
import { newId } from '../ids.ts'

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
  targetId: string
  /** Whose log it stands in where that isn't the caller's: nobody's for what is about no partner. */
  partnerId?: string | null
  /** Names of what changed; never the values. */
  fields?: readonly string[]
}

interface Act extends AuditAct {
  partnerId: string | null
  /** Whose id the caller carries: an API key's, a customer's token's, a connected app's, of who was signed in; `operator`. */
  actor: string
  action: string
  requestId: string
}

export async function recordAct(tx: WriteHandle, { fields = [], ...act }: Act): Promise<void> {
  const row = { id: newId('aud'), ...act, fields: JSON.stringify(fields), createdAt: now() }
  await tx.insertInto('audit').values(row).execute()
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
      requestId: string
      createdAt: string
    }
  }
}
