// The one list of all operations: REST routes, MCP tools, OpenAPI document and reference are made from it.
import type { AnyOperation } from './operation.ts'

export const operations: readonly AnyOperation[] = []
