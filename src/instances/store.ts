import type { Generated, Insertable, Selectable } from 'kysely'
import type { z } from 'zod'
import { AgentSettings } from '../../schemas/agent-settings.ts'
import { appOf, DEPLOYING, type InstanceStatus, isDeployed } from '../../schemas/app.ts'
import type { FindInstances, Instance, InstancePage } from '../../schemas/instance.ts'
import { readJump } from '../../schemas/server-address.ts'
import { appPaths } from '../catalog/paths.ts'
import { fromNow, MINUTE_MS, now } from '../clock.ts'
import { nameOf } from '../customers/name.ts'
import { isLookedFor } from '../customers/search.ts'
import { getCustomer } from '../customers/store.ts'
import type { ReadHandle, WriteHandle } from '../database/database.ts'
import { changeWhere, deleteWhere, rowsWhere } from '../database/known.ts'
import { among, BY_NAME, inOrderOf, pageInOrder } from '../database/page.ts'
import { countedBy } from '../database/row-count.ts'
import type { Tables } from '../database/tables.ts'
import { ServiceError } from '../errors.ts'
import type { Secrets } from '../secrets.ts'
import type { SshTarget } from './ssh/target.ts'

export type InstanceRow = Selectable<Tables['instance']>
export type NewInstance = Insertable<Tables['instance']>

/** Where an instance lies: a partner has each place once. */
export type Place = Pick<InstanceRow, 'host' | 'port' | 'root'>

const instancesWith = (db: ReadHandle, columns: Partial<InstanceRow> & { partnerId: string }) =>
  rowsWhere(db, 'instance', columns).selectAll()

export const findInstance = async (db: ReadHandle, partnerId: string, id: string) =>
  instancesWith(db, { partnerId, id }).executeTakeFirst()

/** @throws ServiceError `instance_not_found`, for another partner's instance as for none (§7: 404) */
export async function getInstance(db: ReadHandle, partnerId: string, instanceId: string) {
  const instance = await findInstance(db, partnerId, instanceId)
  if (instance) return instance
  throw new ServiceError('instance_not_found')
}

export const findInstanceAt = async (db: ReadHandle, partnerId: string, { host, port, root }: Place) =>
  instancesWith(db, { partnerId, host, port, root }).executeTakeFirst()

/** Whose instance that is; for the operator, and for telling which of several sessions is meant. */
export async function partnerIdOfInstance(db: ReadHandle, instanceId: string) {
  const row = await rowsWhere(db, 'instance', { id: instanceId }).select('partnerId').executeTakeFirst()
  return row?.partnerId
}

export const listCustomerInstances = async (db: ReadHandle, partnerId: string, customerId: string) =>
  instancesWith(db, { partnerId, customerId }).orderBy('createdAt').orderBy('id').execute()

/** One page of the partner's instances, or of one customer's, as they are looked for. @throws ServiceError `customer_not_found` */
export async function pageOfInstances(
  db: ReadHandle,
  partnerId: string,
  { customerId: reference, trouble, search, ...looking }: z.output<typeof FindInstances>
): Promise<z.input<typeof InstancePage>> {
  const isAsked = isLookedFor(db, partnerId, search, 'instance', [BY_NAME.name, '"host"'])
  let matching = db.selectFrom('instance').where(isAsked)
  if (reference !== undefined) {
    const { id } = await getCustomer(db, partnerId, reference)
    matching = matching.where('customerId', '=', id)
  }
  if (trouble !== undefined) matching = matching.where(trouble, 'is not', null)
  const isFew = Boolean(trouble || search)
  const counted = isFew || reference ? undefined : countedBy(db, partnerId, 'instance')
  const order = { db, texts: BY_NAME, counted, isFew }
  const { rows: ids, pagination } = await pageInOrder(looking, matching.select('id'), matching, order)
  const rows = await db
    .selectFrom('instance')
    .where('instance.id', 'in', among(ids))
    .innerJoin('customer', 'customer.id', 'instance.customerId')
    .select(['instance.id', 'instance.customerId', 'instance.name', 'instance.host', 'instance.port'])
    .select(['instance.status', 'instance.agentName', 'instance.createdAt'])
    .select(['instance.checkedAt', 'instance.checkTrouble', 'instance.unreachableSince'])
    .select(['instance.failedAt', 'instance.failedStep'])
    .select(['customer.companyName', 'customer.firstName', 'customer.lastName', 'customer.email'])
    .execute()
  const data = inOrderOf(ids, rows).map(({ id, companyName, firstName, lastName, email, ...row }) => ({
    instanceId: id,
    ...row,
    ...hostsIn(row.host),
    customerName: nameOf({ companyName, firstName, lastName, email })
  }))
  return { data, pagination }
}

/** Adds the row and its first conversation, or nothing when the partner already has an instance at that place. */
export async function insertInstance(tx: WriteHandle, row: NewInstance) {
  const inserted = await tx
    .insertInto('instance')
    .values(row)
    .onConflict((conflict) => conflict.columns(['partnerId', 'host', 'port', 'root']).doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!inserted) return undefined
  const { id, partnerId, createdAt } = inserted
  const first = { id, partnerId, instanceId: id, createdAt, seq: 0, sessionId: null, isPartners: 0 } as const
  await tx.insertInto('chatConversation').values(first).execute()
  return inserted
}

export const updateInstance = async (
  tx: WriteHandle,
  { partnerId, id }: InstanceRow,
  columns: Pick<InstanceRow, 'username' | 'hostKey' | 'jumpHostKey' | 'name'>
) =>
  changeWhere(tx, 'instance', { partnerId, id })
    .set({ ...columns, updatedAt: now() })
    .returningAll()
    .executeTakeFirstOrThrow()

/** Moves the instance on if its status is still one of `from`; whether it was. */
export async function changeInstanceStatus(
  tx: WriteHandle,
  partnerId: string,
  instanceId: string,
  from: readonly InstanceStatus[],
  to: InstanceStatus,
  also: Partial<InstanceRow> = {}
): Promise<boolean> {
  const { numUpdatedRows } = await changeWhere(tx, 'instance', { partnerId, id: instanceId })
    .set({ ...unchecked(to), ...also, status: to, updatedAt: now() })
    .where('status', 'in', from)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** An agent that becomes ready is looked at before long, any other one isn't; whoever looks right now looks at what was. */
const unchecked = (status: InstanceStatus) => ({
  checkDueAt: isDeployed(status) ? fromNow(MINUTE_MS) : null,
  ...{ checkedAt: null, checkTrouble: null, unreachableSince: null, failedAt: null, failedStep: null },
  ...{ leaseOwner: null, leaseExpiresAt: null }
})

/** A look of ours found the agent ready, or one that doesn’t answer still away. Whoever mails of that does so with the next one. */
export const noteLook = (
  tx: WriteHandle,
  { partnerId, id, status }: InstanceRow,
  checkTrouble: string | null
) =>
  changeWhere(tx, 'instance', { partnerId, id, status })
    .set({ checkedAt: now(), checkTrouble, ...(checkTrouble === null && { unreachableSince: null }) })
    .execute()

/** Those whose agent doesn't answer. */
export const unreachable = (db: ReadHandle) =>
  db.selectFrom('instance').where('unreachableSince', 'is not', null)

/** Removes the record unless a deploy is under way; whether it did. */
export async function deleteInstance(tx: WriteHandle, partnerId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await deleteWhere(tx, 'instance', { partnerId, id })
    .where('status', 'not in', DEPLOYING)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/**
 * In its column the host of a server behind a jump host is `user@jump:port/host`: a partner has each place once, and the
 * same private address behind each of its jump hosts.
 */
export function hostsIn(column: string): { host: string; jump: string | null } {
  const [host = '', jump = null] = column.split('/').reverse()
  return { host, jump }
}

export const toInstance = ({ id, partnerId, privateKeySealed, ...row }: InstanceRow): Instance => ({
  instanceId: id,
  ...row,
  ...hostsIn(row.host),
  settings: AgentSettings.parse(JSON.parse(row.settings))
})

/** Its status while its own app is deployed. */
export const deployingAs = ({ status }: Pick<InstanceRow, 'status'>, app = appOf(status)) =>
  `deploying:${app}` as const

/** Where the instance's app lies on its server. */
export const pathsOf = ({ root, status }: InstanceRow) => appPaths(root, appOf(status))

/** The row that a sealed private key belongs to; sealed for one, it opens for no other. */
export const privateKeyContext = (instanceId: string): string => `instance:${instanceId}`

/** The part of our line that no other key has. */
export const keyOf = ({ publicKey }: Pick<InstanceRow, 'publicKey'>): string =>
  publicKey.split(' ')[1] ?? publicKey

/** How the instance is reached, with its private key in the open: keep it no longer than the call. */
export function sshTarget(secrets: Secrets, instance: InstanceRow): SshTarget {
  const { id, partnerId, customerId, port, username, hostKey, privateKeySealed, jumpHostKey } = instance
  const { host, jump } = hostsIn(instance.host)
  const privateKey = secrets.unseal(privateKeySealed, privateKeyContext(id))
  const own = { instanceId: id, partnerId, customerId, host, port, username, hostKey, privateKey }
  return jump === null ? own : { ...own, jump: { ...readJump(jump), hostKey: jumpHostKey ?? '' } }
}

declare module '../database/tables.ts' {
  interface Tables {
    instance: {
      id: string
      partnerId: string
      customerId: string
      name: string
      /** With the jump host before it, see `hostsIn`. */
      host: string
      port: number
      username: string
      /** Folder below which everything of ours lies; empty for the places that the specification names. */
      root: string
      status: InstanceStatus
      /** Fingerprint that the server must show at every connection, `SHA256:…`. */
      hostKey: string
      /** The jump host's, where there is one. */
      jumpHostKey: string | null
      /** What the machine calls itself; null until the first deploy has looked. */
      machineId: string | null
      /** The line for `authorized_keys`. */
      publicKey: string
      /** Sealed for `instance:{id}`. */
      privateKeySealed: string
      /** Business name that the agent was deployed with. */
      agentName: string | null
      /** What the agent's configuration names as its model. */
      model: string | null
      /** JSON of AgentSettings: what it was told beyond its name. */
      settings: string
      /** Of the next look whether the agent answers; null while none is ready. */
      checkDueAt: string | null
      checkedAt: string | null
      /** What the last look failed by, in words. */
      checkTrouble: string | null
      /** The first of two looks in a row, or more, that failed. */
      unreachableSince: string | null
      /** When the last deploy didn't get through, and at which step; null while one is under way or where it did. */
      failedAt: Generated<string | null>
      failedStep: Generated<string | null>
      /** When its partner was mailed that it doesn't answer, until mailed otherwise. */
      toldSince: string | null
      /** When it was mailed last. */
      noticedAt: string | null
      leaseOwner: string | null
      leaseExpiresAt: string | null
      createdAt: string
      updatedAt: string
    }
  }
}
