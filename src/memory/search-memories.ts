// Memories that fit a search, page by page, without an answer and without a charge.
import { z } from 'zod'
import type { FoundMemories, SearchMemories } from '../../schemas/mind.ts'
import { invalidField } from '../invalid-input.ts'
import { jsonIn } from '../json-shape.ts'
import { recordUsage } from '../llm/usage.ts'
import type { ExternalContext } from '../operation.ts'
import { boundsOf } from '../usage/span.ts'
import { withinDeadline } from './availability.ts'
import type { Position } from './engine.ts'
import type { OpenMind } from './gate.ts'
import { memoriesAt, withCorrections } from './memories.ts'
import { lockMind, type Owner } from './minds.ts'
import { LONGEST_SHOWN, shownTexts } from './recall.ts'

type Page = z.input<typeof FoundMemories>

/** @throws ServiceError `invalid_input`, `memory_rate_limited`, `memory_unavailable` */
export async function searchMemories(
  ctx: ExternalContext<Page>,
  { owner, mind }: { owner: Owner; mind: OpenMind | undefined },
  { cursor, ...asked }: Omit<z.output<typeof SearchMemories>, 'customerId' | 'mindId'>
): Promise<Page> {
  const { query, about, author } = asked
  const sought = query ?? about ?? author
  // Days are UTC's, as an answer quotes them.
  const period = boundsOf({ from: asked.since, to: asked.until }, 'UTC')
  if (period.since && period.until && period.since >= period.until)
    throw invalidField('since', 'must be earlier than the end of the period')
  const position = cursor === undefined ? undefined : positionAt(cursor, query !== undefined)
  // What is only listed costs its own rows.
  if (sought !== undefined) await ctx.limitMemory(owner.customerId, sought)
  if (!mind) return { memories: [], nextCursor: null, degraded: false }
  const wanted = { ...asked, ...period, position }
  const { seqs, next, degraded, usage } = await withinDeadline(
    ctx.config.memoryDeadlineMs,
    ctx.signal,
    (signal) => ctx.memoryEngine.search(ctx.db, mind, wanted, signal)
  )
  const memories = await memoriesAt(ctx.db, mind.key, seqs, LONGEST_SHOWN)
  const shown = shownTexts(memories, 0)
  const page = {
    memories: (await withCorrections(ctx.db, mind.key, memories)).map((memory, i) => ({
      ...memory,
      content: shown[i] ?? ''
    })),
    nextCursor: next && Buffer.from(JSON.stringify(next)).toString('base64url'),
    degraded
  }
  if (usage.length === 0) return page
  return ctx.transaction(async (tx) => {
    await lockMind(tx, owner, mind.id)
    await recordUsage(tx, mind.key, usage)
    return page
  })
}

const Place = z
  .int()
  .min(0)
  .max(2 ** 31 - 1)
const Told = z.strictObject({ seq: Place, occurredAt: z.iso.datetime() })
const Given = z.strictObject({ given: z.array(Place).max(1_000) })

/** It may have been made by hand: it says where to go on, and never in which Mind. */
function positionAt(cursor: string, isRanked: boolean): Position {
  const read = jsonIn(Buffer.from(cursor, 'base64url').toString())
  const position = (isRanked ? Given : Told).safeParse(read)
  if (position.success) return position.data
  throw invalidField('cursor', 'must be the nextCursor of a page of the same search')
}
