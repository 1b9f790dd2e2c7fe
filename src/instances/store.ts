import type { InstanceStatus } from '../../schemas/instance.ts'
import { now } from '../clock.ts'
import type { ReadHandle, WriteHandle } from '../database/database.ts'
import { known } from '../database/known.ts'
import type { Tables } from '../database/tables.ts'
import { ServiceError } from '../errors.ts'

export type InstanceRow = Tables['instance']

/** Where an instance lies: a partner has each place once. */
export type Place = Pick<InstanceRow, 'host' | 'port' | 'root'>

export async function findInstance(
  db: ReadHandle | WriteHandle,
  partnerId: string,
  instanceId: string
): Promise<InstanceRow | undefined> {
  return db
    .selectFrom('instance')
    .where((eb) => eb.and(known({ partnerId, id: instanceId })))
    .selectAll()
    .executeTakeFirst()
}

/** @throws ServiceError `instance_not_found`, for another partner's instance as for none (§7: 404) */
export async function getInstance(
  db: ReadHandle | WriteHandle,
  partnerId: string,
  instanceId: string
): Promise<InstanceRow> {
  return (await findInstance(db, partnerId, instanceId)) ?? refuseUnknownInstance()
}

export function refuseUnknownInstance(): never {
  const text = 'There is no instance with this id. List the instances to find it.'
  throw new ServiceError('instance_not_found', text, { field: 'instanceId' })
}

export async function findInstanceAt(
  db: ReadHandle | WriteHandle,
  partnerId: string,
  { host, port, root }: Place
): Promise<InstanceRow | undefined> {
  return db
    .selectFrom('instance')
    .where((eb) => eb.and(known({ partnerId, host, port, root })))
    .selectAll()
    .executeTakeFirst()
}

/** Whose instance that is; for the operator, and for telling which of several sessions is meant. */
export async function partnerIdOfInstance(db: ReadHandle, instanceId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('instance')
    .where('id', '=', instanceId)
    .select('partnerId')
    .executeTakeFirst()
  return row?.partnerId
}

export async function listCustomerInstances(
  db: ReadHandle | WriteHandle,
  partnerId: string,
  customerId: string
): Promise<InstanceRow[]> {
  return db
    .selectFrom('instance')
    .where((eb) => eb.and(known({ partnerId, customerId })))
    .selectAll()
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
}

/** Adds the row, or nothing when the partner already has an instance at that place. */
export async function insertInstance(tx: WriteHandle, row: InstanceRow): Promise<InstanceRow | undefined> {
  return tx
    .insertInto('instance')
    .values(row)
    .onConflict((conflict) => conflict.columns(['partnerId', 'host', 'port', 'root']).doNothing())
    .returningAll()
    .executeTakeFirst()
}

export async function updateInstance(
  tx: WriteHandle,
  partnerId: string,
  instanceId: string,
  columns: Pick<InstanceRow, 'username' | 'hostKey' | 'name'>
): Promise<InstanceRow> {
  return tx
    .updateTable('instance')
    .set({ ...columns, updatedAt: now() })
    .where((eb) => eb.and(known({ partnerId, id: instanceId })))
    .returningAll()
    .executeTakeFirstOrThrow()
}

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
export async function deleteInstance(
  tx: WriteHandle,
  partnerId: string,
  instanceId: string
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('instance')
    .where((eb) => eb.and(known({ partnerId, id: instanceId })))
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
