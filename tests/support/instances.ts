// Servers of customers, registered without asking them.
import { now } from '../../src/clock.ts'
import { newId } from '../../src/ids.ts'
import { makeKeyPair } from '../../src/instances/ssh/key-pair.ts'
import { type InstanceRow, insertInstance, privateKeyContext } from '../../src/instances/store.ts'
import type { Service } from '../../src/service.ts'

/** A host key that no server has. */
export const HOST_KEY = `SHA256:${'A'.repeat(43)}`

/** A registered instance in a root of its own, at a port where nobody listens unless told otherwise. */
export async function makeInstance(
  service: Service,
  partnerId: string,
  customerId: string,
  columns: Partial<InstanceRow> = {}
): Promise<InstanceRow> {
  const id = newId('ins')
  const { publicKey, privateKey } = makeKeyPair(`mindgate-${id}`)
  const row = await service.database.transaction((tx) =>
    insertInstance(tx, {
      id,
      partnerId,
      customerId,
      name: 'Front desk',
      host: '127.0.0.1',
      port: 1,
      username: 'root',
      root: `/${id}`,
      status: 'registered',
      hostKey: HOST_KEY,
      jumpHostKey: null,
      machineId: null,
      publicKey,
      privateKeySealed: service.secrets.seal(privateKey, privateKeyContext(id)),
      agentName: null,
      model: null,
      settings: '{}',
      createdAt: now(),
      updatedAt: now(),
      ...columns
    })
  )
  if (!row) throw new Error('There is an instance at that place already')
  return row
}
