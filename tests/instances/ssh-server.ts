// What the tests over SSH share: a server that knows our key, connections to it, and a look at its processes.
import { readFileSync } from 'node:fs'
import { vi } from 'vitest'
import { openSshConnections, type SshConnections, type SshRun } from '../../src/instances/ssh/connections.ts'
import { SshError, type SshFault } from '../../src/instances/ssh/errors.ts'
import { makeKeyPair } from '../../src/instances/ssh/key-pair.ts'
import type { SshTarget } from '../../src/instances/ssh/target.ts'
import { type Sshd, type SshdOptions, startSshd } from '../support/openssh.ts'

const keyPair = makeKeyPair('mindgate-test')

/** Starts a server that takes `keyPair`. */
export async function startServer(options: SshdOptions = {}): Promise<Sshd> {
  const server = await startSshd(options)
  server.authorize(keyPair.publicKey)
  return server
}

export function targetOf(
  { host, port, username, hostKey }: Pick<Sshd, 'host' | 'port' | 'username' | 'hostKey'>,
  changes: Partial<SshTarget> = {}
): SshTarget {
  const { privateKey } = keyPair
  return { ...OWNER, instanceId: 'ins_1', host, port, username, hostKey, privateKey, ...changes }
}

/** Whose the servers are unless that matters. */
export const OWNER = { partnerId: 'prt_1', customerId: 'cus_1' }

export const openConnections = (
  changes: { sshKeepMs?: number; sshConnectTimeoutMs?: number } = {}
): SshConnections =>
  openSshConnections({ sshAllowPrivate: true, sshConnectTimeoutMs: 20_000, sshKeepMs: 60_000, ...changes })

/** A run with time enough for a busy machine. */
export async function runText(
  connections: SshConnections,
  target: SshTarget,
  script: string,
  options: Partial<SshRun> = {}
): Promise<{ exitCode: number; stdout: string; stderr: string }> {
  const outcome = await connections.run(target, { script, timeoutMs: 30_000, ...options })
  const [stdout, stderr] = [outcome.stdout, outcome.stderr].map((bytes) => Buffer.from(bytes).toString())
  return { exitCode: outcome.exitCode, stdout: stdout ?? '', stderr: stderr ?? '' }
}

/** The error that the work ends with. */
export async function faultOf(work: Promise<unknown>): Promise<{ fault: SshFault; hasNotBegun: boolean }> {
  const error: unknown = await work.then(
    () => new Error('It should have failed'),
    (reason: unknown) => reason
  )
  if (!(error instanceof SshError)) throw error
  return { fault: error.fault, hasNotBegun: error.hasNotBegun }
}

/** Whether the process is there and no zombie. */
export function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** Waits until the condition holds. */
export const until = (condition: () => boolean): Promise<boolean> =>
  vi.waitUntil(condition, { timeout: 30_000, interval: 10 })
