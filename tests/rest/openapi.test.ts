// The OpenAPI document: valid, complete, and true of what the service answers.

import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { documentRest, openApiDocument } from '../../servers/rest/openapi.ts'
import { restRoutes } from '../../servers/rest/routes.ts'
import { statusOf } from '../../src/errors.ts'
import { defineOperation } from '../../src/operation.ts'
import { operations } from '../../src/operations.ts'
import { at, type Fixture, makeFixture, uniqueEmail } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'

const offered = operations.filter(({ channels, http }) => http && channels.includes('rest'))

describe('the OpenAPI document', () => {
  let server: TestServer
  let document: Record<string, unknown>
  let ajv: Ajv2020

  beforeAll(async () => {
    server = await startTestServer('sqlite')
    const answer = await server.api('GET', '/openapi.json')
    expect(answer.status).toBe(200)
    document = answer.body
    ajv = new Ajv2020({ strict: false })
    addFormats.default(ajv)
    ajv.addSchema(document, 'openapi')
  })
  afterAll(() => server.close())

  const entryOf = ({ http }: (typeof operations)[number]): unknown =>
    at(document, 'paths', `/api/v1/mcp${http?.path}`, http?.method ?? '')

  const complaints = (component: string, value: unknown): unknown => {
    const validate = ajv.getSchema(`openapi#/components/schemas/${component}`)
    if (!validate) throw new Error(`There is no component ${component}`)
    return validate(value) ? [] : validate.errors
  }

  it('is valid to an independent validator', async () => {
    const validator = new Validator()
    const result = await validator.validate(structuredClone(document))
    expect(result.errors ?? []).toEqual([])
    expect(result.valid).toBe(true)
    expect(validator.version).toBe('3.1')
  })

  it('has pointers that all lead somewhere', () => {
    const pointers = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].flatMap(
      ([, path]) => path ?? []
    )
    expect(pointers.length).toBeGreaterThan(20)
    for (const pointer of new Set(pointers)) {
      expect([pointer, at(document, ...pointer.split('/'))]).not.toEqual([pointer, undefined])
    }
  })

  it('has every operation with its scope, and nothing else', () => {
    const ids = [...JSON.stringify(document).matchAll(/"operationId":"(\w+)"/g)].map(([, name]) => name)
    expect(ids).toHaveLength(offered.length)
    expect(new Set(ids)).toEqual(new Set(offered.map(({ name }) => name)))
    for (const operation of offered) {
      expect(entryOf(operation)).toMatchObject({
        operationId: operation.name,
        summary: operation.title,
        'x-required-scope': operation.scope,
        description: expect.stringContaining(operation.scope)
      })
    }
  })

  it('names every status that an operation can answer', () => {
    for (const operation of offered) {
      const documented = Object.keys(Object(at(entryOf(operation), 'responses')))
      const expected = [
        String(operation.http?.status ?? 200),
        '400',
        '401',
        '403',
        '429',
        '500',
        '503',
        ...operation.errors.map((code) => String(statusOf(code)))
      ]
      if (operation.http?.method === 'post') expected.push('409', '413', '415')
      if (operation.http?.method === 'patch') expected.push('413', '415')
      expect([operation.name, new Set(documented)]).toEqual([operation.name, new Set(expected)])
    }
  })

  it('has a file where one is sent or answered', () => {
    const path = at(document, 'paths', '/api/v1/mcp/instances/{instanceId}/cli-agent/backup')
    const file = { 'application/gzip': { schema: expect.anything() } }
    expect(at(path, 'get', 'responses', '200', 'content')).toEqual(file)
    expect(at(path, 'put', 'requestBody')).toEqual({ required: true, content: file })
    for (const component of ['InstanceBackupAnswer', 'InstanceRestoreBody'])
      expect(at(document, 'components', 'schemas', component)).toEqual({ type: 'string', format: 'binary' })
  })

  it('describes every parameter and every field', () => {
    const undescribed: string[] = []
    const visit = (value: unknown, path: string): void => {
      const properties = at(value, 'properties')
      for (const [name, part] of Object.entries(Object(properties))) {
        if (typeof at(part, 'description') !== 'string') undescribed.push(`${path}.${name}`)
        visit(part, `${path}.${name}`)
      }
      if (at(value, 'items')) visit(at(value, 'items'), `${path}[]`)
    }
    for (const [name, schema] of Object.entries(Object(at(document, 'components', 'schemas'))))
      visit(schema, name)
    for (const operation of offered) {
      const parameters = at(entryOf(operation), 'parameters')
      for (const parameter of Array.isArray(parameters) ? parameters : []) {
        if (!at(parameter, '$ref') && !at(parameter, 'description')) {
          undescribed.push(`${operation.name} ${at(parameter, 'name')}`)
        }
      }
    }
    expect(undescribed).toEqual([])
  })

  it('takes an Idempotency-Key on every POST and on nothing else', () => {
    for (const operation of offered) {
      const parameters = JSON.stringify(at(entryOf(operation), 'parameters'))
      expect([operation.name, parameters.includes('IdempotencyKey')]).toEqual([
        operation.name,
        operation.http?.method === 'post'
      ])
    }
  })

  it('has no example that its own schema refuses', () => {
    for (const operation of offered) {
      const entry = entryOf(operation)
      // Neither a file that is answered nor one that is sent has one.
      if (operation.file !== undefined && !('file' in operation.input.shape)) continue
      const pascal = operation.name.replace(/(?:^|_)(\w)/g, (_, first: string) => first.toUpperCase())
      const mediaType = operation.lines ? 'application/x-ndjson' : 'application/json'
      const success = String(operation.http?.status ?? 200)
      const answer = at(entry, 'responses', success, 'content', mediaType, 'example')
      expect([operation.name, complaints(`${pascal}Answer`, answer)]).toEqual([operation.name, []])
      const body = at(entry, 'requestBody', 'content', 'application/json', 'example')
      if (body !== undefined)
        expect([operation.name, complaints(`${pascal}Body`, body)]).toEqual([operation.name, []])
    }
  })

  it('has request examples that the operations themselves take', () => {
    const sent = documentRest(restRoutes(operations)).routes.map(({ operation, body, parameters }) => ({
      operation,
      input: {
        ...body?.example,
        ...Object.fromEntries(parameters.map(({ name, example }) => [name, example]))
      }
    }))
    for (const { operation, input } of sent) {
      const file = 'file' in operation.input.shape ? { file: { size: 0, pieces: [] } } : {}
      const parsed = operation.input.safeParse({ ...input, ...file })
      expect([operation.name, parsed.error?.issues ?? []]).toEqual([operation.name, []])
    }
  })

  describe('is true of what is answered:', () => {
    let fixture: Fixture
    beforeAll(async () => {
      fixture = await makeFixture(server.service, server.partner.partnerId)
    })

    const calls: [string, (fixture: Fixture) => [string, string, unknown?]][] = [
      ['CustomerOnboard', () => ['POST', '/customers/onboard', { basic: { email: uniqueEmail() } }]],
      ['CustomerCreate', () => ['POST', '/customers', { email: uniqueEmail() }]],
      ['CustomerList', () => ['GET', '/customers']],
      ['CustomerGet', ({ customerId }) => ['GET', `/customers/${customerId}`]],
      [
        'CustomerUpdate',
        ({ code }) => ['PATCH', `/customers/${code}`, { languages: ['en'], agreedPrice: 1.5 }]
      ],
      ['CustomerEnablePortalAccess', ({ customerId }) => ['POST', `/customers/${customerId}/portal-access`]],
      [
        'CustomerTogglePortalBlock',
        ({ customerId }) => ['POST', `/customers/${customerId}/portal-access/block`]
      ],
      ['CustomerSendPasswordReset', ({ customerId }) => ['POST', `/customers/${customerId}/reset-password`]],
      [
        'VoiceAAgentMapCustomer',
        ({ agentA, customerId }) => [
          'POST',
          `/voice-a-agents/${agentA}/map-customer`,
          { customerId, profitMultiplier: 2 }
        ]
      ],
      ['VoiceAAgentUnmapCustomer', ({ agentA }) => ['POST', `/voice-a-agents/${agentA}/unmap-customer`]],
      [
        'TeamMemberAdd',
        ({ customerId }) => [
          'POST',
          `/customers/${customerId}/team-members`,
          { email: uniqueEmail(), name: 'Eve' }
        ]
      ],
      ['TeamMemberList', ({ customerId }) => ['GET', `/customers/${customerId}/team-members`]],
      [
        'TeamMemberRemove',
        ({ customerId, teamMemberId }) => ['DELETE', `/customers/${customerId}/team-members/${teamMemberId}`]
      ]
    ]

    it.each(calls)('%s', async (name, callOf) => {
      const [method, path, body] = callOf(fixture)
      const answer = await server.api(method, path, { key: server.partner.key, body })
      expect([answer.status, complaints(`${name}Answer`, answer.body)]).toEqual([200, []])
      const schema = at(document, 'components', 'schemas', `${name}Answer`)
      expect(unknownFields(schema, answer.body)).toEqual([])
    })

    /** Fields of the value that the schema doesn't name. */
    const unknownFields = (schema: unknown, value: unknown): string[] => {
      const pointer = at(schema, '$ref')
      if (typeof pointer === 'string')
        return unknownFields(at(document, ...pointer.slice(2).split('/')), value)
      if (Array.isArray(value)) return value.flatMap((item) => unknownFields(at(schema, 'items'), item))
      if (typeof value !== 'object' || value === null) return []
      const properties: Record<string, unknown> = Object(at(schema, 'properties'))
      return Object.entries(value).flatMap(([name, part]) =>
        name in properties ? unknownFields(properties[name], part) : [name]
      )
    }

    it('an error', async () => {
      const { body } = await server.api('POST', '/customers', { key: server.partner.key, body: { email: 1 } })
      expect(complaints('Error', body)).toEqual([])
    })
  })

  it('names the public address as its server, where there is one', () => {
    const documentation = documentRest(restRoutes(operations))
    expect(openApiDocument(documentation, 'https://api.example.com').servers).toEqual([
      { url: 'https://api.example.com' }
    ])
    expect(openApiDocument(documentation, undefined).servers).toEqual([{ url: '/' }])
  })

  it('needs no key and may be kept for a while', async () => {
    const { headers } = await server.api('GET', '/openapi.json')
    expect(headers.get('content-type')).toBe('application/json')
    expect(headers.get('cache-control')).toBe('public, max-age=300')
  })
})

describe('the table of routes', () => {
  const operation = (name: string, path: `/${string}`) =>
    defineOperation({
      name,
      title: name,
      summary: name,
      scope: 'customers:read',
      channels: ['rest'],
      http: { method: 'get', path, group: 'Customers' },
      input: z.strictObject({ thingId: z.string() }),
      output: z.object({}),
      annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
      errors: [],
      handle: async () => ({})
    })

  it('refuses a path that names what is no input', () => {
    expect(() => restRoutes([operation('a', '/things/{other}')])).toThrow('no input {other}')
  })

  it('refuses two operations on one route', () => {
    const twice = [operation('a', '/things/{thingId}'), operation('b', '/things/{thingId}')]
    expect(() => restRoutes(twice)).toThrow('b takes a route')
  })
})
