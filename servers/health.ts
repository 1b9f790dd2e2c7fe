// What an orchestrator asks: is the process alive, and may it get traffic.
import { setTimeout as sleep } from 'node:timers/promises'
import { Hono } from 'hono'
import type { Service } from '../src/service.ts'
import type { DoorEnv } from './middleware/door-env.ts'

/** How long the database may take to answer `/readyz`. */
const READY_WITHIN_MS = 2_000

/** `/healthz`: the process answers. `/readyz`: so does the database, and the process is not about to stop. */
export function healthRoutes(service: Service, isDraining: () => boolean): Hono<DoorEnv> {
  const routes = new Hono<DoorEnv>()
  routes.get('/healthz', (c) => c.json({ status: 'ok' }))
  routes.get('/readyz', async (c) => {
    if (isDraining()) return c.json({ status: 'unavailable', reason: 'draining' }, 503)
    if (!(await databaseAnswers(service))) return c.json({ status: 'unavailable', reason: 'database' }, 503)
    return c.json({ status: 'ready' })
  })
  return routes
}

async function databaseAnswers(service: Service): Promise<boolean> {
  const asked = service.database.read
    .selectFrom('setting')
    .select('name')
    .limit(1)
    .execute()
    .then(() => true)
    .catch((error: unknown) => {
      service.log.warn('the database does not answer', { error })
      return false
    })
  const given = new AbortController()
  const late = sleep(READY_WITHIN_MS, false, { signal: given.signal }).catch(() => false)
  try {
    return await Promise.race([asked, late])
  } finally {
    given.abort()
  }
}
