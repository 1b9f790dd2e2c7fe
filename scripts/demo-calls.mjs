// The calls of the demo's voice agents: a stand-in for provider A on loopback that tells two weeks of them as Vapi's API does.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { demoAgents } from './demo-customers.mjs'

const DAYS = 14
const DAY_MS = 24 * 60 * 60 * 1_000
const CALLS_OF_DAY = 3
const PATH = /^\/(assistant|call)(?:\/([\w-]+))?$/

/** When the first of the calls was made; agents that are mapped since then have all of them. */
export const firstCallAt = () =>
  new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS - DAYS * DAY_MS).toISOString()

/** Starts the provider on a free port. */
export async function startCallProvider() {
  const calls = makeCalls()
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://localhost')
    const [, what, id] = PATH.exec(pathname) ?? []
    const all = what === 'call' ? calls : what && demoAgents.a
    const answer = id ? all?.find((one) => one.id === id) : all && pageOf(all, searchParams)
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer ?? { message: 'Not Found', statusCode: 404 }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stop = () => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${server.address().port}`, stop }
}

/** Newest first, as there. */
const pageOf = (all, query) =>
  all
    .filter(({ createdAt }) => !query.has('createdAtLe') || createdAt <= query.get('createdAtLe'))
    .filter(({ updatedAt }) => !query.has('updatedAtGe') || updatedAt >= query.get('updatedAtGe'))
    .slice(0, Number(query.get('limit')))

/** The same ones on each day that the demo is started. */
function makeCalls() {
  const start = Date.parse(firstCallAt())
  const calls = Array.from({ length: DAYS * CALLS_OF_DAY * demoAgents.a.length }, (_, index) => {
    const turn = Math.floor(index / demoAgents.a.length)
    const startedMs = start + (turn / CALLS_OF_DAY) * DAY_MS + ((index * 7_919) % 300) * 60_000
    const seconds = 25 + ((index * 137) % 420)
    const startedAt = new Date(startedMs).toISOString()
    const endedAt = new Date(startedMs + seconds * 1_000).toISOString()
    return {
      id: `demo-call-${index + 1}`,
      assistantId: demoAgents.a[index % demoAgents.a.length].id,
      ...{ createdAt: startedAt, updatedAt: endedAt, startedAt, endedAt },
      status: 'ended',
      endedReason: index % 5 === 4 ? 'voicemail' : 'customer-ended-call',
      cost: Math.round(seconds * 150) / 100_000
    }
  })
  return calls.sort((one, other) => (one.createdAt < other.createdAt ? 1 : -1))
}
