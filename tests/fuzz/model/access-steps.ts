// Portal access, team members and voice agents (§3, §4A).
import fc from 'fast-check'
import { expect } from 'vitest'
import { PROVIDERS } from '../../../schemas/voice-agent.ts'
import type { ErrorCode } from '../../../src/errors.ts'
import { stringAt } from '../../support/fixture.ts'
import { type Command, commandsOf, type Fields, type Step } from './command.ts'
import { refuseStranger } from './customer-steps.ts'
import {
  AGENT_IDS,
  findCustomer,
  isSameEmail,
  type ModelCustomer,
  type PartnerModel
} from './partner-model.ts'
import { hasCustomers, references } from './references.ts'

/** A step on one customer that must be there; the rules see the customer itself. */
function onCustomer(
  operation: string,
  rules: {
    input?: Fields
    refusal?(customer: ModelCustomer): ErrorCode | undefined
    accept(customer: ModelCustomer, model: PartnerModel, output: Fields): void
  }
): fc.Arbitrary<Step> {
  return references.map((reference) => ({
    operation,
    isPossible: hasCustomers,
    inputFor: (model, real) => ({ customerId: reference(model, real), ...rules.input }),
    refusalOf(model, input, real) {
      const customer = findCustomer(model, input.customerId)
      return customer ? rules.refusal?.(customer) : refuseStranger(model, input, real)
    },
    accept(model, { customerId }, output) {
      const customer = findCustomer(model, customerId)
      if (customer) rules.accept(customer, model, output)
    }
  }))
}

const needsAccess = ({ record }: ModelCustomer): ErrorCode | undefined =>
  record.credentialStatus === 'none' ? 'portal_access_missing' : undefined

const enable = onCustomer('customer_enable_portal_access', {
  accept({ record }, model) {
    Object.assign(record, { credentialStatus: 'active', customerPortalEnabled: true })
    model.mails.push(`portal_invite ${record.email}`)
  }
})

const toggle = fc.constantFrom(undefined, 'active', 'suspended').chain((wanted) =>
  onCustomer('customer_toggle_portal_block', {
    input: wanted ? { newStatus: wanted } : {},
    refusal: needsAccess,
    accept({ record }, _, output) {
      const newStatus = wanted ?? (record.credentialStatus === 'active' ? 'suspended' : 'active')
      const action = newStatus === 'suspended' ? 'blocked' : 'granted'
      expect(output).toEqual({ newStatus, action, message: expect.any(String) })
      record.credentialStatus = newStatus
    }
  })
)

const reset = onCustomer('customer_send_password_reset', {
  refusal: needsAccess,
  accept: ({ record }, model) => void model.mails.push(`password_reset ${record.email}`)
})

const addMember = fc
  .record({
    email: fc.constantFrom(
      'm1@example.com',
      'M1@example.com',
      'm2@example.com',
      'm3@example.com',
      'ada@example.com'
    ),
    name: fc.constantFrom('Grace', 'مكتب'),
    role: fc.option(fc.constantFrom('admin', 'Boss'), { nil: undefined })
  })
  .chain(({ email, name, role }) =>
    onCustomer('team_member_add', {
      input: { email, name, ...(role ? { role } : {}) },
      refusal({ record, team }) {
        if (!record.enableTeamMembers) return 'team_disabled'
        if (team.some((member) => isSameEmail(member.email, email))) return 'email_exists'
        return team.length >= Number(record.maxTeamMembers) ? 'team_limit_reached' : undefined
      },
      accept({ record, team }, model, output) {
        const id = stringAt(output, 'data', 'id')
        const createdAt = stringAt(output, 'data', 'createdAt')
        const added = {
          id,
          customerId: record.id,
          name,
          email,
          role: role ?? 'member',
          status: 'pending',
          createdAt
        }
        expect(output.data).toEqual(added)
        team.push({ ...added, updatedAt: createdAt })
        model.mails.push(`team_invite ${email}`)
      }
    })
  )

const listTeam = onCustomer('team_member_list', {
  accept: ({ team }, _, output) => expectTeam(team, output)
})

/** In the order of invitation; two of one millisecond in the order of their ids. */
export function expectTeam(team: ModelCustomer['team'], output: Fields): void {
  const orderOf = ({ createdAt, id }: Fields) => `${createdAt} ${id}`
  expect(output.data).toEqual(team.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1)))
}

/** A member of the customer's team, of any of the partner's teams, of the other partner's, or nobody. */
const removeMember: fc.Arbitrary<Step> = fc
  .tuple(references, fc.nat({ max: 5 }), fc.constantFrom('own', 'own', 'own', 'any', 'rival'))
  .map(([reference, pick, whose]) => ({
    operation: 'team_member_remove',
    isPossible: hasCustomers,
    inputFor(model, real) {
      const customerId = reference(model, real)
      const teamsOf = ({ customers }: PartnerModel) => customers.flatMap(({ team }) => team)
      const members = {
        own: findCustomer(model, customerId)?.team ?? [],
        any: teamsOf(model),
        rival: teamsOf(real.rival.model)
      }[whose]
      return { customerId, teamMemberId: members?.[pick % members.length]?.id ?? 'tm_nobody' }
    },
    refusalOf(model, input, real) {
      const customer = findCustomer(model, input.customerId)
      if (!customer) return refuseStranger(model, input, real)
      return customer.team.some(({ id }) => id === input.teamMemberId) ? undefined : 'team_member_not_found'
    },
    accept(model, { customerId, teamMemberId }) {
      const customer = findCustomer(model, customerId)
      if (customer) customer.team = customer.team.filter(({ id }) => id !== teamMemberId)
    }
  }))

const agentIds = fc.constantFrom(...AGENT_IDS, ...AGENT_IDS, 'agent-nobody')

const map: fc.Arbitrary<Step> = fc
  .tuple(fc.constantFrom(...PROVIDERS), agentIds, references, fc.constantFrom(0.5, 1, 1000))
  .map(([provider, agentId, reference, profitMultiplier]) => ({
    operation: `voice_${provider}_agent_map_customer`,
    isPossible: hasCustomers,
    inputFor: (model, real) => ({
      agentId,
      customerId: reference(model, real),
      profitMultiplier,
      confirm: true
    }),
    refusalOf(model, { customerId }) {
      if (!model.agents.has(`${provider} ${agentId}`)) return 'agent_not_found'
      const customer = findCustomer(model, customerId)
      if (!customer) return 'customer_not_found'
      const mapping = model.agents.get(`${provider} ${agentId}`)
      return mapping && mapping.customer !== customer ? 'agent_mapped_elsewhere' : undefined
    },
    accept(model, { customerId }, output) {
      const customer = findCustomer(model, customerId)
      if (!customer) return
      model.agents.set(`${provider} ${agentId}`, { customer, profitMultiplier })
      customer.record.orderStatus = 'active'
      const { id, firstName, lastName, email } = customer.record
      const name = `Agent ${agentId}`
      expect(output.agent).toEqual({
        id: agentId,
        name,
        customer: { id, firstName, lastName, email },
        profitMultiplier
      })
    }
  }))

const unmap: fc.Arbitrary<Step> = fc
  .tuple(fc.constantFrom(...PROVIDERS), agentIds, fc.option(references))
  .map(([provider, agentId, reference]) => ({
    operation: `voice_${provider}_agent_unmap_customer`,
    inputFor: (model, real) => ({ agentId, ...(reference ? { customerId: reference(model, real) } : {}) }),
    refusalOf(model, { customerId }) {
      if (!model.agents.has(`${provider} ${agentId}`)) return 'agent_not_found'
      const mapping = model.agents.get(`${provider} ${agentId}`)
      if (!mapping || customerId === undefined) return undefined
      const customer = findCustomer(model, customerId)
      if (!customer) return 'customer_not_found'
      return mapping.customer === customer ? undefined : 'agent_mapped_elsewhere'
    },
    accept(model, _, output) {
      model.agents.set(`${provider} ${agentId}`, undefined)
      expect(output.agent).toEqual({
        id: agentId,
        name: `Agent ${agentId}`,
        customer: null,
        profitMultiplier: null
      })
    }
  }))

export const accessCommands: fc.Arbitrary<Command>[] = [
  commandsOf(enable, true),
  commandsOf(toggle, true),
  commandsOf(toggle),
  commandsOf(reset, true),
  commandsOf(addMember, true),
  commandsOf(addMember),
  commandsOf(addMember),
  commandsOf(listTeam),
  commandsOf(removeMember),
  commandsOf(map, true),
  commandsOf(map),
  commandsOf(unmap, true)
]
