// What the service needs of an AI gateway, whichever it is: keys for agents on customers' servers (§4C).

export interface AiKeys {
  /** What an agent's `model.base_url` is set to; it ends in `/v1`. */
  baseUrl(): string
  /** A new key `sk-…` that opens these models alone. It exists in the answer and nowhere else. @throws AiGatewayError */
  mint(request: KeyRequest): Promise<string>
  /** Closes the key at once; an alias that has none is fine. @throws AiGatewayError when the gateway can't be asked */
  revoke(alias: string): Promise<void>
  /** For an agent's `model.default`: `auto` where the gateway knows it. @throws AiGatewayError `models_missing` */
  defaultModel(models: readonly string[]): string
}

export interface KeyRequest {
  partnerId: string
  instanceId: string
  /** Names the key for ever: note it before, so that it can be revoked whatever becomes of the call. */
  alias: string
  models: readonly string[]
}

export type AiGatewayFault = 'models_missing' | 'alias_taken' | 'refused' | 'unreachable' | 'failed'

/** Why there is no key; the message is for a partner's eyes and has no secret in it. */
export class AiGatewayError extends Error {
  readonly fault: AiGatewayFault

  constructor(fault: AiGatewayFault, message: string, options: { cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.name = 'AiGatewayError'
    this.fault = fault
  }
}

/** @throws AiGatewayError `models_missing`: to a gateway an empty list can mean every model there is */
export function requireModels(models: readonly string[]): string {
  const [primary] = models
  if (primary !== undefined) return primary
  throw new AiGatewayError(
    'models_missing',
    'The partner is entitled to no model. Give it one: mindgate partner update --models NAME'
  )
}
