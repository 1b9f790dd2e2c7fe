// A server has one owner: whose state lies on it, and which other records name the same machine.
import type { Occupant } from '../../catalog/deploy.ts'
import type { Database, ReadHandle } from '../../database/database.ts'
import { changeWhere, rowsWhere } from '../../database/known.ts'
import { findInstance, type InstanceRow } from '../store.ts'
import { deploysOf } from './store.ts'
import { DeployFailure } from './trouble.ts'

/**
 * Whether another customer's state lies there, which is out of the way before anything of this one runs. Notes the machine.
 * @throws DeployFailure where another customer of the same partner has that machine: which of both shall be, it must say
 */
export async function isOccupied(
  { read, transaction }: Pick<Database, 'read' | 'transaction'>,
  instance: InstanceRow,
  { machineId, instanceId, customerId, deploys }: Occupant
): Promise<boolean> {
  const { partnerId, id } = instance
  const named = instanceId === null ? undefined : await findInstance(read, partnerId, instanceId)
  // One that has moved to another machine, by both of its signs, holds this one no more.
  const differs = named && named.machineId !== null && machineId !== null && named.machineId !== machineId
  const hasMoved = differs && named.hostKey !== instance.hostKey
  const holder = hasMoved ? undefined : named
  const other = holder ?? (machineId === null ? undefined : await twinOf(read, instance, { machineId }))
  if (other && other.customerId !== instance.customerId) refuseTwin(other)
  if (machineId !== instance.machineId) {
    await transaction((tx) => changeWhere(tx, 'instance', { partnerId, id }).set({ machineId }).execute())
  }
  if (customerId !== null) return customerId !== instance.customerId
  if (deploys.length === 0) return false
  // An earlier release of ours told only which deploys there were.
  const ids = deploys.map((name) => name.replace(/-\d+$/, ''))
  const own = deploysOf(read, partnerId, id).where('id', 'in', ids).select('id')
  return (await own.executeTakeFirst()) === undefined
}

/** Another customer's instance of the same partner on what is the same machine by one of its signs. */
export const twinOf = (
  db: ReadHandle,
  { partnerId, customerId, root }: Pick<InstanceRow, 'partnerId' | 'customerId' | 'root'>,
  sign: Partial<Pick<InstanceRow, 'hostKey' | 'machineId'>>
) =>
  rowsWhere(db, 'instance', { partnerId, root, ...sign })
    .where('customerId', '<>', customerId)
    .selectAll()
    .executeTakeFirst()

function refuseTwin({ name, host, id, customerId }: InstanceRow): never {
  throw new DeployFailure(
    `This is the machine that is registered for another customer (${customerId}) as ${name} (${host}, ${id}): a server has one owner. Remove it there first. If these are two servers made from one image, give this one a machine id of its own: rm /etc/machine-id && systemd-machine-id-setup`
  )
}
