// Customers' virtual servers, as partners register them for the CLI agent (§3, §4C).
import { z } from 'zod'
import { AgentSettings } from './agent-settings.ts'
import { INSTANCE_STATUSES } from './app.ts'
import { ChatReply, MAX_MESSAGE_BYTES, Message } from './chat.ts'
import { data, lookingBy, message, PageQuery, pageOf } from './envelope.ts'
import { CustomerId, createdAt, RecordId, requiredLine, said, told, updatedAt } from './primitives.ts'
import { Host, HostKey, Jump, Port, Root, Username } from './server-address.ts'

export const INSTANCE_ID = ['Instance id.', 'ins_6g1j3l5n7p9r2t4v6x8z'] as const

/** What is said of what is sent and answered alike. */
const TEXTS = {
  instanceId: INSTANCE_ID,
  name: ['What you call the server; its host when left out.', 'Front desk'],
  host: ['Host name or IP address.', 'vps1.example.com'],
  port: ['Port of its SSH service.', 22],
  username: ['User that we sign in as.', 'root'],
  root: [
    'Folder that holds everything of ours, for several sandboxes on one machine; empty for the usual places.',
    ''
  ],
  hostKey: [
    'Fingerprint of the server’s host key, as `ssh-keygen -lf` prints it. Left out at registration, it is the one that the server shows.',
    'SHA256:jTz1hVgQwPAqJmTFT3xtHYpB3FvX1m0cKz3v7b2mJxk'
  ],
  jump: [
    'Jump host that leads to the server, `user@host:port`; our key is let in there, too. It alone reaches `host`, and what that name means is up to it.',
    null
  ],
  jumpHostKey: ['Fingerprint of the jump host’s key.', null]
} as const

export const RegisterInstance = z.strictObject({
  customerId: CustomerId,
  host: said(Host, ...TEXTS.host, {
    label: 'Host',
    help: 'Name or IP address of the server, such as vps1.example.com.'
  }),
  port: said(Port, ...TEXTS.port, { label: 'SSH port' }).default(22),
  username: said(Username, ...TEXTS.username, {
    label: 'User',
    help: 'Whom we sign in as. The agent runs as this user; its service, and so Telegram, needs root or sudo.'
  }).default('root'),
  name: said(requiredLine(100), ...TEXTS.name, {
    label: 'Name',
    help: 'What you call the server. Left empty, it is called by its host.'
  }).optional(),
  hostKey: said(HostKey, ...TEXTS.hostKey, {
    label: 'Host key',
    help: 'Its SHA-256 fingerprint, as ssh-keygen -lf prints it. Left empty, we take the one that the server shows now, and compare at every connection from then on.'
  }).optional(),
  root: said(Root, ...TEXTS.root, {
    label: 'Folder',
    help: 'Only when several agents share one machine: an absolute path that everything of this one goes below.'
  }).default(''),
  jump: said(Jump, TEXTS.jump[0], 'root@bastion.example.com:22', {
    label: 'Jump host',
    help: 'Only for a server that another one leads to: user@host:port of that. Both host keys are needed then.'
  }).optional(),
  jumpHostKey: said(
    HostKey,
    `${TEXTS.jumpHostKey[0]} Needed with \`jump\`, as \`hostKey\` is.`,
    TEXTS.hostKey[1],
    {
      label: 'Host key of the jump host'
    }
  ).optional(),
  replaces: said(
    RecordId,
    'Id of the customer’s instance whose agent moves to this server: it keeps its id, its key and its conversations. Left out for a server more.',
    INSTANCE_ID[1],
    {
      label: 'Moves here',
      help: 'Only for a server in place of another one: the id of that instance, which goes on here.'
    }
  ).optional()
})

export const InstancePath = z.strictObject({ instanceId: said(RecordId, ...TEXTS.instanceId) })

export const ON_SERVER = ['leave', 'keep', 'wipe'] as const

export const RemoveInstance = InstancePath.extend({
  onServer: said(
    z.enum(ON_SERVER),
    'What becomes of the agent there: `leave` changes nothing; `keep` stops it and removes its secrets, but keeps its home; `wipe` removes that, too.',
    'leave'
  )
    .default('leave')
    .describe('keep: stop it, remove its secrets; wipe: its home, too')
})

export const ListInstances = PageQuery.extend({ customerId: CustomerId.optional() })
export const FindInstances = ListInstances.extend({
  ...lookingBy('name'),
  trouble: z.enum(['unreachableSince', 'failedAt']).optional()
})

export const Instance = z
  .object({
    instanceId: told.text(...TEXTS.instanceId),
    customerId: told.text('Record id of the customer whose server it is.', 'cus_4k9v2m7x1q8t3w6z0b5n'),
    name: told.text(...TEXTS.name),
    host: told.text(...TEXTS.host),
    port: told.count(...TEXTS.port),
    username: told.text(...TEXTS.username),
    root: told.text(...TEXTS.root),
    status: said(
      z.enum(INSTANCE_STATUSES),
      '`registered`, `deploying:cli-agent` while a deploy is under way, then `cli-agent`, or `failed:cli-agent`; another app is told by its own name.',
      'registered'
    ),
    hostKey: told.text(...TEXTS.hostKey),
    jump: told.text(...TEXTS.jump).nullable(),
    jumpHostKey: told.text(...TEXTS.jumpHostKey).nullable(),
    publicKey: told.text(
      'Our public key for this server; append it to the user’s `~/.ssh/authorized_keys`.',
      `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGx0dC7sCT2sZQJm9cYqJq7nLkcQ3mE8hWb5V0f1aXyz mindgate-${TEXTS.instanceId[1]}`
    ),
    agentName: told.text('Name that the agent was deployed with; null before.', null).nullable(),
    model: told.text('Model that the agent’s configuration names; null before a deploy.', null).nullable(),
    lastTrouble: z
      .object({
        reason: told
          .text('For programs, such as `disk_full`; null where that can’t be told.', 'model_refused')
          .nullable(),
        meaning: told.text('What it means and what to do.', 'The AI gateway refused the agent.'),
        words: told.text(
          'What the agent complained of, without secrets; others wrote it.',
          'Error: HTTP 401'
        ),
        at: told.text('When that was.', '2026-01-15T10:00:00.000Z')
      })
      .nullable()
      .optional()
      .describe(
        'Why the newest message was not answered; null where it was. Only where one server is asked for.'
      ),
    checkedAt: told.text('When we last looked at a ready agent; else null.', null).nullable(),
    checkTrouble: told.text('What kept it from answering then, if anything did.', null).nullable(),
    unreachableSince: told.text('Since when it failed to answer twice or more.', null).nullable(),
    failedAt: told.text('When the last deploy failed, if it did.', null).nullable(),
    failedStep: told.text('What it failed at, where that is known.', null).nullable(),
    settings: AgentSettings.describe('What the agent was told beyond its name, as far as it got through.'),
    createdAt,
    updatedAt
  })
  .meta({ id: 'Instance' })
export type Instance = z.output<typeof Instance>

export const InstanceResult = z.object({ data: data(Instance) })
export const RegisterInstanceResult = z.object({
  message: message(
    'The server was registered. Add its public key to the user’s ~/.ssh/authorized_keys on the server.'
  ),
  data: data(Instance)
})

/** What tells instances apart in a list; keys and paths are what GET one is for. */
export const InstanceListItem = Instance.pick({
  instanceId: true,
  customerId: true,
  name: true,
  host: true,
  port: true,
  status: true,
  agentName: true,
  checkedAt: true,
  checkTrouble: true,
  unreachableSince: true,
  failedAt: true,
  failedStep: true,
  createdAt: true
})
  .extend({
    customerName: told.text('What the customer is called: company, person or address.', 'Analytical Engines')
  })
  .meta({ id: 'InstanceListItem' })
export type InstanceListItem = z.output<typeof InstanceListItem>

export const InstancePage = pageOf(InstanceListItem)

export const InstanceTest = z.object({
  reachable: told.flag('Whether we could sign in and run a command.', true),
  fault: told.text('What kept us from it, for programs; null when nothing did.', null).nullable(),
  message: told.text(
    'What came of it and what to do, in a sentence or two.',
    'The server can be reached. No agent is deployed there yet.'
  ),
  agentReady: told.flag('Whether the agent is deployed and can be chatted with.', false)
})

export const AgentLogsPath = InstancePath.extend({
  lines: said(z.int().min(1).max(500).default(100), 'How many lines at most, and 64 KiB.', 100)
})

export const AgentLogs = z.object({
  data: data(
    z.object({
      log: told.text(
        'The end of `~/.hermes/logs/agent.log` without what looks like a key; empty where there is none.',
        '2026-05-04 10:00:00,123 INFO [20260504_100000_ab12cd] run_agent: conversation turn …\n'
      )
    })
  )
})

/** Of an archive of an agent's home. */
export const MAX_BACKUP_BYTES = 500_000_000

const Archive = z.custom<{ name: string; size: number; pieces: AsyncIterable<Uint8Array> }>()

export const AgentBackup = z.object({ file: Archive })
export type AgentBackup = z.output<typeof AgentBackup>

export const RestoreAgent = InstancePath.extend({
  file: z.custom<{ size: number; pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array> }>()
})

const figure = (meaning: string, example: number) => told.amount(meaning, example).nullable()

/** Each is null where the server doesn't tell. */
export const AgentHealth = z
  .object({
    version: told.text('Version of the agent.', '0.15.1').nullable(),
    diskFreeBytes: figure('What is free where the agent’s home lies.', 18_253_611_008),
    diskTotalBytes: figure('How large that is.', 42_949_672_960),
    load: figure('Processes that work or wait to, on average over a minute.', 0.42),
    memoryFreeBytes: figure('Memory that programs could still get.', 1_395_864_371),
    memoryTotalBytes: figure('All of its memory.', 2_147_483_648),
    uptimeSeconds: figure('For how long the server has run.', 864_000),
    isGatewayRunning: told
      .flag('Whether the agent’s own service for Telegram runs; also null where there is none.', true)
      .nullable(),
    checkedAt: told.time('When the server said so.', '2026-05-04T10:00:00.000Z')
  })
  .meta({ id: 'AgentHealth' })
export type AgentHealth = z.output<typeof AgentHealth>

export const AgentHealthResult = z.object({ data: data(AgentHealth) })

export const GATEWAYS = ['none', 'restarted', 'failed'] as const

export const AgentRestarted = z.object({
  message: message('1 run was ended.'),
  data: data(
    z.object({
      endedRuns: told.count('How many messages it was working on.', 1),
      gateway: said(
        z.enum(GATEWAYS),
        'Its own service for Telegram: `none` where there is none, `restarted`, or `failed`.',
        'restarted'
      )
    })
  )
})

export const AskAgent = InstancePath.extend({
  message: said(
    Message.max(MAX_MESSAGE_BYTES),
    'What to say to the agent, at most 32,768 bytes.',
    'Who is on duty today?'
  ),
  isNew: said(
    z.boolean().default(false),
    'Begins a new conversation, of which it knows nothing before.',
    false
  )
})

export const AgentReply = z.object({ data: data(ChatReply) })
