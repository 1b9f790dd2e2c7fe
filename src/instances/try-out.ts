// Whether an instance can be worked on: signs in and runs one command, as a chat or a deploy would.
import type { z } from 'zod'
import type { InstanceTest } from '../../schemas/instance.ts'
import { readyScript } from '../catalog/cli-agent/chat.ts'
import { appPaths } from '../catalog/cli-agent/paths.ts'
import type { Secrets } from '../secrets.ts'
import type { SshConnections } from './ssh/connections.ts'
import { SshError } from './ssh/errors.ts'
import type { InstanceRow } from './store.ts'
import { sshTarget } from './target.ts'
import { sshFaultText } from './unreachable.ts'

type Outcome = z.input<typeof InstanceTest>

/** Exit codes of the script that looks for the completion marker. */
const READY = 0
const NOT_READY = 75

/** Says what came of it, whatever comes of it. */
export async function tryInstance(
  { ssh, secrets }: { ssh: SshConnections; secrets: Secrets },
  instance: InstanceRow,
  { timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal }
): Promise<Outcome> {
  const run = { script: readyScript(appPaths(instance.root)), timeoutMs }
  try {
    const { exitCode } = await ssh.run(sshTarget(secrets, instance), signal ? { ...run, signal } : run)
    if (exitCode === READY) return reached('The server can be reached, and its agent is ready.', true)
    if (exitCode === NOT_READY) return reached('The server can be reached. No agent is deployed there yet.')
    return failed('no_shell', `The server let us in, but runs no commands (exit code ${exitCode}).`)
  } catch (error) {
    if (!(error instanceof SshError)) throw error
    return failed(error.fault, sshFaultText(error.fault))
  }
}

const reached = (message: string, agentReady = false): Outcome => ({
  reachable: true,
  fault: null,
  message,
  agentReady
})

const failed = (fault: string, message: string): Outcome => ({
  reachable: false,
  fault,
  message,
  agentReady: false
})
