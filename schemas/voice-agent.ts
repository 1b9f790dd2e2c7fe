// Voice agents of the two providers and their mapping to customers (§2.3).
import { z } from 'zod'
import { Customer } from './customer.ts'
import { message, PageQuery, pageOf } from './envelope.ts'
import {
  CustomerId,
  inMillionths,
  line,
  optionalName,
  RecordId,
  requiredLine,
  said,
  Timestamp,
  told
} from './primitives.ts'

export const PROVIDERS = ['a', 'b'] as const
export type Provider = (typeof PROVIDERS)[number]

/** Whose API each speaks, and where a partner finds its key. */
export const PROVIDER_APIS: Readonly<Record<Provider, { name: string; keyPlace: string }>> = {
  a: { name: 'Vapi', keyPlace: 'Vapi’s dashboard has it under API keys: the private one.' },
  b: { name: 'Retell', keyPlace: 'Retell’s dashboard has it under API keys.' }
}

const AGENT_ID = ['The provider’s agent id.', '5f3c9b52-8a1d-4e0f-9c6b-2d7e41a8f0c3'] as const
const MULTIPLIER = [
  'Multiplies call costs for billing: 1 bills them as they are, 1.2 with 20 % on top. Above 0, at most 1000, with at most 6 decimals.',
  1.5
] as const
const PROVIDER = ['Voice-agent provider: `a` speaks Vapi’s API, `b` Retell’s.', 'a'] as const
const MAPPED_TO = 'The customer that the agent is mapped to.'

export const MapVoiceAgent = z.strictObject({
  agentId: said(RecordId, ...AGENT_ID).describe('The provider’s agent id'),
  customerId: CustomerId,
  profitMultiplier: said(inMillionths(z.number().gt(0).max(1000)), ...MULTIPLIER, {
    label: 'Multiplier',
    help: '1 bills a call at what it cost, 1.2 at cost + 20 %. Above 0, at most 1000, with at most 6 decimals.'
  }).describe('1 bills calls at cost, 1.2 at cost + 20 %'),
  since: said(
    Timestamp,
    'In the past, to backdate: calls that ended since are billed so, and anew where they were billed otherwise. Now, if left out.',
    '2026-01-01T00:00:00Z',
    {
      label: 'Since (UTC)',
      help: 'Empty is now. A time in the past also bills the calls that ended since, anew where they were billed.'
    }
  )
    .optional()
    .describe('To backdate it; now if left out'),
  confirm: told
    .flag(
      'Needed for a multiplier below 1 or above 5, which is more often a slip (20 for 20 %) than meant.',
      true,
      {
        label: 'The multiplier is meant so',
        help: 'Needed below 1, where you would pay for calls, and above 5.'
      }
    )
    .optional()
    .describe('Needed below 1 and above 5')
})

const provider = z.enum(PROVIDERS).describe('a: Vapi, b: Retell')

/** As tools have it: one for both providers. */
export const MapAnyVoiceAgent = z.strictObject({ provider, ...MapVoiceAgent.shape })

/** Path of unmap-customer; `customerId`, if given, must be the mapped one. */
export const UnmapVoiceAgent = z.strictObject({
  agentId: said(RecordId, ...AGENT_ID),
  customerId: CustomerId.optional().describe('Checked if given')
})

export const UnmapAnyVoiceAgent = z.strictObject({ provider, ...UnmapVoiceAgent.shape })

const agent = {
  id: told.text(...AGENT_ID),
  name: told.text('The agent’s name at the provider.', 'Front desk')
}
const mappedCustomer = Customer.pick({ id: true, firstName: true, lastName: true, email: true })

const MappedVoiceAgent = z
  .object({
    ...agent,
    customer: said(mappedCustomer, MAPPED_TO),
    profitMultiplier: told.amount(...MULTIPLIER)
  })
  .meta({ id: 'MappedVoiceAgent' })

const UnmappedVoiceAgent = z
  .object({ ...agent, customer: said(z.null(), MAPPED_TO), profitMultiplier: said(z.null(), ...MULTIPLIER) })
  .meta({ id: 'UnmappedVoiceAgent' })

const answerOf = <Agent extends z.ZodType>(mapped: Agent) =>
  z.object({ agent: said(mapped, 'The voice agent and its mapping.'), message: message() })
export const MapVoiceAgentResult = answerOf(MappedVoiceAgent)
export const UnmapVoiceAgentResult = answerOf(UnmappedVoiceAgent)

/** One line of the file that `mindgate agent import` reads. */
export const ImportedVoiceAgent = z.object({ id: requiredLine(100), name: optionalName(200) })

export const ImportVoiceAgents = z.strictObject({
  provider: z.enum(PROVIDERS),
  agents: z.array(ImportedVoiceAgent)
})
export const VoiceAgentsImported = z.object({ imported: z.int() })

export const ListVoiceAgents = PageQuery.extend({
  search: said(line(200), 'Text in the agent’s name or id, in any case.', 'front desk').optional(),
  provider: said(z.enum(PROVIDERS), ...PROVIDER).optional(),
  isMapped: told
    .flag('Only agents that are mapped to a customer, or only those that are not.', true)
    .optional(),
  customerId: CustomerId.optional()
})

export const VoiceAgent = z
  .object({
    ...agent,
    provider: said(z.enum(PROVIDERS), ...PROVIDER),
    customer: said(mappedCustomer.nullable(), MAPPED_TO),
    profitMultiplier: told.amount(...MULTIPLIER).nullable(),
    since: told
      .time('Since when calls are billed so; `null` when it is mapped to nobody.', '2026-01-15T10:00:00.000Z')
      .nullable()
  })
  .meta({ id: 'VoiceAgent' })

export const VoiceAgentPage = pageOf(VoiceAgent)
