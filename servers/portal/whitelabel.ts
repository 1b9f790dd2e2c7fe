// Who is signed in to a portal, for scripts of the portal's own pages.
import type { Hono } from 'hono'
import { ServiceError } from '../../src/errors.ts'
import type { Service } from '../../src/service.ts'
import { chatRoutes } from './chat-routes.ts'
import { refuseCrossSite } from './csrf.ts'
import type { PageEnv } from './env.ts'
import { answerErrorJson } from './errors.tsx'
import { pageApp, shareRequest } from './mount.ts'
import { insideGuest } from './visitors.ts'

/** `GET /session` → `{customerId, name, role}`, or 401; paths begin below `/api/whitelabel`. */
export function whitelabelApi(service: Service): Hono<PageEnv> {
  const api = pageApp()
  shareRequest(api, 'portal')
  api.onError((error, c) => answerErrorJson(c, error))
  // Refuses for itself, in the order that §4C asks for.
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
