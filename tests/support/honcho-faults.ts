// What a Honcho, or what stands in front of one, does wrong.
import type { ServerResponse } from 'node:http'
import { send } from './ai/http-server.ts'

export type HonchoBehaviour =
  | 'good'
  | 'waits'
  /** Takes what it is sent; then the connection dies before the answer. */
  | 'accepts-then-dies'
  | 'fails'
  | 'overloaded'
  | 'limits'
  | 'absent'
  | 'rejects'
  | 'refuses-key'
  | 'forbids'
  | 'not-json'
  | 'silent'
  | 'drips'
  | 'cuts-off'
  | 'hangs-up'
  | 'too-large'
  | 'redirects'

type Fault = (response: ServerResponse, quoted: string) => void

/** Where they say why, they quote all that they were sent: nothing of that may get any further. */
export const FAULTS: Partial<Record<HonchoBehaviour, Fault>> = {
  fails: (response, quoted) => send(response, 500, { detail: quoted }),
  overloaded: (response, quoted) => send(response, 503, { detail: quoted }),
  limits: (response, quoted) => send(response, 429, { detail: quoted }, { 'retry-after': '17' }),
  absent: (response, quoted) => send(response, 404, { detail: quoted }),
  rejects: (response, quoted) => send(response, 422, { detail: quoted }),
  'refuses-key': (response, quoted) => send(response, 401, { detail: quoted }),
  forbids: (response, quoted) => send(response, 403, { detail: quoted }),
  'not-json': (response, quoted) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    // Begins with the key: that is what an error about unreadable JSON quotes.
    response.end(quoted.slice('{"key":"'.length))
  },
  silent: () => undefined,
  drips: begin,
  'cuts-off': (response) => {
    begin(response)
    setImmediate(() => response.destroy())
  },
  'hangs-up': (response) => void response.destroy(),
  'too-large': (response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const more = () => {
      while (!response.destroyed && response.write(' '.repeat(65_536)));
    }
    response.on('drain', more)
    more()
  },
  redirects: (response) => send(response, 307, {}, { location: 'http://127.0.0.1:1/steal' })
}

function begin(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.write('{"content": "The')
}
