// What a customer owes: a balance that moves with each line, in the transaction that causes it. Lines are only ever added.
import type { Generated } from 'kysely'
import type { StatementLine, StatementStatus } from '../../schemas/statement.ts'
import { DAY_MS, earlier, fromNow, now } from '../clock.ts'
import type { ReadHandle, WriteHandle } from '../database/database.ts'
import { rowsWhere } from '../database/known.ts'
import type { Tables } from '../database/tables.ts'
import { newId } from '../ids.ts'
import { monthOf, type Span } from './calendar.ts'

export interface Line {
  kind: StatementLine['kind']
  /** Signed: what the customer owes more, or less. */
  amountMicros: number
  /** What it is for, once for the customer: the second line for the same refuses the transaction. */
  reference: string
  /** As the customer reads it. */
  description: string
  /** Which period it belongs to. */
  occurredAt: string
  /** Of a call. */
  durationMs?: number | null
}

export interface Debtor {
  partnerId: string
  customerId: string
}

/** So long after its end a period takes what belongs into it; then its statement is closed. */
export const GRACE_MS = 3 * DAY_MS

/**
 * Writes the lines, each on the statement of its period; where that is over, calls become adjustments on the open one. The
 * account is the last thing that a transaction locks, several of them in the order of their customers' ids.
 */
export async function postLines(tx: WriteHandle, debtor: Debtor, lines: readonly Line[]): Promise<void> {
  if (lines.length === 0) return
  let before = await moveBalance(tx, debtor, lines)
  const terms = await billingTermsOf(tx, debtor.partnerId)
  const drafts = new Map<string, Line[]>()
  let statement: Draft | undefined
  for (const line of lines) {
    if (!statement || !holds(statement, line.occurredAt))
      statement = await draftFor(tx, debtor, terms, line.occurredAt)
    const isLate = line.kind === 'call' && !holds(statement, line.occurredAt)
    const ofDraft = drafts.get(statement.id) ?? []
    ofDraft.push(isLate ? { ...line, kind: 'adjustment' } : line)
    drafts.set(statement.id, ofDraft)
  }
  for (const [id, ofDraft] of drafts) {
    await tx
      .updateTable('statement')
      .set((eb) => ({
        totalMicros: eb('totalMicros', '+', sumOf(ofDraft)),
        entryCount: eb('entryCount', '+', ofDraft.length)
      }))
      .where('id', '=', id)
      .execute()
    await insertEntries(tx, debtor, id, before, ofDraft)
    before += ofDraft.length
  }
}

/** Takes a statement off the balance, or puts it back; its own lines and its total stay as they are. */
export async function settleStatement(
  tx: WriteHandle,
  debtor: Debtor,
  statementId: string,
  line: Line & { kind: 'billed' | 'void' }
): Promise<void> {
  await insertEntries(tx, debtor, statementId, await moveBalance(tx, debtor, [line]), [line])
}

/**
 * Keeps others from moving the customer's balance until the transaction ends: whoever posts a line has done so by then, or
 * sees what this transaction made of the statements. Several accounts in the order of their customers' ids.
 */
export async function lockAccount(tx: WriteHandle, customerId: string): Promise<void> {
  const account = tx.updateTable('billingAccount').where('customerId', '=', customerId)
  await account.set((eb) => ({ customerId: eb.ref('customerId') })).execute()
}

/** SQLite takes 32,766 values at a time. */
const ROWS = 500

async function insertEntries(
  tx: WriteHandle,
  { partnerId, customerId }: Debtor,
  statementId: string,
  before: number,
  lines: readonly Line[]
) {
  const [ids, createdAt] = [{ partnerId, customerId, statementId }, now()]
  const entries = lines.map((line, index) => ({
    durationMs: null,
    ...line,
    ...ids,
    seq: before + 1 + index,
    createdAt
  }))
  for (let start = 0; start < entries.length; start += ROWS)
    await tx
      .insertInto('billingEntry')
      .values(entries.slice(start, start + ROWS))
      .execute()
}

const sumOf = (lines: readonly Line[]): number =>
  lines.reduce((sum, { amountMicros }) => sum + amountMicros, 0)

/**
 * One statement, which makes the account where there is none; others of this customer wait until the commit.
 *
 * @returns how many lines there were before
 */
async function moveBalance(tx: WriteHandle, debtor: Debtor, lines: readonly Line[]): Promise<number> {
  const [balanceMicros, updatedAt] = [sumOf(lines), now()]
  const { partnerId, customerId } = debtor
  const { entryCount } = await tx
    .insertInto('billingAccount')
    .values({ partnerId, customerId, balanceMicros, entryCount: lines.length, updatedAt })
    .onConflict((conflict) =>
      conflict.column('customerId').doUpdateSet((eb) => ({
        balanceMicros: eb('billingAccount.balanceMicros', '+', balanceMicros),
        entryCount: eb('billingAccount.entryCount', '+', lines.length),
        updatedAt
      }))
    )
    .returning('entryCount')
    .executeTakeFirstOrThrow()
  return entryCount - lines.length
}

type BillingTerms = Awaited<ReturnType<typeof billingTermsOf>>

/** The partner's currency (ISO 4217), the IANA zone in which its periods begin, and what its customers see of calls. */
export const billingTermsOf = (db: ReadHandle, partnerId: string) =>
  rowsWhere(db, 'partner', { id: partnerId })
    .select(['currency', 'timeZone', 'showsCosts', 'showsRecordings'])
    .executeTakeFirstOrThrow()

type Draft = Pick<Tables['statement'], 'id' | 'startsAt' | 'endsAt'>

const holds = ({ startsAt, endsAt }: Span, at: string): boolean => startsAt <= at && at < endsAt

/** The statement that takes what happened then: its period's, or the one that is open now. The account is locked. */
async function draftFor(
  tx: WriteHandle,
  debtor: Debtor,
  terms: BillingTerms,
  occurredAt: string
): Promise<Draft> {
  // A provider's clock may be ahead of ours.
  const at = earlier(occurredAt, now())
  const own = await statementAt(tx, debtor, at)
  if (own?.status === 'draft') return own
  const isOpen = monthOf(at, terms.timeZone).endsAt > fromNow(-GRACE_MS)
  if (!own && isOpen) return insertDraft(tx, debtor, terms, at)
  return openDraft(tx, debtor, terms, now())
}

/** The draft of that time; the next one where that is closed, as it is for whose clock is behind. */
async function openDraft(tx: WriteHandle, debtor: Debtor, terms: BillingTerms, at: string): Promise<Draft> {
  const own = await statementAt(tx, debtor, at)
  if (!own) return insertDraft(tx, debtor, terms, at)
  return own.status === 'draft' ? own : openDraft(tx, debtor, terms, own.endsAt)
}

const statements = (tx: WriteHandle, { customerId }: Debtor) =>
  rowsWhere(tx, 'statement', { customerId }).select(['id', 'startsAt', 'endsAt', 'status'])

const statementAt = (tx: WriteHandle, debtor: Debtor, at: string) =>
  statements(tx, debtor).where('startsAt', '<=', at).where('endsAt', '>', at).executeTakeFirst()

/** Where the zone was changed, a period ends or begins where its neighbour does. */
async function insertDraft(
  tx: WriteHandle,
  { partnerId, customerId }: Debtor,
  { currency, timeZone }: BillingTerms,
  at: string
): Promise<Draft> {
  const month = monthOf(at, timeZone)
  const own = statements(tx, { partnerId, customerId })
  const before = own.where('endsAt', '<=', at).orderBy('endsAt', 'desc').limit(1)
  const after = own.where('startsAt', '>', at).orderBy('startsAt').limit(1)
  const [earlier, later] = [await before.executeTakeFirst(), await after.executeTakeFirst()]
  const draft = {
    id: newId('stm'),
    startsAt: earlier && earlier.endsAt > month.startsAt ? earlier.endsAt : month.startsAt,
    endsAt: later && later.startsAt < month.endsAt ? later.startsAt : month.endsAt
  }
  const empty = { status: 'draft', totalMicros: 0, entryCount: 0, createdAt: now() } as const
  await tx
    .insertInto('statement')
    .values({ ...draft, ...empty, partnerId, customerId, currency })
    .execute()
  return draft
}

declare module '../database/tables.ts' {
  interface Tables {
    /** What a customer owes that is not billed: the sum of its lines, checked every night. */
    billingAccount: Debtor & {
      balanceMicros: number
      /** How many lines explain it, and the number of the newest. */
      entryCount: number
      updatedAt: string
    }
    /** A customer's period: half-open, drafted with its first line. */
    statement: Debtor & {
      id: string
      startsAt: string
      endsAt: string
      status: StatementStatus
      /** 1, 2, 3 … of its partner, from its closing on. */
      number: Generated<number | null>
      currency: string
      /** Of its lines, but for those that bill it or take it back. */
      totalMicros: number
      entryCount: number
      closedAt: Generated<string | null>
      billedAt: Generated<string | null>
      voidedAt: Generated<string | null>
      createdAt: string
    }
    /** One line; rows are only ever added. */
    billingEntry: Debtor &
      Required<Line> & {
        /** 1, 2, 3 … of its customer. */
        seq: number
        statementId: string
        createdAt: string
      }
  }
}
