// Prometheus' own checker of rules; where it is missing and may be installed, it is.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const HOW_TO = `promtool is needed. Install it (Debian: apt-get install prometheus; macOS: brew install prometheus),
or point PROMTOOL at the program.`

/** Runs it and answers what it says. @throws Error with what it says, when it finds something */
export function promtool(...args: string[]): string {
  if (!find() && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) install()
  const program = find()
  if (!program) throw new Error(HOW_TO)
  return execFileSync(program, args, { encoding: 'utf8', stdio: 'pipe' })
}

function install(): void {
  const options = { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const
  execFileSync('apt-get', ['update', '-q'], options)
  execFileSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'prometheus'], options)
}

function find(): string | undefined {
  const folders = ['/usr/bin', '/opt/homebrew/bin', ...(process.env.PATH ?? '').split(delimiter)]
  const candidates = [process.env.PROMTOOL ?? '', ...folders.map((folder) => join(folder, 'promtool'))]
  return candidates.find((path) => path !== '' && existsSync(path))
}
