// Putting the CLI agent on an instance, and how far that is (§4C).
import { z } from 'zod'
import { AgentSettings } from './agent-settings.ts'
import { APP_IDS, DEPLOYING, INSTANCE_STATUSES } from './app.ts'
import { data, message } from './envelope.ts'
import { INSTANCE_ID, InstancePath } from './instance.ts'
import { createdAt, line, RecordId, requiredLine, StoredTimestamp, said, told } from './primitives.ts'

export const BusinessName = requiredLine(100)

/** The form of §4C, and what guards a reinstall. */
export const DeployInstance = z.strictObject({
  ...InstancePath.shape,
  businessName: said(
    BusinessName,
    'The business that the agent speaks for; its display name.',
    'Clínica Sol',
    { label: 'Business name', help: 'Whom the agent speaks for. The chat shows it as the agent’s name.' }
  ).describe('The agent’s name'),
  app: said(
    z.enum(APP_IDS),
    'Which app of the catalog; left out, the one that the server has, else the CLI agent.',
    'cli-agent',
    { label: 'App', help: 'A server keeps the app that it has.' }
  ).optional(),
  telegramBotToken: said(
    line(200).refine(
      (token) => /^\d+:[\w-]+$/.test(token),
      'must be a bot token as BotFather gives it: 123456:ABC…'
    ),
    'Token of a Telegram bot, which then works beside the portal’s chat. Kept sealed until it is on the server, then nowhere here.',
    '123456789:AAExampleExampleExampleExample',
    {
      label: 'Telegram bot token',
      help: 'From @BotFather, if Hermes shall answer on Telegram too; the small agent can’t. It is kept on the server alone.'
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
  confirmReinstall: told
    .flag('Needed where the agent is deployed already; its history is kept.', false, {
      label: 'Install it again over the agent that runs there',
      help: 'What it knows is backed up and kept, Telegram too. Nobody can chat with it until this is done.'
    })
    .optional()
    .describe('Where the agent runs already'),
  wipeFormer: told
    .flag('Deletes what another instance’s agent left on this server; else that is set aside there.', false, {
      label: 'Delete what another agent left on this server',
      help: 'Only where the server was another customer’s before. Otherwise it is set aside there, without its keys.'
    })
    .optional()
})

export const ConfigureAgent = z.strictObject({
  ...InstancePath.shape,
  businessName: said(BusinessName, 'The agent’s new display name.', 'Clínica Sol', {
    label: 'Business name',
    help: 'Whom the agent speaks for. The chat shows it as the agent’s name.'
  }).optional(),
  ...AgentSettings.shape
})

export const StartRollout = z.strictObject(AgentSettings.shape)

export const ROLLOUT_STATES = ['running', 'done', 'stopped', 'cancelled'] as const

export const Rollout = z
  .object({
    rolloutId: told.text('Rollout id.', 'rol_8i3k5m7o9q1s3u5w7y9a'),
    state: said(
      z.enum(ROLLOUT_STATES),
      '`running`, `done`, `stopped` after three failures, or `cancelled`.',
      'running'
    ),
    waiting: told.count('Agents whose turn is still to come.', 12),
    underWay: told.count('Agents that are being changed now.', 3),
    succeeded: told.count('Agents that got through.', 20),
    failed: z
      .array(
        z.object({
          instanceId: told.text(...INSTANCE_ID),
          name: told.text('What the server is called.', 'Front desk'),
          message: told.text('Why it did not get through.', '“Ask a first question” failed.')
        })
      )
      .describe('Those that did not, with the reason; each works on as before.'),
    createdAt,
    finishedAt: told.time('When it ended; null before.', null).nullable()
  })
  .meta({ id: 'Rollout' })

export type Rollout = z.output<typeof Rollout>

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
      deployId: told.text(...DEPLOY_ID),
      status: said(z.enum(DEPLOYING), 'The instance’s status from now on.', 'deploying:cli-agent')
    })
  )
})

export const DEPLOY_STEP_STATES = ['pending', 'running', 'done', 'skipped', 'warned', 'failed'] as const

export const DeployStep = z.object({
  title: told.text('What the step does.', 'Install the agent'),
  state: said(
    z.enum(DEPLOY_STEP_STATES),
    '`pending`, `running`, `done`, `skipped`, `warned` or `failed`.',
    'running'
  ),
  detail: told.text('Why it was skipped, warned or failed; empty when there is nothing to say.', '')
})
export type DeployStep = z.output<typeof DeployStep>

export const DEPLOY_STATES = ['none', 'running', 'succeeded', 'failed'] as const

/** How far the newest deploy is; a model reads it, so it says no more than that takes. */
export const DeployProgress = z
  .object({
    status: said(z.enum(INSTANCE_STATUSES), 'The instance’s status.', 'deploying:cli-agent'),
    deployId: told.text(...DEPLOY_ID).nullable(),
    state: said(
      z.enum(DEPLOY_STATES),
      'Of the deploy: `running`, `succeeded` or `failed`; `none` when there was none.',
      'running'
    ),
    message: told.text('Why it failed, or what it waits for; empty when there is nothing to say.', ''),
    steps: said(z.array(DeployStep), 'Every step in its order.'),
    log: told.text('The last of what the script wrote, at most 64 KiB.', 'Installing the agent …\n')
  })
  .meta({ id: 'DeployProgress' })
export type DeployProgress = z.output<typeof DeployProgress>

export const DeployProgressResult = z.object({ data: data(DeployProgress) })

export const Deploy = DeployProgress.extend({
  deployId: z.string(),
  businessName: z.string(),
  kind: z.enum(['first', 'again', 'change']),
  startedAt: StoredTimestamp,
  finishedAt: StoredTimestamp.nullable()
}).meta({ id: 'Deploy' })
export type Deploy = z.output<typeof Deploy>

export const DeployResult = z.object({ data: Deploy })

export const OneDeployPath = InstancePath.extend({ deployId: RecordId })
