// The OpenAPI 3.1 document, made once from the operations.
import { z } from 'zod'
import { ErrorBody } from '../../schemas/envelope.ts'
import { EVENT_TYPES, EVENTS, type EventType, eventOf } from '../../schemas/webhook.ts'
import type { Group } from '../../src/operation.ts'
import type { JsonSchema } from '../json-schema.ts'
import { createSchemaCollector } from './components.ts'
import { type DocumentedRoute, described, documentRoute } from './documented-route.ts'
import { operationEntry } from './openapi-operation.ts'
import { REST_PREFIX, type RestRoute } from './routes.ts'

export type RestDocumentation = ReturnType<typeof documentRest>

export function documentRest(routes: readonly RestRoute[]) {
  const schemas = createSchemaCollector()
  schemas.output(z.object({ error: ErrorBody }))
  const documented = routes.map((route) => documentRoute(route, schemas))
  const components = Object.fromEntries(
    Object.entries(schemas.components)
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([name, schema]) => [name, described(schema)])
  )
  const webhooks = EVENT_TYPES.map((type) => [
    type,
    webhookEntry(type, described(schemas.output(eventOf(type))))
  ])
  return {
    routes: documented,
    groups: inGroups(documented),
    components,
    webhooks: Object.fromEntries(webhooks)
  }
}

/** What we send, where the partner has put a webhook. */
const webhookEntry = (type: EventType, schema: JsonSchema) => ({
  post: {
    operationId: type,
    summary: EVENTS[type].meaning,
    // By its signature, not by a key.
    security: [],
    parameters: SIGNED.map(([name, description, example]) => ({
      ...{ name, in: 'header', required: true, description, example },
      schema: { type: 'string' }
    })),
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: {
      '2XX': { description: 'It was taken. Anything else, and no answer within 15 seconds, is tried again.' },
      410: { description: 'Nothing is to be sent there any more: the webhook is switched off.' }
    }
  }
})

/** Standard Webhooks 1.0. */
const SIGNED = [
  ['webhook-id', 'The event’s id, the same at every attempt.', 'evt_5t7v9x1z3b5d7f9h1j3l'],
  ['webhook-timestamp', 'When this attempt was made, in seconds since 1970.', '1768471200'],
  [
    'webhook-signature',
    'HMAC-SHA256 of id, timestamp and body, each with a dot between; several behind one another while a secret is exchanged.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4='
  ]
] as const

/** How the reference and the document arrange the operations, in the order in which they are shown. */
const INTROS: Readonly<Record<Group, string>> = {
  Customers:
    'Onboard, list, read, update and erase the customers of your partner account. `null` clears a field of an update; of a new customer it counts as left out.',
  'Portal access':
    'Invite a customer to your whitelabel portal, block or grant access, and send password resets.',
  'Team members': 'The people of a customer who may sign in to the portal beside its owner.',
  'Voice agents':
    'Assign agents of voice-agent providers A and B to customers and set the billing profit multiplier.',
  Instances:
    'Customers’ virtual servers: register one, let our public key in, and deploy the CLI agent that the customer chats with.',
  Memory:
    'Take a customer’s memories out, and delete them. Agents remember, recall and ask over MCP or `POST /api/partner-mcp/tools/{tool}`.',
  Credits:
    'Two separate meters: your own credits, and each customer’s AI credits, which you grant. Every entry explains its balance. The tokens of agents are counted apart.',
  Usage:
    'Calls of voice agents: what they cost you, what customers are charged for them, and what is owed. Days are of your time zone.',
  Statements:
    'What customers owe, by month: drafts are closed three days after their month, billed by you, taken back if need be. Their lines come as JSON Lines.',
  Plans:
    'Subscription and credit plans; you make them in the console. A new customer gets a plan’s features.',
  'Audit log': 'Who did what: every change by a key, a customer’s token or somebody who was signed in.'
}

/** A group of nothing is left out. */
const inGroups = (routes: readonly DocumentedRoute[]) =>
  Object.entries(INTROS)
    .map(([title, intro]) => ({
      group: { title, intro },
      members: routes.filter(({ operation }) => operation.http?.group === title)
    }))
    .filter(({ members }) => members.length > 0)

/** The document itself; `publicUrl` is what its server says, else the host that it was fetched from. */
export function openApiDocument(
  { routes, groups, components, webhooks }: RestDocumentation,
  publicUrl?: string
) {
  const paths: Record<string, Record<string, unknown>> = {}
  const bodies: Record<string, JsonSchema> = {}
  for (const route of routes) {
    const { entry, schemas } = operationEntry(route)
    const path = REST_PREFIX + route.path
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: entry }
    Object.assign(bodies, schemas)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Mindgate partner API',
      version: '1.0.0',
      description:
        'Manage customers, their portal access, teams and voice agents. Every answer is a JSON object with a boolean `success`.',
      license: { name: 'MIT', identifier: 'MIT' }
    },
    servers: [{ url: publicUrl ?? '/' }],
    security: [{ bearer: [] }, { legacyKey: [] }],
    tags: groups.map(({ group }) => ({ name: group.title, description: group.intro })),
    externalDocs: { url: `${publicUrl ?? ''}${REST_PREFIX}/reference`, description: 'Reference for people' },
    paths,
    webhooks,
    components: {
      schemas: { ...components, ...bodies },
      headers: HEADERS,
      parameters: { IdempotencyKey: IDEMPOTENCY_KEY },
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'A partner API key (`pkt_…`). What it may do is set by its scopes.'
        },
        legacyKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description: 'Deprecated: send the same key as `Authorization: Bearer pkt_…`.'
        }
      }
    }
  }
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Any text of your own, such as a UUID. A repetition within 24 hours gets the first answer; the same key with another body is 409.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
  example: '0d6f2c1e-4b8a-4f57-9a3d-5e1c7b9f2a60'
}

const text = (description: string, example?: string) => ({
  description,
  schema: { type: 'string' },
  ...(example && { example })
})

const HEADERS = {
  RequestId: text('Names this request; yours if you sent a well-formed `X-Request-Id`.'),
  IdempotentReplayed: {
    description: '`true` when this is the kept answer to an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', const: 'true' }
  },
  Deprecation: text('On answers to the deprecated `X-API-Key`: since when (RFC 9745).'),
  WwwAuthenticate: text('Which credential would do (RFC 6750).'),
  RateLimitPolicy: text(
    'Your key’s budget: `q` requests in `w` seconds, over REST and MCP together.',
    '"default";q=6000;w=60'
  ),
  RateLimit: text(
    'What is left of the budget: `r` requests for the next `t` seconds.',
    '"default";r=5999;t=42'
  ),
  RetryAfter: {
    description: 'Seconds after which the same request may succeed.',
    schema: { type: 'integer' }
  }
}
