// An operation whose work goes beyond the database, and counts there how often it began and how often it was settled.
import { z } from 'zod'
import type { ReadHandle, WriteHandle } from '../../src/database/database.ts'
import { type AnyOperation, defineOperation } from '../../src/operation.ts'

export const OUTSIDE_PATH = '/test/outside'
export const DEADLINE_MS = 60_000

interface Conduct {
  /** What happens outside; it must end when the signal aborts. */
  outside?(signal: AbortSignal): Promise<unknown>
  /** Runs once the answer is settled, before it leaves. */
  afterwards?(): Promise<unknown>
  deadlineMs?: number
}

/** Begins in one transaction, goes outside, and settles in another; with `settles` false it just answers. */
export const outsideWork = ({ outside, afterwards, deadlineMs = DEADLINE_MS }: Conduct = {}): AnyOperation =>
  defineOperation({
    name: 'test_outside',
    title: 'Work outside',
    summary: 'Works outside.',
    scope: 'customers:write',
    channels: ['rest', 'mcp'],
    http: { method: 'post', path: OUTSIDE_PATH, group: 'Customers' },
    input: z.strictObject({ counter: z.string(), settles: z.boolean().default(true) }),
    output: z.object({ counter: z.string(), run: z.int() }),
    annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
    errors: [],
    deadlineMs,
    async handle(ctx, _, { counter, settles }) {
      const run = await ctx.step((tx) => countOne(tx, begunName(counter)))
      await outside?.(ctx.signal)
      if (!settles) return { counter, run }
      const answer = await ctx.transaction(async (tx) => {
        await countOne(tx, settledName(counter))
        return { counter, run }
      })
      await afterwards?.()
      return answer
    }
  })

/** How often the work began and how often it was settled, as committed. */
export async function countsOf(db: ReadHandle, counter: string): Promise<{ begun: number; settled: number }> {
  const count = async (name: string) => {
    const row = await db.selectFrom('setting').where('name', '=', name).select('value').executeTakeFirst()
    return row?.value.length ?? 0
  }
  return { begun: await count(begunName(counter)), settled: await count(settledName(counter)) }
}

const begunName = (counter: string): string => `${counter} begun`
const settledName = (counter: string): string => `${counter} settled`

async function countOne(tx: WriteHandle, name: string): Promise<number> {
  const { value } = await tx
    .insertInto('setting')
    .values({ name, value: '1' })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((eb) => ({ value: eb('setting.value', '||', '1') }))
    )
    .returning('value')
    .executeTakeFirstOrThrow()
  return value.length
}
