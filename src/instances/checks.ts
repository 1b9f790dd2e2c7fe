// Looks after agents by itself: whatever is ready is signed in to every so often, as a chat would. One look that fails says
// nothing yet; the next one follows soon, and two in a row are an agent that doesn't answer, of which its partner is mailed.
import { sql } from 'kysely'
import { fromNow, HOUR_MS, MINUTE_MS, now } from '../clock.ts'
import { nameOf } from '../customers/name.ts'
import { getCustomer } from '../customers/store.ts'
import type { WriteHandle } from '../database/database.ts'
import { isPostgres } from '../database/dialect.ts'
import type { Lease } from '../jobs/leases.ts'
import { createQueue } from '../jobs/queue.ts'
import type { Outbox } from '../mail/outbox.ts'
import { listPartnerEmails } from '../partners/users.ts'
import type { DeployContext } from './deploy/context.ts'
import type { InstanceRow } from './store.ts'
import { tryInstance } from './try-out.ts'

type CheckContext = Omit<DeployContext, 'aiKeys' | 'publicUrl'> & { outbox: Pick<Outbox, 'enqueue'> }

/** With the turn among a partner's handshakes, which is no fault of the server's. */
const LOOK_WITHIN_MS = MINUTE_MS
/** Of each of the two mails a partner gets one in that time: our own network away looks like every server away. */
const GATHERED_MS = 30 * MINUTE_MS
/** One that comes and goes is mailed of once in that time. */
const QUIET_MS = 6 * HOUR_MS

export function createAgentChecks(ctx: CheckContext) {
  const queue = createQueue(ctx, {
    table: 'instance',
    // Half of the places for handshakes, and of a partner's: chats and deploys have the others.
    concurrency: 12,
    ofPartner: 3,
    leaseMs: 2 * LOOK_WITHIN_MS,
    lookMs: ctx.config.agentCheckTimes.lookMs,
    messages: { take: 'agents could not be looked for', perform: 'an agent could not be looked at' }
  })
  return { ...queue, start: () => queue.start((lease) => check(ctx, lease)) }
}

async function check(ctx: CheckContext, lease: Lease<'instance'>): Promise<void> {
  const { row } = lease
  const isInUse = ctx.ssh.has(row.id)
  const limits = { timeoutMs: LOOK_WITHIN_MS, signal: lease.signal }
  const { fault, message, agentReady } = await tryInstance(ctx, row, limits)
  // Kept open, a thousand servers would be as many connections.
  if (!isInUse) ctx.ssh.end(row.id)
  const checkTrouble = agentReady ? null : message
  const firstFailure = row.unreachableSince ?? (row.checkTrouble === null ? null : row.checkedAt)
  const unreachableSince = checkTrouble === null ? null : firstFailure
  const { everyMs, againMs } = ctx.config.agentCheckTimes
  const isInDoubt = checkTrouble !== null && unreachableSince === null
  // Never all at once, also where all became due in one moment.
  const checkDueAt = fromNow(isInDoubt ? againMs : everyMs * (0.9 + Math.random() / 5))
  await ctx.database.transaction(async (tx) => {
    const found = { checkDueAt, checkedAt: now(), checkTrouble, unreachableSince }
    const noted = await lease.letGo(tx, fault === 'cancelled' ? {} : found)
    // Else a deploy has begun meanwhile.
    if (noted) await noticeChange(ctx.outbox, tx, noted)
  }, row.partnerId)
}

/** Mails the partner's users where this is news to them; the one mail tells of all agents that it goes for. */
async function noticeChange(outbox: CheckContext['outbox'], tx: WriteHandle, instance: InstanceRow) {
  const { id: instanceId, partnerId, customerId, unreachableSince, checkTrouble } = instance
  const isAway = unreachableSince !== null
  const isNews = isAway
    ? sql<boolean>`"unreachableSince" is not null and "toldSince" is null and coalesce("noticedAt", '') < ${fromNow(-QUIET_MS)}`
    : sql<boolean>`"checkedAt" is not null and "checkTrouble" is null and "toldSince" is not null`
  const news = tx.selectFrom('instance').where('partnerId', '=', partnerId).where(isNews).select('id')
  if (!(await news.where('id', '=', instanceId).executeTakeFirst())) return
  // Of two processes one waits for what the other does.
  if (isPostgres(tx))
    await tx.selectFrom('partner').where('id', '=', partnerId).select('id').forNoKeyUpdate().execute()
  const template = isAway ? 'agent_unreachable' : 'agent_answers'
  const mailed = tx.selectFrom('mail').where('partnerId', '=', partnerId).where('template', '=', template)
  if (await mailed.where('createdAt', '>', fromNow(-GATHERED_MS)).select('id').executeTakeFirst()) return
  const told = await tx
    .updateTable('instance')
    .set(isAway ? { toldSince: now(), noticedAt: now() } : { toldSince: null })
    // Whoever is at another one of them may be waiting for us.
    .where('id', 'in', isPostgres(tx) ? news.forNoKeyUpdate().skipLocked() : news)
    .returning('id')
    .execute()
  const customerName = nameOf(await getCustomer(tx, partnerId, customerId))
  const found = { since: unreachableSince ?? now(), ...(checkTrouble ? { why: checkTrouble } : {}) }
  const params = { instanceId, serverName: instance.name, customerName, ...found, others: told.length - 1 }
  for (const recipient of await listPartnerEmails(tx, partnerId, 'instances:write'))
    await outbox.enqueue(tx, { partnerId, customerId, template, recipient, params })
}
