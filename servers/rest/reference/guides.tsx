// What holds for every operation.
import type { Child, FC } from 'hono/jsx'
import { SCOPES } from '../../../schemas/api-key.ts'
import { type ErrorCode, errorOf } from '../../../src/errors.ts'
import type { DocumentedRoute } from '../documented-route.ts'
import { errorCodesOf } from '../error-codes.ts'
import { REST_PREFIX } from '../routes.ts'
import { CodeCard, Json, RefusalList } from './parts.tsx'

/** What the guides and their samples are called, in their order. */
export const GUIDES = {
  start: {
    title: 'Getting started',
    sampleTitle: 'Set once, then paste any request',
    sampleLabel: 'Environment'
  },
  authentication: { title: 'Authentication', sampleTitle: 'Header', sampleLabel: 'Authentication header' },
  errors: { title: 'Errors', sampleTitle: 'Response · 400', sampleLabel: 'An error' },
  idempotency: { title: 'Idempotency', sampleTitle: 'Header', sampleLabel: 'Idempotency header' },
  'rate-limits': { title: 'Rate limits', sampleTitle: 'Headers', sampleLabel: 'Rate limit headers' },
  pagination: { title: 'Pagination', sampleTitle: 'pagination', sampleLabel: 'Pagination object' },
  mcp: { title: 'MCP', sampleTitle: 'Client configuration', sampleLabel: 'MCP client configuration' }
} as const

const Guide: FC<{ anchor: keyof typeof GUIDES; sample: Child; children?: Child }> = ({
  anchor,
  sample,
  children
}) => {
  const { title, sampleTitle, sampleLabel } = GUIDES[anchor]
  return (
    <section id={anchor} class="operation guide">
      <header>
        <h2>
          <a href={`#${anchor}`}>{title}</a>
        </h2>
      </header>
      <div class="said">{children}</div>
      <div class="shown">
        <CodeCard title={sampleTitle} label={sampleLabel}>
          {sample}
        </CodeCard>
      </div>
    </section>
  )
}

const Header: FC<{ name: string; value: string }> = ({ name, value }) => (
  <>
    <span class="key">{name}</span>: <span class="string">{value}</span>
  </>
)

export const Guides: FC<{ routes: readonly DocumentedRoute[]; baseUrl: string }> = ({ routes, baseUrl }) => (
  <>
    <Start baseUrl={baseUrl} />
    <Authentication />
    <Errors routes={routes} />
    <Idempotency />
    <RateLimits />
    <Pagination />
    <Mcp baseUrl={baseUrl} />
  </>
)

const Start: FC<{ baseUrl: string }> = ({ baseUrl }) => (
  <Guide
    anchor="start"
    sample={
      <>
        <span class="key">export</span> MINDGATE_API=<span class="string">{baseUrl + REST_PREFIX}</span>
        {'\n'}
        <span class="key">export</span> MINDGATE_KEY=<span class="string">pkt_…</span>
      </>
    }
  >
    <p>
      The partner API speaks JSON over HTTP below <code>{REST_PREFIX}</code>. Every answer is an object with a
      boolean <code>success</code>; a success has status 200, or 202 where the work goes on after the answer.
      Times are ISO 8601 in UTC, amounts are numbers with at most six decimals.
    </p>
    <p>
      Bodies are JSON in UTF-8, at most 1 MiB. An unknown field of a body, or parameter of a GET or DELETE, is
      refused by name, so a typing error can’t pass in silence. Every answer carries <code>X-Request-Id</code>
      : yours, if you sent one.
    </p>
    <p>
      The same operations as a document for tools: <a href={`${REST_PREFIX}/openapi.json`}>OpenAPI 3.1</a>.
    </p>
  </Guide>
)

const Authentication: FC = () => (
  <Guide anchor="authentication" sample={<Header name="Authorization" value="Bearer pkt_…" />}>
    <p>
      Send your API key as a bearer token. Keys begin with <code>pkt_</code>, are shown once when they are
      made, and can expire or be revoked. A missing or invalid key is answered with 401, an inactive partner
      account with 403.
    </p>
    <p>
      A key can do what its scopes allow; every operation names the one that it needs. The scopes are{' '}
      {SCOPES.map((scope, index) => (
        <>
          {index > 0 ? ', ' : ''}
          <code>{scope}</code>
        </>
      ))}
      .
    </p>
    <p class="note">
      <strong>Deprecated:</strong> the header <code>X-API-Key</code> still works. Its answers carry{' '}
      <code>Deprecation</code> and a link to this section.
    </p>
  </Guide>
)

const Errors: FC<{ routes: readonly DocumentedRoute[] }> = ({ routes }) => {
  const codes = new Set<ErrorCode>([
    'not_found',
    ...routes.flatMap(({ operation }) => errorCodesOf(operation))
  ])
  return (
    <Guide
      anchor="errors"
      sample={
        <Json
          value={{
            success: false,
            error: errorOf('invalid_input').example,
            code: 'invalid_input',
            field: 'email',
            requestId: 'req_8s2k5m1p9v3x7z4b6d0f'
          }}
        />
      }
    >
      <p>
        A refusal has <code>success: false</code> and a sentence in <code>error</code>. Branch on{' '}
        <code>code</code>; <code>field</code> names the input that was wrong. What belongs to another partner
        is answered like what doesn’t exist: 404.
      </p>
      <RefusalList codes={[...codes]} />
    </Guide>
  )
}

const Idempotency: FC = () => (
  <Guide
    anchor="idempotency"
    sample={<Header name="Idempotency-Key" value="0d6f2c1e-4b8a-4f57-9a3d-5e1c7b9f2a60" />}
  >
    <p>
      Send <code>Idempotency-Key</code> with any POST and repeat the request without fear: within 24 hours the
      same key and body get the first answer, marked <code>Idempotent-Replayed: true</code>, and nothing
      happens twice.
    </p>
    <p>
      The same key with another body is 409. So is a repetition while the first request is at work, with{' '}
      <code>Retry-After</code>: ask again then. A request that was refused releases its key. Keys are your
      own, 1 to 255 printable ASCII characters.
    </p>
  </Guide>
)

const RateLimits: FC = () => (
  <Guide
    anchor="rate-limits"
    sample={
      <>
        <Header name="RateLimit-Policy" value='"default";q=6000;w=60' />
        {'\n'}
        <Header name="RateLimit" value='"default";r=5999;t=42' />
      </>
    }
  >
    <p>
      Each key has a budget of requests, over REST and MCP together. <code>RateLimit-Policy</code> tells it (
      <code>q</code> requests in <code>w</code> seconds), <code>RateLimit</code> what is left (<code>r</code>{' '}
      requests for the next <code>t</code> seconds). Beyond it, a request is answered with 429 and not carried
      out: wait as long as <code>Retry-After</code> says.
    </p>
    <p>Requests without a valid key are limited by the address that they come from.</p>
  </Guide>
)

const Pagination: FC = () => (
  <Guide
    anchor="pagination"
    sample={
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
    }
  >
    <p>
      Long lists take <code>page</code> (from 1) and <code>limit</code> (20 by default, 100 at most) and
      answer with a <code>pagination</code> object beside <code>data</code>. The newest come first. Ask for
      the next page while <code>hasNextPage</code> is true.
    </p>
  </Guide>
)

const Mcp: FC<{ baseUrl: string }> = ({ baseUrl }) => (
  <Guide
    anchor="mcp"
    sample={
      <Json
        value={{
          mcpServers: {
            mindgate: {
              url: `${baseUrl}/api/partner-mcp`,
              headers: { Authorization: 'Bearer pkt_…' }
            }
          }
        }}
      />
    }
  >
    <p>
      Agents call the same operations as MCP tools at <code>/api/partner-mcp</code> (Streamable HTTP) with the
      same key. Only the tools that the key’s scopes allow are listed. The name of each tool stands beside its
      operation below.
    </p>
  </Guide>
)
