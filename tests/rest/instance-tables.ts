// The same tables for servers and the agents on them.
import { HOST_KEY } from '../support/instances.ts'
import type { EndpointTable, FieldType } from './spec-tables.ts'
import { reading } from './statement-tables.ts'

const placed: Readonly<Record<string, FieldType>> = {
  instanceId: 'string',
  customerId: 'string',
  name: 'string',
  host: 'string',
  port: 'integer',
  status: 'string',
  agentName: 'string?',
  createdAt: 'timestamp'
}

const instance: Readonly<Record<string, FieldType>> = {
  ...placed,
  username: 'string',
  root: 'string',
  hostKey: 'string',
  jump: 'string?',
  jumpHostKey: 'string?',
  publicKey: 'string',
  model: 'string?',
  updatedAt: 'timestamp'
}

const rollout: Readonly<Record<string, FieldType>> = {
  rolloutId: 'string',
  state: 'string',
  waiting: 'integer',
  underWay: 'integer',
  succeeded: 'integer',
  createdAt: 'timestamp'
}

export const instanceTables: readonly EndpointTable[] = [
  {
    method: 'POST',
    path: '/instances/{reached}/rotate-key',
    required: {},
    optional: {},
    answer: [
      { at: '', fields: { message: 'string' } },
      { at: 'data', fields: instance }
    ],
    unknown: { '{reached}': 404 }
  },
  reading('/instances/{reached}/cli-agent/logs?lines=10', [{ at: 'data', fields: { log: 'string' } }], {
    '{reached}': 404
  }),
  {
    method: 'POST',
    path: '/instances/{reached}/cli-agent/restart',
    required: {},
    optional: {},
    answer: [
      { at: '', fields: { message: 'string' } },
      { at: 'data', fields: { endedRuns: 'integer', gateway: 'string' } }
    ],
    unknown: { '{reached}': 404 }
  },
  reading(
    '/instances/{reached}/cli-agent/health',
    [{ at: 'data', fields: { version: 'string?', isGatewayRunning: 'boolean?', checkedAt: 'timestamp' } }],
    { '{reached}': 404 }
  ),
  {
    method: 'POST',
    path: '/instances/{reached}/cli-agent/chat',
    required: { message: 'Who is on duty today?' },
    optional: { isNew: true },
    answer: [{ at: 'data', fields: { reply: 'string', sessionId: 'string', model: 'string' } }],
    unknown: { '{reached}': 404 }
  },
  reading(
    '/instances/{instance}/cli-agent/usage?from=2026-01-01&to=2026-01-31',
    [
      { at: 'data', fields: { isMetered: 'boolean' } },
      {
        at: 'data.total',
        fields: {
          calls: 'integer',
          failed: 'integer',
          inputTokens: 'integer',
          outputTokens: 'integer',
          untold: 'integer',
          cost: 'number?'
        }
      }
    ],
    { '{instance}': 404 }
  ),
  {
    method: 'POST',
    path: '/instances',
    required: { customerId: '{customer}', host: '127.0.0.1' },
    // Without it the server is asked, and here is none.
    optional: {
      ...{ hostKey: HOST_KEY, port: 1, username: 'root', name: 'Front desk', root: '' },
      replaces: '{instance}'
    },
    answer: [
      { at: '', fields: { message: 'string' } },
      { at: 'data', fields: instance }
    ],
    unknown: {}
  },
  reading('/instances', [
    { at: 'data.0', fields: { ...placed, customerName: 'string' } },
    { at: 'pagination', fields: { totalCount: 'integer', hasNextPage: 'boolean' } }
  ]),
  reading('/instances/{instance}', [{ at: 'data', fields: instance }], { '{instance}': 404 }),
  {
    method: 'POST',
    path: '/instances/{instance}/test',
    required: {},
    optional: {},
    answer: [
      { at: '', fields: { reachable: 'boolean', fault: 'string?', message: 'string', agentReady: 'boolean' } }
    ],
    unknown: { '{instance}': 404 }
  },
  {
    method: 'POST',
    path: '/instances/{server}/cli-agent/deploy',
    status: 202,
    required: { businessName: 'Clínica Sol' },
    optional: {
      telegramBotToken: '123456789:AAExampleExampleExampleExample',
      telegramChatId: '-1001234567890',
      confirmReinstall: true
    },
    answer: [
      { at: '', fields: { message: 'string' } },
      { at: 'data', fields: { deployId: 'string', status: 'string' } }
    ],
    unknown: { '{server}': 404 }
  },
  {
    method: 'PATCH',
    path: '/instances/{deployed}/cli-agent',
    status: 202,
    required: {},
    optional: { businessName: 'Luna', instructions: 'Be kind.', model: 'auto', release: 'v2026.5.29' },
    answer: [
      { at: '', fields: { message: 'string' } },
      { at: 'data', fields: { deployId: 'string', status: 'string' } }
    ],
    unknown: { '{deployed}': 404 }
  },
  {
    method: 'POST',
    path: '/rollouts',
    status: 202,
    required: {},
    optional: { instructions: 'Be kind.', model: 'auto', release: 'v2026.5.29' },
    answer: [
      { at: '', fields: { message: 'string' } },
      { at: 'data', fields: rollout }
    ],
    unknown: {}
  },
  reading('/rollouts/newest', [{ at: 'data', fields: rollout }]),
  {
    method: 'DELETE',
    path: '/rollouts/newest',
    required: {},
    optional: {},
    answer: [{ at: 'data', fields: { ...rollout, finishedAt: 'timestamp' } }],
    unknown: {}
  },
  reading(
    '/instances/{server}/cli-agent/deploy',
    [
      {
        at: 'data',
        fields: { status: 'string', deployId: 'string?', state: 'string', message: 'string', log: 'string' }
      },
      { at: 'data.steps.0', fields: { title: 'string', state: 'string', detail: 'string' } }
    ],
    { '{server}': 404 }
  )
]
