// One script on one channel, from its start to its end or to the confirmation that it was stopped.
import { once } from 'node:events'
import { orAborted, settlesWithin } from '../../net/deadline.ts'
import type { RemoteProcess, SshConnection } from './connection.ts'
import { SshError } from './errors.ts'
import { GO, type RemoteCommand } from './remote-shell.ts'

/** How long after the sign to stop a busy server may take to confirm. Usual are 0.1 s; KILL comes after one. */
const STOP_MS = 4_000
/** How long the last output may come after the exit code, and the exit code after the last output. */
const LAST_WORDS_MS = 1_000

export interface SshOutcome {
  /** The script's own; 128 + n when signal n killed it. */
  exitCode: number
  stdout: Uint8Array
  stderr: Uint8Array
}

/** Hears each piece of what the script writes as it comes. */
export type Listen = (piece: Buffer, from: 'stdout' | 'stderr') => void

type CutOutput = ReturnType<typeof createCutOutput>
type Outputs = Record<'stdout' | 'stderr', CutOutput>

/** What a script reads, as a whole or as it comes. */
export type Input = Iterable<Uint8Array> | AsyncIterable<Uint8Array>

/** Runs the command. A signal ends the script's session on the server, which has 4 s for it. @throws SshError */
export async function converse(
  connection: SshConnection,
  run: { command: RemoteCommand; input: Input; maxOutputBytes: number; listen?: Listen | undefined },
  signal: AbortSignal
): Promise<SshOutcome> {
  const { command, input, maxOutputBytes, listen } = run
  const { remote, release } = await connection.begin(command.command, signal)
  const outputs = {
    stdout: createCutOutput(command.mark, maxOutputBytes, (piece) => listen?.(piece, 'stdout')),
    stderr: createCutOutput(command.mark, maxOutputBytes, (piece) => listen?.(piece, 'stderr'))
  }
  const overflow = new AbortController()
  const ended = endOf(remote, outputs, overflow)
  const hasEnded = new AbortController()
  const broken = new Promise<never>((_, reject) =>
    feed(connection, remote, input, hasEnded.signal).catch(reject)
  )
  try {
    const ends = Promise.race([ended, broken])
    const exitCode = await orAborted(ends, overflow.signal, signal, connection.lost)
    return outcome(exitCode, outputs)
  } catch (error) {
    if (!connection.lost.aborted) await stop(connection, remote, ended)
    throw begun(error)
  } finally {
    hasEnded.abort()
    // Until the wrapper has exited, the server counts its session on; a child may keep the channel open for longer.
    const over = Promise.race([remote.exited, remote.closed])
    void settlesWithin(over, LAST_WORDS_MS).then(release)
  }
}

/** No faster than the server takes it. @throws what the source of the input throws */
async function feed(
  connection: SshConnection,
  { channel }: RemoteProcess,
  input: Input,
  over: AbortSignal
): Promise<void> {
  channel.write(GO)
  for await (const piece of input) {
    if (over.aborted || !channel.writable) return
    const isFull = !channel.write(piece)
    // What goes wrong there is told by the run's end.
    if (isFull) await once(channel, 'drain', { signal: over }).catch(() => {})
    await connection.drained(over).catch(() => {})
  }
}

/** Resolves with the exit code, the wrapper's word for it first; with none where the channel ended without one. */
function endOf(
  { channel, exited, closed }: RemoteProcess,
  { stdout, stderr }: Outputs,
  overflow: AbortController
) {
  return new Promise<number | undefined>((resolve) => {
    let told: number | undefined
    const read = (output: CutOutput) => (chunk: Buffer) => {
      output.push(chunk)
      if (output.isTooLarge()) overflow.abort(new SshError('output_too_large', { hasNotBegun: false }))
      const code = stdout.ending()
      if (code !== undefined && stderr.ending() !== undefined) resolve(Number(code))
    }
    channel.on('data', read(stdout))
    channel.stderr.on('data', read(stderr))
    void exited.then((code) => {
      told = code
      setTimeout(resolve, LAST_WORDS_MS, told).unref()
    })
    void closed.then(() => resolve(told))
  })
}

/** @throws SshError where the script can't have run to its end */
function outcome(exitCode: number | undefined, { stdout, stderr }: Outputs): SshOutcome {
  if (exitCode === undefined) throw new SshError('connection_lost', { hasNotBegun: false })
  // The login shell ended without the wrapper's first word, as one does that lets nobody in.
  if (!stdout.hasBegun()) throw new SshError('no_session', { hasNotBegun: true })
  return { exitCode, stdout: stdout.content(), stderr: stderr.content() }
}

/** The end of the input is the sign. What the script writes meanwhile is still read, or its end would not come through. */
async function stop(connection: SshConnection, { channel }: RemoteProcess, ended: Promise<unknown>) {
  channel.end()
  const isConfirmed = await settlesWithin(orAborted(ended, connection.lost), STOP_MS)
  // A server that doesn't listen any more is asked again over a fresh connection only.
  if (!isConfirmed) connection.retire()
}

/** From here on nobody knows how far the script came. */
function begun(error: unknown): unknown {
  if (!(error instanceof SshError) || !error.hasNotBegun || error.fault === 'no_session') return error
  return new SshError(error.fault, { hasNotBegun: false, cause: error })
}

const MAX_ENDING_LENGTH = 32

/**
 * One of a script's two outputs. Keeps at most `maxBytes` of what comes between `mark+` and `mark-…;`, and takes as much
 * around it. Every byte is searched once, whatever comes.
 */
export function createCutOutput(mark: string, maxBytes: number, hear: (part: Buffer) => void = () => {}) {
  const kept: Buffer[] = []
  let size = 0
  // What login shells print, and what a child that was left behind does.
  let aroundBytes = 0
  let told = ''
  // What may be the first half of a mark.
  let rest: Buffer = Buffer.alloc(0)

  const drop = (part: Buffer) => {
    aroundBytes += part.length
  }
  const keep = (part: Buffer) => {
    size += part.length
    if (size > maxBytes) return
    kept.push(part)
    if (part.length > 0) hear(part)
  }
  const tell = (part: Buffer) => {
    if (told.length <= MAX_ENDING_LENGTH) told += part.toString('latin1')
  }
  /** What comes before each mark goes to its reader. */
  const stages = [
    { end: Buffer.from(`${mark}+`), read: drop },
    { end: Buffer.from(`${mark}-`), read: keep },
    { end: Buffer.from(';'), read: tell }
  ]
  let passed = 0
  return {
    push(chunk: Buffer) {
      rest = Buffer.concat([rest, chunk])
      for (const { end, read } of stages.slice(passed)) {
        const at = rest.indexOf(end)
        // Without the mark, all but what could be its beginning.
        const upTo = at === -1 ? rest.length - beginningOf(end, rest) : at
        read(rest.subarray(0, upTo))
        rest = rest.subarray(at === -1 ? upTo : at + end.length)
        if (at === -1) return
        passed += 1
      }
      drop(rest)
      rest = Buffer.alloc(0)
    },
    hasBegun: () => passed > 0,
    ending: () => (passed === stages.length ? told : undefined),
    /** Of the script's, around it, or in the place of the wrapper's ending. */
    isTooLarge: () => size > maxBytes || aroundBytes > maxBytes || told.length > MAX_ENDING_LENGTH,
    content: () => Buffer.concat(passed === 1 ? [...kept, rest] : kept)
  }
}

/** How many of the last bytes may be the first ones of the mark. */
function beginningOf(mark: Buffer, bytes: Buffer): number {
  const at = bytes.indexOf(mark.subarray(0, 1), Math.max(0, bytes.length - mark.length + 1))
  if (at === -1) return 0
  for (let from = at; from < bytes.length; from += 1)
    if (mark.indexOf(bytes.subarray(from)) === 0) return bytes.length - from
  return 0
}
