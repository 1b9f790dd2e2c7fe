import { Webhook } from 'standardwebhooks'
import { MindgateError } from './error.ts'
import type { webhooks } from './openapi.ts'

type BodyOf<Entry> = Entry extends {
  post: { requestBody?: { content: { 'application/json': infer Body } } }
}
  ? Body
  : never
type Documented = { [Name in keyof webhooks]: BodyOf<webhooks[Name]> }[keyof webhooks]

/** What a webhook tells, told apart by `type`. */
export type WebhookEvent = [Documented] extends [never]
  ? { type: string; timestamp: string; data: Record<string, unknown> }
  : Documented

/**
 * The event, once it is sure that Mindgate sent it, and in the last five minutes.
 *
 * @param secret the endpoint's, `whsec_…`
 * @param body as it came: parsed and written anew it is another one
 * @throws MindgateError `webhook_not_verified`
 */
export function verifyWebhook(
  secret: string,
  headers: Headers | Record<string, string | string[] | undefined>,
  body: string | Uint8Array
): WebhookEvent {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers)
  const named = Object.fromEntries(entries.map(([name, value]) => [name, String(value)]))
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  try {
    return new Webhook(secret).verify(text, named) as WebhookEvent
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new MindgateError('webhook_not_verified', `The webhook can’t be trusted: ${reason}.`, {}, error)
  }
}
