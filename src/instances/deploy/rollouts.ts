// One change of all agents of a partner's: a few at a time, and no further once three of them didn't get through.
import { z } from 'zod'
import { AgentSettings } from '../../../schemas/agent-settings.ts'
import { SCOPES } from '../../../schemas/api-key.ts'
import { APP_IDS } from '../../../schemas/app.ts'
import type { ROLLOUT_STATES } from '../../../schemas/deploy.ts'
import { now } from '../../clock.ts'
import type { Database, ReadHandle, WriteHandle } from '../../database/database.ts'
import { changeWhere, rowsWhere } from '../../database/known.ts'
import { countOf } from '../../database/page.ts'
import type { Tables } from '../../database/tables.ts'
import { changeAgent, type Enqueue } from './change.ts'

const MOST_AT_ONCE = 3
const FAILURES_TO_STOP = 3

export type RolloutRow = Tables['rollout']

/** Brings every rollout that is under way further, as far as there is room. */
export async function advanceRollouts(database: Database, deploys: Enqueue): Promise<void> {
  const underWay = await rowsWhere(database.read, 'rollout', { finishedAt: null }).selectAll().execute()
  const ends = await Promise.allSettled(
    underWay.map(({ id, partnerId }) => database.transaction((tx) => advance(tx, deploys, id), partnerId))
  )
  // One that can't go on keeps no other from it.
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}

async function advance(tx: WriteHandle, deploys: Enqueue, id: string): Promise<void> {
  // Its lock: two processes would otherwise both fill the places that are free.
  const rollout = await changeWhere(tx, 'rollout', { id, finishedAt: null })
    .set({ state: 'running' })
    .returningAll()
    .executeTakeFirst()
  if (!rollout) return
  const { underWay, failed } = await countsOf(tx, rollout)
  if (failed >= FAILURES_TO_STOP) return finishRollout(tx, rollout, 'stopped')
  const next = await waiting(tx, rollout)
    .selectAll('instance')
    .orderBy('instance.id')
    .limit(Math.max(0, MOST_AT_ONCE - underWay))
    .execute()
  if (next.length === 0 && underWay === 0) return finishRollout(tx, rollout, 'done')
  const changes = AgentSettings.parse(JSON.parse(rollout.changes))
  const memoryScopes = z.array(z.enum(SCOPES)).parse(JSON.parse(rollout.memoryScopes))
  for (const instance of next)
    await changeAgent(tx, deploys, instance, { changes, memoryScopes, rolloutId: id })
}

/** Agents that were there when it began, work, and haven't had their turn. */
const waiting = (db: ReadHandle, { id, partnerId, createdAt }: RolloutRow) =>
  db
    .selectFrom('instance')
    .where('instance.partnerId', '=', partnerId)
    .where('instance.status', 'in', APP_IDS)
    .where('instance.agentName', 'is not', null)
    .where('instance.createdAt', '<=', createdAt)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('deploy')
            .where('deploy.rolloutId', '=', id)
            .whereRef('deploy.instanceId', '=', 'instance.id')
            .select('deploy.id')
        )
      )
    )

async function countsOf(db: ReadHandle, { id }: RolloutRow) {
  const rows = await rowsWhere(db, 'deploy', { rolloutId: id })
    .groupBy('phase')
    .select((eb) => ['phase', eb.fn.countAll<number>().as('count')])
    .execute()
  const of = (phase: string) => Number(rows.find((row) => row.phase === phase)?.count ?? 0)
  const [succeeded, failed] = [of('succeeded'), of('failed')]
  const all = rows.reduce((sum, { count }) => sum + Number(count), 0)
  return { succeeded, failed, underWay: all - succeeded - failed }
}

export async function finishRollout(
  tx: WriteHandle,
  { id, partnerId }: RolloutRow,
  state: RolloutRow['state']
): Promise<void> {
  await changeWhere(tx, 'rollout', { partnerId, id, finishedAt: null })
    .set({ state, finishedAt: now() })
    .execute()
}

/** The partner's newest one. */
export const newestRollout = (db: ReadHandle, partnerId: string) =>
  rowsWhere(db, 'rollout', { partnerId })
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .selectAll()
    .executeTakeFirst()

/** How far it is. */
export async function rolloutProgress(db: ReadHandle, rollout: RolloutRow) {
  const { id, partnerId, state, createdAt, finishedAt } = rollout
  const { succeeded, underWay } = await countsOf(db, rollout)
  const failed = await db
    .selectFrom('deploy')
    .innerJoin('instance', 'instance.id', 'deploy.instanceId')
    .where('deploy.partnerId', '=', partnerId)
    .where('deploy.rolloutId', '=', id)
    .where('deploy.phase', '=', 'failed')
    .select(['deploy.instanceId', 'instance.name', 'deploy.message'])
    .orderBy('deploy.createdAt')
    .execute()
  const waits = finishedAt === null ? await countOf(waiting(db, rollout)) : 0
  return { rolloutId: id, state, waiting: waits, underWay, succeeded, failed, createdAt, finishedAt }
}

declare module '../../database/tables.ts' {
  interface Tables {
    /** A change of all of a partner's agents. */
    rollout: {
      id: string
      partnerId: string
      /** JSON of AgentSettings: what changes on each. */
      changes: string
      /** JSON array of scopes, of whoever began it. */
      memoryScopes: string
      state: (typeof ROLLOUT_STATES)[number]
      createdAt: string
      finishedAt: string | null
    }
  }
}
