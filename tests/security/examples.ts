// One valid input for every operation, pointing at a given fixture. A new operation without one fails the boundary tests.

import { type Fixture, unique, uniqueEmail } from '../support/fixture.ts'
import { HOST_KEY } from '../support/instances.ts'

export function exampleInputs(fixture: Fixture): Record<string, Record<string, unknown>> {
  const { customerId, code, agentA, agentB, teamMemberId, planId, mindId, memoryId, instanceId } = fixture
  return {
    customer_onboard: { basic: { email: uniqueEmail() }, planId },
    customer_create: { email: uniqueEmail() },
    customer_list: {},
    customer_get: { customerId },
    customer_find: { isOnTrial: false },
    customer_labels: {},
    billing_settings_get: {},
    billing_settings_set: { timeZone: 'Europe/Lisbon' },
    dashboard_get: {},
    memory_work_get: { customerId, mindId },
    memory_work_retry: { customerId, mindId },
    customer_update: { customerId, firstName: 'Mallory', enableAiMemory: true },
    customer_erase: { customerId, confirm: code },
    customer_enable_portal_access: { customerId },
    customer_toggle_portal_block: { customerId },
    customer_send_password_reset: { customerId },
    voice_a_agent_map_customer: { agentId: agentA, customerId, profitMultiplier: 3 },
    voice_a_agent_unmap_customer: { agentId: agentA },
    voice_b_agent_map_customer: { agentId: agentB, customerId, profitMultiplier: 3 },
    voice_b_agent_unmap_customer: { agentId: agentB },
    voice_agent_list: { customerId },
    // Nobody listens there; with its host key a server can be registered before it is up.
    instance_register: {
      customerId,
      host: '127.0.0.1',
      port: 1,
      root: `/${unique('root')}`,
      hostKey: HOST_KEY
    },
    instance_list: { customerId },
    instance_get: { instanceId },
    instance_test: { instanceId },
    instance_remove: { instanceId },
    instance_deploy: { instanceId, businessName: 'Clínica Sol' },
    instance_deploy_status: { instanceId },
    instance_deploy_get: { instanceId, deployId: 'dep_none' },
    team_member_add: { customerId, email: uniqueEmail(), name: 'Mallory' },
    team_member_list: { customerId },
    team_member_remove: { customerId, teamMemberId },
    credits_balance: {},
    credits_entries: {},
    customer_credits_balance: { customerId },
    credits_grant: { customerId, amount: 5, note: 'A gift' },
    customer_credits_entries: { customerId },
    customer_credit_daily: { customerId },
    usage_summary: { customerId },
    usage_list: { customerId },
    usage_export: { customerId },
    usage_unattributed: {},
    ai_usage: { customerId },
    memory_list_minds: { customerId },
    memory_create_mind: { customerId, name: 'Contracts' },
    memory_remember: { customerId, content: 'Mallory: I moved to Lisbon.', mindId },
    memory_recall: { customerId, mindId },
    memory_ask: { customerId, question: 'What is the code word?', mindId },
    memory_forget: { customerId, mindId, memoryId },
    memory_forget_mind: { customerId, mindId },
    memory_export: { customerId, mindId },
    customer_token_list: { customerId },
    customer_token_mint: { customerId, name: 'assistant' },
    customer_token_revoke: { customerId, tokenId: 'tok_none' },
    customer_token_list_all: {},
    plan_list: { kind: 'subscription' },
    plan_create: { name: 'Pro', kind: 'subscription', features: { trialDays: 14 } },
    audit_list: { targetId: customerId },
    api_key_list: {},
    api_key_mint: { name: 'batch' },
    api_key_revoke: { keyId: 'key_none' },
    brand_get: {},
    brand_update: { name: 'Acme Voice' },
    brand_logo_set: { image: '' },
    brand_logo_remove: {},
    provider_key_list: {},
    provider_key_set: { provider: 'a', key: 'secret' },
    provider_key_test: { provider: 'a' },
    provider_key_remove: { provider: 'a' },
    mail_list: {},
    mail_resend: { mailId: 'mail_none' }
  }
}

/** The ids by which an operation points at a record; each is crossed on its own. */
export const REFERENCES = [
  'customerId',
  'agentId',
  'teamMemberId',
  'planId',
  'mindId',
  'memoryId',
  'instanceId'
] as const
