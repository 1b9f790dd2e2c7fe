// Putting the CLI agent on an instance, and how far that is (§4C).
import { z } from 'zod'
import { INSTANCE_STATUSES } from './instance.ts'
import { line, RecordId, requiredLine, StoredTimestamp } from './primitives.ts'

export const BusinessName = requiredLine(100)

/** The form of §4C, and what guards a reinstall. */
export const DeployInstance = z.strictObject({
  instanceId: RecordId,
  businessName: BusinessName.describe('The agent’s display name'),
  telegramBotToken: line(200)
    .refine((token) => /^\d+:[\w-]+$/.test(token), 'must be a bot token as BotFather gives it: 123456:ABC…')
    .optional(),
  telegramChatId: line(20)
    .refine((id) => /^-?\d+$/.test(id), 'must be a whole number')
    .optional()
    .describe('Needed with a bot token'),
  confirmReinstall: z.boolean().optional().describe('Needed where the agent runs already')
})

export const DeployStarted = z.object({
  message: z.string(),
  data: z.object({ deployId: z.string(), status: z.literal('deploying:cli-agent') })
})

export const DEPLOY_STEP_STATES = ['pending', 'running', 'done', 'skipped', 'warned', 'failed'] as const

export const DeployStep = z.object({
  title: z.string(),
  state: z.enum(DEPLOY_STEP_STATES),
  /** Why it was skipped, warned or failed; '' where there is nothing to say. */
  detail: z.string()
})
export type DeployStep = z.output<typeof DeployStep>

export const DEPLOY_STATES = ['none', 'running', 'succeeded', 'failed'] as const

/** How far the newest deploy is; a model reads it, so it says no more than that takes. */
export const DeployProgress = z
  .object({
    status: z.enum(INSTANCE_STATUSES),
    deployId: z.string().nullable(),
    state: z.enum(DEPLOY_STATES),
    message: z.string(),
    steps: z.array(DeployStep),
    log: z.string()
  })
  .meta({ id: 'DeployProgress' })
export type DeployProgress = z.output<typeof DeployProgress>

export const DeployProgressResult = z.object({ data: DeployProgress })

/** One deploy, as its page in the console shows it. */
export const Deploy = DeployProgress.extend({
  deployId: z.string(),
  businessName: z.string(),
  isReinstall: z.boolean(),
  startedAt: StoredTimestamp,
  finishedAt: StoredTimestamp.nullable()
}).meta({ id: 'Deploy' })
export type Deploy = z.output<typeof Deploy>

export const DeployResult = z.object({ data: Deploy })

export const DeployPath = z.strictObject({ instanceId: RecordId })

/** One deploy of an instance, be it the newest or not. */
export const OneDeployPath = z.strictObject({ instanceId: RecordId, deployId: RecordId })
