// Whether an instance can be worked on: signs in and runs one command, as a chat or a deploy would.
import type { z } from 'zod'
import { isDeployed } from '../../schemas/app.ts'
import type { InstanceTest } from '../../schemas/instance.ts'
import { readReadiness, readyScript } from '../catalog/chat.ts'
import type { Secrets } from '../secrets.ts'
import type { SshConnections } from './ssh/connections.ts'
import { SshError } from './ssh/errors.ts'
import { type InstanceRow, pathsOf, sshTarget } from './store.ts'

type Outcome = z.input<typeof InstanceTest>

type LookContext = { ssh: SshConnections; secrets: Secrets }
type Limits = { timeoutMs: number; signal?: AbortSignal }

/** An earlier release wrote down nothing of whose place it is: that is believed where a deploy once got through. */
export const placeOf = ({ id, status, agentName }: InstanceRow) => ({
  instance: id,
  isNamed: !isDeployed(status) && agentName === null
})

/** Whether the agent is ready; the exit code where the server runs no commands. @throws SshError */
export async function lookForAgent({ ssh, secrets }: LookContext, instance: InstanceRow, limits: Limits) {
  const script = readyScript(pathsOf(instance), placeOf(instance))
  const { exitCode } = await ssh.run(sshTarget(secrets, instance), { script, ...limits })
  return readReadiness(exitCode) ?? exitCode
}

export async function tryInstance(ctx: LookContext, instance: InstanceRow, limits: Limits): Promise<Outcome> {
  try {
    const found = await lookForAgent(ctx, instance, limits)
    if (typeof found === 'number')
      return failed('no_shell', `The server let us in, but runs no commands (exit code ${found}).`)
    const message = found
      ? 'The server can be reached, and its agent is ready.'
      : isDeployed(instance.status)
        ? 'The server can be reached, but the agent isn’t on it any more. Deploy it again.'
        : 'The server can be reached. No agent is deployed there yet.'
    return { reachable: true, fault: null, message, agentReady: found }
  } catch (error) {
    if (!(error instanceof SshError)) throw error
    return failed(error.code, error.text)
  }
}

const failed = (fault: string, message: string) => ({ reachable: false, fault, message, agentReady: false })
