// Operations as MCP tools, described once, when first asked for, in the words and limits that clients accept; and the list of those that
// a caller's scopes allow, written out once per set of scopes.
import type { Tool as Definition } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { AnyScope } from '../../schemas/api-key.ts'
import type { Caller } from '../../src/caller.ts'
import { lazily, onceFor, onceForValue } from '../../src/once.ts'
import type { AnyOperation } from '../../src/operation.ts'
import type { JsonSchema } from '../json-schema.ts'
import { compactSchema } from './compact-schema.ts'
import { type MarkTexts, textsOf } from './stored-text.ts'

export interface Tool {
  name: string
  operation: AnyOperation
  inputSchema: JsonSchema
  /** Takes the names of the fields to clear, where there are any: over MCP null says nothing. */
  clearing: ReturnType<typeof clearingOf>
  definition: Definition
  /** Marks what others wrote in its answer, where there is such text. */
  markTexts: MarkTexts | undefined
  /** Input that the credential decides, whatever the arguments say. */
  fixedInput(caller: Caller): Readonly<Record<string, unknown>>
}

interface ToolOptions {
  /** The operation's own words unless told otherwise. */
  name?: string
  title?: string
  summary?: string
  /** Takes these keys out of the input that a model sees. */
  fixedKeys?: readonly string[]
  fixedInput?: Tool['fixedInput']
  /** Are taken, and not shown to a model. */
  quietKeys?: readonly string[]
}

/** The tools of every operation that is offered over MCP, in the list's order. */
export const toolsOf = onceFor((operations: readonly AnyOperation[]): readonly Tool[] =>
  operations.filter(({ channels }) => channels.includes('mcp')).map((operation) => makeTool(operation))
)

export function makeTool(operation: AnyOperation, options: ToolOptions = {}): Tool {
  const { fixedKeys = [], quietKeys = [], fixedInput = () => ({}) } = options
  const { name, title, summary } = { ...operation, ...options }
  const input = without(operation.input, fixedKeys)
  const clearing = clearingOf(input)
  const described = lazily(() => compactSchema(clearing ? input.extend(clearing.shape) : input, 'input'))
  const marking = lazily(() => textsOf(operation))
  const defined = lazily((): Definition => {
    const inputSchema = quietKeys.length > 0 ? compactSchema(without(input, quietKeys), 'input') : described()
    const annotations = hintsOf(operation)
    return JSON.parse(JSON.stringify({ name, title, description: summary, inputSchema, annotations }))
  })
  return {
    name,
    operation,
    get inputSchema() {
      return described()
    },
    clearing,
    fixedInput,
    get markTexts() {
      return marking()
    },
    get definition() {
      return defined()
    }
  }
}

/** MCP's hints but for the one by which no client is known to go. */
const hintsOf = ({ annotations }: AnyOperation) => ({
  readOnlyHint: annotations.readOnly,
  destructiveHint: annotations.destructive,
  openWorldHint: annotations.openWorld
})

const without = (input: z.ZodObject, keys: readonly string[]): z.ZodObject =>
  keys.length === 0
    ? input
    : z.strictObject(Object.fromEntries(Object.entries(input.shape).filter(([key]) => !keys.includes(key))))

/** `clear`, with the names of the inputs that the operation clears by null. */
function clearingOf({ shape }: z.ZodObject) {
  const names = Object.keys(shape).filter((name) => z.safeParse(shape[name] ?? z.never(), null).data === null)
  if (names.length === 0) return undefined
  return z.object({ clear: z.array(z.enum(names)).optional().describe('Names of fields to empty') })
}

export interface ToolList {
  /** Whether the caller may use it or not. */
  find(name: string): Tool | undefined
  /** What is listed for these scopes, the same list each time; none where they open no tool. */
  definitionsFor(scopes: Caller['scopes']): Definition[]
  /** Whether a tool of that name is listed for these scopes. */
  hasFor(scopes: Caller['scopes']): (name: string) => boolean
  /** The tool that recalls, where these scopes open it. */
  recallFor(scopes: Caller['scopes']): Tool | undefined
  scopes: readonly AnyScope[]
}

/** @throws Error when two tools share a name */
export function createToolList(tools: readonly Tool[]): ToolList {
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  if (byName.size !== tools.length) throw new Error('Two MCP tools share a name')
  const listed = tools.filter(({ operation }) => !operation.isUnlisted)
  const recall = tools.find(({ operation }) => operation.name === 'memory_recall')
  const scopes = [...new Set(listed.map(({ operation }) => operation.scope))]
  // Only scopes that open a tool count, so that there are as few lists as their combinations.
  const listFor = onceForValue((key) =>
    listed
      .filter(({ operation }) => key.split(' ').includes(operation.scope))
      .map(({ definition }) => definition)
  )
  const definitionsFor: ToolList['definitionsFor'] = (granted) =>
    listFor(scopes.filter((scope) => granted.has(scope)).join(' '))
  return {
    scopes,
    find: (name) => byName.get(name),
    definitionsFor,
    hasFor: (granted) => (name) => definitionsFor(granted).some((definition) => definition.name === name),
    recallFor: (granted) => (recall && granted.has(recall.operation.scope) ? recall : undefined)
  }
}
