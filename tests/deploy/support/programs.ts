// Programs that start or check the deploy kit; what is missing and may be installed is, before all tests.
import { type ChildProcess, execFileSync, type SpawnOptions, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Where each may lie, besides in PATH and where a variable of that name says. */
const FOLDERS = ['/usr/bin', '/usr/sbin', '/opt/homebrew/bin']

/** Before all tests: where nothing can be installed, only the tests that need one fail, and say why. */
export function setup(): void {
  const missing = [
    ...(find('caddy') ? [] : ['caddy']),
    ...(find('systemd-analyze') || process.platform !== 'linux' ? [] : ['systemd'])
  ]
  if (missing.length === 0 || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  const options = { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const
  execFileSync('apt-get', ['update', '-q'], options)
  execFileSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...missing], options)
}

export function find(program: string): string | undefined {
  const folders = [...FOLDERS, ...(process.env.PATH ?? '').split(delimiter)]
  const candidates = [
    process.env[program.toUpperCase()] ?? '',
    ...folders.map((folder) => join(folder, program))
  ]
  return candidates.find((path) => path !== '' && existsSync(path))
}

/** @throws Error that says how to get it */
export function programOf(name: string): string {
  const found = find(name)
  if (found) return found
  throw new Error(
    `${name} is needed: apt-get install ${name}, or point ${name.toUpperCase()} at the program.`
  )
}

export interface Program {
  child: ChildProcess
  /** On both outputs so far. */
  said(): string
  /** Ends it; resolves to its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/** Starts a program that runs until it is stopped, or until the tests end. */
export function startProgram(command: string, args: readonly string[], options: SpawnOptions = {}): Program {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  const end = () => child.kill('SIGKILL')
  process.once('exit', end)
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
  }
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('close', resolve)
    child.once('error', reject)
  })
  return {
    child,
    said: () => said,
    stop(signal = 'SIGTERM') {
      process.off('exit', end)
      child.kill(signal)
      return ended
    }
  }
}
