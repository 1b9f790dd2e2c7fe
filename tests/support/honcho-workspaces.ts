// What a Honcho keeps, and its answers. It thinks at once, and simply: each message is a conclusion of its session, and
// all of them together make a conclusion of no session, and the peer card.
import { at } from './fixture.ts'

export interface Workspace {
  peers: Set<string>
  sessions: Map<string, { isActive: boolean }>
  messages: { id: string; sessionId: string; content: string; metadata: unknown; createdAt: string }[]
  conclusions: { id: string; sessionId: string | null; level: string; content: string }[]
  card: string[] | null
}

export interface Answer {
  status: number
  answer?: unknown
}

type Body = Record<string, unknown>
let count = 0

export function answerAs(
  workspaces: Map<string, Workspace>,
  method: string,
  path: string,
  body: Body
): Answer {
  const [, mindId = '', ...rest] = path.split('/').map(decodeURIComponent)
  const route = `${method} ${rest.map((part, i) => (i % 2 === 1 && !VERBS.has(part) ? ':id' : part)).join('/')}`
  const known = workspaces.get(mindId)
  const id = rest[1] ?? ''
  const named = String(body.id)
  switch (route) {
    // Whoever uses its SDK makes everything before using it; without that it makes what is missing.
    case 'POST ':
      made(workspaces, mindId || named)
      return { status: 201, answer: { id: named } }
    case 'POST peers':
      made(workspaces, mindId).peers.add(named)
      return { status: 201, answer: { id: named, workspace_id: mindId } }
    case 'POST sessions':
      return getOrCreateSession(made(workspaces, mindId), named)
    case 'DELETE ':
      return removeWorkspace(workspaces, mindId)
    case 'POST sessions/list':
      return page(activeSessions(known, idsIn(body)))
    case 'POST sessions/:id/messages/list':
      return page(known?.messages.filter(({ sessionId }) => sessionId === id) ?? [])
    case 'POST sessions/:id/messages':
      return addMessages(made(workspaces, mindId), id, body)
    case 'DELETE sessions/:id':
      return removeSession(known, id)
    case 'POST conclusions/list':
      return page(known?.conclusions.filter(({ level }) => level !== 'explicit') ?? [])
    case 'DELETE conclusions/:id':
      return removeConclusion(known, id)
    case 'GET peers/:id/card':
      return known?.peers.has(id) ? { status: 200, answer: { peer_card: known.card } } : NOT_FOUND
    case 'PUT peers/:id/card':
      made(workspaces, mindId).card = Array.isArray(body.peer_card) ? body.peer_card.map(String) : null
      return { status: 200, answer: { peer_card: body.peer_card } }
    case 'POST peers/:id/representation':
      return { status: 200, answer: { representation: representationOf(known) } }
    case 'POST peers/:id/chat':
      made(workspaces, mindId).peers.add(id)
      return { status: 200, answer: { content: chat(made(workspaces, mindId), String(body.query)) } }
    default:
      return { status: 405, answer: { detail: `${route} is not spoken here` } }
  }
}

const VERBS = new Set(['list'])
const NOT_FOUND: Answer = { status: 404, answer: { detail: 'not found' } }
const page = (items: unknown[]): Answer => ({
  status: 200,
  answer: { items: items.slice(0, 100), total: items.length, page: 1, size: 100, pages: 1 }
})

function made(workspaces: Map<string, Workspace>, mindId: string): Workspace {
  const known = workspaces.get(mindId)
  if (known) return known
  const fresh: Workspace = {
    peers: new Set(),
    sessions: new Map(),
    messages: [],
    conclusions: [],
    card: null
  }
  workspaces.set(mindId, fresh)
  return fresh
}

function idsIn(body: Body): readonly unknown[] | undefined {
  const ids = at(body, 'filters', 'id', 'in')
  return Array.isArray(ids) ? ids : undefined
}

const activeSessions = (known: Workspace | undefined, ids: readonly unknown[] | undefined) =>
  [...(known?.sessions ?? [])].flatMap(([id, { isActive }]) =>
    isActive && (!ids || ids.includes(id)) ? [{ id, is_active: true }] : []
  )

function getOrCreateSession({ sessions }: Workspace, id: string): Answer {
  if (sessions.get(id)?.isActive === false) return NOT_FOUND
  sessions.set(id, { isActive: true })
  return { status: 201, answer: { id, is_active: true } }
}

function addMessages(workspace: Workspace, sessionId: string, { messages }: Body): Answer {
  const session = workspace.sessions.get(sessionId)
  if (session && !session.isActive) return NOT_FOUND
  const told: Body[] = Array.isArray(messages) ? messages : []
  if (told.some(({ content }) => [...String(content)].length > 25_000))
    return { status: 422, answer: { detail: 'too long' } }
  workspace.sessions.set(sessionId, { isActive: true })
  const added = told.map(({ content, metadata, peer_id: peer, created_at: createdAt }) => {
    workspace.peers.add(String(peer))
    count += 1
    return {
      ...{ id: `msg${count}`, sessionId, content: String(content), metadata, createdAt: String(createdAt) }
    }
  })
  workspace.messages.push(...added)
  think(workspace)
  return { status: 201, answer: added }
}

/** Conclusions of one message name its session; those of several name none. */
function think(workspace: Workspace): void {
  const of = ({ id, sessionId, content }: Workspace['messages'][number]) => ({
    ...{ id: `con-${id}`, sessionId, level: 'explicit', content: `said: ${content.slice(0, 200)}` }
  })
  const all = workspace.messages.map(({ content }) => content.slice(0, 60)).join(' + ')
  count += 1
  workspace.conclusions = [
    ...workspace.messages.map(of),
    { id: `con${count}`, sessionId: null, level: 'deductive', content: `therefore: ${all}` }
  ]
  workspace.card = workspace.messages.map(({ content }) => `FACT: ${content.slice(0, 60)}`)
}

const representationOf = (known: Workspace | undefined): string =>
  known?.conclusions.length
    ? `## Conclusions\n\n${known.conclusions.map(({ content }) => content).join('\n')}\n`
    : ''

function chat({ messages }: Workspace, query: string): string | null {
  const words = new Set(query.toLowerCase().match(/\p{L}{4,}/gu))
  const fitting = messages.filter(({ content }) =>
    content
      .toLowerCase()
      .match(/\p{L}{4,}/gu)
      ?.some((word) => words.has(word))
  )
  return fitting.length > 0 ? `They said: ${fitting.map(({ content }) => content).join(' ')}` : null
}

function removeSession(known: Workspace | undefined, id: string): Answer {
  const session = known?.sessions.get(id)
  if (!known || !session?.isActive) return NOT_FOUND
  session.isActive = false
  known.messages = known.messages.filter(({ sessionId }) => sessionId !== id)
  known.conclusions = known.conclusions.filter(({ sessionId }) => sessionId !== id)
  return { status: 202, answer: { message: 'Session deleted successfully' } }
}

function removeConclusion(known: Workspace | undefined, id: string): Answer {
  if (!known?.conclusions.some((conclusion) => conclusion.id === id)) return NOT_FOUND
  known.conclusions = known.conclusions.filter((conclusion) => conclusion.id !== id)
  return { status: 204 }
}

function removeWorkspace(workspaces: Map<string, Workspace>, mindId: string): Answer {
  const known = workspaces.get(mindId)
  if (!known) return NOT_FOUND
  if (activeSessions(known, undefined).length > 0)
    return { status: 409, answer: { detail: 'active session(s) remain' } }
  workspaces.delete(mindId)
  return { status: 202, answer: { message: 'Workspace deletion accepted' } }
}
