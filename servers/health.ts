// What an orchestrator asks: is the process alive, and may it get traffic.
import { setTimeout as sleep } from 'node:timers/promises'
import { Hono } from 'hono'
import type { Service } from '../src/service.ts'
import type { RequestEnv } from './middleware/request-env.ts'

/** How long the database may take to answer `/readyz`. */
const READY_WITHIN_MS = 2_000
/** How long a write may take to be refused; one that waits for a lock is taken. */
const REFUSED_WITHIN_MS = 100

/** `/healthz`: the process answers. `/readyz`: so does the database, it takes writes, and we are not about to stop. */
export function healthRoutes(service: Service, isDraining: () => boolean): Hono<RequestEnv> {
  const routes = new Hono<RequestEnv>()
  routes.get('/healthz', (c) => c.json({ status: 'ok' }))
  routes.get('/readyz', async (c) => {
    const reason = isDraining() ? 'draining' : (await databaseServes(service)) ? undefined : 'database'
    if (reason === undefined) return c.json({ status: 'ready' })
    return c.json({ status: 'unavailable', reason }, 503, { 'Retry-After': '5' })
  })
  return routes
}

function databaseServes({ database, log }: Service): Promise<boolean> {
  const asked = database.read
    .selectFrom('setting')
    .select('name')
    .limit(1)
    .execute()
    .then(() => Promise.race([database.takesWrites(), sleep(REFUSED_WITHIN_MS, true, { ref: false })]))
    .catch((error: unknown) => {
      log.warn('the database does not answer', { error })
      return false
    })
  return Promise.race([asked, sleep(READY_WITHIN_MS, false, { ref: false })])
}
