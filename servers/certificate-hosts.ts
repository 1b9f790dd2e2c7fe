// What a reverse proxy asks before it gets a certificate for a host: anybody can point a name at this machine, and only
// names that the operator approved are worth one.
import { Hono } from 'hono'
import type { Service } from '../src/service.ts'
import type { RequestEnv } from './middleware/request-env.ts'
import { portalOfHost } from './portal/addresses.ts'

/** `/api/whitelabel/host?domain=portal.acme.example`: 200 if PUBLIC_URL or a partner's portal stands there, else 404. */
export function certificateHosts(service: Service): Hono<RequestEnv> {
  const { publicUrl } = service.config
  const ownHost = publicUrl && new URL(publicUrl).hostname
  const routes = new Hono<RequestEnv>()
  routes.get('/api/whitelabel/host', async (c) => {
    const url = `http://${c.req.query('domain') ?? ''}`
    const host = URL.canParse(url) ? new URL(url).host : ''
    const isServed = host === ownHost || (await portalOfHost(service, host)) !== undefined
    return c.json({ served: isServed }, isServed ? 200 : 404)
  })
  return routes
}
