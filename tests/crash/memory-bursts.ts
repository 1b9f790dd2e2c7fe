// Bursts of tool calls at a real service that is killed in the middle of each, over and over on the same data.

import { expect } from 'vitest'
import { loadConfig } from '../../src/config.ts'
import { createLog } from '../../src/log.ts'
import { openService, type Service } from '../../src/service.ts'
import { unmarked } from '../mcp/messages.ts'
import { type Environment, environmentAt, type RunningService } from '../support/cli.ts'
import type { TestPlace } from '../support/databases.ts'
import { at, makePartner, type TestPartner } from '../support/fixture.ts'
import { makeCustomerRow } from '../support/rows.ts'
import { killAfter } from './mortal-service.ts'

export interface Fixture {
  env: Environment
  /** Beside the services that are killed: looks at what they leave. */
  service: Service
  partner: TestPartner
  customerId: string
}

/** A partner with credits for everything, and a customer with memory. */
export async function prepareFixture(place: TestPlace): Promise<Fixture> {
  const env = environmentAt(place, {
    RATE_LIMIT: '0',
    MEMORY_RATE_LIMIT: '0',
    LOG_LEVEL: 'warn',
    // However slow the machine is, nobody is told that the database can't be written for now.
    BUSY_DEADLINE_MS: '60000',
    CREDITS_INITIAL: '100000'
  })
  const service = await openService(loadConfig(env), createLog('silent'))
  const partner = await makePartner(service)
  const { id: customerId } = await makeCustomerRow(service, partner.partnerId, { enableAiMemory: 1 })
  return { env, service, partner, customerId }
}

export interface ToolCall {
  tool: string
  input: Record<string, unknown>
}

export interface Round {
  acknowledged: { call: ToolCall; output: unknown }[]
  /** Sent, and not acknowledged. */
  unanswered: ToolCall[]
  /** Answers that were neither, by their codes. */
  refusals: string[]
  exitCode: number | null
}

/** Sends all calls at once and kills the service with SIGKILL once so many were answered. */
export async function killAmid(
  { env, partner, customerId }: Fixture,
  calls: readonly ToolCall[],
  answers: number,
  kill?: (service: RunningService) => Promise<number | null>
): Promise<Round> {
  const send = (url: string, call: ToolCall) => callTool(url, partner.key, customerId, call)
  const { answered, unanswered, exitCode } = await killAfter(answers, { env, burst: calls, send }, kill)
  const round: Round = { acknowledged: [], unanswered, refusals: [], exitCode }
  for (const { request: call, answer } of answered) {
    const output = unmarked(at(answer, 'result', 'structuredContent'))
    if (output !== undefined) round.acknowledged.push({ call, output })
    else round.refusals.push(String(at(answer, 'result', '_meta', 'mindgate/error', 'code')))
  }
  return round
}

/** Each kill hit: some calls were answered before it, and some never. */
export function expectKilledAmid(rounds: readonly Round[]) {
  for (const { acknowledged, unanswered, refusals, exitCode } of rounds) {
    expect(refusals).toEqual([])
    expect(exitCode).toBeNull()
    expect(acknowledged.length).toBeGreaterThan(0)
    expect(unanswered.length).toBeGreaterThan(0)
  }
}

/** The answer over the partner gateway; rejects when the connection breaks before it is whole. */
export async function callTool(
  url: string,
  key: string,
  customerId: string,
  { tool, input }: ToolCall
): Promise<unknown> {
  const response = await fetch(`${url}/api/partner-mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream'
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: tool, arguments: { customerId, ...input } }
    })
  })
  return response.json()
}
