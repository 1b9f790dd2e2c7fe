// The customer's portal: home, chat, memory, team, agent access. Mounted behind portalVisitor().
import { Hono } from 'hono'
import type { Service } from '../../../src/service.ts'
import { page } from '../answer.tsx'
import type { PageEnv } from '../env.ts'
import { agentsPages } from './agents-pages.tsx'
import { chatPages } from './chat-pages.tsx'
import { placeGuard } from './guards.ts'
import { HomePage, readOverview } from './home-page.tsx'
import { memoryPages } from './memory-pages.tsx'
import { teamPages } from './team-pages.tsx'

/** The pages of whoever is signed in to a portal; each is there only for those whose menu has it. */
export function customerPortalPages(service: Service): Hono<PageEnv> {
  const app = new Hono<PageEnv>()
  app.get('/', async (c) => page(c, <HomePage c={c} overview={await readOverview({ c, service })} />))
  app.use('/chat/*', placeGuard('chat'))
  app.use('/memory/*', placeGuard('memory'))
  app.use('/team/*', placeGuard('team'))
  app.use('/agents/*', placeGuard('agents'))
  app.route('/chat', chatPages())
  app.route('/memory', memoryPages(service))
  app.route('/team', teamPages(service))
  app.route('/agents', agentsPages(service))
  return app
}
