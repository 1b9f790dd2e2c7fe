// The chat route as a widget meets it (§4C), with every answer that a test wants from it, behind the strictest content
// security policy that a page can have. What the real route does is tested where it lives.
import { once } from 'node:events'
import { type HttpBindings, serve } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import type { ChatConversation, ChatExchange, ChatFile } from '../../schemas/chat.ts'
import type { RequestEnv } from '../../servers/middleware/request-env.ts'
import { widgetRoutes } from '../../servers/portal/widget/routes.ts'
import { embedPage, PAGE_STYLES } from './embed-page.ts'

export interface Refusal {
  status: 400 | 401 | 403 | 404 | 409 | 422 | 429 | 500 | 502 | 503 | 504
  code: string
  hasStarted?: boolean
  reason?: string
  /** The run goes on, and becomes what follows. */
  isRunning?: boolean
  retryAfter?: number
}

/** How a message ends; `lost` cuts the connection, and the run goes on with what follows it. */
export type Outcome = { reply: string; files?: ChatFile[] } | Refusal | 'lost'

/** One instance of the stand-in, as a test arranges it. */
export interface Room {
  /** Of the current conversation. */
  exchanges: ChatExchange[]
  /** The newest first. */
  former: { id: string; exchanges: ChatExchange[] }[]
  /** Keys of the messages so far. */
  posts: string[]
  /** What a message becomes. */
  answer(message: string): Outcome | Promise<Outcome>
  /** Files that came for it. */
  uploads: ChatFile[]
  /** What becomes of one, where that isn't taken at once. */
  receive(name: string): Refusal | undefined | Promise<Refusal | undefined>
  /** What the health check says instead of ok. */
  health: Refusal | undefined
  /** What everything says, whatever is asked. */
  access: Refusal | undefined
}

export interface ChatRoute {
  url: string
  room(instance: string): Room
  close(): Promise<void>
}

/** The codes that leave a row behind. */
const KEPT = new Set(['agent_error', 'agent_timeout', 'ssh_unavailable'])
const BASE = '/api/whitelabel/vps/instances/:instance/cli-agent/chat'

/** Starts it: `/page/{instance}` embeds the widget; see `embedPage` for its query. */
export async function openChatRoute(): Promise<ChatRoute> {
  const rooms = new Map<string, Room>()
  const room = (instance: string): Room => {
    const known = rooms.get(instance)
    if (known) return known
    const made: Room = {
      exchanges: [],
      former: [],
      posts: [],
      answer: (message) => ({ reply: `You said: ${message}` }),
      uploads: [],
      receive: () => undefined,
      health: undefined,
      access: undefined
    }
    rooms.set(instance, made)
    return made
  }
  const app = new Hono<RequestEnv & { Bindings: HttpBindings }>()
  const roomOf = (c: Context) => room(c.req.param('instance') ?? '')
  app.use(`${BASE}/*`, async (c, next) => {
    const { access } = roomOf(c)
    return access ? refuse(c, access) : next()
  })
  app.get(BASE, (c) => {
    const { health } = roomOf(c)
    return health ? refuse(c, health) : c.json({ status: 'ok' })
  })
  app.post(BASE, async (c) => {
    const here = roomOf(c)
    const { message, files = [] } = await c.req.json()
    const key = c.req.header('idempotency-key') ?? ''
    // A browser sends a request again by itself when a connection breaks that was used before: the key joins them.
    const outcome = await (runs.get(key) ?? begin(here, key, String(message), files))
    if (outcome === 'lost') {
      c.env.incoming.socket.destroy()
      return c.body(null)
    }
    if ('code' in outcome) return refuse(c, outcome)
    return c.json({ reply: outcome.reply, sessionId: 'thread-1', model: 'auto' })
  })
  app.post(`${BASE}/files`, async (c) => {
    const here = roomOf(c)
    const name = c.req.query('name') ?? ''
    const { byteLength: size } = await c.req.arrayBuffer()
    const refusal = await here.receive(name)
    if (refusal) return refuse(c, refusal)
    const file = { direction: 'in' as const, id: `fil_${here.uploads.length}`, name, size }
    here.uploads.push(file)
    return c.json({ file })
  })
  app.get(`${BASE}/files/:exchange/:file`, (c) => {
    c.header('Content-Disposition', 'attachment')
    return c.body(`${c.req.param('exchange')}, ${c.req.param('file')}`)
  })
  app.get(`${BASE}/history`, (c) => {
    const here = roomOf(c)
    const conversation = c.req.query('conversation') ?? currentOf(here)
    const exchanges = conversationsOf(here).find(({ id }) => id === conversation)?.exchanges
    if (!exchanges) return refuse(c, { status: 404, code: 'conversation_not_found' })
    const limit = Number(c.req.query('limit'))
    const end = Number(c.req.query('before') ?? exchanges.length)
    const start = Math.max(0, end - limit)
    return c.json({
      conversation,
      exchanges: exchanges.slice(start, end),
      next: start > 0 ? String(start) : null
    })
  })
  app.get(`${BASE}/conversations`, (c) => {
    const conversations = conversationsOf(roomOf(c)).map(listed)
    return c.json({ conversations })
  })
  app.post(`${BASE}/conversations`, (c) => {
    const here = roomOf(c)
    if (here.exchanges.length > 0) {
      here.former.unshift({ id: currentOf(here), exchanges: here.exchanges })
      here.exchanges = []
    }
    return c.json({ conversation: conversationsOf(here).map(listed)[0] })
  })
  app.get(`${BASE}/events`, (c) => {
    const here = roomOf(c)
    return streamSSE(c, async (stream) => {
      for (
        const endsAt = Date.now() + 10_000;
        !stream.aborted && Date.now() < endsAt;
        await stream.sleep(100)
      ) {
        const exchanges = here.exchanges
          .filter(({ state }) => state === 'waiting')
          .map(({ key, progress }) => ({ key, progress }))
        const isOver = exchanges.length === 0
        await stream.writeSSE({ event: isOver ? 'end' : 'progress', data: JSON.stringify({ exchanges }) })
        if (isOver) return
      }
    })
  })
  app.delete(`${BASE}/messages/:key`, (c) => {
    const row = roomOf(c).exchanges.find(({ key }) => key === c.req.param('key'))
    const isWaiting = row?.state === 'waiting'
    if (row && isWaiting) {
      row.state = 'cancelled'
      enders.get(row)?.()
    }
    return c.json({ cancelled: isWaiting })
  })
  app.route('/', widgetRoutes())
  app.get('/page.css', (c) => c.body(PAGE_STYLES, 200, { 'content-type': 'text/css' }))
  app.get('/page/:instance', (c) => embedPage(c))
  let url = ''
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => {
    url = `http://127.0.0.1:${port}`
  })
  await once(server, 'listening')
  return {
    url,
    room,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        if ('closeAllConnections' in server) server.closeAllConnections()
      })
  }
}

const currentOf = ({ former }: Room): string => `cnv_${former.length}`

const conversationsOf = (room: Room) => [{ id: currentOf(room), exchanges: room.exchanges }, ...room.former]

const listed = ({ id, exchanges }: Room['former'][number], place: number): ChatConversation => ({
  id,
  title: exchanges[0]?.message ?? '',
  createdAt: exchanges[0]?.createdAt ?? new Date().toISOString(),
  lastAt: exchanges.at(-1)?.createdAt ?? new Date().toISOString(),
  isCurrent: place === 0
})

const runs = new Map<string, Promise<Outcome>>()
const enders = new WeakMap<ChatExchange, () => void>()

const cancelled = (row: ChatExchange): Promise<Refusal> =>
  new Promise((resolve) => enders.set(row, () => resolve({ status: 409, code: 'cancelled' })))

function begin(room: Room, key: string, message: string, ids: string[]): Promise<Outcome> {
  const files = room.uploads.filter(({ id }) => ids.includes(id))
  const row = exchangeOf({ key, message, files, state: 'waiting' })
  room.posts.push(key)
  room.exchanges.push(row)
  const run = Promise.race([room.answer(message), cancelled(row)]).then((outcome) => {
    settle(room, row, outcome)
    return outcome
  })
  runs.set(key, run)
  return run
}

function settle({ exchanges }: Room, row: ChatExchange, outcome: Outcome): void {
  if (outcome === 'lost' || ('isRunning' in outcome && outcome.isRunning)) return
  if ('reply' in outcome) {
    const files = [...row.files, ...(outcome.files ?? [])]
    Object.assign(row, {
      state: 'answered',
      reply: outcome.reply,
      files,
      answeredAt: new Date().toISOString()
    })
  } else if (outcome.code === 'cancelled') row.state = 'cancelled'
  else if (KEPT.has(outcome.code)) {
    Object.assign(row, {
      state: 'failed',
      code: outcome.code,
      reason: outcome.reason ?? null,
      hasStarted: outcome.hasStarted ?? null
    })
  } else exchanges.splice(exchanges.indexOf(row), 1)
}

/** An exchange of the history; what isn't told is as usual. */
export const exchangeOf = (told: Partial<ChatExchange> & { key: string }): ChatExchange => ({
  id: `chx_${told.key}`,
  message: `Message ${told.key}`,
  files: [],
  reply: null,
  state: 'answered',
  code: null,
  reason: null,
  progress: null,
  hasStarted: null,
  sessionId: null,
  model: null,
  createdAt: new Date().toISOString(),
  answeredAt: null,
  ...told
})

function refuse(c: Context, { status, retryAfter, ...refusal }: Refusal): Response {
  if (retryAfter !== undefined) c.header('Retry-After', String(retryAfter))
  return c.json({ error: 'In words.', ...refusal }, status)
}
