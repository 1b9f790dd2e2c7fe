// JSON is judged by its shape before it is parsed: what is nested too deep would exhaust the stack of whatever walks it,
// and what holds too many values would take a thousand times its size in memory.
import { ServiceError } from './errors.ts'

/** No input of ours is nested deeper than three; MCP wraps it in three more. */
export const MAX_JSON_DEPTH = 32
/** A batch of the most messages with the fullest arguments holds less than half of it. */
export const MAX_JSON_VALUES = 10_000

export interface JsonLimits {
  depth: number
  values: number
}

const OF_INPUTS: JsonLimits = { depth: MAX_JSON_DEPTH, values: MAX_JSON_VALUES }

const QUOTE = 0x22
const COMMA = 0x2c
const OPEN_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

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

/**
 * The value that the text spells.
 *
 * @throws ServiceError `invalid_input` with the field `body` for a value too deep or too large
 * @throws SyntaxError for what is no JSON
 */
export function parseShaped(json: string, limits: JsonLimits = OF_INPUTS): unknown {
  checkShape(json, limits)
  return JSON.parse(json)
}

/** The value that the text spells; `undefined` for what is no JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** One pass over the text, no further than to the first excess. Whether it is JSON at all is for the parser to say. */
function checkShape(json: string, limits: JsonLimits): void {
  let depth = 0
  let values = 1
  for (let at = 0; at < json.length; at += 1) {
    switch (json.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(json, at)
        break
      case COMMA:
        values += 1
        break
      case OPEN_BRACKET:
      case OPEN_BRACE:
        values += 1
        depth += 1
        if (depth > limits.depth) throw refusal(`is nested deeper than ${limits.depth} levels`)
        break
      case CLOSE_BRACKET:
      case CLOSE_BRACE:
        depth -= 1
        break
    }
    if (values > limits.values) throw refusal(`holds more than ${limits.values} values`)
  }
}

/** Where the string that begins at `start` ends; the text's own end when it doesn't. */
function endOfString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1)
  while (end > 0 && isEscaped(json, end)) end = json.indexOf('"', end + 1)
  return end < 0 ? json.length : end
}

/** An even number of backslashes are characters of their own. */
function isEscaped(json: string, at: number): boolean {
  let before = at - 1
  while (json.charCodeAt(before) === BACKSLASH) before -= 1
  return (at - before) % 2 === 0
}

const refusal = (problem: string): ServiceError =>
  new ServiceError('invalid_input', `The body ${problem}.`, { field: 'body' })
