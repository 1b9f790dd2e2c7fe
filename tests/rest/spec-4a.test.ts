// Holds every endpoint of §4A against the specification's tables in spec-tables.ts, and ours beside them against
// extension-tables.ts.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operations } from '../../src/operations.ts'
import { chatClient } from '../instances/chat-client.ts'
import { makeSandbox } from '../instances/chat-fixture.ts'
import { makeServer } from '../instances/deploy-fixture.ts'
import { makeCall } from '../support/calls.ts'
import { databases } from '../support/databases.ts'
import { entitle } from '../support/deploys.ts'
import {
  at,
  type Fixture,
  makeFixture,
  makePartner,
  type TestPartner,
  uniqueEmail
} from '../support/fixture.ts'
import { type Answer, startTestServer, type TestServer } from '../support/http.ts'
import { makeInstance } from '../support/instances.ts'
import { linkAuthorizedKeys, type Sshd, startSshd } from '../support/openssh.ts'
import { extensions } from './extension-tables.ts'
import { type EndpointTable, endpoints, type FieldType } from './spec-tables.ts'

const wrongTyped: unknown[] = [17, true, ['x'], { x: 1 }, 'a text']

it('there is a table for every operation that REST offers', () => {
  const ours = operations
    // What answers in JSON Lines has no envelope, nor has a file: tests/memory/export.test.ts, tests/instances/backup.test.ts.
    .flatMap(({ http, lines, file }) =>
      http && !lines && file === undefined ? [`${http.method} ${http.path}`] : []
    )
    .map(withoutNames)
  const theirs = [...endpoints, ...extensions]
    .map(({ method, path }) => `${method.toLowerCase()} ${path.replace(/\?.*/, '')}`)
    .map(withoutNames)
  expect(ours.toSorted()).toEqual(theirs.toSorted())
})

/** One got through once, and no change of all agents begins with it. */
const FAILED_AGENT = { status: 'failed:cli-agent', agentName: 'Sol' } as const

describe.each(databases)('§4A on %s', (kind) => {
  let server: TestServer
  let partner: TestPartner
  let fixture: Fixture
  /** A deploy on it doesn't keep the other one from being removed. */
  let serverId: string
  /** With an agent that works. */
  let deployedId: string
  let sshd: Sshd
  /** The one that can be reached. */
  let reachedId: string
  /** One is billed and the other taken back. */
  let otherStatementId: string

  beforeAll(async () => {
    sshd = await startSshd()
    linkAuthorizedKeys(sshd)
    server = await startTestServer(kind)
    partner = await makePartner(server.service)
    fixture = await makeFixture(server.service, partner.partnerId)
    serverId = (await makeInstance(server.service, partner.partnerId, fixture.customerId)).id
    const deployed = { status: 'cli-agent', agentName: 'Sol' } as const
    const make = () => makeInstance(server.service, partner.partnerId, fixture.customerId, deployed)
    deployedId = (await make()).id
    await make()
    const recorded = { customerId: fixture.customerId, recordingUrl: 'https://example.com/call.wav' }
    await makeCall(server.service, partner.partnerId, recorded)
    otherStatementId = (await makeFixture(server.service, partner.partnerId)).statementId
    await entitle(server.service, partner.partnerId)
    const reached = await makeServer(server.service, partner.partnerId, sshd, FAILED_AGENT)
    reachedId = reached.id
    makeSandbox(reached, chatClient(server.url, '', reachedId))
  })
  afterAll(async () => {
    await server.close()
    await sshd.remove()
  })

  const fill = (text: string, replaced: Record<string, string> = {}): string => {
    const names: Record<string, string> = {
      '{customer}': fixture.customerId,
      '{code}': fixture.code,
      '{agentA}': fixture.agentA,
      '{agentB}': fixture.agentB,
      '{member}': fixture.teamMemberId,
      '{plan}': fixture.planId,
      '{mind}': fixture.mindId,
      '{memory}': fixture.memoryId,
      '{instance}': fixture.instanceId,
      '{server}': serverId,
      '{deployed}': deployedId,
      '{reached}': reachedId,
      '{statement}': fixture.statementId,
      '{otherStatement}': otherStatementId,
      ...replaced
    }
    return text.replaceAll(/\{\w+\}/g, (name) =>
      name === '{freshEmail}' ? uniqueEmail() : (names[name] ?? name)
    )
  }

  const call = (
    table: EndpointTable,
    body: unknown,
    replaced: Record<string, string> = {}
  ): Promise<Answer> =>
    server.api(table.method, fill(table.path, replaced), {
      key: partner.key,
      ...(table.method === 'GET' || table.method === 'DELETE' ? {} : { body })
    })

  /** The body with the fields at their dotted paths. */
  const bodyOf = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> => {
    const body: Record<string, unknown> = {}
    for (const [path, value] of Object.entries(fields)) place(body, path.split('.'), filled(value))
    return body
  }
  const filled = (value: unknown): unknown => (typeof value === 'string' ? fill(value) : value)

  describe.each([...endpoints, ...extensions])('$method $path', (table) => {
    it('answers a success in the envelope with every field of its table', async () => {
      const { status, body } = await call(table, bodyOf({ ...table.required, ...table.optional }))
      expect(body, JSON.stringify(body)).toMatchObject({ success: true })
      expect(status).toBe(table.status ?? 200)
      for (const { at: path, fields } of table.answer) {
        const record = at(body, ...path.split('.').filter(Boolean))
        for (const [name, type] of Object.entries(fields)) {
          expect(record, path).toHaveProperty(name)
          expect(
            isOfType(type, at(record, name)),
            `${path}.${name} is ${type}: ${JSON.stringify(at(record, name))}`
          ).toBe(true)
        }
      }
      if (table.path.endsWith('{member}')) {
        fixture.teamMemberId = (await makeFixture(server.service, partner.partnerId)).teamMemberId
      }
    })

    // What is refused is refused before any database.
    if (kind !== 'sqlite') return

    it.each(Object.keys(table.required))(
      'refuses a body without %s with 400 that names it',
      async (missing) => {
        const { [missing]: _left, ...others } = table.required
        const { status, body } = await call(table, bodyOf(others))
        expect(status).toBe(400)
        expect(body).toMatchObject({ success: false, error: expect.any(String) })
        // Without basic.email nothing is left of basic.
        expect(missing).toContain(at(body, 'field'))
      }
    )

    it.each(Object.entries({ ...table.required, ...table.optional }))(
      'refuses %s of another type with 400 that names it, and changes nothing',
      async (path, value) => {
        for (const wrong of wrongTyped.filter((other) => kindOf(other) !== kindOf(value))) {
          const { status, body } = await call(table, bodyOf({ ...table.required, [path]: wrong }))
          expect([status, at(body, 'field')], `${path} = ${JSON.stringify(wrong)}`).toEqual([400, path])
          expect(body).toMatchObject({ success: false, error: expect.any(String) })
        }
      }
    )

    it.each(Object.keys(table.unknown))('answers 404 when %s names nothing', async (parameter) => {
      for (const nobody of [
        'nobody',
        'cus_00000000000000000000',
        'C-00000000',
        '%27%20or%201=1',
        '..%2f..',
        '%00'
      ]) {
        const { status, body } = await call(table, bodyOf(table.required), { [parameter]: nobody })
        expect([nobody, status]).toEqual([nobody, nobody === '%00' ? 400 : 404])
        expect(body).toMatchObject({ success: false, error: expect.any(String) })
      }
    })

    it('answers 401 without a key and with a wrong one', async () => {
      for (const key of [
        undefined,
        'pkt_wrong',
        partner.key.slice(0, -1),
        `${partner.key}x`,
        `mct${partner.key.slice(3)}`
      ]) {
        const { status, body } = await server.api(table.method, fill(table.path), key ? { key } : {})
        expect(status).toBe(401)
        expect(body).toMatchObject({ success: false, error: expect.any(String) })
      }
    })
  })
})

const withoutNames = (path: string): string => path.replaceAll(/\{\w+\}/g, '{}')

function place(target: Record<string, unknown>, path: string[], value: unknown): void {
  const [key = '', ...rest] = path
  if (rest.length === 0) {
    target[key] = value
    return
  }
  const inner = typeof target[key] === 'object' && target[key] ? { ...target[key] } : {}
  target[key] = inner
  place(inner, rest, value)
}

const kindOf = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value)

function isOfType(type: FieldType, value: unknown): boolean {
  if (type.endsWith('?')) return value === null || isOfType(type.slice(0, -1) as FieldType, value)
  switch (type) {
    case 'string[]':
      return Array.isArray(value) && value.every((item) => typeof item === 'string')
    case 'integer':
      return Number.isInteger(value)
    case 'timestamp':
      return typeof value === 'string' && new Date(value).toISOString() === value
    case 'json':
      return typeof value === 'string' && typeof JSON.parse(value) === 'object'
    default:
      return typeof value === type
  }
}
