// What is going on lately: what changed in the last 30 days, and what the newest memories begin with.
import { DAY_MS } from '../../clock.ts'
import type { ReadHandle } from '../../database/database.ts'
import type { OpenedMemory } from '../engine.ts'
import { newestMemories } from '../memories.ts'
import { changesSince, type FactHead } from './facts/heads.ts'
import { changeLine, dayOf } from './facts/line.ts'
import { ELLIPSIS, fitLines } from './one-line.ts'

const MAX_SNAPSHOT_LENGTH = 2_000

/** So that a Mind where much changed shows what was told last, too. */
const MAX_CHANGES_LENGTH = 1_100

const CHANGES_WITHIN_MS = 30 * DAY_MS

const NEWEST = 8

/**
 * @param known every head of the Mind, where the caller has read them already
 * @param newest its memories, newest first, where the caller has read some already: all, or more than are shown
 */
export async function readSnapshot(
  db: ReadHandle,
  mindKey: number,
  nowIso: string,
  known?: readonly FactHead[],
  newest?: readonly OpenedMemory[]
): Promise<string> {
  const since = new Date(Date.parse(nowIso) - CHANGES_WITHIN_MS).toISOString()
  const { heads, isCut } = await changesSince(db, mindKey, since, known)
  const changes = [...heads.map(changeLine), ...(isCut ? [ELLIPSIS] : [])]
  const told = newest ?? (await newestMemories(db, mindKey, NEWEST, 0))
  const openings = told
    .slice(0, NEWEST)
    .map(({ id, opening, occurredAt }) => `${dayOf(occurredAt)} ${opening} (${id})`)
  const sections = [
    fitLines(headed('Changed in the last 30 days:', changes), MAX_CHANGES_LENGTH),
    ...headed('Told last:', openings)
  ]
  return fitLines(sections.filter(Boolean), MAX_SNAPSHOT_LENGTH)
}

const headed = (heading: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [heading, ...lines]
