// What becomes of a batch of memories when a model can't be used for them, and why, in words for the console.
import { BatchRefused, type ModelError, type ModelFault, type ModelUsage, WorkPostponed } from './port.ts'

/** What may be the memories' fault; everything else is that of the day. */
export const MAY_BE_THE_TEXTS: ReadonlySet<ModelFault> = new Set([
  'refused',
  'malformed',
  'too_large',
  'incomplete'
])

const SETTINGS = { 'embedding model': 'EMBEDDING_MODEL', 'language model': 'LLM_MODEL' }

/** @param isTheirs whether these memories are put aside for it */
export function failureOf(
  error: ModelError,
  model: keyof typeof SETTINGS,
  usage: readonly ModelUsage[],
  isTheirs: boolean
) {
  const { fault, retryAfterSeconds } = error
  const reason = REASONS[fault].replace('MODEL', model)
  const options = { usage, retryAfterSeconds, cause: error }
  if (isTheirs) return new BatchRefused(reason, options)
  // A gateway refuses everything for a model that it doesn't have.
  return new WorkPostponed(fault === 'refused' ? `${reason} Check ${SETTINGS[model]}.` : reason, options)
}

const REASONS: Readonly<Record<ModelFault, string>> = {
  timeout: 'The gateway of the MODEL did not answer in time.',
  unreachable: 'The MODEL could not be reached.',
  limited: 'The gateway of the MODEL asks for fewer calls.',
  unauthorized: 'The gateway of the MODEL refuses the key.',
  refused: 'The MODEL refused the texts.',
  failed: 'The gateway of the MODEL failed.',
  incomplete: 'The answer of the MODEL broke off.',
  too_large: 'The answer of the MODEL was too large.',
  malformed: 'The answer of the MODEL could not be read.',
  circuit_open: 'The gateway of the MODEL failed shortly before, and is left alone for a while.'
}
