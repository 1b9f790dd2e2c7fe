// What a command has around it. `process` is one.
import type { Readable, Writable } from 'node:stream'

export interface Terminal {
  env: NodeJS.ProcessEnv
  stdin: Readable & { isTTY?: boolean }
  stdout: Output
  stderr: Output
  /** Set by a command that answers and yet fails. */
  exitCode?: number | string | null | undefined
}

export type Output = Writable & { isTTY?: boolean; hasColors?(): boolean }
