import { ServiceError } from '../../src/errors.ts'
import { readBody } from './body-limit.ts'
import { type JsonLimits, parseShaped } from './json-shape.ts'

/** `application/json` and its kin such as `application/merge-patch+json`; UTF-8 is the only encoding that JSON has. */
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json *(?:; *charset="?utf-8"? *)?;?$/i

/**
 * The request's JSON object; an empty body counts as `{}`.
 *
 * @throws ServiceError `unsupported_media_type` (415), `payload_too_large` (413), `invalid_input` (400)
 */
export async function readJsonObject(request: Request): Promise<Record<string, unknown>> {
  const bytes = await readBody(request)
  if (bytes.byteLength === 0) return {}
  requireJsonType(request.headers)
  const value = parseJson(bytes)
  if (!isObject(value)) throw new ServiceError('invalid_input', 'The body must be a JSON object.')
  return value
}

/** @throws ServiceError `unsupported_media_type` */
function requireJsonType(headers: Headers): void {
  const encoding = headers.get('content-encoding')
  if (encoding && encoding.toLowerCase() !== 'identity') {
    throw new ServiceError('unsupported_media_type', 'The body must not be compressed.')
  }
  if (!JSON_TYPE.test(headers.get('content-type')?.trim() ?? '')) {
    throw new ServiceError(
      'unsupported_media_type',
      'The body must be JSON. Send `Content-Type: application/json`.'
    )
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * The value that the bytes spell.
 *
 * @throws ServiceError `invalid_input` for what is not UTF-8 or not JSON; the message doesn't quote the body. What is
 *   too deep or too large has the field `body`
 */
export function parseJson(bytes: Uint8Array, limits?: JsonLimits): unknown {
  let json: string
  try {
    json = utf8.decode(bytes)
  } catch (error) {
    throw new ServiceError('invalid_input', 'The body is not valid UTF-8.', { cause: error })
  }
  try {
    return parseShaped(json, limits)
  } catch (error) {
    if (error instanceof ServiceError) throw error
    // The parser's own message quotes the body: it would end up in the log.
    throw new ServiceError('invalid_input', 'The body is not valid JSON.')
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
