import { now } from '../../src/clock.ts'
import type { WriteHandle } from '../../src/database/database.ts'
import { newId } from '../../src/ids.ts'
import type { Secrets } from '../../src/secrets.ts'
import { webhookContext } from '../../src/webhooks/store.ts'

/** A webhook that is switched off, where no name server leads. Its secret was exchanged a moment ago; its id. */
export async function makeWebhookRow(
  tx: WriteHandle,
  secrets: Secrets,
  partnerId: string,
  secret = 'whsec_c2VjcmV0'
): Promise<string> {
  const id = newId('whk')
  const sealed = secrets.seal(secret, webhookContext(id))
  const nothing = {
    trouble: null,
    failingSince: null,
    fullSince: null,
    leaseOwner: null,
    leaseExpiresAt: null
  }
  const flags = { inOrder: 0, isActive: 0, isRemoved: 0, failures: 0 } as const
  const times = { formerSecretUntil: now(), lookAt: now(), createdAt: now() }
  await tx
    .insertInto('webhook')
    .values({
      ...{
        ...nothing,
        ...flags,
        ...times,
        id,
        partnerId,
        url: 'https://hooks.invalid',
        name: '',
        types: '[]'
      },
      ...{ sealedSecret: sealed, formerSealed: sealed }
    })
    .execute()
  return id
}
