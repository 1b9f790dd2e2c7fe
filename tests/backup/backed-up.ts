// A service that is written to by real MCP clients, and what it answers of what it was told before.

import { z } from 'zod'
import type { Service } from '../../src/service.ts'
import { type MemoryFixture, makeMemoryFixture } from '../mcp/memory-fixture.ts'
import { unmarked } from '../mcp/messages.ts'
import { officialClients } from '../mcp/official-clients.ts'
import { callApi } from '../support/cli.ts'
import { at, run, type TestPartner } from '../support/fixture.ts'

/** A customer that is left alone while others are written to, with something to ask for. */
export async function makeQuietCustomer(service: Service, partner: TestPartner): Promise<MemoryFixture> {
  const fixture = await makeMemoryFixture(service, partner)
  const contents = [
    'Dana: I live in Porto.',
    'Dana: I moved to Lisbon in May.',
    'Dana works at Northwind as CFO.',
    'The invoice of March is 1,250 euros.'
  ]
  for (const content of contents) {
    await run(service, partner.partnerId, 'memory_remember', { customerId: fixture.customerId, content })
  }
  return fixture
}

const Tool = z.object({ structuredContent: z.record(z.string(), z.unknown()) })

/** What the service answers about that customer, over REST and over MCP. */
export async function answersOf(
  url: string,
  { partner, customerId, token }: MemoryFixture
): Promise<unknown> {
  const client = await connect(url, token)
  const call = async (name: string, input: Record<string, unknown>) =>
    unmarked(
      Tool.parse(await client.callTool({ name: `internal_memory_${name}`, arguments: input }))
        .structuredContent
    )
  const asked = Object(await call('ask', { question: 'Where does Dana live?' }))
  const answers = {
    recalled: await call('recall', {}),
    answer: asked.answer,
    sources: asked.sources,
    customer: (await callApi(url, partner.key, `/customers/${customerId}`)).body,
    team: (await callApi(url, partner.key, `/customers/${customerId}/team-members`)).body
  }
  await client.close()
  return answers
}

/** The records of the partner's customers as the listing has them. */
export async function listedCustomers(url: string, key: string): Promise<unknown> {
  return at((await callApi(url, key, '/customers?limit=100')).body, 'data')
}

export interface Writer {
  /** What was answered for so far, in order. */
  acknowledged: string[]
  stop(): Promise<void>
}

/** Remembers one text after another over MCP until it is stopped. */
export function startWriter(url: string, { token }: MemoryFixture, name: string): Writer {
  const writer = { acknowledged: [] as string[] }
  let isStopped = false
  const writing = (async () => {
    const client = await connect(url, token)
    while (!isStopped) {
      const content = `${name} writes number ${writer.acknowledged.length}.`
      const answer = await client.callTool({ name: 'internal_memory_remember', arguments: { content } })
      if (at(answer, 'isError')) throw new Error(JSON.stringify(answer))
      writer.acknowledged.push(content)
    }
    await client.close()
  })()
  // Its failure is thrown where it is awaited.
  writing.catch(() => undefined)
  return Object.assign(writer, {
    stop() {
      isStopped = true
      return writing
    }
  })
}

async function connect(url: string, token: string) {
  const [client] = officialClients
  if (!client) throw new Error('There is no client')
  return (await client.connect(new URL(`${url}/api/mcp`), token)).client
}
