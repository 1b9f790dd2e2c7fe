// Names in which there is nothing to see.
import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { MintApiKey } from '../../schemas/api-key.ts'
import { CreateCustomer, OnboardCustomer, UpdateCustomer } from '../../schemas/customer.ts'
import { MintCustomerToken } from '../../schemas/customer-token.ts'
import { BusinessName } from '../../schemas/deploy.ts'
import { RegisterInstance } from '../../schemas/instance.ts'
import { CreateMind } from '../../schemas/mind.ts'
import { Brand, CreatePartner } from '../../schemas/partner.ts'
import { CreatePlan } from '../../schemas/plan.ts'
import { AddTeamMember } from '../../schemas/team-member.ts'
import { ImportedVoiceAgent } from '../../schemas/voice-agent.ts'

const email = 'ada@example.com'

/** Each with a name in one of its fields. */
const NAMED: Record<string, (name: string) => z.ZodSafeParseResult<unknown>> = {
  'a team member': (name) => AddTeamMember.safeParse({ customerId: 'c', email, name }),
  'a team member’s role': (role) => AddTeamMember.safeParse({ customerId: 'c', email, name: 'Ada', role }),
  'a customer’s first name': (firstName) => CreateCustomer.safeParse({ email, firstName }),
  'a customer’s last name': (lastName) => UpdateCustomer.safeParse({ lastName }),
  'a customer’s company': (companyName) =>
    OnboardCustomer.safeParse({ basic: { email }, business: { companyName } }),
  'a deployment status': (deploymentStatus) => UpdateCustomer.safeParse({ deploymentStatus }),
  'a plan': (name) => CreatePlan.safeParse({ name, kind: 'credit', features: {} }),
  'an API key': (name) => MintApiKey.safeParse({ name, scopes: ['customers:read'] }),
  'a token': (name) => MintCustomerToken.safeParse({ name, scopes: ['memory:read'] }),
  'a Mind': (name) => CreateMind.safeParse({ customerId: 'c', name }),
  'a server': (name) => RegisterInstance.shape.name.safeParse(name),
  'a business': (name) => BusinessName.safeParse(name),
  'a partner': (name) => CreatePartner.shape.name.safeParse(name),
  'a brand': (name) => Brand.safeParse({ name }),
  'a voice agent': (name) => ImportedVoiceAgent.safeParse({ id: 'a', name })
}

/** A blank, and what looks like one: joiners, fillers, direction marks, empty Braille. */
const INVISIBLE = [
  ' ',
  '\u00a0\u2003',
  '\u200b',
  '\u200d\u2060',
  '\u00ad',
  '\u3164',
  '\u115f\u1160',
  '\u202e',
  '\u2800',
  '\ufe0f'
]
const VISIBLE = ['Zoë', ' Ada ', '山田', 'ندى', '👩\u200d💻', '-', '\u200fשרה']

describe.each(Object.entries(NAMED))('the name of %s', (_, parse) => {
  it.each(INVISIBLE)('can’t be made of what nobody sees (%j)', (name) => {
    expect(parse(name).success).toBe(false)
    expect(parse(name.repeat(3)).success).toBe(false)
  })

  it.each(VISIBLE)('can be %j', (name) => {
    expect(parse(name).success).toBe(true)
  })
})
