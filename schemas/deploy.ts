// Putting the CLI agent on an instance, and how far that is (§4C).
import { z } from 'zod'
import { data, message } from './envelope.ts'
import { INSTANCE_ID, INSTANCE_STATUSES, InstancePath } from './instance.ts'
import { createdAt, line, RecordId, requiredLine, StoredTimestamp, said, text } from './primitives.ts'

export const BusinessName = requiredLine(100)

/** The form of §4C, and what guards a reinstall. */
export const DeployInstance = z.strictObject({
  ...InstancePath.shape,
  businessName: said(
    BusinessName,
    'The business that the agent speaks for; its display name.',
    'Clínica Sol',
    { label: 'Business name', help: 'Whom the agent speaks for. The chat shows it as the agent’s name.' }
  ).describe('The agent’s display name'),
  telegramBotToken: said(
    line(200).refine(
      (token) => /^\d+:[\w-]+$/.test(token),
      'must be a bot token as BotFather gives it: 123456:ABC…'
    ),
    'Token of a Telegram bot, which then works beside the portal’s chat. Kept sealed until it is on the server, then nowhere here.',
    '123456789:AAExampleExampleExampleExample',
    {
      label: 'Telegram bot token',
      help: 'From @BotFather, if the agent shall answer on Telegram too. It is kept on the server alone.'
    }
  ).optional(),
  telegramChatId: said(
    line(20).refine((id) => /^-?\d+$/.test(id), 'must be a whole number'),
    'Telegram chat that the bot listens to, a group’s below zero. Needed with a bot token.',
    '123456789',
    {
      label: 'Telegram chat id',
      help: 'Needed with a bot token: the agent answers there and nowhere else. A group’s begins with a minus.'
    }
  )
    .optional()
    .describe('With a bot token'),
  confirmReinstall: said(
    z.boolean(),
    'Needed where the agent is deployed already; its history is kept.',
    false,
    {
      label: 'Install it again over the agent that runs there',
      help: 'What it knows is backed up and kept, Telegram too. Nobody can chat with it until this is done.'
    }
  )
    .optional()
    .describe('Where the agent runs already'),
  wipeFormer: said(
    z.boolean(),
    'Deletes what another instance’s agent left on this server; else that is set aside there.',
    false,
    {
      label: 'Delete what another agent left on this server',
      help: 'Only where the server was another customer’s before. Otherwise it is set aside there, without its keys.'
    }
  ).optional()
})

/** Tags of releases as projects give them; they end up in an install command. */
const Release = line(60).regex(/^v?\d[\w.-]*$/, 'must be the tag of a release, such as v2026.5.29')

const SETTINGS = {
  instructions: said(
    text(8_000),
    'What the business wants of its agent, added to its persona; empty for nothing.',
    'Opening hours are Monday to Friday, 9 to 18. Never promise a discount.',
    {
      label: 'Instructions',
      help: 'What the business wants of its agent, in plain words. It reads them with the next message, in the conversation that it is in.'
    }
  ).optional(),
  model: said(
    requiredLine(200),
    'Which of the partner’s models the agent uses; auto for the primary one.',
    'auto',
    {
      label: 'Model',
      help: 'One of your models by its name, or auto for your primary one, whichever that is.'
    }
  ).optional(),
  release: said(Release, 'Tag of the agent’s release to install; kept for later deploys.', 'v2026.5.29', {
    label: 'Release',
    help: 'Tag of another release to install, such as v2026.5.29. Left empty, the program stays as it is.'
  }).optional()
} as const

export const AgentSettings = z.object(SETTINGS)
export type AgentSettings = z.output<typeof AgentSettings>

export const ConfigureAgent = z.strictObject({
  ...InstancePath.shape,
  businessName: said(BusinessName, 'The agent’s new display name.', 'Clínica Sol', {
    label: 'Business name',
    help: 'Whom the agent speaks for. The chat shows it as the agent’s name.'
  }).optional(),
  ...SETTINGS
})

export const StartRollout = z.strictObject(SETTINGS)

export const ROLLOUT_STATES = ['running', 'done', 'stopped', 'cancelled'] as const

export const Rollout = z
  .object({
    rolloutId: said(z.string(), 'Rollout id.', 'rol_8i3k5m7o9q1s3u5w7y9a'),
    state: said(
      z.enum(ROLLOUT_STATES),
      '`running`, `done`, `stopped` after three failures, or `cancelled`.',
      'running'
    ),
    waiting: said(z.int(), 'Agents whose turn is still to come.', 12),
    underWay: said(z.int(), 'Agents that are being changed now.', 3),
    succeeded: said(z.int(), 'Agents that got through.', 20),
    failed: z
      .array(
        z.object({
          instanceId: said(z.string(), ...INSTANCE_ID),
          name: said(z.string(), 'What the server is called.', 'Front desk'),
          message: said(z.string(), 'Why it did not get through.', '“Ask a first question” failed.')
        })
      )
      .describe('Those that did not, with the reason; each works on as before.'),
    createdAt,
    finishedAt: said(StoredTimestamp, 'When it ended; null before.', null).nullable()
  })
  .meta({ id: 'Rollout' })

export const RolloutResult = z.object({ data: data(Rollout.nullable()) })
export const RolloutStarted = z.object({
  message: message('The change of 35 agents has begun, three at a time.'),
  data: data(Rollout)
})

const DEPLOY_ID = ['Deploy id; null when there was none.', 'dep_8i3k5m7o9q1s3u5w7y9a'] as const

export const DeployStarted = z.object({
  message: message('The deploy on Front desk has begun.'),
  data: data(
    z.object({
      deployId: said(z.string(), ...DEPLOY_ID),
      status: said(
        z.literal('deploying:cli-agent'),
        'The instance’s status from now on.',
        'deploying:cli-agent'
      )
    })
  )
})

export const DEPLOY_STEP_STATES = ['pending', 'running', 'done', 'skipped', 'warned', 'failed'] as const

export const DeployStep = z.object({
  title: said(z.string(), 'What the step does.', 'Install the agent'),
  state: said(
    z.enum(DEPLOY_STEP_STATES),
    '`pending`, `running`, `done`, `skipped`, `warned` or `failed`.',
    'running'
  ),
  detail: said(z.string(), 'Why it was skipped, warned or failed; empty when there is nothing to say.', '')
})
export type DeployStep = z.output<typeof DeployStep>

export const DEPLOY_STATES = ['none', 'running', 'succeeded', 'failed'] as const

/** How far the newest deploy is; a model reads it, so it says no more than that takes. */
export const DeployProgress = z
  .object({
    status: said(z.enum(INSTANCE_STATUSES), 'The instance’s status.', 'deploying:cli-agent'),
    deployId: said(z.string(), ...DEPLOY_ID).nullable(),
    state: said(
      z.enum(DEPLOY_STATES),
      'Of the deploy: `running`, `succeeded` or `failed`; `none` when there was none.',
      'running'
    ),
    message: said(z.string(), 'Why it failed, or what it waits for; empty when there is nothing to say.', ''),
    steps: said(z.array(DeployStep), 'Every step in its order.'),
    log: said(z.string(), 'The last of what the script wrote, at most 64 KiB.', 'Installing the agent …\n')
  })
  .meta({ id: 'DeployProgress' })
export type DeployProgress = z.output<typeof DeployProgress>

export const DeployProgressResult = z.object({ data: data(DeployProgress) })

export const Deploy = DeployProgress.extend({
  deployId: z.string(),
  businessName: z.string(),
  isReinstall: z.boolean(),
  startedAt: StoredTimestamp,
  finishedAt: StoredTimestamp.nullable()
}).meta({ id: 'Deploy' })
export type Deploy = z.output<typeof Deploy>

export const DeployResult = z.object({ data: Deploy })

export const OneDeployPath = InstancePath.extend({ deployId: RecordId })
