import type { Database } from '../database/database.ts'
import { embeddedKeys } from './embedded/keys.ts'
import type { AiKeys } from './keys.ts'
import { liteLlmKeys } from './litellm/keys.ts'
import type { AiGatewaySettings } from './variables.ts'

/** @param serviceUrl where this service is reached, once that is known */
export function openAiKeys(
  settings: AiGatewaySettings,
  database: Database,
  serviceUrl: () => string | undefined
): AiKeys {
  return settings.kind === 'litellm'
    ? liteLlmKeys(settings)
    : embeddedKeys(database, () => settings.gatewayUrl ?? ownUrl(serviceUrl()))
}

function ownUrl(serviceUrl: string | undefined): string {
  if (serviceUrl === undefined) throw new Error('The service has not started: nobody knows its address')
  return `${serviceUrl}/ai`
}
