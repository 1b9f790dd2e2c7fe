// One valid input for every operation, pointing at a given fixture. A new operation without one fails the boundary tests.
import type { AnyOperation, Channel } from '../../src/operation.ts'
import { operations } from '../../src/operations.ts'
import { type Fixture, unique, uniqueEmail } from '../support/fixture.ts'
import { HOST_KEY } from '../support/instances.ts'

/** Those that somebody beside whoever runs the service may call. */
export const OF_TENANTS = operations.filter(({ channels }) =>
  channels.some((channel) => channel !== 'operator')
)

export const offeredAt = (channel: Channel) => operations.filter(({ channels }) => channels.includes(channel))

/** What names a record, of whatever the operation takes. */
export const idsOf = ({ input }: AnyOperation): string[] =>
  Object.keys(input.shape).filter(
    (name) => /Ids?$|^(ids|emails|undo|supersedes|replaces)$/.test(name) && name !== 'telegramChatId'
  )

const WORDS = { template: 'low_credit', language: 'de', subject: 'Hallo', intro: null, outro: null }

export function exampleInputs(fixture: Fixture): Record<string, Record<string, unknown>> {
  const {
    customerId,
    code,
    agentA,
    agentB,
    teamMemberId,
    planId,
    mindId,
    memoryId,
    instanceId,
    statementId,
    webhookId
  } = fixture
  return {
    customer_onboard: { basic: { email: uniqueEmail() }, planId },
    customer_create: { email: uniqueEmail() },
    customer_list: {},
    customer_get: { customerId },
    customer_find: { isOnTrial: false },
    customer_export: { isOnTrial: false },
    customer_labels: {},
    customer_estimate: {},
    customer_view_portal: { customerId },
    customer_reset_factors: { customerId },
    security_get: {},
    security_update: { demandsTeamFactor: false, demandsCustomerFactor: false },
    voice_agent_refresh: { provider: 'a' },
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
    voice_agent_map: { provider: 'a', agentId: agentA, customerId, profitMultiplier: 3 },
    voice_agent_unmap: { provider: 'b', agentId: agentB },
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
    instance_find: { customerId, trouble: 'failedAt' },
    instance_get: { instanceId },
    instance_test: { instanceId },
    instance_remove: { instanceId },
    instance_deploy: { instanceId, businessName: 'Clínica Sol', confirmReinstall: true },
    instance_deploy_status: { instanceId },
    instance_configure: { instanceId, instructions: 'Sell everything' },
    rollout_start: {},
    rollout_get: {},
    rollout_cancel: {},
    instance_logs: { instanceId },
    instance_health: { instanceId },
    instance_usage: { instanceId },
    instance_chat: { instanceId, message: 'Who is on duty today?' },
    instance_restart: { instanceId },
    instance_rotate_key: { instanceId },
    instance_backup: { instanceId },
    instance_restore: { instanceId, file: { size: 0, pieces: [] } },
    instance_deploy_get: { instanceId, deployId: 'dep_none' },
    team_member_add: { customerId, email: uniqueEmail(), name: 'Mallory' },
    team_member_list: { customerId },
    team_member_remove: { customerId, teamMemberId },
    team_member_resend: { customerId, teamMemberId },
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
    statement_list: { customerId },
    statement_get: { statementId },
    statement_lines: { statementId },
    statement_close: {},
    statement_mark_billed: { statementId },
    statement_void: { statementId },
    ai_usage: { customerId },
    memory_list_minds: { customerId },
    memory_create_mind: { customerId, name: 'Contracts' },
    memory_remember: { customerId, content: 'Mallory: I moved to Lisbon.', mindId },
    memory_remember_many: { customerId, contents: ['Mallory: I moved.', 'Mallory: To Lisbon.'], mindId },
    memory_recall: { customerId, mindId },
    memory_ask: { customerId, question: 'What is the code word?', mindId },
    memory_search: { customerId, mindId, query: 'code word' },
    memory_forget: { customerId, mindId, memoryId },
    memory_forget_mind: { customerId, mindId },
    memory_forget_with_undo: { customerId, mindId, memoryId },
    memory_forget_undo: { customerId, mindId, undo: 'nothing' },
    memory_export: { customerId, mindId },
    customer_token_list: { customerId },
    customer_token_mint: { customerId, name: 'assistant' },
    customer_token_revoke: { customerId, tokenId: 'tok_none' },
    customer_token_list_all: {},
    plan_find: { search: 'a' },
    plan_list: { kind: 'subscription' },
    plan_create: { name: 'Pro', kind: 'subscription', features: { trialDays: 14 } },
    plan_update: { planId, name: 'Pro 2', price: 49 },
    subscription_list: { customerId },
    pack_list: { customerId },
    pack_buy: { customerId, planId, version: 1 },
    audit_list: { targetId: customerId },
    api_key_list: {},
    api_key_mint: { name: 'batch' },
    api_key_revoke: { keyId: 'key_none' },
    webhook_list: {},
    webhook_add: { url: 'https://hooks.invalid/hook' },
    webhook_update: { webhookId, isActive: false },
    webhook_remove: { webhookId },
    webhook_secret_rotate: { webhookId },
    webhook_test: { webhookId },
    webhook_delivery_list: { webhookId },
    webhook_send_again: { webhookId },
    customer_app_list: { customerId },
    customer_app_end: { customerId, appId: 'app_none' },
    partner_app_list: {},
    partner_app_end: { appId: 'app_none' },
    brand_get: {},
    brand_update: { name: 'Acme Voice' },
    brand_logo_set: { image: '' },
    brand_logo_remove: {},
    provider_key_list: {},
    provider_key_set: { provider: 'a', key: 'secret' },
    provider_key_test: { provider: 'a' },
    provider_key_remove: { provider: 'a' },
    usage_sync_get: {},
    call_hook_get: { provider: 'a' },
    // Whoever does it is looked up among the team: tests/portal/team-operations.test.ts has somebody.
    partner_user_list: {},
    partner_user_invite: { email: uniqueEmail(), name: 'Mallory', role: 'admin' },
    partner_user_resend: { partnerUserId: 'usr_none' },
    partner_user_update: { partnerUserId: 'usr_none', role: 'owner' },
    partner_user_remove: { partnerUserId: 'usr_none' },
    partner_user_sign_out: { partnerUserId: 'usr_none' },
    partner_user_reset_factors: { partnerUserId: 'usr_none' },
    mail_list: {},
    mail_resend: { mailId: 'mail_none' },
    mail_text_list: {},
    mail_text_set: WORDS,
    mail_text_send: WORDS
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
  'instanceId',
  'statementId'
] as const
