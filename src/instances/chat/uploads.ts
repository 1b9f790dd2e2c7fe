// The newest files that were sent to an agent, by name and size: they themselves are on its server only.
import { z } from 'zod'
import { ChatFile } from '../../../schemas/chat.ts'
import type { ReadHandle, WriteHandle } from '../../database/database.ts'
import { changeWhere, rowsWhere } from '../../database/known.ts'
import { invalidField } from '../../invalid-input.ts'
import { type InstanceName, nextSeq } from './conversations.ts'

/** Taken: it came with a message, and may come with another, as when that is sent again. */
const Upload = ChatFile.omit({ direction: true }).extend({ isTaken: z.boolean() })
type Upload = z.output<typeof Upload>

/** Of an instance, and as many that were taken. */
const MAX_UPLOADS = 20

async function uploadsOf(db: ReadHandle, { partnerId, id: instanceId }: InstanceName): Promise<Upload[]> {
  const thread = await rowsWhere(db, 'chatThread', { partnerId, instanceId })
    .select('uploads')
    .executeTakeFirst()
  return z.array(Upload).parse(JSON.parse(thread?.uploads ?? '[]'))
}

const newest = (uploads: readonly Upload[], isTaken: boolean): Upload[] =>
  uploads.filter((upload) => upload.isTaken === isTaken).slice(-MAX_UPLOADS)

/** Answers the ids of those that go for it: no message has taken them, and none can any more. */
export async function addUpload(
  tx: WriteHandle,
  instance: InstanceName,
  upload: Omit<Upload, 'isTaken'>
): Promise<string[]> {
  // For its row, and for its lock.
  await nextSeq(tx, instance.partnerId, instance.id)
  const uploads = [...(await uploadsOf(tx, instance)), { ...upload, isTaken: false }]
  await keepUploads(tx, instance, uploads)
  const untaken = uploads.filter(({ isTaken }) => !isTaken)
  return untaken.slice(0, -MAX_UPLOADS).map(({ id }) => id)
}

/** The files of those ids, from now on taken. @throws ServiceError `invalid_input`, for another instance's as for none */
export async function takeUploads(
  tx: WriteHandle,
  instance: InstanceName,
  ids: readonly string[]
): Promise<ChatFile[]> {
  if (ids.length === 0) return []
  const uploads = await uploadsOf(tx, instance)
  const taken = ids.flatMap((id) => uploads.find((upload) => upload.id === id) ?? [])
  if (taken.length < ids.length)
    throw invalidField('files', 'names one that isn’t here, or not any more; send the file again')
  for (const upload of taken) upload.isTaken = true
  await keepUploads(tx, instance, uploads)
  return taken.map(({ id, name, size }) => ({ direction: 'in', id, name, size }))
}

const keepUploads = (tx: WriteHandle, { partnerId, id }: InstanceName, uploads: readonly Upload[]) =>
  changeWhere(tx, 'chatThread', { partnerId, instanceId: id })
    .set({ uploads: JSON.stringify([...newest(uploads, true), ...newest(uploads, false)]) })
    .execute()
