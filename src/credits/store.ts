import { type Generated, type Selectable, sql } from 'kysely'
import { now } from '../clock.ts'
import { compiledOnce, insertOf, type Slot } from '../database/compiled.ts'
import type { ReadHandle, WriteHandle } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import { ServiceError } from '../errors.ts'
import { newId } from '../ids.ts'
import { fromMicros } from '../money.ts'

/** Whose account it is: the partner's own where there is no customer. */
export interface AccountOwner {
  partnerId: string
  customerId: string | null
}

/** An account as one movement left it. */
export type Moved = Pick<Selectable<Tables['creditAccount']>, (typeof MOVED)[number]> & {
  /** Signed. */
  amountMicros: number
}

/** Why balances moved; the same for all accounts that one movement touches. */
export type Reason = Pick<Tables['creditEntry'], 'kind' | 'operation' | 'reference'> & {
  note?: string | null | undefined
}

const MOVED = [
  ...(['id', 'partnerId', 'customerId', 'balanceMicros', 'entryCount'] as const),
  ...(['noticedThresholdMicros', 'coveredMicros'] as const)
]

/** How many accounts had credits and have none. */
export async function emptyAccounts(db: ReadHandle): Promise<{ partners: number; customers: number }> {
  const { all = 0, customers = 0 } =
    (await db
      .selectFrom('creditAccount')
      .where('balanceMicros', '<=', 0)
      .where('entryCount', '>', 0)
      .select(({ fn }) => [fn.count<number>('id').as('all'), fn.count<number>('customerId').as('customers')])
      .executeTakeFirst()) ?? {}
  return { partners: all - customers, customers }
}

export const accountId = ({ partnerId, customerId }: AccountOwner): string => customerId ?? partnerId

/** Makes the account with nothing in it, unless it is there. */
async function openAccount(tx: WriteHandle, owner: AccountOwner): Promise<void> {
  const at = now()
  const empty = {
    balanceMicros: 0,
    entryCount: 0,
    noticedThresholdMicros: null,
    createdAt: at,
    updatedAt: at
  }
  await tx
    .insertInto('creditAccount')
    .values({ ...owner, id: accountId(owner), ...empty })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

/** Takes the amount if the account has it, first what was paid; else nothing happens and nothing comes back. */
export const takeFrom = (tx: WriteHandle, owner: AccountOwner, amountMicros: number) =>
  addTo(tx, owner, -amountMicros)

/**
 * Adds the amount, of it so much paid, if the account is there and holds at most `mostMicros` before; else nothing happens.
 * A negative one is taken, if the account holds it.
 * One statement, so that whoever comes second sees what the first one left.
 */
export async function addTo(
  tx: WriteHandle,
  owner: AccountOwner,
  amountMicros: number,
  { paidMicros = 0, mostMicros = Number.MAX_SAFE_INTEGER }: { paidMicros?: number; mostMicros?: number } = {}
) {
  const account = [owner.partnerId, accountId(owner)] as const
  const taken = Math.max(0, -amountMicros)
  const [moved] = await moveRow(tx, ...account, amountMicros, taken, paidMicros, mostMicros, now())
  return moved && { ...moved, amountMicros }
}

const moveRow = compiledOnce(
  (
    tx: WriteHandle,
    partnerId: Slot<string>,
    id: Slot<string>,
    amountMicros: Slot<number>,
    taken: Slot<number>,
    paidMicros: Slot<number>,
    mostMicros: Slot<number>,
    at: Slot<string>
  ) => {
    const covered = sql<number>`case when "paidMicros" < ${taken} then "paidMicros" else ${taken} end`
    return tx
      .updateTable('creditAccount')
      .set((eb) => ({
        balanceMicros: eb('balanceMicros', '+', amountMicros),
        entryCount: eb('entryCount', '+', 1),
        paidMicros: sql<number>`"paidMicros" + ${paidMicros} - ${covered}`,
        coveredMicros: covered,
        updatedAt: at
      }))
      .where('partnerId', '=', partnerId)
      .where('id', '=', id)
      .where('balanceMicros', '>=', taken)
      .where('balanceMicros', '<=', mostMicros)
      .returning(MOVED)
  }
)

export async function insertEntries(
  tx: WriteHandle,
  moved: readonly Moved[],
  { kind, operation, reference, note = null }: Reason
) {
  const createdAt = now()
  const entries = moved.map(({ id, partnerId, customerId, balanceMicros, entryCount, amountMicros }) => ({
    accountId: id,
    seq: entryCount,
    partnerId,
    customerId,
    kind,
    amountMicros,
    balanceAfterMicros: balanceMicros,
    operation,
    reference,
    note,
    createdAt
  }))
  await insertRows(tx, entries)
}

const insertRows = insertOf('creditEntry', [
  ...(['accountId', 'seq', 'partnerId', 'customerId', 'kind', 'amountMicros'] as const),
  ...(['balanceAfterMicros', 'operation', 'reference', 'note', 'createdAt'] as const)
])

/** Keeps which threshold's crossing was told, or that none was. */
export async function markNoticed(tx: WriteHandle, { partnerId, id }: Moved, thresholdMicros: number | null) {
  const account = tx.updateTable('creditAccount').where('partnerId', '=', partnerId).where('id', '=', id)
  await account.set({ noticedThresholdMicros: thresholdMicros }).execute()
}

/** The balance and how many entries explain it; an account that was never opened has neither. */
export async function readAccount(db: ReadHandle, owner: AccountOwner) {
  const account = await db
    .selectFrom('creditAccount')
    .where('partnerId', '=', owner.partnerId)
    .where('id', '=', accountId(owner))
    .select(['balanceMicros', 'entryCount'])
    .executeTakeFirst()
  return account ?? { balanceMicros: 0, entryCount: 0 }
}

export const entriesOf = (db: ReadHandle, owner: AccountOwner) =>
  db
    .selectFrom('creditEntry')
    .where('partnerId', '=', owner.partnerId)
    .where('accountId', '=', accountId(owner))

/** The most that an account may hold; sums of micro-credits stay exact numbers far above it. */
const MOST_MICROS = 1_000_000_000_000_000

/**
 * Adds credits to the account, which is opened if it has to be. `paid` says what they were bought with: using those is
 * not billed again. Once they lift a balance to the threshold that was told last, the next fall below it is told again.
 *
 * @throws ServiceError `invalid_input` when the account would hold more than it may
 */
export async function grantCredits(
  tx: WriteHandle,
  owner: AccountOwner,
  { amountMicros, note, paid }: { amountMicros: number; note?: string | undefined; paid?: Reason }
) {
  await openAccount(tx, owner)
  const limits = { paidMicros: paid ? amountMicros : 0, mostMicros: MOST_MICROS - amountMicros }
  const moved = await addTo(tx, owner, amountMicros, limits)
  if (!moved) {
    const message = `An account holds at most ${fromMicros(MOST_MICROS)} credits. Grant less.`
    throw new ServiceError('invalid_input', message, { field: 'amount' })
  }
  const given = { kind: 'grant', operation: 'credits_grant', reference: newId('grt') } as const
  await insertEntries(tx, [moved], { ...(paid ?? given), note })
  const { noticedThresholdMicros, balanceMicros } = moved
  if (noticedThresholdMicros !== null && balanceMicros >= noticedThresholdMicros) {
    await markNoticed(tx, moved, null)
  }
  return { balanceMicros }
}

/** Opens a new partner's account with what it starts with. */
export async function openPartnerAccount(tx: WriteHandle, partnerId: string, initialMicros: number) {
  const owner = { partnerId, customerId: null }
  await openAccount(tx, owner)
  const moved = initialMicros > 0 && (await addTo(tx, owner, initialMicros))
  if (!moved) return
  await insertEntries(tx, [moved], { kind: 'initial', operation: 'partner_create', reference: partnerId })
}

declare module '../database/tables.ts' {
  interface Tables {
    creditAccount: Owned & {
      /** `null` for the partner's own account. */
      customerId: string | null
      /** Millionths of a credit; never below zero, which the table holds too. */
      balanceMicros: number
      /** How many entries explain it, and the number of the newest. */
      entryCount: number
      /** The threshold whose crossing was told last; null once a grant lifted the balance to it again. */
      noticedThresholdMicros: number | null
      /** Of the balance, what was bought or came with a plan: using it is not billed again. */
      paidMicros: Generated<number>
      /** How much of the newest payment was taken from that. */
      coveredMicros: Generated<number>
      createdAt: string
      updatedAt: string
    }
    /** One movement of one account; rows are only ever added. */
    creditEntry: {
      accountId: string
      /** 1, 2, 3 … of its account: the order in which the balance moved, whatever the clocks say. */
      seq: number
      partnerId: string
      customerId: string | null
      kind: 'initial' | 'grant' | 'purchase' | 'charge' | 'hold' | 'refund'
      amountMicros: number
      balanceAfterMicros: number
      operation: string
      /** The memory or the reservation that it paid for; once for each account and kind. */
      reference: string
      note: string | null
      createdAt: string
    }
  }
}
