// The tools that a caller's scopes allow, written out once per set of scopes.
import type { Scope } from '../../schemas/api-key.ts'
import type { Caller } from '../../src/caller.ts'
import type { Tool } from './tool.ts'

export interface ToolList {
  /** Whether the caller may use it or not. */
  find(name: string): Tool | undefined
  /** JSON of the `tools` array for these scopes, the same text each time; `undefined` when none of them opens a tool. */
  jsonFor(scopes: Caller['scopes']): string | undefined
  scopes: readonly Scope[]
}

/** @throws Error when two tools share a name */
export function createToolList(tools: readonly Tool[]): ToolList {
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  if (byName.size !== tools.length) throw new Error('Two MCP tools share a name')
  const definitions = tools.map(({ operation, definition }) => ({
    scope: operation.scope,
    json: JSON.stringify(definition)
  }))
  const scopes = [...new Set(definitions.map(({ scope }) => scope))]
  const written = new Map<string, string | undefined>()
  return {
    scopes,
    find: (name) => byName.get(name),
    jsonFor(granted) {
      // Only scopes that open a tool count, so the map stays as small as their combinations.
      const key = scopes.map((scope) => (granted.has(scope) ? '1' : '0')).join('')
      if (!written.has(key)) {
        const visible = definitions.filter(({ scope }) => granted.has(scope)).map(({ json }) => json)
        written.set(key, visible.length > 0 ? `[${visible.join(',')}]` : undefined)
      }
      return written.get(key)
    }
  }
}
