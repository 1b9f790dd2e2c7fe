// The processes that a deploy is followed by, one after the other.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** Where in a deploy a process dies, in the order in which a deploy comes by. */
export const DEPLOY_POINTS = [
  'taken',
  'connected',
  'alias noted',
  'minted',
  'half uploaded',
  'uploaded',
  'upload noted',
  'started',
  'start noted',
  'cleaned',
  'revoked',
  'success noted'
] as const
export type DeployPoint = (typeof DEPLOY_POINTS)[number]

export interface DeployProcess {
  url: string
  /** Standard error so far. */
  logs(): string
  /** The signal that ended it. */
  ended: Promise<NodeJS.Signals | null>
  kill(signal?: NodeJS.Signals): Promise<void>
}

const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** One process after the other; the next one loads its code while the one before works. */
export interface DeployProcesses {
  /** Opens the service in the next process, and waits until it listens. */
  start(dieAt?: DeployPoint): Promise<DeployProcess>
  close(): Promise<void>
}

/** @param program the bundled deploying-service.ts */
export function deployProcesses(program: string, env: Record<string, string>): DeployProcesses {
  let next = load(program, env)
  return {
    async start(dieAt) {
      const { child, ended, logs } = next
      next = load(program, env)
      child.stdin.end(`${dieAt ?? ''}\n`)
      const line = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended])
      // One that dies early may be gone before it has said where it listens.
      const url = Array.isArray(line) ? String(line[0]) : ''
      if (url === '' && dieAt === undefined) throw new Error(`The service ended at once: ${logs()}`)
      const kill = async (signal: NodeJS.Signals = 'SIGKILL') => {
        child.kill(signal)
        await ended
      }
      return { url, logs, ended, kill }
    },
    async close() {
      next.child.kill('SIGKILL')
      await next.ended
    }
  }
}

function load(program: string, env: Record<string, string>) {
  const child = spawn(process.execPath, [program], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['pipe', 'pipe', 'pipe']
  })
  running.add(child)
  let logs = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    logs += text
  })
  const ended = once(child, 'exit').then(() => {
    running.delete(child)
    return child.signalCode
  })
  return { child, ended, logs: () => logs }
}
