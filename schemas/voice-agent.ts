// Voice agents of the two providers and their mapping to customers (§2.3).
import { z } from 'zod'
import { PageQuery, Pagination } from './envelope.ts'
import { CustomerId, optionalName, RecordId, requiredLine, StoredEmail } from './primitives.ts'

/** The two voice-agent providers: A speaks Vapi's API, B Retell's. */
export const PROVIDERS = ['a', 'b'] as const
export type Provider = (typeof PROVIDERS)[number]

/** Body and path of map-customer. */
export const MapVoiceAgent = z.strictObject({
  agentId: RecordId.describe('The provider’s agent id'),
  customerId: CustomerId,
  profitMultiplier: z.number().gt(0).max(1000).describe('Multiplies call costs for billing')
})

/** Path of unmap-customer; `customerId`, if given, must be the mapped one. */
export const UnmapVoiceAgent = z.strictObject({
  agentId: RecordId,
  customerId: CustomerId.optional().describe('If given, must be the mapped customer')
})

const agent = { id: z.string(), name: z.string() }
const mappedCustomer = z.object({
  id: z.string(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  email: StoredEmail
})

export const MappedVoiceAgent = z
  .object({ ...agent, customer: mappedCustomer, profitMultiplier: z.number() })
  .meta({ id: 'MappedVoiceAgent' })

export const UnmappedVoiceAgent = z
  .object({ ...agent, customer: z.null(), profitMultiplier: z.null() })
  .meta({ id: 'UnmappedVoiceAgent' })

export const MapVoiceAgentResult = z.object({ agent: MappedVoiceAgent, message: z.string() })
export const UnmapVoiceAgentResult = z.object({ agent: UnmappedVoiceAgent, message: z.string() })

/** One line of the file that `mindgate agent import` reads. */
export const ImportedVoiceAgent = z.object({ id: requiredLine(100), name: optionalName(200) })

export const ImportVoiceAgents = z.strictObject({
  provider: z.enum(PROVIDERS),
  agents: z.array(ImportedVoiceAgent)
})
export const VoiceAgentsImported = z.object({ imported: z.int() })

/** Query of GET /voice-agents. */
export const ListVoiceAgents = PageQuery.extend({
  provider: z.enum(PROVIDERS).optional(),
  isMapped: z.boolean().optional().describe('Only agents that are mapped, or only those that are not'),
  customerId: CustomerId.optional()
})

/** A voice agent with its mapping, if it has one. */
export const VoiceAgent = z
  .object({
    ...agent,
    provider: z.enum(PROVIDERS),
    customer: mappedCustomer.nullable(),
    profitMultiplier: z.number().nullable()
  })
  .meta({ id: 'VoiceAgent' })

export const VoiceAgentPage = z.object({ data: z.array(VoiceAgent), pagination: Pagination })
