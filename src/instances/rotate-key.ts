// Another key pair for a server, in place of the one that it lets in: tried before the former one goes.
import { DEPLOYING, isDeploying } from '../../schemas/app.ts'
import { InstancePath, RegisterInstanceResult } from '../../schemas/instance.ts'
import { addKeyScript } from '../catalog/care.ts'
import { now } from '../clock.ts'
import { changeWhere } from '../database/known.ts'
import { ServiceError } from '../errors.ts'
import { CHANGES, defineOperation } from '../operation.ts'
import { askServer, SERVER_DEADLINE_MS } from './care.ts'
import { forgetKey } from './removal.ts'
import { getInstance, keyOf, pathsOf, privateKeyContext, toInstance } from './store.ts'

const ROTATED = 'The server lets us in by a new key, and by the former one no more.'

const DEADLINE_MS = 3 * SERVER_DEADLINE_MS

export const rotateInstanceKey = defineOperation({
  name: 'instance_rotate_key',
  title: 'Rotate a server’s SSH key',
  summary:
    'Makes a new key pair for a server, puts it beside the present one in authorized_keys, tries it, and takes the former one out. Nothing changes where it isn’t let in.',
  scope: 'instances:write',
  channels: ['rest', 'console', 'operator'],
  http: { method: 'post', path: '/instances/{instanceId}/rotate-key', group: 'Instances' },
  input: InstancePath,
  output: RegisterInstanceResult,
  annotations: { ...CHANGES, openWorld: true },
  errors: ['deploy_in_progress', 'instance_unreachable'],
  deadlineMs: DEADLINE_MS,
  async handle(ctx, { partnerId }, { instanceId }) {
    const former = await getInstance(ctx.db, partnerId, instanceId)
    if (isDeploying(former.status)) throw new ServiceError('deploy_in_progress')
    const paths = pathsOf(former)
    const { makeKeyPair } = await import('./ssh/key-pair.ts')
    const { publicKey, privateKey } = makeKeyPair(`mindgate-${instanceId}`)
    const privateKeySealed = ctx.secrets.seal(privateKey, privateKeyContext(instanceId))
    const renewed = { ...former, publicKey, privateKeySealed }
    await askServer(ctx, former, addKeyScript(paths, keyOf(former), keyOf(renewed)))
    try {
      await askServer(ctx, renewed, 'true\n')
      const rotated = await ctx.transaction(async (tx) => {
        const unchanged = { partnerId, id: instanceId, publicKey: former.publicKey }
        const instance = await changeWhere(tx, 'instance', unchanged)
          .set({ publicKey, privateKeySealed, updatedAt: now() })
          .where('status', 'not in', DEPLOYING)
          .returningAll()
          .executeTakeFirst()
        if (!instance)
          throw new ServiceError(
            'deploy_in_progress',
            'Its key was changed meanwhile, or a deploy has begun.'
          )
        await ctx.audit(tx, { targetType: 'instance', targetId: instanceId })
        return { message: ROTATED, data: toInstance(instance) }
      })
      await forgetKey(ctx, renewed, keyOf(former))
      return rotated
    } catch (error) {
      await forgetKey(ctx, former, keyOf(renewed))
      throw error
    }
  }
})
