// A file put on the server: under another name first, then in one step in its place. Its folder must be there.
import { randomBytes } from 'node:crypto'
import type { SFTPWrapper } from 'ssh2'
import { orAborted, settlesWithin } from '../../net/deadline.ts'
import type { Opener, SshConnection } from './connection.ts'
import { SshError } from './errors.ts'
import { quoted, remoteCommand } from './remote-shell.ts'
import { converse } from './session.ts'

export interface FileContent {
  path: string
  content: Uint8Array
  mode: number
}

const PART_BYTES = 32_768
const MAX_OUTPUT_BYTES = 10_000
/** To remove what a failure left. */
const CLEAN_UP_MS = 1_000

/** Whether SFTP can't be had there: no such service, or a start-up file of the login shell that speaks in between. */
export const isWithoutSftp = (error: unknown): boolean =>
  error instanceof SshError && error.fault === 'no_session' && !(error.cause instanceof SshError)

/** @throws SshError */
export async function writeOverSftp(
  connection: SshConnection,
  { path, content, mode }: FileContent,
  signal: AbortSignal
): Promise<void> {
  const { channel: sftp, release } = await connection.open(sftpOpener, signal)
  const ask = <T>(request: (answer: (error: Error | null | undefined, value: T) => void) => void) => {
    const answered = new Promise<T>((resolve, reject) => {
      request((error, value) => (error ? reject(error) : resolve(value)))
    })
    return orAborted(answered, signal, connection.lost)
  }
  const temporary = temporaryName(path)
  let hasNotBegun = true
  try {
    const handle = await ask<Buffer>((answer) => sftp.open(temporary, 'wx', { mode: 0o600 }, answer))
    await ask<void>((answer) => sftp.write(handle, Buffer.from(content), 0, content.length, 0, answer))
    // The mode that it is opened with is subject to the server's umask.
    await ask<void>((answer) => sftp.fchmod(handle, mode, answer))
    await ask<void>((answer) => sftp.ext_openssh_fsync(handle, answer))
    await ask<void>((answer) => sftp.close(handle, answer))
    hasNotBegun = false
    // SFTP's own rename refuses to replace a file.
    await ask<void>((answer) => sftp.ext_openssh_rename(temporary, path, answer))
  } catch (cause) {
    // Closed at once, the channel would take the request with it.
    const removed = new Promise((resolve) => sftp.unlink(temporary, resolve))
    if (!connection.lost.aborted) await settlesWithin(removed, CLEAN_UP_MS)
    throw new SshError(cause instanceof SshError ? cause.fault : 'write_failed', { hasNotBegun, cause })
  } finally {
    release()
  }
}

const sftpOpener: Opener<SFTPWrapper> = {
  open: (client, answer) => client.sftp(answer),
  close: (sftp) => sftp.end(),
  closed: (sftp) =>
    new Promise((resolve) => {
      sftp.on('error', () => {})
      sftp.once('close', () => resolve())
    })
}

/** @throws SshError */
export async function writeByScript(
  connection: SshConnection,
  { path, content, mode }: FileContent,
  signal: AbortSignal
): Promise<void> {
  const temporary = quoted(temporaryName(path))
  const run = async (script: string, input: Uint8Array) => {
    const run = { command: remoteCommand(script, input.length), input, maxOutputBytes: MAX_OUTPUT_BYTES }
    const { exitCode } = await converse(connection, run, signal)
    if (exitCode !== 0) throw new SshError('write_failed', { hasNotBegun: false })
  }
  await run(`umask 077 && : >${temporary}`, new Uint8Array())
  for (let at = 0; at < content.length; at += PART_BYTES) {
    await run(`cat >>${temporary} || { rm -f ${temporary}; exit 1; }`, content.subarray(at, at + PART_BYTES))
  }
  const finish = `chmod ${mode.toString(8)} ${temporary} && sync ${temporary} && mv -fT ${temporary} ${quoted(path)}`
  await run(`${finish} || { rm -f ${temporary}; exit 1; }`, new Uint8Array())
}

const temporaryName = (path: string) => `${path}.${randomBytes(6).toString('hex')}.part`
