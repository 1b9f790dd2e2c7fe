// What comes before a body is limited as well. Node caps the bytes of all headers (431); this caps their number, which
// Node would silently cut, and the length of the URL, and sees to it that there is one host.
import type { HttpBindings } from '@hono/node-server'
import type { Context, MiddlewareHandler } from 'hono'
import { ServiceError } from '../../src/errors.ts'
import { answerError } from './error-answer.ts'

const MAX_HEADERS = 100
/** The longest search with every filter is less than 6,000 characters, each of them percent-encoded. */
const MAX_URL_LENGTH = 8_192

/** Refuses requests with too many headers (431), too long a URL (414), or more than one host (400). */
export const headLimit: MiddlewareHandler = async (c, next) => {
  // Absent where a request came through no socket, as in a test without a server.
  const incoming: HttpBindings['incoming'] | undefined = c.env?.incoming
  // Names and values in turn.
  if (incoming && incoming.rawHeaders.length / 2 > MAX_HEADERS)
    return refuse(c, 431, `The request has more than ${MAX_HEADERS} headers.`)
  if (c.req.url.length > MAX_URL_LENGTH)
    return refuse(c, 414, `The URL is longer than ${MAX_URL_LENGTH} characters.`)
  if (incoming && !namesOneHost(incoming))
    return refuse(c, 400, 'The request must name its host once, in one Host header.')
  return next()
}

const refuse = (c: Context, status: 400 | 414 | 431, message: string) =>
  answerError(c, new ServiceError('invalid_input', message), status)

/** RFC 9112 §3.2. Of several hosts we would go by one, and a proxy in front of us may have gone by another. */
function namesOneHost({ rawHeaders, headers: { host }, url = '' }: HttpBindings['incoming']): boolean {
  const isHost = (text: string, at: number) => at % 2 === 0 && /^host$/i.test(text)
  const target = /^https?:\/\/([^/?#]*)/.exec(url)?.[1] ?? host
  return rawHeaders.filter(isHost).length === 1 && target?.toLowerCase() === host?.toLowerCase()
}
