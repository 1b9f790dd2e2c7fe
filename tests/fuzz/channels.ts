// Requests that no client of good will would send, over every channel; see plan.ts for more of them, or others.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DatabaseKind } from '../support/databases.ts'
import { at } from '../support/fixture.ts'
import { type Client, openClient, sendBytes, type WireRequest } from './exchange.ts'
import { type FuzzFixture, prepareFixture } from './fixture.ts'
import { fetchTools, type McpTool } from './mcp-document.ts'
import { envelopes, toolCalls } from './mcp-requests.ts'
import { expectRightMcpAnswer } from './mcp-rules.ts'
import { type Plan, runs, timeoutMs } from './plan.ts'
import { rawRequests } from './raw-requests.ts'
import { fetchRestDocument, type RestDocument } from './rest-document.ts'
import { type RestRequest, restRequests } from './rest-requests.ts'
import { expectRightAnswer, expectRightRawAnswers } from './rest-rules.ts'
import { unstorableRequests } from './unstorable.ts'

/** A property that no request gets as far as to test would hold as well. */
const expectAll = (names: readonly string[], happened: ReadonlySet<string>): void =>
  expect(
    names.filter((name) => !happened.has(name)),
    'what never happened'
  ).toEqual([])

export const describeChannels = (kind: DatabaseKind, plan: Plan) =>
  describe(`the channels on ${kind}`, { timeout: timeoutMs(plan.rest) }, () => {
    let fixture: FuzzFixture
    let document: RestDocument
    let tools: ReadonlyMap<string, McpTool>
    let client: Client
    let foreignRows: unknown

    beforeAll(async () => {
      fixture = await prepareFixture(kind, plan.customersPerChannel)
      const { url, partner } = fixture.server
      document = await fetchRestDocument(url)
      tools = new Map((await fetchTools(url, partner.key)).map((tool) => [tool.name, tool]))
      client = openClient(url)
      foreignRows = await fixture.foreignRows()
    })
    afterAll(async () => {
      client.close()
      await fixture.close()
    })

    /** Runs the property on so many requests, all of which must have been sent. */
    const holdsFor = async <Request>(
      count: number,
      requests: fc.Arbitrary<Request>,
      property: (request: Request) => Promise<void>
    ) => {
      let sent = 0
      let first: string | undefined
      const counted = fc.asyncProperty(requests, async (request) => {
        sent += 1
        try {
          await property(request)
        } catch (error) {
          // What one request leaves behind can make a smaller one fail while fast-check shrinks.
          first ??= `${JSON.stringify(request).slice(0, 3_000)}\n${String(error)}`
          throw error
        }
      })
      await fc.assert(counted, runs(count)).catch((error: unknown) => {
        throw new Error(`On ${kind}, first: ${first}`, { cause: error })
      })
      expect(sent).toBe(count)
    }

    it('answer every REST request as the OpenAPI document says', async () => {
      const happened = new Set<string>()
      await holdsFor(plan.rest, restRequests(fixture, document), async (request: RestRequest) => {
        const answer = await client.send(request)
        expectRightAnswer(fixture, document, request, answer)
        if (request.method !== 'HEAD')
          happened.add(`${request.operation} ${answer.status < 400 ? 'ok' : 'refused'}`)
      })
      const expected = document.operations.flatMap(({ name }) => [`${name} ok`, `${name} refused`])
      if (plan.isThorough) expectAll(expected, happened)
    })

    it('refuse a text that can’t be stored by the name of its field, whichever it is', async () => {
      const requests = unstorableRequests(fixture, document)
      expect(requests.map(({ field }) => field)).toEqual(
        expect.arrayContaining([
          'basic.email',
          'requirements.primaryUseCase',
          'deploymentNotes',
          'languages.0',
          'name'
        ])
      )
      for (const { field, ...request } of requests) {
        const answer = await client.send(request)
        expect([answer.status, at(JSON.parse(answer.text), 'field')]).toEqual([400, field])
      }
    })

    it('answer every tool call as the tool list says', async () => {
      const happened = new Set<string>()
      await holdsFor(
        plan.toolCalls,
        toolCalls(fixture, [...tools.values()]),
        async (request: WireRequest) => {
          for (const outcome of expectRightMcpAnswer(fixture, tools, request, await client.send(request)))
            happened.add(outcome)
        }
      )
      const expected = [...tools.keys()].flatMap((name) => [`${name} ok`, `${name} refused`])
      if (plan.isThorough) expectAll(expected, happened)
    })

    it('answer every MCP message, or what only looks like one, as JSON-RPC', async () => {
      const happened = new Set<string>()
      await holdsFor(
        plan.envelopes,
        envelopes(fixture, [...tools.values()]),
        async (request: WireRequest) => {
          const answer = await client.send(request)
          expectRightMcpAnswer(fixture, tools, request, answer)
          happened.add(String(answer.status))
        }
      )
      if (plan.isThorough)
        expectAll(['200', '202', '400', '401', '403', '404', '405', '406', '415'], happened)
    })

    it('answer raw bytes in order, or hang up where they are not HTTP', async () => {
      const happened = new Set<string>()
      await holdsFor(plan.rawHttp, rawRequests(fixture), async (request) => {
        const answers = await sendBytes(
          fixture.server.url,
          Buffer.from(request.bytes, 'latin1'),
          !request.isHttp
        )
        expectRightRawAnswers(fixture, request, answers)
        for (const { status } of answers) happened.add(String(status))
      })
      expectAll(['200', '400', '404', '431'], happened)
    })

    it('leave every row of the other partner as it was', async () => {
      expect(await fixture.foreignRows()).toEqual(foreignRows)
    })

    it('show no password or link that was only mailed', async () => {
      const secrets = await fixture.mailedSecrets()
      expect(secrets.length).toBeGreaterThan(fixture.fixtures.rest.length + fixture.fixtures.mcp.length)
      fixture.watch.reviewFor(secrets)
    })
  })
