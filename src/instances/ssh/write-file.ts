// A file put on the server: under another name first, then in one step in its place. Its folder must be there. By the
// shell, which whatever is deployed needs anyway: SFTP isn't offered everywhere.
import { randomBytes } from 'node:crypto'
import type { SshConnection } from './connection.ts'
import { SshError } from './errors.ts'
import { MAX_INPUT_BYTES, quoted, remoteCommand } from './remote-shell.ts'
import { converse } from './session.ts'

export interface FileContent {
  path: string
  content: Uint8Array
  mode: number
}

const MAX_OUTPUT_BYTES = 10_000

/** A large file goes in pieces; one that fails or is stopped takes what has come so far along. @throws SshError */
export async function writeFile(
  connection: SshConnection,
  { path, content, mode }: FileContent,
  signal: AbortSignal
): Promise<void> {
  const temporary = quoted(`${path}.${randomBytes(6).toString('hex')}.part`)
  const begin = `umask 077; drop() { rm -f ${temporary}; exit 1; }; trap drop TERM; cat >>${temporary}`
  // Of a connection that breaks off the last piece ends early, as if it were whole.
  const isWhole = `[ "$(wc -c <${temporary})" -eq ${content.length} ]`
  const finish = `${isWhole} && chmod ${mode.toString(8)} ${temporary} && sync ${temporary} && mv -fT ${temporary} ${quoted(path)}`
  const pieces = Math.max(1, Math.ceil(content.length / MAX_INPUT_BYTES))
  for (let piece = 1; piece <= pieces; piece += 1) {
    const input = content.subarray((piece - 1) * MAX_INPUT_BYTES, piece * MAX_INPUT_BYTES)
    const script = piece < pieces ? `${begin} || drop` : `${begin} && ${finish} || drop`
    const run = { command: remoteCommand(script, input.length), input, maxOutputBytes: MAX_OUTPUT_BYTES }
    const { exitCode } = await converse(connection, run, signal)
    if (exitCode !== 0) throw new SshError('write_failed', { hasNotBegun: false })
  }
}
