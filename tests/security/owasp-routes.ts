// Which kind every path is of that isn't an operation's own.
import type { Row } from './owasp-cells.ts'
import {
  AI,
  CERTIFICATES,
  CHAT,
  CONNECTION_TEST,
  CONSENT,
  ENTERING,
  GATEWAY,
  HOOKS,
  METRICS,
  OAUTH,
  OF_CONSOLE,
  OF_PORTAL,
  ONES_OWN,
  PUBLIC
} from './owasp-pages.ts'

const below = (base: string, row: Row, paths: string): [string, Row][] =>
  paths.split(/\s+/).map((path) => [path === '/' ? base : `${base}${path}`, row])

/** By path, `*` where more of them are one thing. A page's forms go with it. */
export const ROUTES: ReadonlyMap<string, Row> = new Map([
  ...below('', PUBLIC, '/healthz /readyz /assets/:file /logos/:partnerId/:file'),
  ['/', PUBLIC],
  ...below(
    '',
    PUBLIC,
    '/widget.js /widget.es.js /widget.de.js /widget.fr.js /widget.pt.js /widget.ar.js /widget.ja.js'
  ),
  ...below('/api/v1/mcp', PUBLIC, '/openapi.json /reference /reference/:file'),
  ['/metrics', METRICS],
  ['/api/whitelabel/host', CERTIFICATES],
  ...below('/api/partner-mcp', GATEWAY, '/ /readonly /openapi.json /tools /tools/:tool'),
  ...['memory', 'customers', 'servers', 'usage'].flatMap((group) =>
    below(`/api/partner-mcp/x/${group}`, GATEWAY, '/ /readonly')
  ),
  ...below('/api/mcp', GATEWAY, '/ /readonly /openapi.json /tools /tools/:tool'),
  ['/api/hooks/calls/:hookToken', HOOKS],
  ...below('/ai/v1', AI, '/models /models/:model{.+} /chat/completions'),
  ...below(
    '/.well-known',
    OAUTH,
    '/oauth-protected-resource /oauth-protected-resource/* /oauth-authorization-server /openid-configuration'
  ),
  ...below('/oauth', OAUTH, '/authorize /authorize/:uid /token /revoke /register /jwks'),
  ...below('/api/whitelabel', OF_PORTAL, '/session'),
  ...below(
    '/api/whitelabel/vps/instances/:instanceId/:app/chat',
    CHAT,
    '/ /files /files/:exchangeId/:fileId /history /conversations /events /messages/:key'
  ),

  ...below('/portal/:slug', ENTERING, '/sign-in /sign-out /forgot /password /choose /accept /reset /factor'),
  ...below('/portal/:slug', ONES_OWN, '/account /account/factor'),
  ...below('/portal/:slug', CONSENT, '/connect/:uid'),
  ...below('/portal/:slug', CONNECTION_TEST, '/agents'),
  ...below(
    '/portal/:slug',
    OF_PORTAL,
    '/ /packs /chat /chat/:instanceId /memory /memory/ask /memory/minds /memory/minds/:mindId'
  ),
  ...below(
    '/portal/:slug',
    OF_PORTAL,
    '/memory/minds/:mindId/memories /memory/minds/:mindId/export /team /usage /agents/setup'
  ),
  ...below(
    '/portal/:slug',
    OF_PORTAL,
    '/statements /statements/:statementId /statements/:statementId/csv /statements/:statementId/json'
  ),

  ...below('/console', ENTERING, '/sign-in /sign-out /forgot /set-password /factor'),
  ...below('/console', ONES_OWN, '/account /account/factor'),
  ...below('/console', CONSENT, '/connect/:uid'),
  ...below(
    '/console',
    OF_CONSOLE,
    '/ /find /voice-agents /usage /usage/assign/:agent/:since /statements /statements/:statementId'
  ),
  ...below('/console', OF_CONSOLE, '/statements/:statementId/csv /statements/:statementId/json'),
  ...below('/console/customers', OF_CONSOLE, '/ /onboard /bulk /export /import /import/template'),
  ...below(
    '/console/customers/:customerId',
    OF_CONSOLE,
    '/ /timeline /details /portal-access /voice-agents /team /memory /memory/:mindId'
  ),
  ...below(
    '/console/customers/:customerId',
    OF_CONSOLE,
    '/memory/:mindId/memories /memory/:mindId/export /credits /usage /billing /tokens'
  ),
  ...below(
    '/console/instances',
    OF_CONSOLE,
    '/ /register /register/:customerId /all /:instanceId /:instanceId/change /:instanceId/deploy'
  ),
  ...below(
    '/console/instances',
    OF_CONSOLE,
    '/:instanceId/deploys/:deployId /:instanceId/deploys/:deployId/events'
  ),
  ...below(
    '/console',
    OF_CONSOLE,
    '/keys /keys/new /tokens /tokens/new /tokens/new/:customerId /plans /plans/new /plans/:planId /webhooks'
  ),
  ...below(
    '/console',
    OF_CONSOLE,
    '/webhooks/new /webhooks/:webhookId /brand /brand/logo /billing /providers /audit /mail /mail/texts /security /team'
  )
])
