// One operation over either channel, and what came of it in the same words.

import { expect } from 'vitest'
import { operations } from '../../../src/operations.ts'
import { call, modern, modernHeaders, unmarked } from '../../mcp/messages.ts'
import { at } from '../../support/fixture.ts'
import type { TestServer } from '../../support/http.ts'

export const CHANNELS = ['REST', 'MCP up to 2025', 'MCP from 2026'] as const
export type ChannelName = (typeof CHANNELS)[number]

export interface Outcome {
  status: number
  /** What it was refused with. */
  code: unknown
  output: Record<string, unknown>
  isReplay: boolean
}

export interface OperationCall {
  channel: ChannelName
  operation: string
  input: Record<string, unknown>
  idempotencyKey?: string | undefined
}

/** Calls the operation as the partner whose key it is. */
export const callOperation = (server: TestServer, key: string, asked: OperationCall): Promise<Outcome> =>
  asked.channel === 'REST' ? overRest(server, key, asked) : overMcp(server, key, asked)

async function overRest(server: TestServer, key: string, asked: OperationCall): Promise<Outcome> {
  const { path, method } = operations.find(({ name }) => name === asked.operation)?.http ?? {}
  if (!path || !method) throw new Error(`${asked.operation} has no route`)
  const rest = { ...asked.input }
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(rest[name])
    delete rest[name]
    return encodeURIComponent(value)
  })
  const takesBody = method === 'post' || method === 'patch'
  const { status, headers, body } = await server.api(
    method.toUpperCase(),
    takesBody ? filled : filled + queryOf(rest),
    {
      key,
      ...(takesBody ? { body: rest } : {}),
      ...(asked.idempotencyKey ? { headers: { 'Idempotency-Key': asked.idempotencyKey } } : {})
    }
  )
  const { success, code, ...output } = body
  expect(success).toBe(status === 200)
  return { status, code, output, isReplay: headers.get('idempotent-replayed') === 'true' }
}

function queryOf(fields: Record<string, unknown>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) query.set(name, String(value))
  return `?${query}`
}

async function overMcp({ url }: TestServer, key: string, asked: OperationCall): Promise<Outcome> {
  const { idempotencyKey } = asked
  const meta = idempotencyKey ? { 'mindgate/idempotencyKey': idempotencyKey } : {}
  const set = Object.entries(asked.input).filter(([, value]) => value !== null)
  const clear = Object.keys(asked.input).filter((name) => asked.input[name] === null)
  const input = { ...Object.fromEntries(set), ...(clear.length > 0 ? { clear } : {}) }
  const message = call(asked.operation, input, meta)
  const isModern = asked.channel === 'MCP from 2026'
  const response = await fetch(`${url}/api/partner-mcp`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      ...(isModern ? modernHeaders(message) : {})
    },
    body: JSON.stringify(isModern ? modern(message) : message)
  })
  const result = at(await response.json(), 'result')
  expect(response.status, 'a tool call’s HTTP status').toBe(200)
  const refusal = at(result, '_meta', 'mindgate/error')
  if (refusal)
    return { status: Number(at(refusal, 'status')), code: at(refusal, 'code'), output: {}, isReplay: false }
  return {
    status: 200,
    code: undefined,
    output: Object(unmarked(at(result, 'structuredContent'))),
    isReplay: at(result, '_meta', 'mindgate/idempotentReplayed') === true
  }
}
