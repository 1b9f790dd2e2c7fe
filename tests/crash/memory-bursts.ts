// Bursts of tool calls at a real service that is killed in the middle of each, over and over on the same data.
import { setTimeout as sleep } from 'node:timers/promises'
import { loadConfig } from '../../src/config.ts'
import { createLog } from '../../src/log.ts'
import { openService, type Service } from '../../src/service.ts'
import { type Environment, environmentAt, startService } from '../support/cli.ts'
import type { TestPlace } from '../support/databases.ts'
import { makeCustomerRow } from '../support/rows.ts'
import { at, makePartner, type TestPartner } from '../support/world.ts'

export interface Ground {
  env: Environment
  /** Beside the services that are killed: looks at what they leave. */
  service: Service
  partner: TestPartner
  customerId: string
}

/** A partner with credits for everything, and a customer with memory. */
export async function prepareGround(place: TestPlace): Promise<Ground> {
  const env = environmentAt(place, {
    RATE_LIMIT: '0',
    MEMORY_RATE_LIMIT: '0',
    LOG_LEVEL: 'warn',
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
  /** Answers that were neither, by their codes. A full machine may say that it can't now, which is no promise. */
  refusals: string[]
  exitCode: number | null
}

/** Sends all calls at once and kills the service with SIGKILL once so many were answered, or a little later. */
export async function killAmid(
  { env, partner, customerId }: Ground,
  calls: readonly ToolCall[],
  { killAfter, delayMs = 0 }: { killAfter: number; delayMs?: number }
): Promise<Round> {
  const service = await startService(env)
  const round: Round = { acknowledged: [], unanswered: [], refusals: [], exitCode: 0 }
  let killed: Promise<number | null> | undefined
  await Promise.all(
    calls.map(async (call) => {
      const answer = await callTool(service.url, partner.key, customerId, call).catch(() => undefined)
      const output = at(answer, 'result', 'structuredContent')
      if (output !== undefined) round.acknowledged.push({ call, output })
      else round.unanswered.push(call)
      if (answer !== undefined && output === undefined) {
        round.refusals.push(String(at(answer, 'result', '_meta', 'mindgate/error', 'code')))
      }
      if (round.acknowledged.length >= killAfter)
        killed ??= sleep(delayMs).then(() => service.stop('SIGKILL'))
    })
  )
  round.exitCode = await (killed ?? service.stop('SIGKILL'))
  return round
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
