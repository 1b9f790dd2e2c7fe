import { isDeployed } from '../../schemas/app.ts'
import { acknowledgement } from '../../schemas/envelope.ts'
import {
  FindInstances,
  InstancePage,
  InstancePath,
  InstanceResult,
  InstanceTest,
  ListInstances,
  RegisterInstance,
  RegisterInstanceResult,
  RemoveInstance
} from '../../schemas/instance.ts'
import { LONGEST_CONNECT_MS } from '../config.ts'
import { CHANGES, defineOperation, READS, SETS } from '../operation.ts'
import { lastTrouble } from './chat/history.ts'
import { prepareInstance, registerInstance } from './register.ts'
import { endKeys, forgetInstance, forgetKey, UNINSTALL_MS, uninstall } from './removal.ts'
import { rotateInstanceKey } from './rotate-key.ts'
import { getInstance, noteLook, pageOfInstances, toInstance } from './store.ts'
import { tryInstance } from './try-out.ts'

/** A connection, and then as long again for the command or the transaction. */
const DEADLINE_MS = 2 * LONGEST_CONNECT_MS

export const registerInstanceOperation = defineOperation({
  name: 'instance_register',
  title: 'Register a server',
  summary:
    'Registers a customer’s virtual server, keeps its host key and makes a key pair, whose public key goes into the server’s authorized_keys. The same place again keeps its id and key; with `replaces` another instance moves there.',
  scope: 'instances:write',
  channels: ['rest', 'console', 'operator'],
  http: { method: 'post', path: '/instances', group: 'Instances' },
  input: RegisterInstance,
  output: RegisterInstanceResult,
  annotations: { ...SETS, openWorld: true },
  errors: [
    ...(['instance_exists', 'host_key_mismatch', 'instance_unreachable'] as const),
    ...(['instance_not_found', 'deploy_in_progress'] as const)
  ],
  deadlineMs: DEADLINE_MS,
  async handle(ctx, { partnerId }, wanted) {
    const prepared = await prepareInstance(ctx, partnerId, wanted, ctx.signal)
    const registered = await ctx.transaction(async (tx) => {
      const { instance, outcome } = await registerInstance(tx, prepared)
      await ctx.audit(tx, { targetType: 'instance', targetId: instance.id })
      const message = registrationMessage(outcome, prepared.wasReached, wanted.jump)
      return { message, data: toInstance(instance) }
    })
    // What it was reached by before may have changed.
    ctx.ssh.end(registered.data.instanceId)
    return registered
  }
})

export const listInstancesOperation = defineOperation({
  name: 'instance_list',
  title: 'List servers',
  summary: 'Lists customers’ servers, newest first.',
  scope: 'instances:read',
  channels: ['rest', 'mcp', 'console'],
  http: { method: 'get', path: '/instances', group: 'Instances' },
  input: ListInstances,
  output: InstancePage,
  handle: ({ db }, { partnerId }, query) => pageOfInstances(db, partnerId, query)
})

/** As instance_list, also of those alone whose agent doesn't answer or whose last deploy failed. */
export const findInstances = defineOperation({
  name: 'instance_find',
  scope: 'instances:read',
  input: FindInstances,
  output: InstancePage,
  handle: ({ db }, { partnerId }, query) => pageOfInstances(db, partnerId, query)
})

export const getInstanceOperation = defineOperation({
  name: 'instance_get',
  title: 'Get a server',
  summary: 'Returns one virtual server with its host key and the public key for its authorized_keys.',
  scope: 'instances:read',
  channels: ['rest', 'console'],
  http: { method: 'get', path: '/instances/{instanceId}', group: 'Instances' },
  input: InstancePath,
  output: InstanceResult,
  async handle({ db }, { partnerId }, { instanceId }) {
    const instance = await getInstance(db, partnerId, instanceId)
    return { data: { ...toInstance(instance), lastTrouble: await lastTrouble(db, instance) } }
  }
})

export const testInstance = defineOperation({
  name: 'instance_test',
  title: 'Test a server',
  summary:
    'Signs in to a virtual server and looks whether its agent is ready. What goes wrong there is in the answer and no error.',
  scope: 'instances:read',
  channels: ['rest', 'console', 'operator'],
  http: { method: 'post', path: '/instances/{instanceId}/test', group: 'Instances' },
  input: InstancePath,
  output: InstanceTest,
  annotations: { ...READS, openWorld: true },
  deadlineMs: DEADLINE_MS,
  async handle(ctx, { partnerId }, { instanceId }) {
    const instance = await getInstance(ctx.db, partnerId, instanceId)
    const limits = { timeoutMs: 2 * ctx.config.sshConnectTimeoutMs, signal: ctx.signal }
    const found = await tryInstance(ctx, instance, limits)
    // One failure of one that answers says nothing yet.
    const isNews = found.agentReady || instance.unreachableSince !== null
    if (isNews && isDeployed(instance.status))
      await ctx.step((tx) => noteLook(tx, instance, found.agentReady ? null : found.message))
    return found
  }
})

const REMOVAL_MS = DEADLINE_MS + UNINSTALL_MS

const REMOVED = {
  leave: 'The server was removed here. Nothing on the server itself was changed.',
  keep: 'The server was removed. Its agent is stopped and has no secrets any more; its home is kept.',
  wipe: 'The server was removed, and from it the agent’s home and everything of ours.'
}

export const removeInstance = defineOperation({
  name: 'instance_remove',
  title: 'Remove a server',
  summary: 'Forgets a server with its chat history and ends its agent’s keys.',
  scope: 'instances:write',
  channels: ['rest', 'mcp', 'console', 'operator'],
  http: { method: 'delete', path: '/instances/{instanceId}', group: 'Instances' },
  input: RemoveInstance,
  output: acknowledgement(REMOVED.leave),
  annotations: { ...CHANGES, openWorld: true },
  errors: ['deploy_in_progress', 'instance_unreachable', 'provider_unavailable'],
  deadlineMs: REMOVAL_MS,
  async handle(ctx, { partnerId }, { instanceId, onServer }) {
    const instance = await getInstance(ctx.db, partnerId, instanceId)
    await (onServer === 'leave' ? endKeys(ctx, instance) : uninstall(ctx, instance, onServer))
    const removed = await ctx.transaction(async (tx) => {
      await forgetInstance(tx, instance)
      await ctx.audit(tx, { targetType: 'instance', targetId: instanceId })
      return { message: REMOVED[onServer] }
    })
    if (onServer !== 'leave') await forgetKey(ctx, instance)
    ctx.ssh.end(instanceId)
    return removed
  }
})

const REGISTERED = {
  new: 'The server was registered.',
  known: 'The server was registered before; it keeps its key.',
  moved: 'The instance moves to this server and keeps its key; deploy there, then restore its backup.'
}

function registrationMessage(outcome: keyof typeof REGISTERED, wasReached: boolean, jump?: string): string {
  const done = REGISTERED[outcome]
  const next =
    'Add its public key to the user’s ~/.ssh/authorized_keys on the server' +
    (jump ? `, and for ${jump} as well.` : '.')
  return wasReached ? `${done} ${next}` : `${done} It could not be reached yet. ${next}`
}

export const instanceOperations = [
  registerInstanceOperation,
  listInstancesOperation,
  findInstances,
  getInstanceOperation,
  testInstance,
  rotateInstanceKey,
  removeInstance
]
