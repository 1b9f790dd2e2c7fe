// Who an actor's id stands for, in words.
import type { ReadHandle } from '../database/database.ts'

/**
 * The name of an API key or a customer's token, the e-mail of who was signed in; ids of the partner's own only. Who is
 * gone has none.
 */
export async function namesOfActors(
  db: ReadHandle,
  partnerId: string,
  actors: readonly string[]
): Promise<Map<string, string>> {
  const ids = [...new Set(actors)]
  if (ids.length === 0) return new Map()
  const [keys, tokens, users, identities] = await Promise.all([
    db
      .selectFrom('apiKey')
      .where('partnerId', '=', partnerId)
      .where('id', 'in', ids)
      .select(['id', 'name'])
      .execute(),
    db
      .selectFrom('customerToken')
      .where('partnerId', '=', partnerId)
      .where('id', 'in', ids)
      .select(['id', 'name'])
      .execute(),
    db
      .selectFrom('partnerUser')
      .where('partnerId', '=', partnerId)
      .where('id', 'in', ids)
      .select(['id', 'email as name'])
      .execute(),
    db
      .selectFrom('identity')
      .where('partnerId', '=', partnerId)
      .where('id', 'in', ids)
      .select(['id', 'email as name'])
      .execute()
  ])
  return new Map([...keys, ...tokens, ...users, ...identities].map(({ id, name }) => [id, name]))
}
