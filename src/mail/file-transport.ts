// Mails as .eml files, for an operator without a mail server. A file appears whole or not at all, and once.
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { link, mkdir, readdir, rm, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { codeOf } from '../database/faults.ts'
import { flush } from '../flush.ts'
import type { Composed, Transport } from './compose.ts'

/** Where mails lie as files when MAIL_URL is not set. */
export const mailFolder = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'outbox')

/** Writes mails into `folder`, named after their Message-ID; only this user can read them. */
export function openFileTransport(folder: string): Transport {
  return {
    async send({ message, messageId, isFirstAttempt }) {
      const name = fileName(messageId)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const draft = join(folder, `.${name}.${randomUUID()}`)
      await writeFile(draft, await render(message), { flag: 'wx', mode: 0o600, flush: true })
      try {
        // Linking, and not renaming, fails where the file is there already: an earlier attempt got that far.
        await link(draft, join(folder, name))
      } catch (error) {
        if (codeOf(error) !== 'EEXIST') throw error
      } finally {
        await unlink(draft)
      }
      // The name is on the disk too, before the mail is marked sent.
      await flush(folder)
      if (!isFirstAttempt) await removeDrafts(folder, name)
    }
  }
}

/** Removes the files of these mails from the folder, and what attempts at them left behind. */
export async function removeMailFiles(folder: string, messageIds: readonly string[]): Promise<void> {
  if (messageIds.length === 0 || !existsSync(folder)) return
  const names = new Set(messageIds.map(fileName))
  for (const entry of await readdir(folder)) {
    const isDraft = names.has(entry.slice(1, entry.lastIndexOf('.')))
    if (isDraft || names.has(entry)) await rm(join(folder, entry), { force: true })
  }
  await flush(folder)
}

/** `<mail_x@host>` → `mail_x.eml`. */
const fileName = (messageId: string): string =>
  `${messageId.replace(/^<|@.*$/g, '').replaceAll(/[^0-9A-Za-z_-]/g, '_')}.eml`

async function render(message: Composed['message']): Promise<Buffer> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  return new MailComposer({ ...message, disableFileAccess: true, disableUrlAccess: true }).compile().build()
}

async function removeDrafts(folder: string, name: string): Promise<void> {
  for (const entry of await readdir(folder)) {
    if (entry.startsWith(`.${name}.`)) await unlink(join(folder, entry))
  }
}
