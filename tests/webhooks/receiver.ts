// A partner's own program that is told of events: a real server, which verifies by the public library and answers as told.
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { Webhook } from 'standardwebhooks'

export interface Told {
  id: string
  type: string
  timestamp: string
  data: Record<string, unknown>
}

export interface Reply {
  status: number
  headers?: Record<string, string>
  /** Hangs up in place of an answer. */
  hangsUp?: boolean
}

const TAKEN: Reply = { status: 204 }

/** @param options.answer what it says to the nth request, counted from 0 */
export async function startReceiver({
  answer = () => TAKEN
}: {
  answer?: (nth: number, told: Told) => Reply | Promise<Reply>
} = {}) {
  /** Whatever came and was refused or not; and what was taken, in that order. */
  const requests: Told[] = []
  const taken: Told[] = []
  const secrets: string[] = []
  const complaints: string[] = []
  const state = { answer }
  const server = createServer(async (request, response) => {
    const body = await read(request)
    const told: Told = { id: String(request.headers['webhook-id']), ...JSON.parse(body) }
    if (!secrets.some((secret) => isSigned(secret, body, request))) complaints.push(`${told.id} isn’t signed`)
    if (request.method !== 'POST') complaints.push(`${request.method}`)
    const reply = await state.answer(requests.push(told) - 1, told)
    if (reply.hangsUp) {
      request.socket.destroy()
      return
    }
    if (reply.status < 300) taken.push(told)
    response.writeHead(reply.status, reply.headers).end('whatever')
  })
  return {
    url: `http://127.0.0.1:${await boundPort(server)}/hook`,
    requests,
    taken,
    complaints,
    /** One of them has to have signed what comes. */
    secrets,
    answerWith(next: typeof answer) {
      state.answer = next
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>

function isSigned(secret: string, body: string, { headers }: IncomingMessage): boolean {
  const signed = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value]] : []
  )
  try {
    new Webhook(secret).verify(body, Object.fromEntries(signed))
    return true
  } catch {
    return false
  }
}

async function read(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) body += chunk
  return body
}

const boundPort = (server: Server): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : 0)
    })
  })
