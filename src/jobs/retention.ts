// How long the service keeps what it writes down by itself, in days of the environment.
import { z } from 'zod'
import { wholeNumber } from '../config-values.ts'

const LONGEST_DAYS = 36_500

const days = (fallback: number, what: string) =>
  wholeNumber(fallback, LONGEST_DAYS).describe(`Days that ${what} are kept; 0 is for ever.`)

export const retentionVariables = {
  AUDIT_DAYS: days(365, 'entries of the audit log'),
  MAIL_DAYS: days(90, 'mails in the history, once sent or given up,'),
  DEPLOY_DAYS: days(90, 'deploys of a server, once a newer one began,'),
  CHAT_DAYS: days(365, 'chat messages with their replies'),
  AI_USAGE_DAYS: days(90, 'calls of agents at the AI gateway')
}

const Retention = z.object(retentionVariables)

/** In days; 0 is for ever. */
export type Retention = z.output<typeof Retention>

/** What the variables say of it. */
export const retentionOf = (variables: Retention): Retention => Retention.parse(variables)
