// What a search makes of one Mind, in a form that can be held against another one's.
import { searchMind } from '../../src/memory/embedded/search.ts'
import type { Service } from '../../src/service.ts'

/** Everything that the searches say but the ids, which are made up. */
export async function rankings(
  service: Service,
  mindKey: number,
  questions: readonly string[]
): Promise<string> {
  const found = []
  for (const question of questions) {
    const { hits, ...figures } = await searchMind(service.database.read, mindKey, question, { limit: 50 })
    found.push({ question, figures, hits: hits.map(({ memoryId: _, ...hit }) => hit) })
  }
  return JSON.stringify(found, undefined, 1)
}
