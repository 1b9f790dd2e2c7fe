// What both providers send when a call has ended, signed as they sign it.
import { createHmac } from 'node:crypto'
import { fieldsOf } from './retell.ts'
import { itemOf } from './vapi.ts'
import { versionNow, type World, type WorldCall } from './world.ts'

export interface Webhook {
  body: string
  headers: Record<string, string>
}

/** The three ways in which Vapi shows that it is Vapi. */
export type VapiProof = 'bearer' | 'secret' | 'hmac'

/** https://docs.vapi.ai/server-url/events: the report at the end of a call. `sentAt` is when it was signed. */
export function vapiReport(
  world: World,
  call: WorldCall,
  { secret, proof, sentAt = world.clock() }: { secret: string; proof: VapiProof; sentAt?: number }
): Webhook {
  const version = versionNow(world, call)
  if (!version) throw new Error(`There is no call ${call.id} yet`)
  const item: unknown = JSON.parse(itemOf(call, version))
  const report = {
    type: 'end-of-call-report',
    timestamp: sentAt,
    endedReason: 'customer-ended-call',
    call: item
  }
  const body = JSON.stringify({ message: report })
  return { body, headers: { 'content-type': 'application/json', ...PROOFS[proof](secret, body, sentAt) } }
}

const PROOFS: Record<VapiProof, (secret: string, body: string, at: number) => Record<string, string>> = {
  bearer: (secret) => ({ authorization: `Bearer ${secret}` }),
  secret: (secret) => ({ 'x-vapi-secret': secret }),
  hmac: (secret, body, at) => ({
    'x-timestamp': String(at),
    'x-signature': createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')
  })
}

/** https://docs.retellai.com/features/webhook: with the account's key, over the body and the milliseconds. */
export function retellEvent(
  world: World,
  call: WorldCall,
  event: 'call_started' | 'call_ended' | 'call_analyzed',
  { key, sentAt = world.clock() }: { key: string; sentAt?: number }
): Webhook {
  const version = versionNow(world, call)
  if (!version) throw new Error(`There is no call ${call.id} yet`)
  const { call_cost: _, ...told } = fieldsOf(call, version)
  const body = JSON.stringify({ event, call: told })
  const digest = createHmac('sha256', key).update(`${body}${sentAt}`).digest('hex')
  const headers = { 'content-type': 'application/json', 'x-retell-signature': `v=${sentAt},d=${digest}` }
  return { body, headers }
}
