import type { z } from 'zod'
import { openAiKeys } from '../../src/ai-gateway/open.ts'
import { createAgentChat } from '../../src/instances/chat/chat.ts'
import { createDeploys } from '../../src/instances/deploy/deploys.ts'
import { openSshConnections } from '../../src/instances/ssh/connections.ts'
import { createLog } from '../../src/log.ts'
import type { Answering } from '../../src/operation.ts'
import { openSecrets } from '../../src/sealing.ts'
import type { Act, Operate, Workplace } from './workplace.ts'

/**
 * What an operation about a server answers, which gets all that such ones work with. What still reads from the server
 * belongs into `use`.
 */
export async function asked<Output extends z.ZodObject>(
  { config, database, operate }: Workplace & { operate: Operate },
  operation: Answering<Output>,
  input: Record<string, unknown> = {},
  { refusals = {}, use }: Pick<Act, 'refusals'> & { use?: (output: z.output<Output>) => Promise<void> } = {}
): Promise<z.output<Output>> {
  const ssh = openSshConnections(config)
  try {
    const secrets = await openSecrets(config, database)
    const aiKeys = openAiKeys(config.aiGateway, database, () => config.publicUrl)
    // None is started here: what is enqueued or left the service takes up.
    const own = { config, database, secrets, ssh, aiKeys, log: createLog('silent') }
    const parts = { ...own, deploys: createDeploys(own), agentChat: createAgentChat(own) }
    const output = await operate(operation, input, { parts, refusals }).finally(parts.agentChat.stop)
    await use?.(output)
    return output
  } finally {
    await ssh.close()
  }
}
