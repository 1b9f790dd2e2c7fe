// A file put on the server: under another name first, then in one step in its place. Its folder must be there. By the
// shell, which whatever is deployed needs anyway: SFTP isn't offered everywhere.
import { randomBytes } from 'node:crypto'
import type { SshConnection } from './connection.ts'
import { SshError } from './errors.ts'
import { quoted, remoteCommand } from './remote-shell.ts'
import { converse, type Input } from './session.ts'

/** What comes from elsewhere, bit by bit, and is never held as a whole. */
export interface Incoming {
  size: number
  pieces: Input
}

export interface FileContent {
  path: string
  content: Uint8Array | Incoming
  mode: number
}

const MAX_OUTPUT_BYTES = 10_000

/** One that fails or is stopped takes what has come so far along. @throws SshError, or what its source throws */
export async function writeFile(
  connection: SshConnection,
  { path, content, mode }: FileContent,
  signal: AbortSignal
): Promise<void> {
  const { size, pieces } =
    content instanceof Uint8Array ? { size: content.length, pieces: [content] } : content
  const temporary = quoted(`${path}.${randomBytes(6).toString('hex')}.part`)
  // Of a connection that breaks off the input ends early, as if it were whole.
  const isWhole = `[ "$(wc -c <${temporary})" -eq ${size} ]`
  const script = `umask 077; drop() { rm -f ${temporary}; exit 1; }; trap drop TERM
cat >${temporary} && ${isWhole} && chmod ${mode.toString(8)} ${temporary} && sync ${temporary} && mv -fT ${temporary} ${quoted(path)} || drop`
  const run = { command: remoteCommand(script, size), input: pieces, maxOutputBytes: MAX_OUTPUT_BYTES }
  const { exitCode } = await converse(connection, run, signal)
  if (exitCode !== 0) throw new SshError('write_failed', { hasNotBegun: false })
}
