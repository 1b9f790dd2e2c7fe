// What holds for every answer of the REST channel, whatever was asked.
import { expect } from 'vitest'
import { JSON_LINES } from '../../servers/rest/json-lines.ts'
import { at } from '../support/fixture.ts'
import type { WireAnswer } from './exchange.ts'
import type { FuzzFixture } from './fixture.ts'
import type { RawRequest } from './raw-requests.ts'
import type { RestDocument } from './rest-document.ts'
import type { RestRequest } from './rest-requests.ts'

/** What holds for any HTTP answer of ours. */
export function expectOrderly({ status, headers }: WireAnswer): void {
  expect(status, 'status').toBeLessThan(500)
  expect(headers['x-request-id'], 'X-Request-Id').toMatch(/^[\w.-]{1,64}$/)
}

/** The envelope of a refusal, by the document's own schema. */
export function expectRefusal({ judgeError }: RestDocument, { headers, text }: WireAnswer): void {
  const body: unknown = JSON.parse(text)
  expect(judgeError(body), 'the refusal fits the Error schema').toEqual([])
  expect(at(body, 'requestId')).toBe(headers['x-request-id'])
}

export function expectRightAnswer(
  { watch }: FuzzFixture,
  document: RestDocument,
  { operation: name, method, hasRightPath }: RestRequest,
  answer: WireAnswer
): void {
  const operation = document.operations.find((candidate) => candidate.name === name)
  const { status, headers, text } = answer
  expectOrderly(answer)
  watch.see(JSON.stringify(headers) + text)
  if (method === 'HEAD' || (method === 'OPTIONS' && status === 204)) expect(text).toBe('')
  else if (status >= 400) expectRefusal(document, answer)
  else expect([200, 202]).toContain(status)
  if (method !== operation?.method) return

  if (hasRightPath) expect([...operation.answers.keys()], `${name} documents its status`).toContain(status)
  if (status < 300) {
    const body = answeredIn(answer)
    expect(operation.answers.get(status)?.(body), `${name} fits its schema`).toEqual([])
    if (!Array.isArray(body)) expect(at(body, 'success')).toBe(true)
  }
}

/** The answer's object, or of JSON Lines the list of all. */
const answeredIn = ({ headers, text }: WireAnswer): unknown =>
  headers['content-type'] === JSON_LINES
    ? text
        .split('\n')
        .filter(Boolean)
        .map((line): unknown => JSON.parse(line))
    : JSON.parse(text)

/** What holds for all that came back on one connection. */
export function expectRightRawAnswers(
  { watch }: FuzzFixture,
  { isHttp }: RawRequest,
  answers: readonly WireAnswer[]
): void {
  if (isHttp) expect(answers.length, 'answers').toBeGreaterThan(0)
  for (const answer of answers) {
    watch.see(JSON.stringify(answer.headers) + answer.text)
    if (answer.status !== 100) expectOrderly(answer)
  }
}
