// Who the Mind is about, from the facts that hold. Nothing is worked out here but which lines there is room for.
import { FACT_KINDS, foldValue } from './facts/fact.ts'
import { type FactHead, labelled, profileHeads } from './facts/heads.ts'
import { newestFirst } from './facts/resolve-slot.ts'
import { ELLIPSIS } from './port.ts'

const MAX_PROFILE_LENGTH = 2_000

/** Empty while nothing is known. The customer first, then the people whom the newest facts are about. */
export function profileOf(newest: readonly FactHead[]): string {
  const { heads, isCut } = profileHeads(newest)
  const groups = new Map<string, FactHead[]>()
  let left = MAX_PROFILE_LENGTH - `\n${ELLIPSIS}`.length
  let shown = 0
  for (const head of heads) {
    const key = foldValue(head.subject)
    const group = groups.get(key)
    left -= factLine(head).length + 1 + (group ? 0 : headingOf(head).length + 1)
    if (left < 0) break
    if (group) group.push(head)
    else groups.set(key, [head])
    shown += 1
  }
  const lines = [...groups.values()].sort(customerAndNewestFirst).flatMap(linesOf)
  return [...lines, ...(isCut || shown < heads.length ? [ELLIPSIS] : [])].join('\n')
}

function customerAndNewestFirst(a: readonly FactHead[], b: readonly FactHead[]): number {
  const [[first], [second]] = [a.toSorted(newestFirst), b.toSorted(newestFirst)]
  return first && second ? Number(!second.subject) - Number(!first.subject) || newestFirst(first, second) : 0
}

function linesOf(group: readonly FactHead[]): string[] {
  const [first] = group
  if (!first) return []
  const byKind = [...group].sort((a, b) => FACT_KINDS.indexOf(a.kind) - FACT_KINDS.indexOf(b.kind))
  return [headingOf(first), ...withJobsJoined(byKind).map(factLine)]
}

const headingOf = ({ subject }: FactHead): string => `About ${subject || 'the customer'}:`

/** A role and a company that one memory tells of are one line. */
function withJobsJoined(group: readonly FactHead[]): FactHead[] {
  const role = group.find(({ kind }) => kind === 'role')
  const company = group.find(({ kind }) => kind === 'company')
  if (!role || !company || role.seq !== company.seq) return [...group]
  const job = { ...role, value: `${role.value} at ${company.value}` }
  return group.filter((head) => head !== company).map((head) => (head === role ? job : head))
}

/** `Role: CFO at Northwind (2026-05-03, mem_…)` */
const factLine = (head: FactHead): string =>
  `${labelled(head, head.value)} (${dayOf(head.occurredAt)}, ${head.memoryId})`

const dayOf = (at: string): string => at.slice(0, 10)
