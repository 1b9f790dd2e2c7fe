// An operation as an MCP tool: described once at start, in the words and limits that clients accept.
import { z } from 'zod'
import type { Caller } from '../../src/caller.ts'
import { onceFor } from '../../src/once.ts'
import type { AnyOperation } from '../../src/operation.ts'
import { compactSchema } from './compact-schema.ts'

export interface Tool {
  name: string
  operation: AnyOperation
  inputSchema: Readonly<Record<string, unknown>>
  /** Takes the names of the fields to clear, where there are any: over MCP null says nothing. */
  clearing: ReturnType<typeof clearingOf>
  definition: Readonly<Record<string, unknown>>
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
}

/** The tools of every operation that is offered over MCP, in the list's order. */
export const toolsOf = onceFor((operations: readonly AnyOperation[]): readonly Tool[] =>
  operations.filter(({ channels }) => channels.includes('mcp')).map((operation) => makeTool(operation))
)

export function makeTool(operation: AnyOperation, options: ToolOptions = {}): Tool {
  const { fixedKeys = [], fixedInput = () => ({}) } = options
  const { name, title, summary } = { ...operation, ...options }
  const { annotations } = operation
  const input = without(operation.input, fixedKeys)
  const clearing = clearingOf(input)
  const inputSchema = compactSchema(clearing ? input.extend(clearing.shape) : input, 'input')
  return {
    name,
    operation,
    inputSchema,
    clearing,
    fixedInput,
    definition: {
      name,
      title,
      description: summary,
      inputSchema,
      outputSchema: compactSchema(operation.output, 'output'),
      annotations: {
        title,
        readOnlyHint: annotations.readOnly,
        destructiveHint: annotations.destructive,
        idempotentHint: annotations.idempotent,
        openWorldHint: annotations.openWorld
      }
    }
  }
}

const without = (input: z.ZodObject, keys: readonly string[]): z.ZodObject =>
  keys.length === 0
    ? input
    : z.strictObject(Object.fromEntries(Object.entries(input.shape).filter(([key]) => !keys.includes(key))))

/** `clear`, with the names of the inputs that the operation clears by null. */
function clearingOf({ shape }: z.ZodObject) {
  const names = Object.keys(shape).filter((name) => z.safeParse(shape[name] ?? z.never(), null).data === null)
  if (names.length === 0) return undefined
  return z.object({ clear: z.array(z.enum(names)).optional().describe('Fields to empty') })
}
