// Registering a customer's server: its host key is looked at before anything is kept, and it gets a key pair of its own.
import type { z } from 'zod'
import { APP_IDS, appOf, isDeploying } from '../../schemas/app.ts'
import type { RegisterInstance } from '../../schemas/instance.ts'
import { now } from '../clock.ts'
import type { Config } from '../config.ts'
import { getCustomer } from '../customers/store.ts'
import type { ReadHandle, WriteHandle } from '../database/database.ts'
import { ServiceError } from '../errors.ts'
import { newId } from '../ids.ts'
import { invalidField } from '../invalid-input.ts'
import type { Secrets } from '../secrets.ts'
import { twinOf } from './deploy/place.ts'
import { SshError } from './ssh/errors.ts'
import { readHostKey } from './ssh/host-key.ts'
import type { SshPlace } from './ssh/target.ts'
import {
  changeInstanceStatus,
  findInstanceAt,
  getInstance,
  hostsIn,
  type InstanceRow,
  insertInstance,
  type NewInstance,
  privateKeyContext,
  updateInstance
} from './store.ts'

type Wanted = z.output<typeof RegisterInstance>
type Prepared = Awaited<ReturnType<typeof prepareInstance>>

/**
 * Everything that takes a network or a processor. A server that isn't up yet is registered by the host key that is given.
 * @throws ServiceError `customer_not_found`, `instance_exists`, `host_key_mismatch`, `instance_unreachable`, `invalid_input`
 */
export async function prepareInstance(
  ctx: { config: Config; secrets: Secrets; db: ReadHandle },
  partnerId: string,
  wanted: Wanted,
  signal?: AbortSignal
) {
  const customer = await getCustomer(ctx.db, partnerId, wanted.customerId)
  const { jump } = wanted
  const place = { ...wanted, host: jump === undefined ? wanted.host : `${jump}/${wanted.host}` }
  const earlier = await findInstanceAt(ctx.db, partnerId, place)
  if (earlier) refuseOtherCustomer(earlier, customer.id)
  const moved = wanted.replaces && (await getInstance(ctx.db, partnerId, wanted.replaces))
  if (moved && moved.customerId !== customer.id) throw new ServiceError('instance_not_found')
  const server = { ...wanted, partnerId, customerId: customer.id }
  const { hostKey, wasReached } = await agreedHostKey(ctx.config, server, earlier, signal)

  const id = newId('ins')
  const { makeKeyPair } = await import('./ssh/key-pair.ts')
  const { publicKey, privateKey } = makeKeyPair(`mindgate-${id}`)
  const at = now()
  const { host, port, username, root } = place
  const privateKeySealed = ctx.secrets.seal(privateKey, privateKeyContext(id))
  const row: NewInstance = {
    id,
    partnerId,
    customerId: customer.id,
    name: wanted.name ?? wanted.host,
    ...{ host, port, username, root, hostKey },
    jumpHostKey: wanted.jumpHostKey ?? earlier?.jumpHostKey ?? null,
    publicKey,
    privateKeySealed,
    status: 'registered',
    settings: '{}',
    createdAt: at,
    updatedAt: at
  }
  // A name that was given replaces the one of an earlier registration.
  return { row, isNamed: wanted.name !== undefined, wasReached, moved: moved || undefined }
}

/**
 * The same place again keeps its id, its key and its status; an instance that moves has nothing deployed at its new one.
 * @throws ServiceError `instance_exists` for a place that is taken, `deploy_in_progress` for an instance that would move
 */
export async function registerInstance(tx: WriteHandle, { row, isNamed, moved }: Prepared) {
  const twin = await twinOf(tx, row, { hostKey: row.hostKey })
  if (twin) refuseTwin(twin)
  const there = moved && (await findInstanceAt(tx, row.partnerId, row))
  if (there && there.id !== moved.id)
    throw new ServiceError('instance_exists', `This place is registered as ${there.id}. Remove that first.`, {
      field: 'host'
    })
  if (moved && !there) return { instance: await move(tx, moved, row, isNamed), outcome: 'moved' } as const
  const inserted = await insertInstance(tx, row)
  if (inserted) return { instance: inserted, outcome: 'new' } as const
  const earlier = await findInstanceAt(tx, row.partnerId, row)
  if (!earlier) throw new Error('an instance was neither inserted nor found')
  refuseOtherCustomer(earlier, row.customerId)
  const { username, hostKey, jumpHostKey = null } = row
  const columns = { username, hostKey, jumpHostKey, name: isNamed ? row.name : earlier.name }
  return { instance: await updateInstance(tx, earlier, columns), outcome: 'known' } as const
}

async function move(
  tx: WriteHandle,
  { partnerId, id, status, ...former }: InstanceRow,
  row: NewInstance,
  isNamed: boolean
) {
  const { host, port, root, username, hostKey, jumpHostKey = null } = row
  const name = isNamed || former.name === hostsIn(former.host).host ? row.name : former.name
  const place = { host, port, root, username, hostKey, jumpHostKey, name }
  const bare = { machineId: null, agentName: null, model: null }
  // Another app than the first is told by the status alone.
  const app = appOf(status)
  const to = app === APP_IDS[0] ? 'registered' : (`failed:${app}` as const)
  if (
    isDeploying(status) ||
    !(await changeInstanceStatus(tx, partnerId, id, [status], to, { ...place, ...bare }))
  )
    throw new ServiceError('deploy_in_progress')
  return getInstance(tx, partnerId, id)
}

function refuseTwin({ name, host, id, customerId }: InstanceRow): never {
  const text = `The server shows the host key of ${name} (${host}, ${id}), which is registered for another customer (${customerId}): a server has one owner. Remove it there first, or give another root. If these are two servers made from one image, make host keys for this one: rm /etc/ssh/ssh_host_* && ssh-keygen -A`
  throw new ServiceError('instance_exists', text, { field: 'host' })
}

/** What a server may fail by and still be registered, by a host key that is given. */
const MAY_COME_UP_LATER = new Set(['refused', 'unreachable', 'connect_timeout'])

async function agreedHostKey(
  config: Config,
  { hostKey, ...server }: Wanted & SshPlace,
  earlier: InstanceRow | undefined,
  signal: AbortSignal | undefined
) {
  const expected = hostKey ?? earlier?.hostKey
  if (server.jump !== undefined) {
    // Behind it nothing is seen before our key is let in there, and nobody is believed on the way.
    if (expected === undefined) throw invalidField('hostKey', 'is needed for a server behind a jump host')
    if ((server.jumpHostKey ?? earlier?.jumpHostKey) == null) throw invalidField('jumpHostKey', 'is needed')
    return { hostKey: expected, wasReached: true }
  }
  const { sshAllowPrivate: allowPrivate, sshConnectTimeoutMs: timeoutMs } = config
  try {
    const shown = await readHostKey(server, { allowPrivate, timeoutMs, expected, signal })
    if (expected !== undefined && shown !== expected) refuseHostKey(shown, hostKey)
    return { hostKey: shown, wasReached: true }
  } catch (error) {
    const mayComeUp = error instanceof SshError && MAY_COME_UP_LATER.has(error.fault)
    if (hostKey !== undefined && mayComeUp) return { hostKey, wasReached: false }
    throw asUnreachable(error)
  }
}

/** A fault as a refusal of the place that was given; what is none of SSH's, or of its own doing, stays as it is. */
function asUnreachable(error: unknown): unknown {
  if (!(error instanceof SshError) || error.fault === 'cancelled') return error
  const { fault } = error
  const isUnusable = fault === 'forbidden_address' || fault === 'unresolvable'
  const code = isUnusable ? 'invalid_input' : 'instance_unreachable'
  const field = fault === 'refused' ? 'port' : 'host'
  return new ServiceError(code, error.text, { field, cause: error })
}

function refuseHostKey(shown: string, given: string | undefined): never {
  const text =
    given === undefined
      ? `The server shows the host key ${shown}, not the one that it was registered with. If it was set up anew, register it again and give that host key.`
      : `The server shows the host key ${shown}, not the one given. Compare it on the server: ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub`
  throw new ServiceError('host_key_mismatch', text, { field: 'hostKey' })
}

function refuseOtherCustomer({ customerId }: InstanceRow, wantedFor: string): void {
  if (customerId === wantedFor) return
  const text = `This place is registered for another customer (${customerId}). Remove it there first, or give another root.`
  throw new ServiceError('instance_exists', text, { field: 'host' })
}
