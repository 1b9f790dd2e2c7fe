// The same tables as in spec-tables.ts for what we offer beyond §4A: its shapes are ours, and held as firmly.
import type { EndpointTable, FieldType } from './spec-tables.ts'

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

const reading = (
  path: string,
  answer: EndpointTable['answer'],
  unknown: EndpointTable['unknown'] = {}
): EndpointTable => ({ method: 'GET', path, required: {}, optional: {}, answer, unknown })

const removing = (path: string, unknown: EndpointTable['unknown']): EndpointTable => ({
  method: 'DELETE',
  path,
  required: {},
  optional: {},
  answer: [{ at: '', fields: { message: 'string' } }],
  unknown
})

export const extensions: readonly EndpointTable[] = [
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
  removing('/customers/{customer}/memories/{memory}', { '{customer}': 404, '{memory}': 404 }),
  removing('/customers/{customer}/minds/{mind}', { '{customer}': 404, '{mind}': 404 })
]
