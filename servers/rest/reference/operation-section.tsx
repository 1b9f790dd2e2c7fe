// One operation: what it does at the left, how to call it at the right.
import type { FC } from 'hono/jsx'
import type { JsonSchema } from '../../json-schema.ts'
import type { Components } from '../components.ts'
import type { DocumentedRoute, Parameter } from '../documented-route.ts'
import { errorCodesOf } from '../error-codes.ts'
import { REST_PREFIX } from '../routes.ts'
import { FieldList } from './fields.tsx'
import { ASKED_URL, CodeCard, InlineText, Json, RefusalList } from './parts.tsx'

export const anchorOf = ({ operation }: DocumentedRoute): string => operation.name.replaceAll('_', '-')

export const MethodBadge: FC<{ method: string }> = ({ method }) => (
  <span class={`method ${method.toLowerCase()}`}>{method}</span>
)

export const OperationSection: FC<{ route: DocumentedRoute; components: Components }> = ({
  route,
  components
}) => {
  const { operation, method, path, parameters, body, answer } = route
  const taken = [
    { title: 'Path parameters', schema: asFields(parameters.filter((one) => one.in === 'path')) },
    { title: 'Query parameters', schema: asFields(parameters.filter((one) => one.in === 'query')) },
    { title: 'Body', schema: body?.schema }
  ]
  const facts = {
    Scope: operation.scope,
    ...(operation.channels.includes('mcp') && { 'MCP tool': operation.name })
  }
  const anchor = anchorOf(route)
  return (
    <article id={anchor} class="operation">
      <header>
        <h3>
          <a href={`#${anchor}`}>{operation.title}</a>
        </h3>
        <p class="endpoint">
          <MethodBadge method={method} />
          <code>
            <BreakablePath path={REST_PREFIX + path} />
          </code>
        </p>
      </header>
      <div class="said stack">
        <p>
          <InlineText text={operation.summary} />
        </p>
        <dl class="facts">
          {Object.entries(facts).map(([fact, name]) => (
            <div>
              <dt>{fact}</dt>
              <dd>
                <code>{name}</code>
              </dd>
            </div>
          ))}
        </dl>
        {taken.map(({ title, schema }) =>
          schema ? (
            <>
              <h4>{title}</h4>
              <FieldList schema={schema} components={components} marksRequired />
            </>
          ) : null
        )}
        <h4>Response</h4>
        <FieldList schema={answer.schema} components={components} />
        <Refusals route={route} />
      </div>
      <div class="shown stack">
        <CodeCard title="Request" label={`Request: ${operation.title}`}>
          <Curl route={route} />
        </CodeCard>
        <TryIt route={route} />
        <CodeCard
          title={
            operation.lines ? 'Response · 200, each line' : `Response · ${operation.http?.status ?? 200}`
          }
          label={`Response: ${operation.title}`}
        >
          {answer.example ? <Json value={answer.example} /> : 'The file itself.'}
        </CodeCard>
      </div>
    </article>
  )
}

/** Parameters as an object that holds them. */
const asFields = (parameters: readonly Parameter[]): JsonSchema | undefined =>
  parameters.length === 0
    ? undefined
    : {
        properties: Object.fromEntries(
          parameters.map(({ name, schema, description }) => [name, { ...schema, description }])
        ),
        required: parameters.filter(({ isRequired }) => isRequired).map(({ name }) => name)
      }

const Refusals: FC<{ route: DocumentedRoute }> = ({ route }) => {
  const own = route.operation.errors
  const others = errorCodesOf(route.operation).length - own.length
  return (
    <>
      <h4>Errors</h4>
      <RefusalList codes={own} />
      <p class="aside">
        {own.length > 0 ? 'And' : 'Only'}{' '}
        <a href={`${REST_PREFIX}/reference#errors`}>the {others} that belong to every such call</a>.
      </p>
    </>
  )
}

/** A path may break before each slash, never inside a word. */
const BreakablePath: FC<{ path: string }> = ({ path }) => (
  <>
    {path
      .split('/')
      .slice(1)
      .map((segment) => (
        <>
          <wbr />/{segment.startsWith('{') ? <i>{segment}</i> : segment}
        </>
      ))}
  </>
)

/** What the script makes a form of. Files are left to curl. */
const TryIt: FC<{ route: DocumentedRoute }> = ({ route }) => {
  const { operation, method, body, answer } = route
  if (!answer.example || (body && !body.example)) return null
  return (
    <details
      class="try"
      data-method={method}
      data-url={REST_PREFIX + pathWithExamples(route)}
      data-body={body && JSON.stringify(body.example, null, 2)}
      data-asks={operation.annotations.destructive ? operation.title : undefined}
    >
      <summary aria-label={`Try it: ${operation.title}`}>Try it</summary>
    </details>
  )
}

/** A request that can be pasted once MINDGATE_KEY is set. */
const Curl: FC<{ route: DocumentedRoute }> = ({ route }) => {
  const method = route.method === 'GET' ? '' : `-X ${route.method} `
  return (
    <>
      <span class="key">curl</span> {method}
      <span class="string">"{ASKED_URL + REST_PREFIX + pathWithExamples(route)}"</span>
      {' \\\n  -H '}
      <span class="string">"Authorization: Bearer $MINDGATE_KEY"</span>
      {route.body ? (
        <>
          {' \\\n  -H '}
          <span class="string">"Content-Type: {route.body.mediaType}"</span>
          {route.body.example ? ' \\\n  -d ' : ' \\\n  -T '}
          <span class="string">
            {route.body.example ? shellQuoted(JSON.stringify(route.body.example, null, 2)) : 'agent.tar.gz'}
          </span>
        </>
      ) : null}
    </>
  )
}

/** The path with its parameters filled in and a query that shows how. */
function pathWithExamples({ path, parameters }: DocumentedRoute): string {
  const filled = parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce((text, { name, example }) => text.replace(`{${name}}`, encodeURIComponent(String(example))), path)
  const query = parameters
    .filter(({ in: place, name }) => place === 'query' && ['limit', 'search'].includes(name))
    .map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`)
  return query.length > 0 ? `${filled}?${query.join('&')}` : filled
}

const shellQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
