import type { z } from 'zod'
import type { MemoryPage } from '../../schemas/mind.ts'
import type { ReadHandle } from '../database/database.ts'
import { memoriesAfter } from './memories.ts'

/** Memories of one page; at their longest they are 3 MB. */
const PAGE = 100

/** The Mind's memories in the order in which they were told, from where the cursor stands. */
export async function exportPage(
  db: ReadHandle,
  mindKey: number,
  cursor: string | undefined
): Promise<z.input<typeof MemoryPage>> {
  const rows = await memoriesAfter(db, mindKey, Number(cursor ?? 0), PAGE)
  const last = rows.at(-1)
  return {
    memories: rows.map(({ seq: _, ...memory }) => memory),
    nextCursor: last && rows.length === PAGE ? String(last.seq) : null
  }
}
