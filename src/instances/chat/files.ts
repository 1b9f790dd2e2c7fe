// Files between a customer and its agent. They go through here and are kept on the agent's server alone.

import type { ChatUploaded } from '../../../schemas/chat.ts'
import { isKindTaken } from '../../../schemas/file-kinds.ts'
import { filesInScript, filesOutScript, NOT_READY } from '../../catalog/chat.ts'
import type { Database } from '../../database/database.ts'
import { rowsWhere } from '../../database/known.ts'
import { ServiceError } from '../../errors.ts'
import { createFairQueue } from '../../fair-queue.ts'
import { newId } from '../../ids.ts'
import { invalidField } from '../../invalid-input.ts'
import { SshError } from '../ssh/errors.ts'
import type { Incoming } from '../ssh/write-file.ts'
import { type InstanceRow, pathsOf, sshTarget } from '../store.ts'
import { placeOf } from '../try-out.ts'
import { conversationsOf } from './conversations.ts'
import { cleanFileName } from './file-name.ts'
import { failed, type NotAnswered } from './result.ts'
import { type RunContext, runOf } from './run.ts'
import { filesOf } from './store.ts'
import { addUpload } from './uploads.ts'

interface FileContext extends RunContext {
  database: Database
}

/** As long as a client may take for its request. */
const UPLOAD_WITHIN_MS = 60_000
const PIECE_WITHIN_MS = 30_000
const DOWNLOAD_WITHIN_MS = 600_000
/** No more lies here of a file than that, however slowly it is read. */
export const PIECE_BYTES = 1_000_000

/** Places for files on their way. An instance's runs need some of the sessions that its server takes. */
const refusal = () =>
  new ServiceError('rate_limited', 'Too many files are on their way at once. Try again in a moment.', {
    retryAfterSeconds: 5
  })
const OF_INSTANCE = { atOncePerTenant: 2, waitingPerTenant: 20, refusal }
const OF_PARTNER = { atOnce: 200, atOncePerTenant: 10, waitingPerTenant: 100, refusal }

export function createChatFiles({ database, ssh, secrets, log }: FileContext) {
  const ofInstance = createFairQueue(OF_INSTANCE)
  const ofPartner = createFairQueue(OF_PARTNER)

  /** In its turn; what its server can't do is no fault of ours. */
  const asked = async <T>(instance: InstanceRow, signal: AbortSignal, work: () => Promise<T>) => {
    const { id: instanceId, partnerId } = instance
    try {
      return await ofInstance.run(instanceId, () => ofPartner.run(partnerId, work, signal), signal)
    } catch (error) {
      if (signal.aborted) return failed('cancelled')
      if (!(error instanceof SshError)) throw error
      log.warn('a file of a chat could not be brought over', {
        partnerId,
        instanceId,
        code: error.code,
        error
      })
      if (error.fault !== 'write_failed') return failed('ssh_unavailable')
      return { ...failed('agent_error'), reason: 'home_read_only' as const }
    }
  }

  return {
    /**
     * Puts a file on the agent's server, for a message that names its id.
     * @throws ServiceError `invalid_input` for a kind that isn't taken, `rate_limited`; what the body's source throws
     */
    async take(
      instance: InstanceRow,
      { name: given, body }: { name: string; body: Incoming },
      signal: AbortSignal
    ): Promise<ChatUploaded | NotAnswered> {
      const name = cleanFileName(given)
      if (!pathsOf(instance).app.hasHands)
        throw new ServiceError('invalid_input', 'This agent takes no files.')
      if (!isKindTaken(name)) throw invalidField('name', 'has an ending of which no files are taken')
      const file = { id: newId('fil'), name, size: body.size }
      const paths = pathsOf(instance)
      const folder = `${paths.filesInDir}/${file.id}`
      const target = sshTarget(secrets, instance)
      const limits = { timeoutMs: UPLOAD_WITHIN_MS, signal }
      return asked(instance, signal, async () => {
        // Before it is there: of one that fails nobody knows the id, and none that goes for it can be sent any more.
        const dropped = await database.transaction((tx) => addUpload(tx, instance, file), instance.partnerId)
        const script = filesInScript(paths, { ...placeOf(instance), folder, size: file.size, dropped })
        const { exitCode } = await ssh.run(target, { script, ...limits })
        if (exitCode === NOT_READY) return failed('agent_not_ready')
        if (exitCode !== 0) throw new SshError('write_failed', { hasNotBegun: false })
        await ssh.writeFile(target, { path: `${folder}/${name}`, content: body, mode: 0o600, ...limits })
        return { file }
      })
    },
    /**
     * A file that came with a reply, piece by piece from the agent's server as it is read.
     * @throws ServiceError `not_found`, for another instance's as for none
     */
    async open(instance: InstanceRow, exchangeId: string, fileId: string, signal: AbortSignal) {
      const { partnerId, id: instanceId } = instance
      const named = { partnerId, instanceId, id: exchangeId }
      const exchange = await rowsWhere(database.read, 'chatExchange', named)
        .where('conversationId', 'in', conversationsOf(database.read, instance).select('id'))
        .selectAll()
        .executeTakeFirst()
      const file =
        exchange && filesOf(exchange).find(({ direction, id }) => direction === 'out' && id === fileId)
      if (!file) throw gone()
      const path = `${runOf(exchange)}/.sent/${file.id}`
      const paths = pathsOf(instance)
      const target = sshTarget(secrets, instance)
      const pieceAt = (offset: number) =>
        asked(instance, signal, async () => {
          const most = Math.min(PIECE_BYTES, file.size - offset)
          const script = filesOutScript(paths, { ...placeOf(instance), path, offset, most })
          const limits = { timeoutMs: PIECE_WITHIN_MS, maxOutputBytes: PIECE_BYTES, signal }
          const { exitCode, stdout } = await ssh.run(target, { script, ...limits })
          if (exitCode === NOT_READY) return failed('agent_not_ready')
          if (exitCode !== 0) throw gone()
          return stdout.subarray(0, most)
        })
      const first = await pieceAt(0)
      return first instanceof Uint8Array
        ? { name: file.name, size: file.size, pieces: piecesFrom(first, file.size, pieceAt) }
        : first
    }
  }
}

/** Never more than was told of it. One that ends early broke off. */
export async function* piecesFrom(
  first: Uint8Array,
  size: number,
  pieceAt: (offset: number) => Promise<Uint8Array | NotAnswered>
): AsyncGenerator<Uint8Array> {
  const endsAt = performance.now() + DOWNLOAD_WITHIN_MS
  let piece: Uint8Array | NotAnswered = first
  for (let offset = 0; ; piece = await pieceAt(offset)) {
    if (!(piece instanceof Uint8Array) || (piece.length === 0 && offset < size) || performance.now() > endsAt)
      throw new Error('A file broke off on its way from the server')
    offset += piece.length
    yield piece
    if (offset >= size) return
  }
}

const gone = (): ServiceError =>
  new ServiceError('not_found', 'There is no such file, or the agent’s server doesn’t have it any more.')
