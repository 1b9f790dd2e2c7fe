// The same tables for statements and what is put onto them.
import type { EndpointTable, FieldType } from './spec-tables.ts'

const statement: Readonly<Record<string, FieldType>> = {
  statementId: 'string',
  customerId: 'string',
  customerName: 'string',
  number: 'integer?',
  status: 'string',
  startsAt: 'timestamp',
  endsAt: 'timestamp',
  timeZone: 'string',
  currency: 'string',
  total: 'number',
  lineCount: 'integer',
  closedAt: 'timestamp?',
  billedAt: 'timestamp?',
  voidedAt: 'timestamp?'
}

export const reading = (
  path: string,
  answer: EndpointTable['answer'],
  unknown: EndpointTable['unknown'] = {}
): EndpointTable => ({ method: 'GET', path, required: {}, optional: {}, answer, unknown })

export const statementTables: readonly EndpointTable[] = [
  reading('/statements', [
    { at: 'data.0', fields: statement },
    { at: 'pagination', fields: { totalCount: 'integer', hasNextPage: 'boolean' } }
  ]),
  reading(
    '/statements/{statement}',
    [
      { at: 'data', fields: statement },
      { at: 'data.byKind.0', fields: { kind: 'string', lines: 'integer', amount: 'number' } },
      {
        at: 'data.byAgent.0',
        fields: { agent: 'string', lines: 'integer', durationMs: 'integer', amount: 'number' }
      }
    ],
    { '{statement}': 404 }
  ),
  {
    method: 'POST',
    path: '/statements/close',
    required: {},
    optional: {},
    answer: [
      { at: '', fields: { message: 'string' } },
      { at: 'data', fields: { closed: 'integer', hasMore: 'boolean' } }
    ],
    unknown: {}
  },
  ...[
    ['{statement}', 'bill'],
    ['{otherStatement}', 'void']
  ].map(
    ([id = '', act]): EndpointTable => ({
      method: 'POST',
      path: `/statements/${id}/${act}`,
      required: {},
      optional: {},
      answer: [
        { at: '', fields: { message: 'string' } },
        { at: 'data', fields: statement }
      ],
      unknown: { [id]: 404 }
    })
  )
]
