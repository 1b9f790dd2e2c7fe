// An operation's input, gathered from path, query and body.
import type { Context } from 'hono'
import type { Kind } from '../../schemas/fields.ts'
import { ServiceError } from '../../src/errors.ts'
import { invalidField } from '../../src/invalid-input.ts'
import { streamBody } from '../middleware/body-limit.ts'
import { readJsonObject } from '../middleware/json-body.ts'
import type { RequestEnv } from '../middleware/request-env.ts'
import type { RestRoute } from './routes.ts'

/** More than any list and filters need. */
const MAX_PARAMETERS = 200

/**
 * What the request gives the operation, whose own schema judges it.
 * @throws ServiceError `invalid_input`, `payload_too_large`, `unsupported_media_type`, `rate_limited`
 */
export async function readInput(route: RestRoute, c: Context<RequestEnv>): Promise<Record<string, unknown>> {
  const query = readQuery(c.req.url, route.kinds)
  const [stray] = route.takesBody ? Object.keys(query) : []
  if (stray !== undefined) throw invalidField(stray.slice(0, 100), 'stands in the query, not in the body')
  const sent = route.takesBody ? await readJsonObject(c) : query
  for (const field of route.pathParameters) {
    if (!Object.hasOwn(sent, field)) continue
    const place = route.takesBody ? 'body' : 'query'
    throw invalidField(field, `stands in the path; leave it out of the ${place}`)
  }
  const file = route.takesFile && { file: streamBody(c, route.operation.file ?? 0) }
  return { ...sent, ...c.req.param(), ...file }
}

/** Parameters by name, each read as its kind; one that is repeated is refused, but for lists. */
function readQuery(url: string, kinds: RestRoute['kinds']): Record<string, unknown> {
  if (!url.includes('?')) return {}
  const parameters = new URL(url).searchParams
  if (parameters.size > MAX_PARAMETERS) {
    throw new ServiceError('invalid_input', `The query has more than ${MAX_PARAMETERS} parameters.`)
  }
  const names = [...new Set(parameters.keys())]
  return Object.fromEntries(
    names.map((field) => {
      const kind = kinds.get(field)
      const values = parameters.getAll(field)
      if (kind === 'list') return [field, values]
      if (values.length > 1) throw invalidField(field.slice(0, 100), 'is given more than once')
      return [field, readValue(values[0] ?? '', kind)]
    })
  )
}

/** A text that doesn't spell a value of the kind stays a text, and the schema says what it should have been. */
function readValue(text: string, kind: Kind | undefined): unknown {
  const isNumber = kind === 'count' || kind === 'amount'
  if (isNumber && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text)) return Number(text)
  if (kind === 'flag' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}
