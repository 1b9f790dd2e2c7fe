import type { Adapter, AdapterPayload } from 'oidc-provider'
import { openRecords } from '../../src/connected-apps/records.ts'
import { endAppItself } from '../../src/connected-apps/store.ts'
import type { Service } from '../../src/service.ts'

/** Where oidc-provider keeps what it calls by that name. It remembers nobody's session: who signs in is ours to know. */
export function adapterFor({ database }: Service, kind: string): Adapter {
  const records = openRecords(database, kind)
  const isSession = kind === 'Session'
  return {
    find: async (id) =>
      isSession ? undefined : ((await records.find(id)) satisfies AdapterPayload | undefined),
    async upsert(id, payload, expiresIn) {
      if (isSession) return
      // A client is registered without an end, and swept unless somebody lets it in.
      await records.save(id, payload, kind === 'Client' ? UNUSED_CLIENT_SECONDS : expiresIn)
    },
    async consume(id) {
      const { errors } = await import('oidc-provider')
      if (!(await records.consume(id))) throw new errors.InvalidGrant('it was used already')
    },
    destroy: async (id) => records.remove(id),
    // An app's id is its grant's, which goes, too: the library alone would leave it where an access token is given back.
    revokeByGrantId: (appId) => endAppItself(database, appId),
    findByUid: async () => undefined,
    findByUserCode: async () => undefined
  }
}

const UNUSED_CLIENT_SECONDS = 86_400
