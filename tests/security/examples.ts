// One valid input for every operation, pointing at a given world. A new operation without one fails the boundary tests.
import { uniqueEmail, type World } from '../support/world.ts'

export function exampleInputs(world: World): Record<string, Record<string, unknown>> {
  const { customerId, agentA, agentB, teamMemberId, planId, mindId, memoryId } = world
  return {
    customer_onboard: { basic: { email: uniqueEmail() }, planId },
    customer_create: { email: uniqueEmail() },
    customer_list: {},
    customer_get: { customerId },
    customer_update: { customerId, firstName: 'Mallory', enableAiMemory: true },
    customer_enable_portal_access: { customerId },
    customer_toggle_portal_block: { customerId },
    customer_send_password_reset: { customerId },
    voice_a_agent_map_customer: { agentId: agentA, customerId, profitMultiplier: 3 },
    voice_a_agent_unmap_customer: { agentId: agentA },
    voice_b_agent_map_customer: { agentId: agentB, customerId, profitMultiplier: 3 },
    voice_b_agent_unmap_customer: { agentId: agentB },
    team_member_add: { customerId, email: uniqueEmail(), name: 'Mallory' },
    team_member_list: { customerId },
    team_member_remove: { customerId, teamMemberId },
    credits_balance: {},
    credits_entries: {},
    customer_credits_balance: { customerId },
    credits_grant: { customerId, amount: 5, note: 'A gift' },
    customer_credits_entries: { customerId },
    memory_list_minds: { customerId },
    memory_create_mind: { customerId, name: 'Contracts' },
    memory_remember: { customerId, content: 'Mallory: I moved to Lisbon.', mindId },
    memory_recall: { customerId, mindId },
    memory_ask: { customerId, question: 'What is the code word?', mindId },
    memory_forget: { customerId, mindId, memoryId },
    memory_forget_mind: { customerId, mindId },
    memory_export: { customerId, mindId }
  }
}

/** The ids by which an operation points at a record; each is crossed on its own. */
export const REFERENCES = ['customerId', 'agentId', 'teamMemberId', 'planId', 'mindId', 'memoryId'] as const
