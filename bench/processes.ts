// The servers under load, each on a core of its own beside the client's.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { openSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import type { BaselineSettings } from './baseline.ts'
import type { Fixture } from './fixture.ts'

export interface ServerProcess {
  url: string
  /** CPU time used so far, in microseconds; `undefined` where the system doesn't tell. */
  cpuMicros(): number | undefined
  /** Memory that it holds by now; `undefined` where the system doesn't tell. */
  rssBytes(): number | undefined
  stop(): Promise<void>
}

export const root: string = join(import.meta.dirname, '..')
const SERVER_CORE = '0'
const CLIENT_CORE = '1'
/** Linux counts CPU time in hundredths of a second, whatever the kernel was built with. */
const MICROS_PER_TICK = 10_000

/** Whether client and servers have a core each; else they share, and the figures are rougher. */
export const canPin: boolean =
  availableParallelism() > 1 && spawnSync('taskset', ['-c', '0,1', 'true']).status === 0

/** Keeps this process, the client, off the servers' core. */
export function pinClient(): void {
  if (canPin) spawnSync('taskset', ['-a', '-c', '-p', CLIENT_CORE, String(process.pid)])
}

/** The built service as in production; its log goes to a file. */
export const startService = ({ env, folder }: Fixture, profileFolder?: string): Promise<ServerProcess> =>
  startBuild(root, { env, logFile: join(folder, 'service.log'), profileFolder, isPinned: true })

/** The same on any core, beside a baseline that isn't bound to one either. */
export const startServiceUnpinned = ({
  env,
  folder
}: Pick<Fixture, 'env' | 'folder'>): Promise<ServerProcess> =>
  startBuild(root, { env, logFile: join(folder, 'service.log'), profileFolder: undefined, isPinned: false })

/** A build in its own folder, ours or an older one, on the servers' core or on any. */
export const startBuild = (
  folder: string,
  { env, logFile, profileFolder, isPinned }: BuildSettings
): Promise<ServerProcess> =>
  start(
    [...profiled(profileFolder), join(folder, 'dist/servers/cli.js'), 'serve'],
    env,
    logFile,
    isPinned && canPin
  )

interface BuildSettings {
  env: Record<string, string>
  logFile: string
  profileFolder: string | undefined
  isPinned: boolean
}

/** The least that could give the same answers, on the same HTTP server and database library. */
export const startBaseline = ({ folder }: Fixture, settings: BaselineSettings): Promise<ServerProcess> =>
  start(
    ['--import', 'tsx', join(root, 'bench/baseline.ts')],
    { BASELINE: JSON.stringify(settings) },
    join(folder, 'baseline.log')
  )

const profiled = (folder: string | undefined): string[] =>
  folder ? ['--cpu-prof', `--cpu-prof-dir=${folder}`] : []

const Ready = z.object({ ready: z.literal(true), url: z.url() })

async function start(
  args: string[],
  env: Record<string, string>,
  logFile: string,
  isPinned: boolean = canPin
): Promise<ServerProcess> {
  const [command, ...rest] = [...(isPinned ? ['taskset', '-c', SERVER_CORE] : []), process.execPath, ...args]
  const log = openSync(logFile, 'a')
  const child = spawn(command ?? '', rest, {
    cwd: root,
    env: { PATH: process.env.PATH ?? '', NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', log]
  })
  process.once('exit', () => child.kill('SIGKILL'))
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const ended = exited.then(() => {
    throw new Error(`A server ended before it was ready: ${readFileSync(logFile, 'utf8').slice(-2_000)}`)
  })
  const line = await Promise.race([firstLine(child), ended])
  return {
    url: Ready.parse(JSON.parse(line)).url,
    cpuMicros: () => cpuMicros(child.pid),
    rssBytes: () => rssBytes(child.pid),
    async stop() {
      child.kill('SIGTERM')
      await exited
    }
  }
}

const firstLine = ({ stdout }: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    if (!stdout) throw new Error('The server has no standard output')
    createInterface({ input: stdout }).once('line', resolve).once('error', reject)
  })

/** User and system time of all threads of the process. */
export function cpuMicros(pid: number | undefined): number | undefined {
  try {
    // The command's name, in brackets, may hold spaces; what follows it doesn't.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) * MICROS_PER_TICK
  } catch {
    return undefined
  }
}

function rssBytes(pid: number | undefined): number | undefined {
  try {
    const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kibibytes === undefined ? undefined : Number(kibibytes) * 1024
  } catch {
    return undefined
  }
}
