// Who the Mind is about, from the facts that hold. Nothing is worked out here but which lines there is room for.
import { FACT_KINDS, FACT_LABELS, type FactKind, foldValue } from './facts/fact.ts'
import { type FactHead, newestHeads, profileHeads } from './facts/heads.ts'
import { ELLIPSIS, type ReadHandle } from './port.ts'

const MAX_PROFILE_LENGTH = 2_000

/** Empty while nothing is known. @param known the newest heads of the Mind, where the caller has read them already */
export async function readProfile(db: ReadHandle, mindKey: number, known?: readonly FactHead[]) {
  const { heads, isCut } = profileHeads(known ?? (await newestHeads(db, mindKey)))
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
  const customerFirst = [...groups].sort(([a], [b]) => Number(b === '') - Number(a === ''))
  const lines = customerFirst.flatMap(([, group]) => linesOf(group))
  return [...lines, ...(isCut || shown < heads.length ? [ELLIPSIS] : [])].join('\n')
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

const labelled = (kind: FactKind, value: string): string => `${FACT_LABELS[kind]}: ${value}`

/** `Role: CFO at Northwind (2026-05-03, mem_…)` */
const factLine = ({ kind, value, occurredAt, memoryId }: FactHead): string =>
  `${labelled(kind, value)} (${dayOf(occurredAt)}, ${memoryId})`

const dayOf = (at: string): string => at.slice(0, 10)
