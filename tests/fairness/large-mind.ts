// A Mind of very many memories, made in seconds: what it was told is told again and again.
import { sql } from 'kysely'
import { questionOf, randomFrom, tellMinds } from '../../bench/memory-crowd.ts'
import { SCOPES } from '../../schemas/api-key.ts'
import type { Service } from '../../src/service.ts'
import type { MemoryFixture } from '../mcp/memory-fixture.ts'
import { run, stringAt } from '../support/fixture.ts'

const TOLD = 1_000

/** The id of a new Mind of so many memories, a multiple of 1,000. */
export async function makeLargeMind(
  service: Service,
  fixture: MemoryFixture,
  memories: number
): Promise<string> {
  const { partner, customerId } = fixture
  const { partnerId } = partner
  const made = await run(service, partnerId, 'memory_create_mind', { customerId, name: 'Large' })
  const mindId = stringAt(made, 'mindId')
  const { key } = await service.database.read
    .selectFrom('mind')
    .where('id', '=', mindId)
    .select('key')
    .executeTakeFirstOrThrow()
  const caller = { partnerId, actor: 'test', scopes: new Set(SCOPES) }
  const told = { service, caller, customerId, dataDir: '', close: async () => undefined }
  await tellMinds(told, [{ key, size: TOLD }])
  await service.database.transaction(async (tx) => {
    for (let offset = TOLD; offset < memories; offset += TOLD) await repeat(offset)
    await sql`update "mindStat" set "memoryCount" = ${memories}, "termCount" = "termCount" * ${memories / TOLD}
      where "mindKey" = ${key}`.execute(tx)
    const counts = { memoryCount: memories, nextSeq: memories + 1 }
    await tx.updateTable('mind').set(counts).where('key', '=', key).execute()

    async function repeat(offset: number) {
      await sql`insert into "memory" select "mindKey", "seq" + ${offset}, "id" || ${`x${offset}`}, "contentHash" || ${offset},
        "author", "language", "opening", "termCount", "postingCount", "turn", "traits", "dates", "occurredAt", "createdAt",
        "content" from "memory" where "mindKey" = ${key} and "seq" <= ${TOLD}`.execute(tx)
      await sql`insert into "posting" select "mindKey", "term", "seq" + ${offset}, "mark" from "posting"
        where "mindKey" = ${key} and "seq" <= ${TOLD}`.execute(tx)
    }
  })
  return mindId
}

/** Questions of frequent words and rare ones, and now and then one of very many. */
export function askingOf(seed: number): () => string {
  const random = randomFrom(seed)
  let asked = 0
  return () => {
    asked += 1
    return asked % 4 === 0
      ? Array.from({ length: 4 }, () => questionOf(random)).join(' ')
      : questionOf(random)
  }
}
