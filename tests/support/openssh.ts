// A real OpenSSH server per test file; where it is missing and may be installed, it is, before all tests.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installSshd, type OpenSshServer, startOpenSsh } from '../../scripts/sshd.mjs'
import { nextInstant } from './next-instant.ts'

/** Before all tests: where nothing can be installed, only the tests over SSH fail, and say why. */
export function setup(): void {
  installSshd()
}

export interface SshdOptions {
  port?: number
  maxSessions?: number
  /** Variables of every session, beside `HOME`. */
  setEnv?: Readonly<Record<string, string>>
  /** Further lines of sshd_config. */
  config?: readonly string[]
}

export interface Sshd extends OpenSshServer {
  /** Ends it for good, its folder too. */
  remove(): Promise<void>
}

/** Starts one on a free port of 127.0.0.1, signed in to as this very user, with a home folder of its own. */
export async function startSshd(options: SshdOptions = {}): Promise<Sshd> {
  const root = mkdtempSync(join(tmpdir(), 'mindgate-sshd-'))
  const server = await startOpenSsh({
    root,
    ...(options.port === undefined ? {} : { port: options.port }),
    env: options.setEnv ?? {},
    config: [
      ...(options.maxSessions === undefined ? [] : [`MaxSessions ${options.maxSessions}`]),
      ...(options.config ?? [])
    ]
  })
  const remove = async () => {
    await server.kill()
    await endProcessesIn(root)
    rmSync(root, { recursive: true, force: true })
  }
  // Not a copy: port and process id change when it is started again.
  return Object.assign(server, { remove })
}

/** Puts the file of keys that it reads where a user has its own; answers that place. */
export function linkAuthorizedKeys({ home, root }: Sshd): string {
  const file = join(home, '.ssh/authorized_keys')
  mkdirSync(join(home, '.ssh'), { recursive: true })
  rmSync(file, { force: true })
  symlinkSync(join(root, 'authorized_keys'), file)
  return file
}

/** What its sessions left running may still be writing there, and outlives their connections. */
async function endProcessesIn(folder: string): Promise<void> {
  for (let left = processesIn(folder); left.length > 0; left = processesIn(folder)) {
    for (const { pid } of left) endOne(pid)
    await nextInstant()
  }
}

function endOne(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}

/** Processes of this machine whose command or environment names the folder, as each session's does its home. */
export function processesIn(folder: string): { pid: number; command: string }[] {
  if (!existsSync('/proc/self/environ')) return []
  const read = (pid: string, file: string) =>
    readFileSync(`/proc/${pid}/${file}`, 'latin1').replaceAll('\0', ' ')
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const command = read(pid, 'cmdline')
        return `${command} ${read(pid, 'environ')}`.includes(folder) ? [{ pid: Number(pid), command }] : []
      } catch {
        // It has ended meanwhile.
        return []
      }
    })
}
