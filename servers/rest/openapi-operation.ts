import { STATUS_CODES } from 'node:http'
import { type ErrorCode, errorOf } from '../../src/errors.ts'
import { pointAt } from './components.ts'
import type { DocumentedRoute, Parameter } from './documented-route.ts'
import { codesByStatus, errorCodesOf } from './error-codes.ts'

/** The entry below path and method, and the schemas of its own that it points at. */
export function operationEntry({ operation, method, parameters, body, answer }: DocumentedRoute) {
  const bodyName = `${pascalCase(operation.name)}Body`
  const answerName = `${pascalCase(operation.name)}Answer`
  const entry = {
    operationId: operation.name,
    tags: [operation.http?.group],
    summary: operation.title,
    description: `${operation.summary}\n\nNeeds the scope \`${operation.scope}\`.`,
    'x-required-scope': operation.scope,
    parameters: [
      ...parameters.map(parameterEntry),
      ...(method === 'POST' ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : [])
    ],
    ...(body && {
      requestBody: {
        required: body.isRequired,
        content: { [body.mediaType]: { schema: pointAt(bodyName), example: body.example } }
      }
    }),
    responses: {
      [operation.http?.status ?? 200]: {
        description: DESCRIPTIONS[operation.lines ? 'lines' : (operation.http?.status ?? 200)],
        headers: {
          ...header('X-Request-Id', 'RequestId'),
          ...header('Deprecation', 'Deprecation'),
          ...RATE_LIMIT,
          ...(method === 'POST' ? header('Idempotent-Replayed', 'IdempotentReplayed') : {})
        },
        content: { [answer.mediaType]: { schema: pointAt(answerName), example: answer.example } }
      },
      ...Object.fromEntries(
        codesByStatus(errorCodesOf(operation)).map(([status, codes]) => [status, refusal(status, codes)])
      )
    }
  }
  return { entry, schemas: { ...(body && { [bodyName]: body.schema }), [answerName]: answer.schema } }
}

const DESCRIPTIONS = {
  200: 'Done.',
  202: 'Begun; the work goes on after the answer.',
  lines: 'Done; each line is one such object.'
} as const

const parameterEntry = ({ name, in: place, isRequired, schema, description, example }: Parameter) => ({
  name,
  in: place,
  required: isRequired,
  ...(description ? { description } : {}),
  schema,
  ...(example === undefined ? {} : { example })
})

/** One status may mean several things: an example for each code. */
function refusal(status: number, codes: readonly ErrorCode[]) {
  const examples = codes.map((code) => {
    const { meaning, example = meaning, field } = errorOf(code)
    const value = { success: false, error: example, code, ...(field ? { field } : {}), requestId: REQUEST_ID }
    return [code, { summary: meaning, value }]
  })
  return {
    description: `${STATUS_CODES[status]}: ${codes.map((code) => `\`${code}\``).join(', ')}.`,
    headers: {
      ...header('X-Request-Id', 'RequestId'),
      // Who isn't known has no budget.
      ...(status === 401 ? {} : RATE_LIMIT),
      ...((status === 401 || codes.includes('missing_scope')) &&
        header('WWW-Authenticate', 'WwwAuthenticate')),
      ...(codes.some((code) => errorOf(code).isPassing) ? header('Retry-After', 'RetryAfter') : {})
    },
    content: { 'application/json': { schema: pointAt('Error'), examples: Object.fromEntries(examples) } }
  }
}

const REQUEST_ID = 'req_8s2k5m1p9v3x7z4b6d0f'

const header = (name: string, component: string) => ({
  [name]: { $ref: `#/components/headers/${component}` }
})

const RATE_LIMIT = { ...header('RateLimit-Policy', 'RateLimitPolicy'), ...header('RateLimit', 'RateLimit') }

const pascalCase = (name: string): string =>
  name.replace(/(?:^|_)(\w)/g, (_, first: string) => first.toUpperCase())
