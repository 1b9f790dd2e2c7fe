// The same tables as in spec-tables.ts for what we offer beyond §4A: its shapes are ours, and held as firmly.
import { instanceTables } from './instance-tables.ts'
import type { EndpointTable, FieldType } from './spec-tables.ts'
import { reading, statementTables } from './statement-tables.ts'

const entry: Readonly<Record<string, FieldType>> = {
  number: 'integer',
  kind: 'string',
  amount: 'number',
  balanceAfter: 'number',
  operation: 'string',
  reference: 'string',
  note: 'string?',
  createdAt: 'timestamp'
}

const removing = (path: string, unknown: EndpointTable['unknown']): EndpointTable => ({
  method: 'DELETE',
  path,
  required: {},
  optional: {},
  answer: [{ at: '', fields: { message: 'string' } }],
  unknown
})

export const extensions: readonly EndpointTable[] = [
  reading('/voice-agents', [
    {
      at: 'data.0',
      fields: { id: 'string', name: 'string', provider: 'string', profitMultiplier: 'number?' }
    },
    { at: 'pagination', fields: { totalCount: 'integer', hasNextPage: 'boolean' } }
  ]),
  reading('/credits', [{ at: 'data', fields: { balance: 'number' } }]),
  reading('/credits/entries', [{ at: 'data.0', fields: entry }]),
  {
    method: 'POST',
    path: '/customers/{customer}/credits',
    required: { amount: 2.5 },
    optional: { note: 'Welcome' },
    answer: [
      { at: '', fields: { message: 'string' } },
      { at: 'data', fields: { balance: 'number' } }
    ],
    unknown: { '{customer}': 404 }
  },
  reading('/customers/{customer}/credits', [{ at: 'data', fields: { balance: 'number' } }], {
    '{customer}': 404
  }),
  reading('/customers/{customer}/credits/entries', [{ at: 'data.0', fields: entry }], { '{customer}': 404 }),
  ...statementTables,
  reading('/ai-usage', [
    { at: 'data.today', fields: { tokens: 'integer', budget: 'integer?', endsAt: 'timestamp' } },
    { at: 'data.month', fields: { tokens: 'integer', budget: 'integer?', endsAt: 'timestamp' } }
  ]),
  reading('/usage', [
    {
      at: 'data',
      fields: { from: 'string', to: 'string', timeZone: 'string', currency: 'string', openAmount: 'number' }
    },
    {
      at: 'data.total',
      fields: { calls: 'integer', minutes: 'number', charge: 'number', cost: 'number', margin: 'number' }
    },
    { at: 'data.days.0', fields: { day: 'string', calls: 'integer', charge: 'number' } }
  ]),
  reading('/usage/calls', [
    {
      at: 'data.0',
      fields: {
        id: 'string',
        provider: 'string',
        customerId: 'string?',
        startedAt: 'timestamp?',
        endedAt: 'timestamp',
        durationSeconds: 'number',
        outcome: 'string',
        charge: 'number?',
        currency: 'string',
        isPending: 'boolean',
        cost: 'number',
        multiplier: 'number',
        recordingUrl: 'string'
      }
    },
    { at: 'pagination', fields: { totalCount: 'integer', hasNextPage: 'boolean' } }
  ]),
  reading('/plans', [
    {
      at: 'data.0',
      fields: {
        planId: 'string',
        name: 'string',
        kind: 'string',
        price: 'number?',
        period: 'string',
        credits: 'number?',
        currency: 'string',
        version: 'integer',
        isArchived: 'boolean',
        createdAt: 'timestamp'
      }
    }
  ]),
  reading(
    '/customers/{customer}/subscriptions',
    [
      {
        at: 'data.0',
        fields: {
          subscriptionId: 'string',
          planId: 'string',
          planName: 'string',
          status: 'string',
          price: 'number',
          period: 'string',
          currency: 'string',
          trialEndsAt: 'timestamp?',
          periodStartsAt: 'timestamp?',
          periodEndsAt: 'timestamp?',
          nextChargeAt: 'timestamp?',
          endedAt: 'timestamp?',
          createdAt: 'timestamp'
        }
      },
      { at: 'pagination', fields: { totalCount: 'integer', hasNextPage: 'boolean' } }
    ],
    { '{customer}': 404 }
  ),
  reading('/audit', [
    {
      at: 'data.0',
      fields: {
        id: 'string',
        action: 'string',
        actor: 'string',
        actorName: 'string?',
        targetType: 'string',
        targetId: 'string',
        fields: 'string[]',
        requestId: 'string',
        createdAt: 'timestamp'
      }
    }
  ]),
  ...instanceTables,
  reading(
    '/customers/{customer}/memories?mindId={mind}&limit=1',
    [
      {
        at: 'memories.0',
        fields: {
          id: 'string',
          content: 'string',
          author: 'string?',
          occurredAt: 'timestamp',
          createdAt: 'timestamp'
        }
      },
      { at: '', fields: { nextCursor: 'string?', degraded: 'boolean' } }
    ],
    { '{customer}': 404, '{mind}': 404 }
  ),
  {
    method: 'POST',
    path: '/customers/{customer}/memories',
    required: { contents: ['Ada: I moved to Lisbon.', 'Ada: My assistant is Tom.'] },
    optional: { occurredAt: '2026-01-14T17:30:00Z', mindId: '{mind}' },
    answer: [
      { at: '', fields: { message: 'string', kept: 'integer', credits: 'number' } },
      {
        at: 'memories.0',
        fields: { memoryId: 'string?', duplicate: 'boolean', credits: 'number', error: 'string?' }
      }
    ],
    unknown: { '{customer}': 404 }
  },
  removing('/customers/{customer}/memories/{memory}', { '{customer}': 404, '{memory}': 404 }),
  removing('/customers/{customer}/minds/{mind}', { '{customer}': 404, '{mind}': 404 }),
  removing('/instances/{instance}', { '{instance}': 404 }),
  // Last: it takes the others' customer.
  removing('/customers/{customer}?confirm={code}', { '{customer}': 404 })
]
