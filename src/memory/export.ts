import type { ReadHandle } from '../database/database.ts'
import { bytesAfter, memoriesAfter } from './memories.ts'

const PAGE = 100
const PAGE_BYTES = 64 * 1024

export async function exportPage(db: ReadHandle, mindKey: number, cursor: string | undefined) {
  const after = Number(cursor ?? 0)
  const sizes = await bytesAfter(db, mindKey, after, PAGE)
  let [count, room] = [0, PAGE_BYTES]
  while (room > 0 && count < sizes.length) room -= sizes[count++]?.bytes ?? 0
  const rows = await memoriesAfter(db, mindKey, after, count)
  return {
    memories: rows.map(({ seq: _, ...memory }) => memory),
    nextCursor: count < sizes.length || count === PAGE ? String(rows.at(-1)?.seq ?? after) : null
  }
}
