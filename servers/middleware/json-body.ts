import type { Context } from 'hono'
import { ServiceError } from '../../src/errors.ts'
import { parseJson } from '../../src/json-shape.ts'
import { readBody } from './body-limit.ts'

/** `application/json` and its kin such as `application/merge-patch+json`; UTF-8 is the only encoding that JSON has. */
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json *(?:; *charset="?utf-8"? *)?;?$/i

/**
 * The request's JSON object; an empty body counts as `{}`.
 * @throws ServiceError `unsupported_media_type`, `payload_too_large`, `rate_limited`, `invalid_input`
 */
export async function readJsonObject(c: Context): Promise<Record<string, unknown>> {
  const bytes = await readBody(c)
  if (bytes.byteLength === 0) return {}
  requireJsonType(c.req.raw.headers)
  const value = parseJson(bytes)
  if (!isJsonObject(value)) throw new ServiceError('invalid_input', 'The body must be a JSON object.')
  return value
}

/** @throws ServiceError `unsupported_media_type` */
function requireJsonType(headers: Headers): void {
  const encoding = headers.get('content-encoding')
  const refuse = (message: string) => new ServiceError('unsupported_media_type', message)
  if (encoding && encoding.toLowerCase() !== 'identity') throw refuse('The body must not be compressed.')
  if (!JSON_TYPE.test(headers.get('content-type')?.trim() ?? ''))
    throw refuse('The body must be JSON. Send `Content-Type: application/json`.')
}

export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The members of a JSON object; anything else has none. */
export const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  isJsonObject(value) ? value : {}
