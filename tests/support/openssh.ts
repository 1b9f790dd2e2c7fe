// A real OpenSSH server per test file; where it is missing and may be installed, it is, before all tests.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { installSshd, type OpenSshServer, startOpenSsh } from '../../scripts/sshd.mjs'

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
    await removeFolder(root)
  }
  // Not a copy: port and process id change when it is started again.
  return Object.assign(server, { remove })
}

/** What a session left running may still be writing there; `maxRetries` doesn't look again at what came meanwhile. */
async function removeFolder(folder: string): Promise<void> {
  for (let triesLeft = 50; ; triesLeft -= 1) {
    try {
      rmSync(folder, { recursive: true, force: true })
      return
    } catch (error) {
      if (triesLeft === 0) throw error
      await sleep(200)
    }
  }
}
