// Which readers a clause goes to: those of its verb, so that most sentences meet none.
import type { Clause } from './clause.ts'
import { EVENT_READERS } from './read-events.ts'
import { LIFE_READERS } from './read-life.ts'
import { PLAN_READERS, readAhead } from './read-plans.ts'
import { RELATION_READERS } from './read-possessed.ts'
import { TASTE_READERS } from './read-taste.ts'
import { WISH_READERS } from './read-wishes.ts'
import { WORK_READERS } from './read-work.ts'
import type { Finding, Reader } from './reading.ts'

const byVerb = new Map<string, Reader[]>()
for (const reader of [
  ...WORK_READERS,
  ...LIFE_READERS,
  ...RELATION_READERS,
  ...TASTE_READERS,
  ...WISH_READERS,
  ...PLAN_READERS,
  ...EVENT_READERS
]) {
  for (const verb of reader.verbs) byVerb.set(verb, [...(byVerb.get(verb) ?? []), reader])
}

export const hasReaders = (verb: string): boolean => byVerb.has(verb)

export function readClause(clause: Clause): Finding[] {
  const found = (byVerb.get(clause.verb) ?? []).flatMap((reader) => reader.read(clause))
  return found.length > 0 ? found : [...readAhead(clause)]
}
