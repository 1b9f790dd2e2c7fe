// What scripts of a portal's own pages ask: who is signed in, and the chat route (§4C).
import { type Context, Hono } from 'hono'
import { appOf } from '../../schemas/app.ts'
import {
  type ChatBegun,
  type ChatCancelled,
  type ChatConversations,
  type ChatHealth,
  ChatHistoryQuery,
  type ChatRefusal,
  type ChatReply,
  ChatRequest,
  ChatUpload,
  MAX_FILE_BYTES
} from '../../schemas/chat.ts'
import { type ErrorStatus, ServiceError, statusOf, toServiceError } from '../../src/errors.ts'
import { requireKeyForm } from '../../src/idempotency/idempotency.ts'
import { createChatFiles } from '../../src/instances/chat/files.ts'
import { listConversations, messagesAtWork, readHistory } from '../../src/instances/chat/history.ts'
import { type NotAnswered, refusalOf } from '../../src/instances/chat/result.ts'
import { createReadinessCheck } from '../../src/instances/chat/run.ts'
import { getInstance, partnerIdOfInstance } from '../../src/instances/store.ts'
import { invalidInput } from '../../src/invalid-input.ts'
import type { Service } from '../../src/service.ts'
import { streamBody } from '../middleware/body-limit.ts'
import { readJsonObject } from '../middleware/json-body.ts'
import { refuseCrossSite } from './csrf.ts'
import { downloadFile } from './download.ts'
import type { PageEnv } from './env.ts'
import { answerErrorJson, noteRefusal } from './errors.tsx'
import { streamChanges } from './events.ts'
import { pageApp, shareRequest } from './mount.ts'
import { insideGuest } from './visitors.ts'

/** `GET /session` → `{customerId, name, role}`, or 401; paths begin below `/api/whitelabel`. */
export function whitelabelApi(service: Service): Hono<PageEnv> {
  const api = pageApp()
  shareRequest(api, 'portal')
  api.onError((error, c) => answerErrorJson(c, error))
  api.route('/vps/instances', chatRoutes(service))
  api.use(refuseCrossSite())
  api.get('/session', async (c) => {
    const { customerId, name, role } = await insideGuest(service, c)
    return c.json({ customerId, name, role })
  })
  api.all('*', () => {
    throw new ServiceError('not_found', 'There is nothing at this path and method.')
  })
  return api
}

const BASE = '/:instanceId/:app/chat'

/** Chat, health, files, conversations, history and cancelling. Refused in this order: 401, 404, 403, 422, 409, then for what becomes of the run. */
function chatRoutes(service: Service): Hono<PageEnv> {
  const { agentChat: chat } = service
  const checkReadiness = createReadinessCheck(service)
  const files = createChatFiles(service)
  const routes = new Hono<PageEnv>()
  routes.onError((error, c) => refuse(c, error))
  routes.use(`${BASE}/*`, async function ownInstance(c, next) {
    const { read } = service.database
    const instanceId = c.req.param('instanceId')
    const guest = await insideGuest(service, c, await partnerIdOfInstance(read, instanceId))
    const { caller, customerId, features } = guest
    const instance = await getInstance(read, caller.partnerId, instanceId)
    const app = appOf(instance.status)
    // §4C: the segment is the app’s. What the customer may not see isn’t there.
    if (c.req.param('app') !== app || !features.allowedApps.includes(app))
      throw new ServiceError('instance_not_found')
    if (instance.customerId !== customerId) {
      throw new ServiceError('forbidden', 'This agent belongs to another customer.')
    }
    c.set('instance', instance)
    return next()
  })
  routes.use(`${BASE}/*`, refuseCrossSite())

  routes.post(BASE, async (c) => {
    const sent = ChatRequest.safeParse(await readJsonObject(c))
    if (!sent.success) throw invalidInput(sent.error)
    const key = c.req.header('idempotency-key')
    if (key !== undefined) requireKeyForm(key)
    const { message, files: ids } = sent.data
    const result = await chat.send(c.get('instance'), { message, files: ids, key })
    if (result.state !== 'answered') return answerFailure(c, result)
    const { reply, sessionId, model } = result
    return c.json({ reply, sessionId, model } satisfies ChatReply)
  })
  routes.get(BASE, async (c) => {
    const failure = await checkReadiness(c.get('instance'))
    return failure ? answerFailure(c, failure) : c.json({ status: 'ok' } satisfies ChatHealth)
  })
  routes.post(`${BASE}/files`, async (c) => {
    const query = ChatUpload.safeParse(c.req.query())
    if (!query.success) throw invalidInput(query.error, 'The query')
    const upload = { name: query.data.name, body: streamBody(c, MAX_FILE_BYTES) }
    const taken = await files.take(c.get('instance'), upload, c.req.raw.signal)
    return 'code' in taken ? answerFailure(c, taken) : c.json(taken)
  })
  routes.get(`${BASE}/files/:exchangeId/:fileId`, async (c) => {
    const { exchangeId, fileId } = c.req.param()
    const file = await files.open(c.get('instance'), exchangeId, fileId, c.req.raw.signal)
    return 'code' in file ? answerFailure(c, file) : downloadFile(c, file)
  })
  routes.get(`${BASE}/history`, async (c) => {
    const query = ChatHistoryQuery.safeParse(c.req.query())
    if (!query.success) throw invalidInput(query.error, 'The query')
    return c.json(await readHistory(service.database.read, c.get('instance'), query.data))
  })
  routes.get(`${BASE}/conversations`, async (c) => {
    const conversations = await listConversations(service.database.read, c.get('instance'))
    return c.json({ conversations } satisfies ChatConversations)
  })
  routes.post(`${BASE}/conversations`, async (c) => {
    const { id, createdAt } = await chat.beginConversation(c.get('instance'))
    const conversation = { id, title: '', createdAt, lastAt: createdAt, isCurrent: true }
    return c.json({ conversation } satisfies ChatBegun)
  })
  routes.get(`${BASE}/events`, (c) => {
    const instance = c.get('instance')
    return streamChanges(c, instance.id, async () => {
      const atWork = await messagesAtWork(service.database.read, instance)
      return { data: JSON.stringify(atWork), isOver: atWork.exchanges.length === 0 }
    })
  })
  routes.delete(`${BASE}/messages/:key`, async (c) => {
    const cancelled = await chat.cancel(c.get('instance'), c.req.param('key'))
    return c.json({ cancelled } satisfies ChatCancelled)
  })
  return routes
}

function answerFailure(c: Context<PageEnv>, failure: NotAnswered): Response {
  const { code, message, facts } = refusalOf(failure, 'customer')
  c.set('code', code)
  return c.json({ error: message, code, ...facts } satisfies ChatRefusal, statusOf(code))
}

/** `{error, code}`, as §7 has it for this route; what doesn't fit is 422 here. */
function refuse(c: Context<PageEnv>, error: unknown): Response {
  const refusal = toServiceError(error)
  noteRefusal(c, refusal)
  const { code, message } = refusal
  const status: ErrorStatus | 422 = code === 'invalid_input' ? 422 : statusOf(code)
  return c.json({ error: message, code } satisfies ChatRefusal, status)
}
