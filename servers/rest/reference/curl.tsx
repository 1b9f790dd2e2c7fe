import type { FC } from 'hono/jsx'
import type { DocumentedRoute } from '../documented-route.ts'

/** A request that can be pasted once MINDGATE_API and MINDGATE_KEY are set. */
export const Curl: FC<{ route: DocumentedRoute }> = ({ route }) => {
  const method = route.method === 'GET' ? '' : `-X ${route.method} `
  return (
    <>
      <span class="key">curl</span> {method}
      <span class="string">"$MINDGATE_API{pathWithExamples(route)}"</span>
      {' \\\n  -H '}
      <span class="string">"Authorization: Bearer $MINDGATE_KEY"</span>
      {route.body ? (
        <>
          {' \\\n  -H '}
          <span class="string">"Content-Type: application/json"</span>
          {' \\\n  -d '}
          <span class="string">{shellQuoted(JSON.stringify(route.body.example, null, 2))}</span>
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
