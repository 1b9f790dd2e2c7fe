// Runs the app's scripts as a server would, with this machine's /bin/sh, below a folder of their own.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type AppPaths, appPaths } from '../../src/catalog/paths.ts'

export interface Sandbox {
  root: string
  paths: AppPaths
  /** HOME of the user that signs in; not the agent's. */
  login: string
  run(script: string, options?: { input?: Uint8Array | string; shell?: string }): Promise<Ended>
  read(path: string): string
  write(path: string, content: string | Uint8Array, mode?: number): void
  remove(): void
}

export interface Ended {
  exitCode: number
  stdout: Uint8Array
  stderr: Uint8Array
}

export function makeSandbox(): Sandbox {
  const root = mkdtempSync(join(tmpdir(), 'cli-agent-'))
  const login = join(root, 'login')
  mkdirSync(login)
  return {
    root,
    paths: appPaths(root),
    login,
    run: (script, { input = '', shell = '/bin/sh' } = {}) =>
      new Promise((resolve, reject) => {
        const env = { HOME: login, PATH: '/usr/bin:/bin' }
        const child = spawn(shell, ['-c', script], { env, cwd: root })
        const stdout: Buffer[] = []
        const stderr: Buffer[] = []
        child.stdout.on('data', (chunk) => stdout.push(chunk))
        child.stderr.on('data', (chunk) => stderr.push(chunk))
        child.once('error', reject)
        child.once('close', (code, signal) =>
          resolve({
            exitCode: code ?? (signal === 'SIGKILL' ? 137 : 143),
            stdout: Buffer.concat(stdout),
            stderr: Buffer.concat(stderr)
          })
        )
        // A script that ends before it has read everything closes the pipe.
        child.stdin.on('error', () => undefined)
        child.stdin.end(input)
      }),
    read: (path) => readFileSync(path, 'utf8'),
    write(path, content, mode = 0o600) {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, content, { mode })
    },
    remove: () => rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
}
