// A partner with a webhook at a receiver.
import type { Service } from '../../src/service.ts'
import { run, stringAt } from '../support/fixture.ts'
import type { Receiver } from './receiver.ts'

export const HOOKS_ENV = { WEBHOOK_ALLOW_PRIVATE: '1', WEBHOOK_RETRY_MS: '20' }

/** Adds a webhook of the partner's at the receiver, which knows its secret from then on; its id. */
export async function hook(
  service: Service,
  partnerId: string,
  receiver: Receiver,
  input: Record<string, unknown> = {}
): Promise<string> {
  const added = await run(service, partnerId, 'webhook_add', { url: receiver.url, ...input })
  receiver.secrets.push(stringAt(added, 'secret'))
  return stringAt(added, 'webhookId')
}
