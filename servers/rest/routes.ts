// The table of REST routes, made once from the operations.
import { type Kind, kindOf } from '../../schemas/fields.ts'
import type { AnyOperation, HttpRoute } from '../../src/operation.ts'

/** Where the partner API lives (§4A, §9: the version is the `v1` segment). */
export const REST_PREFIX = '/api/v1/mcp'

export interface RestRoute {
  operation: AnyOperation
  method: Uppercase<HttpRoute['method']>
  /** The path in the router's own notation: `/customers/:customerId`. */
  pattern: string
  pathParameters: readonly string[]
  /** Whether what is left of the input comes as JSON; else it comes as the query. */
  takesBody: boolean
  /** Whether the body is the operation's `file`. */
  takesFile: boolean
  kinds: ReadonlyMap<string, Kind>
}

/** In the order of the list. @throws Error when a path names what is no input, or two operations share a route */
export function restRoutes(operations: readonly AnyOperation[]): RestRoute[] {
  const routes = operations.flatMap((operation) =>
    operation.http && operation.channels.includes('rest') ? [routeOf(operation, operation.http)] : []
  )
  const seen = new Set<string>()
  for (const { method, pattern, operation } of routes) {
    // `/a/:x` and `/a/:y` are one route to the router.
    const shape = `${method} ${pattern.replace(/:\w+/g, ':')}`
    if (seen.has(shape))
      throw new Error(`${operation.name} takes a route that another operation has: ${shape}`)
    seen.add(shape)
  }
  return routes
}

function routeOf(operation: AnyOperation, { method, path }: HttpRoute): RestRoute {
  const pathParameters = [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => name ?? [])
  for (const name of pathParameters) {
    if (!(name in operation.input.shape)) throw new Error(`${operation.name} has no input {${name}}`)
  }
  return {
    operation,
    method: UPPER[method],
    pattern: path.replace(/\{(\w+)\}/g, ':$1'),
    pathParameters,
    takesBody: method === 'post' || method === 'patch',
    takesFile: operation.file !== undefined && 'file' in operation.input.shape,
    kinds: new Map(Object.entries(operation.input.shape).map(([name, field]) => [name, kindOf(field)]))
  }
}

const UPPER = { get: 'GET', post: 'POST', put: 'PUT', patch: 'PATCH', delete: 'DELETE' } as const
