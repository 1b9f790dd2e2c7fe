// How a composed mail leaves this process: over SMTP, or into a folder.
import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Composed } from './compose.ts'
import { openFileTransport } from './file-transport.ts'
import { openSmtpTransport } from './smtp-transport.ts'

export interface Transport {
  /** Resolves once the mail is in safe hands; rejects when it isn't or can't be told, and when `signal` aborts. */
  send(mail: Composed, signal: AbortSignal): Promise<void>
}

/** Where mails lie as files when MAIL_URL is not set. */
export const mailFolder = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'outbox')

/** SMTP when MAIL_URL is set, else files. `silenceMs`: the longest silence of the server. */
export const openTransport = ({ mailUrl, ...config }: Config, silenceMs: number): Transport =>
  mailUrl === undefined ? openFileTransport(mailFolder(config)) : openSmtpTransport(mailUrl, silenceMs)
