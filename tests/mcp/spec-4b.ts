// The two tables of specification §4B, copied from its text and not from our schemas: every memory tool with its
// parameters. Beside them remember takes `occurredAt`, for things of the past, and `supersedes`, for what it corrects.
import type { GatewayName } from './tool-faces.ts'

interface Parameter {
  type: 'string'
  isRequired: boolean
  oneOf?: readonly string[]
  byDefault?: string
}

export interface MemoryTool {
  gateway: GatewayName
  name: string
  scope: 'memory:read' | 'memory:write'
  parameters: Readonly<Record<string, Parameter>>
  /** What one call costs: a charge, nothing, or what the table doesn't say. */
  credits: 'charged' | 'free' | 'not stated'
}

const required: Parameter = { type: 'string', isRequired: true }
const optional: Parameter = { type: 'string', isRequired: false }
const reasoningLevel: Parameter = {
  ...optional,
  oneOf: ['standard', 'enhanced', 'deep'],
  byDefault: 'standard'
}

/** Beyond the specification's table. */
const [occurredAt, supersedes] = [optional, optional]

export const MEMORY_TOOLS: readonly MemoryTool[] = [
  {
    gateway: 'customer',
    name: 'internal_memory_remember',
    scope: 'memory:write',
    // `occurredAt` is taken here, too, and not shown.
    parameters: { content: required, mindId: optional, supersedes },
    credits: 'charged'
  },
  {
    gateway: 'customer',
    name: 'internal_memory_recall',
    scope: 'memory:read',
    parameters: { mindId: optional },
    credits: 'free'
  },
  {
    gateway: 'customer',
    name: 'internal_memory_ask',
    scope: 'memory:read',
    parameters: { question: required, reasoningLevel, mindId: optional },
    credits: 'charged'
  },
  {
    gateway: 'partner',
    name: 'memory_list_minds',
    scope: 'memory:read',
    parameters: { customerId: required },
    credits: 'not stated'
  },
  {
    gateway: 'partner',
    name: 'memory_create_mind',
    scope: 'memory:write',
    parameters: { customerId: required, name: required, description: optional },
    credits: 'not stated'
  },
  {
    gateway: 'partner',
    name: 'memory_remember',
    scope: 'memory:write',
    parameters: { customerId: required, content: required, mindId: optional, occurredAt, supersedes },
    credits: 'charged'
  },
  {
    gateway: 'partner',
    name: 'memory_recall',
    scope: 'memory:read',
    parameters: { customerId: required, mindId: optional },
    credits: 'free'
  },
  {
    gateway: 'partner',
    name: 'memory_ask',
    scope: 'memory:read',
    parameters: { customerId: required, question: required, reasoningLevel, mindId: optional },
    credits: 'charged'
  }
]
