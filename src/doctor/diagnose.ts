import { checkAiGateway } from './ai-check.ts'
import { checkDatabase } from './database-check.ts'
import type { Finding } from './finding.ts'
import { checkHoncho } from './honcho-check.ts'
import { checkMail } from './mail-check.ts'
import { checkConfiguration, checkDataFolder, checkPublicUrl } from './surroundings.ts'

/** Checks the configuration and everything that it reaches, in the order in which one would repair it. */
export async function diagnose(env: NodeJS.ProcessEnv): Promise<Finding[]> {
  const { config, finding } = checkConfiguration(env)
  if (!config) return [finding]
  return [
    finding,
    checkDataFolder(config),
    ...(await checkDatabase(config)),
    await checkMail(config),
    await checkAiGateway(config.aiGateway),
    ...(await checkHoncho(config.honcho)),
    checkPublicUrl(config)
  ]
}
