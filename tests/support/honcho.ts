// A real HTTP server that speaks what we use of Honcho's API, version 3: https://docs.honcho.dev/v3/api-reference
import type { IncomingMessage, ServerResponse } from 'node:http'
import { bearerOf, readJson, send, startHttp } from './ai/http-server.ts'
import { FAULTS, type HonchoBehaviour } from './honcho-faults.ts'
import { answerAs, type Workspace } from './honcho-workspaces.ts'

export const HONCHO_KEY = 'hch-key-that-must-never-show'

export interface HonchoRequest {
  method: string
  /** Without `/v3`, and without the query. */
  path: string
  key: string
  body: Record<string, unknown>
}

export interface HonchoStandIn {
  /** For HONCHO_URL. */
  url: string
  /** What it was asked, oldest first. */
  requests: HonchoRequest[]
  workspaces: Map<string, Workspace>
  /** What it does with the next requests whose method and path match, all of them by default. */
  behave(behaviour: HonchoBehaviour, options?: { times?: number; on?: RegExp }): void
  /** Resolves when the next request comes that matches, before it is answered. */
  asked(on: RegExp): Promise<void>
  /** Lets requests that 'wait' go on. */
  release(): void
  /** Contents of the messages that it has of a Mind, oldest first; of none where it has no such workspace. */
  told(mindId: string): string[]
  /** Whether the text stands in anything that it keeps. */
  mentions(text: string): boolean
  close(): Promise<void>
}

/** @param withKey without it any key is taken, as by a Honcho that has its authentication switched off */
export async function startHoncho({ withKey = true } = {}): Promise<HonchoStandIn> {
  const requests: HonchoRequest[] = []
  const workspaces = new Map<string, Workspace>()
  const waiting: { on: RegExp; tell: () => void }[] = []
  let held: (() => void)[] = []
  let behaviour: HonchoBehaviour = 'good'
  let left = 0
  let matching = /./

  const next = (request: string): HonchoBehaviour => {
    if (left <= 0 || !matching.test(request)) return 'good'
    left -= 1
    return behaviour
  }
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await readJson(request)
    const { pathname } = new URL(request.url ?? '', 'http://localhost')
    const { method = '' } = request
    const path = pathname.replace(/^\/v3\//, '')
    const name = `${method} ${path}`
    requests.push({ method, path, key: bearerOf(request), body })
    for (const { on, tell } of waiting) if (on.test(name)) tell()
    const how = next(name)
    if (how === 'waits') await new Promise<void>((resolve) => held.push(resolve))
    const misbehave = FAULTS[how]
    if (misbehave) return misbehave(response, JSON.stringify({ key: bearerOf(request), body }))
    if (!pathname.startsWith('/v3/workspaces')) return send(response, 404, { detail: 'Not Found' })
    if (withKey && bearerOf(request) !== HONCHO_KEY)
      return send(response, 401, { detail: `Invalid JWT ${bearerOf(request)}` })
    const { status, answer } = answerAs(workspaces, method, path, body)
    if (how === 'accepts-then-dies') return void response.destroy()
    if (status === 204) return void response.writeHead(204).end()
    return send(response, status, answer)
  }
  const { url, close } = await startHttp(handle)
  return {
    url,
    requests,
    workspaces,
    behave(how, { times = Number.POSITIVE_INFINITY, on = /./ } = {}) {
      behaviour = how
      left = times
      matching = on
    },
    asked: (on) =>
      new Promise((resolve) => {
        waiting.push({ on, tell: resolve })
      }),
    release() {
      for (const go of held) go()
      held = []
    },
    told: (mindId) => [...(workspaces.get(mindId)?.messages ?? [])].map(({ content }) => content),
    mentions: (text) => JSON.stringify([...workspaces]).includes(text),
    close
  }
}
