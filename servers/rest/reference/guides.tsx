// What holds for every operation: each guide in words, with a sample beside it.
import type { Child, FC } from 'hono/jsx'
import { SCOPES } from '../../../schemas/api-key.ts'
import { errorOf } from '../../../src/errors.ts'
import type { DocumentedRoute } from '../documented-route.ts'
import { errorCodesOf } from '../error-codes.ts'
import { REST_PREFIX } from '../routes.ts'
import { ASKED_URL, CodeCard, InlineText, Json, RefusalList } from './parts.tsx'

export interface Guide {
  anchor: string
  title: string
  /** Paragraphs; what stands in `backticks` becomes code. */
  said: readonly Child[]
  sampleTitle: string
  sample: Child
}

export const GuideSection: FC<{ guide: Guide }> = ({ guide }) => (
  <section id={guide.anchor} class="operation guide">
    <header>
      <h2>
        <a href={`#${guide.anchor}`}>{guide.title}</a>
      </h2>
    </header>
    <div class="said stack">
      {guide.said.map((part) =>
        typeof part === 'string' ? (
          <p>
            <InlineText text={part} />
          </p>
        ) : (
          part
        )
      )}
    </div>
    <div class="shown stack">
      <CodeCard title={guide.sampleTitle} label={`Example: ${guide.title}`}>
        {guide.sample}
      </CodeCard>
    </div>
  </section>
)

const Header: FC<{ name: string; value: string }> = ({ name, value }) => (
  <>
    <span class="key">{name}</span>: <span class="string">{value}</span>
  </>
)

/** In their order. */
export const guidesOf = (routes: readonly DocumentedRoute[]): Guide[] => [
  {
    anchor: 'start',
    title: 'Getting started',
    said: [
      `The partner API speaks JSON over HTTP below \`${ASKED_URL}${REST_PREFIX}\`. Every answer is an object with a boolean \`success\`; a success has status 200, or 202 where the work goes on after the answer. Times are ISO 8601 in UTC, amounts are numbers with at most six decimals.`,
      'Bodies are JSON in UTF-8, at most 1 MiB. An unknown field of a body, or parameter of a GET or DELETE, is refused by name, so a typing error can’t pass in silence. Every answer carries `X-Request-Id`: yours, if you sent one.',
      <p>
        The same operations as a document for tools: <a href={`${REST_PREFIX}/openapi.json`}>OpenAPI 3.1</a>.
      </p>
    ],
    sampleTitle: 'Set once, then paste any request',
    sample: 'export MINDGATE_KEY=pkt_…'
  },
  {
    anchor: 'authentication',
    title: 'Authentication',
    said: [
      'Send your API key as a bearer token. Keys begin with `pkt_`, are shown once when they are made, and can expire or be revoked. A missing or invalid key is answered with 401, an inactive partner account with 403.',
      `A key can do what its scopes allow; every operation names the one that it needs. The scopes are ${SCOPES.map((scope) => `\`${scope}\``).join(', ')}.`,
      <p class="note">
        <strong>Deprecated:</strong>{' '}
        <InlineText text="the header `X-API-Key` still works. Its answers carry `Deprecation` and a link to this section." />
      </p>
    ],
    sampleTitle: 'Header',
    sample: <Header name="Authorization" value="Bearer pkt_…" />
  },
  {
    anchor: 'errors',
    title: 'Errors',
    said: [
      'A refusal has `success: false` and a sentence in `error`. Branch on `code`; `field` names the input that was wrong. What belongs to another partner is answered like what doesn’t exist: 404.',
      <RefusalList
        codes={[
          ...new Set(['not_found' as const, ...routes.flatMap((route) => errorCodesOf(route.operation))])
        ]}
      />
    ],
    sampleTitle: 'Response · 400',
    sample: (
      <Json
        value={{
          success: false,
          error: errorOf('invalid_input').example,
          code: 'invalid_input',
          field: 'email',
          requestId: 'req_8s2k5m1p9v3x7z4b6d0f'
        }}
      />
    )
  },
  {
    anchor: 'idempotency',
    title: 'Idempotency',
    said: [
      'Send `Idempotency-Key` with any POST and repeat the request without fear: within 24 hours the same key and body get the first answer, marked `Idempotent-Replayed: true`, and nothing happens twice.',
      'The same key with another body is 409. So is a repetition while the first request is at work, with `Retry-After`: ask again then. A request that was refused releases its key. Keys are your own, 1 to 255 printable ASCII characters.'
    ],
    sampleTitle: 'Header',
    sample: <Header name="Idempotency-Key" value="0d6f2c1e-4b8a-4f57-9a3d-5e1c7b9f2a60" />
  },
  {
    anchor: 'rate-limits',
    title: 'Rate limits',
    said: [
      'Each key has a budget of requests, over REST and MCP together. `RateLimit-Policy` tells it (`q` requests in `w` seconds), `RateLimit` what is left (`r` requests for the next `t` seconds). Beyond it, a request is answered with 429 and not carried out: wait as long as `Retry-After` says.',
      'Requests without a valid key are limited by the address that they come from.'
    ],
    sampleTitle: 'Headers',
    sample: (
      <>
        <Header name="RateLimit-Policy" value='"default";q=6000;w=60' />
        {'\n'}
        <Header name="RateLimit" value='"default";r=5999;t=42' />
      </>
    )
  },
  {
    anchor: 'pagination',
    title: 'Pagination',
    said: [
      'Long lists take `page` (from 1) and `limit` (20 by default, 100 at most) and answer with a `pagination` object beside `data`. The newest come first. Ask for the next page while `hasNextPage` is true.'
    ],
    sampleTitle: 'pagination',
    sample: (
      <Json
        value={{
          currentPage: 2,
          totalPages: 8,
          totalCount: 154,
          limit: 20,
          hasNextPage: true,
          hasPrevPage: true
        }}
      />
    )
  },
  {
    anchor: 'mcp',
    title: 'MCP',
    said: [
      'Agents call the same operations as MCP tools at `/api/partner-mcp` (Streamable HTTP) with the same key. Only the tools that the key’s scopes allow are listed. The name of each tool stands beside its operation below.'
    ],
    sampleTitle: 'Client configuration',
    sample: (
      <Json
        value={{
          mcpServers: {
            mindgate: {
              url: `${ASKED_URL}/api/partner-mcp`,
              headers: { Authorization: 'Bearer pkt_…' }
            }
          }
        }}
      />
    )
  }
]
