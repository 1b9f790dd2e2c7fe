import type { InstanceStatus } from '../../schemas/instance.ts'
import { now } from '../clock.ts'
import type { ReadHandle, WriteHandle } from '../database/database.ts'
import { known } from '../database/known.ts'
import type { Tables } from '../database/tables.ts'
import { ServiceError } from '../errors.ts'

type Handle = ReadHandle | WriteHandle
export type InstanceRow = Tables['instance']

/** Where an instance lies: a partner has each place once. */
export type Place = Pick<InstanceRow, 'host' | 'port' | 'root'>

const instancesWith = (db: Handle, columns: Partial<InstanceRow> & { partnerId: string }) =>
  db
    .selectFrom('instance')
    .where((eb) => eb.and(known(columns)))
    .selectAll()

export const findInstance = async (db: Handle, partnerId: string, id: string) =>
  instancesWith(db, { partnerId, id }).executeTakeFirst()

/** @throws ServiceError `instance_not_found`, for another partner's instance as for none (§7: 404) */
export async function getInstance(db: Handle, partnerId: string, instanceId: string) {
  const instance = await findInstance(db, partnerId, instanceId)
  if (instance) return instance
  throw new ServiceError('instance_not_found')
}

export const findInstanceAt = async (db: Handle, partnerId: string, { host, port, root }: Place) =>
  instancesWith(db, { partnerId, host, port, root }).executeTakeFirst()

/** Whose instance that is; for the operator, and for telling which of several sessions is meant. */
export async function partnerIdOfInstance(db: ReadHandle, instanceId: string) {
  const row = await db
    .selectFrom('instance')
    .where('id', '=', instanceId)
    .select('partnerId')
    .executeTakeFirst()
  return row?.partnerId
}

export const listCustomerInstances = async (db: Handle, partnerId: string, customerId: string) =>
  instancesWith(db, { partnerId, customerId }).orderBy('createdAt').orderBy('id').execute()

/** Adds the row, or nothing when the partner already has an instance at that place. */
export const insertInstance = (tx: WriteHandle, row: InstanceRow) =>
  tx
    .insertInto('instance')
    .values(row)
    .onConflict((conflict) => conflict.columns(['partnerId', 'host', 'port', 'root']).doNothing())
    .returningAll()
    .executeTakeFirst()

export const updateInstance = async (
  tx: WriteHandle,
  { partnerId, id }: InstanceRow,
  columns: Pick<InstanceRow, 'username' | 'hostKey' | 'name'>
) =>
  tx
    .updateTable('instance')
    .set({ ...columns, updatedAt: now() })
    .where((eb) => eb.and(known({ partnerId, id })))
    .returningAll()
    .executeTakeFirstOrThrow()

/** Moves the instance on if its status is still one of `from`; whether it was. */
export async function changeInstanceStatus(
  tx: WriteHandle,
  partnerId: string,
  instanceId: string,
  from: readonly InstanceStatus[],
  to: InstanceStatus,
  also: Partial<Pick<InstanceRow, 'agentName' | 'model'>> = {}
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('instance')
    .set({ ...also, status: to, updatedAt: now() })
    .where((eb) => eb.and(known({ partnerId, id: instanceId })))
    .where('status', 'in', from)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Removes the record unless a deploy is under way; whether it did. */
export async function deleteInstance(tx: WriteHandle, partnerId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('instance')
    .where((eb) => eb.and(known({ partnerId, id })))
    .where('status', '!=', 'deploying:cli-agent')
    .executeTakeFirst()
  return numDeletedRows > 0n
}

declare module '../database/tables.ts' {
  interface Tables {
    instance: {
      id: string
      partnerId: string
      customerId: string
      name: string
      host: string
      port: number
      username: string
      /** Folder below which everything of ours lies; empty for the places that the specification names. */
      root: string
      status: InstanceStatus
      /** Fingerprint that the server must show at every connection, `SHA256:…`. */
      hostKey: string
      /** The line for `authorized_keys`. */
      publicKey: string
      /** Sealed for `instance:{id}`. */
      privateKeySealed: string
      /** Business name that the agent was deployed with. */
      agentName: string | null
      /** What the agent's configuration names as its model. */
      model: string | null
      createdAt: string
      updatedAt: string
    }
  }
}
