// What the fields of §2 mean, and a value that looks like one, for the OpenAPI document and the reference.

export interface FieldText {
  meaning: string
  example: unknown
}

const field = (meaning: string, example: unknown): FieldText => ({ meaning, example })

const MESSAGE = 'What was done, in a sentence.'
const CUSTOMER_ID = 'cus_4k9v2m7x1q8t3w6z0b5n'
const TEAM_MEMBER_ID = 'tm_7d2f8h4j6l1p9r3s5v0y'
const AGENT_ID = '5f3c9b52-8a1d-4e0f-9c6b-2d7e41a8f0c3'
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
  planId: field('Subscription plan whose features apply.', 'pln_2b6d8f0h3j5l7n9p1r4t'),
  email: field('E-mail address, unique among your customers, compared without case.', 'ada@example.com'),
  'Team members.email': field('E-mail address, unique in this team.', 'grace@example.com'),
  firstName: field('First name.', 'Ada'),
  lastName: field('Last name.', 'Lovelace'),
  name: field('Display name.', 'Grace Hopper'),
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
  agent: field('The voice agent and its mapping.', undefined),
  customer: field('The customer that the agent is mapped to.', undefined),
  newStatus: field('`credentialStatus` after the change.', 'suspended'),
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
  success: field('`true` on every answer with status 200.', true),
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
