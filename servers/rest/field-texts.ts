// What the fields of §2 mean, and a value that looks like one, for the OpenAPI document and the reference.

export interface FieldText {
  meaning: string
  example: unknown
}

const field = (meaning: string, example: unknown): FieldText => ({ meaning, example })

const MESSAGE = 'What was done, in a sentence.'
const CUSTOMER_ID = 'cus_4k9v2m7x1q8t3w6z0b5n'
const TEAM_MEMBER_ID = 'tm_7d2f8h4j6l1p9r3s5v0y'
const PLAN_ID = 'pln_2b6d8f0h3j5l7n9p1r4t'
const AGENT_ID = '5f3c9b52-8a1d-4e0f-9c6b-2d7e41a8f0c3'
const INSTANCE_ID = 'ins_6g1j3l5n7p9r2t4v6x8z'
const MIND_ID = 'mnd_3f5h7j9l1n2p4r6t8v0x'
const MEMORY_ID = 'mem_5k8v2m7x1q3t9w6z0b4n'

/** By name; a name that means something else below another is listed as `parent.name`. */
const TEXTS: Readonly<Record<string, FieldText>> = {
  id: field('Customer record id.', CUSTOMER_ID),
  'agent.id': field('The provider’s agent id.', AGENT_ID),
  'customer.id': field('Customer record id.', CUSTOMER_ID),
  'Team members.id': field('Team member id.', TEAM_MEMBER_ID),
  'Team members.customerId': field('Record id of the owning customer.', CUSTOMER_ID),
  customerId: field('Customer record id or short code.', CUSTOMER_ID),
  'Customer.customerId': field(
    'Short code, unique among your customers; stands for the id in paths.',
    'C-7KQ2M9XD'
  ),
  'CustomerListItem.customerId': field(
    'Short code, unique among your customers; stands for the id in paths.',
    'C-7KQ2M9XD'
  ),
  agentId: field('The provider’s agent id.', AGENT_ID),
  teamMemberId: field('Team member id.', TEAM_MEMBER_ID),
  planId: field('Subscription plan whose features apply.', PLAN_ID),
  email: field('E-mail address, unique among your customers, compared without case.', 'ada@example.com'),
  'Team members.email': field('E-mail address, unique in this team.', 'grace@example.com'),
  firstName: field('First name.', 'Ada'),
  lastName: field('Last name.', 'Lovelace'),
  name: field('Display name.', 'Grace Hopper'),
  'VoiceAgent.id': field('The provider’s agent id.', AGENT_ID),
  'VoiceAgent.name': field('The agent’s name at the provider.', 'Front desk'),
  'agent.name': field('The agent’s name at the provider.', 'Front desk'),
  role: field('Role label; `admin` may also manage the team and the memory.', 'member'),
  status: field('`pending` until the invite is accepted, then `active`.', 'pending'),
  businessPhone: field('Business phone number.', '+1 555 0100'),
  companyName: field('Company.', 'Analytical Engines'),
  monthlyCallVolume: field('Call-volume tier.', '1000-5000'),
  'query.monthlyCallVolume': field('Only customers of this call-volume tier.', '1000-5000'),
  peakHours: field('When most calls come in.', '9:00-17:00'),
  callComplexity: field('Complexity level of the calls.', 'medium'),
  'query.callComplexity': field('Only customers of this complexity level.', 'medium'),
  scriptComplexity: field('Complexity level of the script.', 'simple'),
  primaryUseCase: field('What the voice agent is for.', 'Appointment booking'),
  customAutomation: field('Automation to be built beside the calls.', 'Write bookings to the calendar'),
  crmSystem: field('CRM to connect.', 'HubSpot'),
  phoneSystem: field('Phone system to connect.', 'Twilio'),
  languages: field('Languages that the agent speaks.', ['en', 'de']),
  deploymentTimeline: field('Wanted timeline.', '1 month'),
  'query.deploymentTimeline': field('Only customers with this timeline.', '1 month'),
  wantsDemo: field('Whether a demo is wanted.', true),
  basic: field('Who the customer is.', undefined),
  business: field('The customer’s business.', undefined),
  requirements: field('What the voice agent has to do.', undefined),
  integration: field('Systems to connect.', undefined),
  deployment: field('When to go live.', undefined),
  isQuickOnboarding: field('Skips the extended intake fields.', false),
  allowPortalAccess: field('Sends a portal invite with credentials.', true),
  estimatedPrice: field('Estimated monthly price.', 499),
  priceBreakdown: field(
    'JSON text of the line items, which sum to `estimatedPrice`.',
    '{"items":[{"item":"Base price","amount":499}],"total":499}'
  ),
  orderStatus: field('`new`, then `active` once an agent is mapped or deployed.', 'new'),
  dealStatus: field('State of the deal.', 'won'),
  billingType: field('How the customer is billed.', 'postpaid'),
  agreedPrice: field('Price agreed with the customer.', 599),
  isOnboardingCompleted: field('Whether the intake is complete.', true),
  subscriptions: field('Number of subscriptions.', 1),
  unbilledAmount: field('Usage that is not billed yet.', 42.5),
  deploymentStatus: field('Label of the deployment’s state.', 'pending'),
  deploymentNotes: field('Notes on the deployment.', 'Number porting under way'),
  deploymentCompletedAt: field('When the deployment was completed.', null),
  hasVoiceAgentA: field('Whether an agent of provider A is mapped.', true),
  hasVoiceAgentB: field('Whether an agent of provider B is mapped.', false),
  isOnTrial: field('Whether the plan’s trial is running.', false),
  subscriptionStatus: field('`active` with a plan, else `none`.', 'active'),
  credentialStatus: field('Portal access: `none`, `active` or `suspended`.', 'active'),
  enableAdvancedAnalytics: field('Shows usage charts in the portal.', false),
  enableApiAccess: field('Lets the customer make its own access tokens.', false),
  customerPortalEnabled: field('Whether the portal is open to the customer at all.', true),
  showKnowledgeBase: field('Shows the knowledge base in the menu.', true),
  showIntegration: field('Shows integrations in the menu.', true),
  allowedApps: field('Apps that the customer may see.', ['cli-agent']),
  maxTeamMembers: field('Most members that the team may have.', 5),
  enableTeamMembers: field('Whether the customer may have a team.', true),
  aiCreditsEnabled: field('Whether the customer has AI credits of its own.', false),
  aiCreditPricePerMinute: field('Price per minute of AI credit.', 0.25),
  lowCreditThreshold: field('Balance below which a notice is due.', 20),
  lowCreditNotificationsEnabled: field('Sends the notice about a low balance.', false),
  enableAiMemory: field('Opens the memory tools for this customer.', false),
  creditPlanIds: field('Credit plans that the customer may buy; each must be yours.', []),
  page: field('Page number, from 1.', 1),
  limit: field('Results per page.', 20),
  search: field('Text in name, e-mail, phone or company, in any case.', 'engines'),
  updatedSince: field('Only customers that changed at or after this time.', '2026-01-01T00:00:00Z'),
  currentPage: field('This page’s number.', 1),
  totalPages: field('How many pages there are.', 1),
  totalCount: field('How many results there are on all pages.', 1),
  hasNextPage: field('Whether a page follows.', false),
  hasPrevPage: field('Whether a page comes before.', false),
  pagination: field('Where this page stands in the list.', undefined),
  profitMultiplier: field('Multiplies call costs for billing; above 0, at most 1000.', 1.5),
  provider: field('Voice-agent provider: `a` speaks Vapi’s API, `b` Retell’s.', 'a'),
  isMapped: field('Only agents that are mapped to a customer, or only those that are not.', true),
  agent: field('The voice agent and its mapping.', undefined),
  customer: field('The customer that the agent is mapped to.', undefined),
  newStatus: field('`credentialStatus` after the change; left out of the body, the other one.', 'suspended'),
  action: field('What the call did.', 'blocked'),
  message: field(MESSAGE, 'Done.'),
  'customer_onboard.message': field(MESSAGE, 'The customer was onboarded and a portal invite is on its way.'),
  'customer_create.message': field(MESSAGE, 'The customer was created.'),
  'customer_enable_portal_access.message': field(
    MESSAGE,
    'Portal access is enabled and an invite is on its way.'
  ),
  'customer_toggle_portal_block.message': field(MESSAGE, 'Portal access is blocked.'),
  'customer_send_password_reset.message': field(MESSAGE, 'A password reset e-mail is on its way.'),
  'team_member_add.message': field(MESSAGE, 'The team member was added and an invite is on its way.'),
  'memory_forget.message': field(MESSAGE, 'The memory was forgotten.'),
  'memory_forget_mind.message': field(MESSAGE, 'The Mind was forgotten with its 12 memories.'),
  'team_member_remove.message': field(MESSAGE, 'The team member was removed.'),
  'customer_update.body': field('', { companyName: 'Analytical Engines', deploymentStatus: 'agent_ready' }),
  confirm: field('Its short code once more: this is the customer to erase.', 'C-7KQ2M9XD'),
  'customer_erase.message': field(
    MESSAGE,
    'The customer was erased. What was kept about it is deleted within moments.'
  ),
  'credits_grant.message': field(MESSAGE, 'The credits were granted.'),
  balance: field('Credits left.', 982.5),
  'Credits.amount': field('Credits to grant, above 0, with at most 6 decimals.', 250),
  'Credits.note': field('Why, for the ledger.', 'Welcome gift'),
  number: field('Place in the account’s ledger, from 1.', 42),
  kind: field(
    '`initial` and `grant` add; `charge` and `hold` take, a hold before an answer is made; `refund` gives a hold back.',
    'charge'
  ),
  'CreditEntry.amount': field('Credits that moved; negative when they were taken.', -1),
  balanceAfter: field('Credits left after it.', 982.5),
  operation: field('What moved them.', 'memory_remember'),
  reference: field('What they paid for: the memory, or the reservation.', 'mem_5k8v2m7x1q3t9w6z0b4n'),
  'CreditEntry.note': field('What was written beside a grant.', null),
  today: field('The day in UTC.', undefined),
  month: field('The month in UTC.', undefined),
  servers: field('Of one customer: what each agent’s key used that is alive.', undefined),
  tokens: field('Used in prompts and answers, with what calls under way may use.', 482_913),
  budget: field('Most tokens that may be used; null for no limit.', 20_000_000),
  endsAt: field('When it begins anew.', '2026-01-16T00:00:00.000Z'),
  'Plan.planId': field('Plan id.', PLAN_ID),
  'Plan.name': field('What the plan is called.', 'Pro'),
  'Plan.kind': field('`subscription` is given at onboarding, `credit` can be bought.', 'subscription'),
  'query.kind': field('Only plans of this kind.', 'subscription'),
  features: field('What the plan sets; a field that is missing stays as it is without a plan.', undefined),
  trialDays: field('Length of the trial in days.', 14),
  'AuditEntry.id': field('Id of the entry.', 'aud_8w1y4a6c9e2g5i7k0m3o'),
  'AuditEntry.action': field('The operation that did it.', 'customer_update'),
  'Audit log.action': field('Only what this operation did.', 'customer_update'),
  actor: field('Id of the API key, the customer’s token or who was signed in.', 'key_1a3c5e7g9i0k2m4o6q8s'),
  actorName: field('The key’s or token’s name, or an e-mail address; null once it is gone.', 'CRM'),
  targetType: field('What kind of record it was done to.', 'customer'),
  targetId: field('Id of that record.', CUSTOMER_ID),
  'query.targetId': field('Only what was done to this record.', CUSTOMER_ID),
  fields: field('Names of the fields that changed; never their values.', ['companyName']),
  'AuditEntry.requestId': field('The request that did it.', 'req_5t7v9x1z3b5d7f9h1j3l'),
  'AuditEntry.createdAt': field('When it was done.', '2026-01-15T10:00:00.000Z'),
  instanceId: field('Instance id.', INSTANCE_ID),
  'Instances.customerId': field('Record id of the customer whose server it is.', CUSTOMER_ID),
  customerName: field('What the customer is called: company, person or address.', 'Analytical Engines'),
  'Instances.name': field('What you call the server; its host when left out.', 'Front desk'),
  host: field('Host name or IP address.', 'vps1.example.com'),
  port: field('Port of its SSH service.', 22),
  username: field('User that we sign in as.', 'root'),
  root: field(
    'Folder that holds everything of ours, for several sandboxes on one machine; empty for the usual places.',
    ''
  ),
  hostKey: field(
    'Fingerprint of the server’s host key, as `ssh-keygen -lf` prints it. Left out at registration, it is the one that the server shows.',
    'SHA256:jTz1hVgQwPAqJmTFT3xtHYpB3FvX1m0cKz3v7b2mJxk'
  ),
  publicKey: field(
    'Our public key for this server; append it to the user’s `~/.ssh/authorized_keys`.',
    `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGx0dC7sCT2sZQJm9cYqJq7nLkcQ3mE8hWb5V0f1aXyz mindgate-${INSTANCE_ID}`
  ),
  'Instances.status': field(
    '`registered`, `deploying:cli-agent` while a deploy is under way, then `cli-agent`, or `failed:cli-agent`.',
    'registered'
  ),
  agentName: field('Name that the agent was deployed with; null before.', null),
  model: field('Model that the agent’s configuration names; null before a deploy.', null),
  reachable: field('Whether we could sign in and run a command.', true),
  fault: field('What kept us from it, for programs; null when nothing did.', null),
  agentReady: field('Whether the agent is deployed and can be chatted with.', false),
  'instance_register.message': field(
    MESSAGE,
    'The server was registered. Add its public key to the user’s ~/.ssh/authorized_keys on the server.'
  ),
  'instance_test.message': field(
    'What came of it and what to do, in a sentence or two.',
    'The server can be reached. No agent is deployed there yet.'
  ),
  businessName: field('The business that the agent speaks for; its display name.', 'Clínica Sol'),
  telegramBotToken: field(
    'Token of a Telegram bot, which then works beside the portal’s chat. Kept sealed until it is on the server, then nowhere here.',
    '123456789:AAExampleExampleExampleExample'
  ),
  telegramChatId: field(
    'Telegram chat that the bot listens to, a group’s below zero. Needed with a bot token.',
    '123456789'
  ),
  confirmReinstall: field('Needed where the agent is deployed already; its history is kept.', false),
  deployId: field('Deploy id; null when there was none.', 'dep_8i3k5m7o9q1s3u5w7y9a'),
  'instance_deploy.status': field('The instance’s status from now on.', 'deploying:cli-agent'),
  'DeployProgress.status': field('The instance’s status.', 'deploying:cli-agent'),
  'DeployProgress.state': field(
    'Of the deploy: `running`, `succeeded` or `failed`; `none` when there was none.',
    'running'
  ),
  'DeployProgress.message': field(
    'Why it failed, or what it waits for; empty when there is nothing to say.',
    ''
  ),
  steps: field('Every step in its order.', undefined),
  title: field('What the step does.', 'Install the agent'),
  'steps.state': field('`pending`, `running`, `done`, `skipped`, `warned` or `failed`.', 'running'),
  detail: field('Why it was skipped, warned or failed; empty when there is nothing to say.', ''),
  log: field('The last of what the script wrote, at most 64 KiB.', 'Installing the agent …\n'),
  'instance_deploy.message': field(MESSAGE, 'The deploy on Front desk has begun.'),
  'instance_remove.message': field(
    MESSAGE,
    'The server was removed here. Nothing on the server itself was changed.'
  ),
  mindId: field('Mind id.', MIND_ID),
  'memory_forget.mindId': field('The Mind that holds it; whichever does when left out.', MIND_ID),
  memoryId: field('Memory id.', MEMORY_ID),
  'Memory.id': field('Memory id.', MEMORY_ID),
  'Memory.content': field('What was told.', 'Ada: I prefer to be called in the morning.'),
  'Memory.occurredAt': field('When it was said or happened.', '2026-01-14T17:30:00.000Z'),
  'Memory.createdAt': field('When it was stored.', '2026-01-15T10:00:00.000Z'),
  data: field('The result.', undefined),
  'Error.success': field('`false` on every refusal.', false),
  'Error.error': field('What was wrong and what to do, in a sentence or two.', undefined),
  'Error.code': field('What was wrong, for programs.', undefined),
  'Error.field': field('Path of the input that was wrong, such as `basic.email`.', undefined),
  'Error.requestId': field('Names the request; the same as `X-Request-Id`.', undefined),
  success: field('`true` on every answer with status 200 or 202.', true),
  createdAt: field('When it was created.', '2026-01-15T10:00:00.000Z'),
  updatedAt: field('When it last changed.', '2026-01-15T10:00:00.000Z')
}

/** Meaning and example of a field; `parents` from the outermost in, the nearest that knows it decides. */
export function fieldText(name: string, parents: readonly string[]): FieldText | undefined {
  for (const parent of parents.toReversed()) {
    const found = TEXTS[`${parent}.${name}`]
    if (found) return found
  }
  return Object.hasOwn(TEXTS, name) ? TEXTS[name] : undefined
}
