// Mounts everything that answers on one app.
import { Hono } from 'hono'
import { HOOKS_PATH } from '../src/calls/hooks.ts'
import { widestNetworkOf } from '../src/limits/networks.ts'
import { operations } from '../src/operations.ts'
import type { Service } from '../src/service.ts'
import { turnOfNetwork } from '../src/slices.ts'
import { AI_PREFIX, aiGateway } from './ai-gateway.ts'
import { callHooks } from './call-hooks.ts'
import { certificateHosts } from './certificate-hosts.ts'
import { healthRoutes } from './health.ts'
import { customerGateway } from './mcp/customer-gateway.ts'
import { partnerGateway } from './mcp/partner-gateway.ts'
import { isLongAndUnread } from './middleware/body-limit.ts'
import { clientAddress } from './middleware/client-address.ts'
import { answerError, routeNotFound } from './middleware/error-answer.ts'
import { headLimit } from './middleware/head-limit.ts'
import { presetHeader } from './middleware/preset-header.ts'
import type { RequestEnv } from './middleware/request-env.ts'
import { requestId } from './middleware/request-id.ts'
import { requestLog } from './middleware/request-log.ts'
import { requestTrace } from './middleware/request-trace.ts'
import { oauthRoutes } from './oauth/routes.ts'
import { portalAssets, portalLogos } from './portal/assets-routes.ts'
import { pageSites } from './portal/sites.ts'
import { widgetRoutes } from './portal/widget/routes.ts'
import { restApi } from './rest/rest-api.ts'
import { REST_PREFIX } from './rest/routes.ts'

/** `isDraining` tells when the process is about to stop. */
export function createApp(service: Service, isDraining: () => boolean = () => false): Hono<RequestEnv> {
  const app = new Hono<RequestEnv>()
  app.use(requestId)
  if (service.config.traces.endpoint !== undefined) app.use(requestTrace)
  app.use(requestLog(service.log))
  app.use(async function closeConnection(c, next) {
    await next()
    if (isDraining() || isLongAndUnread(c)) presetHeader(c, 'Connection', 'close')
  })
  app.use(function inTurn(c, next) {
    const turn = turnOfNetwork(() => widestNetworkOf(clientAddress(c, service.config.trustedProxies)))
    return turn === undefined ? next() : turn.then(next)
  })
  app.use(headLimit)
  const pages = pageSites(service)
  app.notFound(async (c) => (await pages.onOwnHost(c)) ?? answerError(c, routeNotFound()))
  app.onError((error, c) => answerError(c, error))
  app.route('/', healthRoutes(service, isDraining))
  const { metricsToken } = service.config
  if (metricsToken !== undefined) {
    app.get('/metrics', async (c) => (await import('./metrics.ts')).answerMetrics(c, service, metricsToken))
  }
  app.route('/', certificateHosts(service))
  app.route(REST_PREFIX, restApi(service, operations))
  app.route('/api/partner-mcp', partnerGateway(service, operations))
  app.route('/api/mcp', customerGateway(service, operations))
  app.route(HOOKS_PATH, callHooks(service))
  const ai = service.config.aiGateway
  // With LiteLLM, agents call that and not us.
  if (ai.kind === 'embedded') app.route(AI_PREFIX, aiGateway(service, ai))
  app.route('/', oauthRoutes(service))
  app.route('/assets', portalAssets())
  app.route('/', widgetRoutes())
  app.route('/logos', portalLogos(service))
  app.route('/', pages.routes)
  return app
}
