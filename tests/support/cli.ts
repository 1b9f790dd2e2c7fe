// The CLI: commands in the test's own process, and the built one as processes: commands that end, and `serve` until it
// is told to.
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import type { Terminal } from '../../servers/cli/output.ts'
import { runCommand } from '../../servers/cli/program.ts'
import type { TestPlace } from './databases.ts'

const root = join(import.meta.dirname, '../..')
export const cliFile = join(root, 'dist/servers/cli.js')

refuseStaleBuild()

/** A test of yesterday's build proves nothing about today's sources. */
function refuseStaleBuild(): void {
  const { status } = spawnSync(process.execPath, [join(root, 'scripts/build.mjs'), '--is-current'])
  if (status !== 0)
    throw new Error('dist/ is older than the sources. Run `npm run build` first, or `npm test`.')
}

export type Environment = Record<string, string>

/** The environment of processes that work at this place; nothing of the developer's own gets in. */
export const environmentAt = ({ dataDir, databaseUrl }: TestPlace, more: Environment = {}): Environment => ({
  PATH: process.env.PATH ?? '',
  HOME: dataDir,
  NO_COLOR: '1',
  DATA_DIR: dataDir,
  PORT: '0',
  ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
  ...more
})

export interface Ended {
  /** The exit code, or the signal that ended it. */
  code: number | NodeJS.Signals | null
  stdout: string
  stderr: string
}

/** Runs a command to its end, in this process; `input` becomes its standard input. */
export async function mindgate(env: Environment, args: readonly string[], input = ''): Promise<Ended> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const written = Promise.all([text(stdout), text(stderr)])
  const terminal: Terminal = { env, stdin: Readable.from(Buffer.from(input)), stdout, stderr }
  await runCommand(args, terminal)
  stdout.end()
  stderr.end()
  const [said, complained] = await written
  return { code: Number(terminal.exitCode ?? 0), stdout: said, stderr: complained }
}

/** Runs a command to its end as a process. */
export function mindgateProcess(env: Environment, args: readonly string[], input = ''): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [cliFile, ...args], { env }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? child.signalCode, stdout, stderr })
    )
    endWithTests(child)
    child.stdin?.end(input)
  })
}

/** Starts a command as a process that is to be killed; `kill` resolves once it is gone. */
export function killedProcess(env: Environment, args: readonly string[]): { kill(): Promise<unknown> } {
  const child = spawn(process.execPath, [cliFile, ...args], { env, stdio: 'ignore' })
  endWithTests(child)
  const exited = exitOf(child)
  return {
    kill() {
      child.kill('SIGKILL')
      return exited
    }
  }
}

/** Runs a command with `--json` that must succeed, and reads its one line by the schema. */
export async function answerOf<Schema extends z.ZodType>(
  schema: Schema,
  env: Environment,
  ...args: string[]
): Promise<z.output<Schema>> {
  const { code, stdout, stderr } = await mindgate(env, [...args, '--json'])
  if (code !== 0) throw new Error(`mindgate ${args.join(' ')} ended with ${code}: ${stderr}`)
  return schema.parse(JSON.parse(stdout))
}

export const CreatedPartner = z.strictObject({
  partnerId: z.string(),
  slug: z.string(),
  setPasswordUrl: z.url()
})
export const CreatedKey = z.strictObject({
  keyId: z.string(),
  key: z.string(),
  scopes: z.array(z.string()),
  expiresAt: z.string().nullable()
})

/** A partner with a key of the default scopes. */
export async function makePartner(
  env: Environment,
  name = 'Acme'
): Promise<{ partnerId: string; key: string }> {
  const email = `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}@partner.example`
  const { partnerId } = await answerOf(
    CreatedPartner,
    env,
    'partner',
    'create',
    '--name',
    name,
    '--email',
    email
  )
  const { key } = await answerOf(CreatedKey, env, 'key', 'create', '--partner', partnerId, '--name', 'test')
  return { partnerId, key }
}

export interface RunningService {
  url: string
  pid: number
  /** Everything on standard output so far. */
  stdout(): string
  stderr(): string
  /** Ends it as an orchestrator does; resolves to the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

const Ready = z.strictObject({ ready: z.literal(true), url: z.url() })

/** Processes that a failed test left behind end with the test's own process. */
const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

function endWithTests(child: ChildProcess): void {
  running.add(child)
  child.once('exit', () => running.delete(child))
}

/** Starts `mindgate serve` and waits for its first line. */
export async function startService(
  env: Environment,
  command = cliFile,
  onLog?: (line: string) => void
): Promise<RunningService> {
  const child = spawn(process.execPath, [command, 'serve'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  endWithTests(child)
  const written = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    written.stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    written.stderr += text
  })
  if (onLog) createInterface({ input: child.stderr }).on('line', onLog)
  const exited = exitOf(child)
  const firstLine = new Promise<string>((resolve) => {
    createInterface({ input: child.stdout }).once('line', resolve)
  })
  const line = await Promise.race([firstLine, exited])
  if (typeof line !== 'string') throw new Error(`serve ended with ${line}: ${written.stderr}`)
  return {
    url: Ready.parse(JSON.parse(line)).url,
    pid: child.pid ?? 0,
    stdout: () => written.stdout,
    stderr: () => written.stderr,
    stop(signal = 'SIGTERM') {
      child.kill(signal)
      return exited
    }
  }
}

const exitOf = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => {
    child.once('close', resolve)
  })

/** Calls the partner API of a running service. */
export async function callApi(
  url: string,
  key: string,
  path: string,
  init: { method?: string; body?: unknown } = {}
): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${url}/api/v1/mcp${path}`, {
    method: init.method ?? 'GET',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(init.body === undefined ? {} : { body: JSON.stringify(init.body) })
  })
  return { status: response.status, body: await response.json() }
}
