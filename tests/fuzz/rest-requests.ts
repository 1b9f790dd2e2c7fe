// Requests to the REST channel: right ones, ones with a single fault, and ones in odd dress.
import fc from 'fast-check'
import { carryingSecrets, credentials, misplacedSecrets } from './credentials.ts'
import type { WireRequest } from './exchange.ts'
import type { FuzzFixture } from './fixture.ts'
import { type Body, jsonBodies, spoiled } from './hostile.ts'
import { namedValues } from './named-values.ts'
import type { RestDocument, RestOperation } from './rest-document.ts'
import { type Named, valuesOf } from './schema-values.ts'

export interface RestRequest extends WireRequest {
  /** The operation's name. */
  operation: string
  /** Whether the path's parameters are as the document says; others may be another path altogether. */
  hasRightPath: boolean
}

type Parts = Record<'path' | 'query', Readonly<Record<string, unknown>>>

/** Requests to every operation of the document alike. */
export function restRequests(
  fixture: FuzzFixture,
  { operations, document }: RestDocument
): fc.Arbitrary<RestRequest> {
  const fixtures = namedValues(fixture, 'rest')
  return fc.oneof(
    ...operations.map((operation) => {
      const right = fc.oneof(...fixtures.map((named) => partsOf(operation, named, document)))
      const rightBody = fc.oneof(...fixtures.map((named) => bodyValues(operation, named, document)))
      const oddBody = fc.oneof(rightBody, carryingSecrets(fixture, rightBody))
      const wrongParts = fc.oneof(spoiledParts(right, 'query'), spoiledParts(right, 'path'))
      return fc.oneof(
        { arbitrary: assembled(fixture, operation, right, jsonBodies(rightBody, 0), true), weight: 5 },
        {
          arbitrary: assembled(fixture, operation, right, jsonBodies(spoiled(rightBody), 1), true),
          weight: operation.bodySchema ? 4 : 1
        },
        { arbitrary: assembled(fixture, operation, wrongParts, jsonBodies(rightBody, 0), false), weight: 2 },
        { arbitrary: oddlyDressed(fixture, operation, right, jsonBodies(oddBody, 4)), weight: 2 }
      )
    })
  )
}

function partsOf({ parameters }: RestOperation, named: Named, document: unknown): fc.Arbitrary<Parts> {
  const of = (place: 'path' | 'query') => {
    const chosen = parameters.filter((parameter) => parameter.in === place)
    const values = chosen.map(
      ({ name, schema }) => [name, named[name] ?? valuesOf(schema, named, document)] as const
    )
    const requiredKeys = chosen.flatMap(({ name, isRequired }) => (isRequired ? [name] : []))
    return fc.record(Object.fromEntries(values), { requiredKeys })
  }
  return fc.record({ path: of('path'), query: of('query') })
}

/** Bodies that fit the operation's schema. */
export const bodyValues = (
  { bodySchema }: RestOperation,
  named: Named,
  document: unknown
): fc.Arbitrary<unknown> => (bodySchema ? valuesOf(bodySchema, named, document) : fc.constant({}))

const spoiledParts = (parts: fc.Arbitrary<Parts>, place: 'path' | 'query'): fc.Arbitrary<Parts> =>
  fc.tuple(parts, spoiled(parts.map((right) => right[place]))).map(([right, wrong]) => ({
    ...right,
    [place]: Object(typeof wrong === 'symbol' ? {} : wrong)
  }))

function assembled(
  fixture: FuzzFixture,
  operation: RestOperation,
  parts: fc.Arbitrary<Parts>,
  bodies: fc.Arbitrary<Body>,
  hasRightPath: boolean
): fc.Arbitrary<RestRequest> {
  const idempotencyKey = fc.oneof(
    { arbitrary: fc.constant({}), weight: 5 },
    {
      arbitrary: fc.constantFrom('once', 'twice', 'x'.repeat(255)).map((key) => ({ 'Idempotency-Key': key })),
      weight: 1
    }
  )
  return fc.record({ parts, body: bodies, credential: credentials(fixture), idempotencyKey }).map((made) => ({
    operation: operation.name,
    hasRightPath,
    method: operation.method,
    target: targetOf(operation, made.parts),
    headers: {
      ...made.credential,
      ...(operation.method === 'POST' ? made.idempotencyKey : {}),
      ...(takesBody(operation) ? { 'Content-Type': 'application/json' } : {})
    },
    ...(takesBody(operation) ? { body: made.body } : {})
  }))
}

const takesBody = ({ method }: RestOperation): boolean => method === 'POST' || method === 'PATCH'

function targetOf({ path }: RestOperation, { path: given, query }: Parts): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encoded(given[name] ?? ''))
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value.slice(0, 20) : [value]).map((one) => `${encoded(name)}=${encoded(one)}`)
  )
  return pairs.length > 0 ? `${filled}?${pairs.join('&')}` : filled
}

/** Node's client sends a path of at most the server's 16 KiB of headers. */
const encoded = (value: unknown): string => encodeURIComponent(textOf(value).slice(0, 1_000).toWellFormed())

const textOf = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)

/** A right request with one odd header, an odd query behind it, or another method. */
function oddlyDressed(
  fixture: FuzzFixture,
  operation: RestOperation,
  parts: fc.Arbitrary<Parts>,
  bodies: fc.Arbitrary<Body>
): fc.Arbitrary<RestRequest> {
  const { marker, keys } = fixture
  const oddHeaders = fc.oneof(fc.constantFrom(...ODD_HEADERS), misplacedSecrets(fixture))
  const oddQueries = fc.constantFrom(
    ...ODD_QUERIES,
    `api_key=${keys.good}`,
    `token=${marker}&password=${marker}`,
    `${marker}=1`.replace(marker, 'a'.repeat(2_000))
  )
  return fc
    .record({
      right: assembled(fixture, operation, parts, bodies, true),
      header: oddHeaders,
      query: fc.option(oddQueries, { freq: 2 }),
      method: fc.option(
        fc.constantFrom('GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH', 'POST', 'QUERY', 'TRACE'),
        {
          freq: 3
        }
      )
    })
    .map(({ right, header, query, method }) => ({
      ...right,
      method: method ?? right.method,
      hasRightPath: method === null || method === right.method,
      target:
        query === null ? right.target : `${right.target}${right.target.includes('?') ? '&' : '?'}${query}`,
      headers: { ...right.headers, ...header }
    }))
}

const ODD_HEADERS: readonly Record<string, string>[] = [
  { 'Content-Type': 'text/plain' },
  { 'Content-Type': '' },
  { 'Content-Type': 'application/json; charset=utf-16' },
  { 'Content-Type': 'application/json; charset=utf-8; boundary=x' },
  { 'Content-Type': `application/${'x+'.repeat(3_000)}json` },
  { 'Content-Encoding': 'gzip' },
  { 'Content-Encoding': 'identity' },
  { 'Transfer-Encoding': 'chunked' },
  { 'X-Request-Id': 'mine.1-2_3' },
  { 'X-Request-Id': 'a b' },
  { 'X-Request-Id': '\xff' },
  { 'X-Request-Id': 'x'.repeat(65) },
  { 'Idempotency-Key': '' },
  { 'Idempotency-Key': 'a b' },
  { 'Idempotency-Key': '\xe9' },
  { 'Idempotency-Key': 'x'.repeat(256) },
  { Accept: 'text/html' },
  { Accept: '' },
  { 'Accept-Encoding': 'br;q=1.0, *;q=0' },
  { 'If-None-Match': '*' },
  { Range: 'bytes=0-1' },
  { Host: 'evil.example' },
  { Host: '[::1]:1' },
  { Origin: 'null' },
  { Forwarded: 'for=127.0.0.1;host=evil' },
  { 'X-Forwarded-Host': 'evil.example' },
  { 'X-HTTP-Method-Override': 'DELETE' },
  { 'X-Original-URL': '/admin' },
  { Upgrade: 'h2c', Connection: 'Upgrade' },
  { TE: 'trailers' },
  { Pragma: '\t' },
  { __proto__x: '1', constructor: '1' }
]

const ODD_QUERIES = [
  '%',
  '%zz=%zz',
  '%ff%fe=1',
  '=',
  '&&&',
  '__proto__=1',
  '__proto__[isAdmin]=1',
  'constructor=1',
  'page=1&page=2',
  'page=0',
  'page=-1',
  'page=1e3',
  'page=99999999999999999999',
  'page=1000000&limit=100',
  'limit=101',
  'limit=',
  'search=%00',
  'search=%ed%a0%80',
  'search=%25_%5c',
  'search[]=a',
  'updatedSince=now',
  'updatedSince=9999-12-31T23:59:59-23:59',
  'customerId=other',
  'a;b=c'
]
