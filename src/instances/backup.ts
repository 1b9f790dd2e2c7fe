// An agent's home and its conversations, taken off its server, and put onto that or another one. They go through here piece
// by piece, and stay on servers alone.
import { isDeployed, isDeploying } from '../../schemas/app.ts'
import { acknowledgement } from '../../schemas/envelope.ts'
import { AgentBackup, InstancePath, MAX_BACKUP_BYTES, RestoreAgent } from '../../schemas/instance.ts'
import { caring, packScript } from '../catalog/care.ts'
import type { ReadHandle } from '../database/database.ts'
import { ServiceError } from '../errors.ts'
import { createFairQueue } from '../fair-queue.ts'
import { newId } from '../ids.ts'
import { type AnyOperation, CHANGES, defineOperation, READS } from '../operation.ts'
import { type AskContext, askServer, refuseUnreachable } from './care.ts'
import { PIECE_BYTES, piecesFrom } from './chat/files.ts'
import { getInstance, pathsOf, sshTarget } from './store.ts'
import { placeOf } from './try-out.ts'

const PACK_MS = 180_000
const TRAVEL_MS = 600_000
const DEADLINE_MS = TRAVEL_MS + 2 * PACK_MS
/** What unpacked is more is refused: a small archive can hold without end. */
const MAX_UNPACKED_BYTES = 4_000_000_000

const RESTORED = 'The agent goes on from the backup.'

const refusal = () =>
  new ServiceError('rate_limited', 'Too many backups are on their way. Try again in a moment.', {
    retryAfterSeconds: 10
  })
const packing = createFairQueue({ atOnce: 20, atOncePerTenant: 4, waitingPerTenant: 20, refusal })

/** With a backup one has all that was said: to read it takes as much as to write it. */
const MOVES = {
  scope: 'instances:write',
  channels: ['rest', 'operator'],
  file: MAX_BACKUP_BYTES
} as const

export const backUpAgent = defineOperation({
  ...MOVES,
  name: 'instance_backup',
  title: 'Back up an agent',
  summary:
    'Returns an agent’s home and conversations as one gzipped tar, without its keys and its program. Meanwhile it answers nothing.',
  http: { method: 'get', path: '/instances/{instanceId}/cli-agent/backup', group: 'Instances' },
  input: InstancePath,
  output: AgentBackup,
  annotations: { ...READS, openWorld: true },
  errors: ['deploy_in_progress', 'instance_unreachable'],
  deadlineMs: DEADLINE_MS,
  async handle(ctx, { partnerId }, { instanceId }) {
    const { asked, pack, backupDir } = await agentAt(ctx, partnerId, instanceId)
    const file = `${backupDir}/out-${newId('tra')}`
    const told = await packing.run(partnerId, () => pack('backup', file, MAX_BACKUP_BYTES), ctx.signal)
    const size = Number(/^size +(\d{1,9})$/m.exec(new TextDecoder().decode(told))?.[1])
    if (!(size <= MAX_BACKUP_BYTES))
      throw new ServiceError('instance_unreachable', 'The server told no size of the backup.')
    const pieceAt = async (offset: number) => {
      const most = Math.min(PIECE_BYTES, size - offset)
      return (await asked(`tail -c +${offset + 1} ${file} | head -c ${most}\n`)).subarray(0, most)
    }
    const first = await pieceAt(0)
    async function* pieces() {
      try {
        yield* piecesFrom(first, size, pieceAt)
      } finally {
        // One that nobody reads goes when the next one is made.
        await Promise.allSettled([asked(`rm -f ${file}\n`)])
      }
    }
    return ctx.transaction(async (tx) => {
      await ctx.audit(tx, { targetType: 'instance', targetId: instanceId })
      return { file: { name: `${instanceId}.tar.gz`, size, pieces: pieces() } }
    })
  }
})

export const restoreAgent = defineOperation({
  ...MOVES,
  name: 'instance_restore',
  title: 'Restore an agent',
  summary:
    'Puts a backup in the place of a deployed agent’s home and conversations. Its keys, persona and program stay; what was there is kept on the server until the next time.',
  http: { method: 'put', path: '/instances/{instanceId}/cli-agent/backup', group: 'Instances' },
  input: RestoreAgent,
  output: acknowledgement(RESTORED),
  annotations: { ...CHANGES, openWorld: true },
  errors: ['deploy_in_progress', 'agent_not_deployed', 'instance_unreachable', 'payload_too_large'],
  deadlineMs: DEADLINE_MS,
  async handle(ctx, { partnerId }, { instanceId, file: content }) {
    const { instance, asked, pack, backupDir } = await agentAt(ctx, partnerId, instanceId)
    if (!isDeployed(instance.status)) throw new ServiceError('agent_not_deployed')
    const path = `${backupDir}/in-${newId('tra')}`
    const target = sshTarget(ctx.secrets, instance)
    const limits = { timeoutMs: TRAVEL_MS, signal: ctx.signal }
    const put = async () => {
      await asked(
        `mkdir -p -m 700 ${backupDir} && find ${backupDir} -name 'in-*' -mmin +20 -exec rm -f {} +\n`
      )
      await ctx.ssh.writeFile(target, { path, content, mode: 0o600, ...limits }).catch(refuseUnreachable)
      await agentAt(ctx, partnerId, instanceId)
      await pack('restore', path, MAX_UNPACKED_BYTES)
    }
    await packing.run(partnerId, put, ctx.signal)
    return ctx.transaction(async (tx) => {
      await ctx.audit(tx, { targetType: 'instance', targetId: instanceId })
      return { message: RESTORED }
    })
  }
})

/** @throws ServiceError `instance_not_found`, `deploy_in_progress` */
async function agentAt(ctx: AskContext & { db: ReadHandle }, partnerId: string, instanceId: string) {
  const instance = await getInstance(ctx.db, partnerId, instanceId)
  if (isDeploying(instance.status)) throw new ServiceError('deploy_in_progress')
  const [paths, place] = [pathsOf(instance), placeOf(instance)]
  return {
    instance,
    backupDir: paths.backupDir,
    asked: (script: string) => askServer(ctx, instance, caring(paths, place) + script),
    pack(does: 'backup' | 'restore', file: string, most: number) {
      const given = { does, file, most: String(most), customer: instance.customerId }
      return askServer(ctx, instance, packScript(paths, place, given), PACK_MS)
    }
  }
}

export const backupOperations: readonly AnyOperation[] = [backUpAgent, restoreAgent]
