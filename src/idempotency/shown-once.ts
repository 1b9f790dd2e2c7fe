import type { AnyOperation } from '../operation.ts'

/** The answer as it is kept: secrets are null, and the message says why. The first answer alone has them. */
export function withoutSecrets(
  { shownOnce = [] }: Pick<AnyOperation, 'shownOnce'>,
  output: Record<string, unknown>
): Record<string, unknown> {
  if (shownOnce.length === 0) return output
  return {
    ...output,
    ...Object.fromEntries(shownOnce.map((field) => [field, null])),
    message: `This was done by the first request with this Idempotency-Key. Its answer alone had ${shownOnce.join(' and ')}: secrets are shown once. Make a new one if it is lost.`
  }
}
