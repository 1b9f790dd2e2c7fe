// The tables of specification §2 and §4A, copied from its text, not from our schemas: what each endpoint takes and
// answers. `?` marks what may be absent from a request, or null in an answer when it was never set.

type Type = 'string' | 'number' | 'integer' | 'boolean' | 'timestamp' | 'string[]' | 'json'
export type FieldType = Type | `${Type}?`

type Fields = Readonly<Record<string, FieldType>>

export interface EndpointTable {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** With `{customer}`, `{agentA}`, `{agentB}` and `{member}` for the fixture's own. */
  path: string
  /** Dotted paths of the body that must be there, with a value of the right type. */
  required: Readonly<Record<string, unknown>>
  /** Dotted paths of the body that may be there. */
  optional: Readonly<Record<string, unknown>>
  /** Where the record stands in the answer, and its fields. */
  answer: { at: string; fields: Fields }[]
  /** Of a success; 200 unless told. */
  status?: 202
  /** Status of each path parameter that names nothing. */
  unknown: Readonly<Record<string, 404>>
}

const customerFlags: Fields = {
  enableAdvancedAnalytics: 'boolean',
  enableApiAccess: 'boolean',
  customerPortalEnabled: 'boolean',
  showKnowledgeBase: 'boolean',
  showIntegration: 'boolean',
  allowedApps: 'string[]',
  maxTeamMembers: 'integer',
  enableTeamMembers: 'boolean',
  aiCreditsEnabled: 'boolean',
  aiCreditPricePerMinute: 'number?',
  lowCreditThreshold: 'number?',
  lowCreditNotificationsEnabled: 'boolean'
}

const customer: Fields = {
  id: 'string',
  firstName: 'string?',
  lastName: 'string?',
  email: 'string',
  companyName: 'string?',
  monthlyCallVolume: 'string?',
  estimatedPrice: 'number',
  unbilledAmount: 'number',
  currency: 'string',
  customerId: 'string',
  orderStatus: 'string',
  dealStatus: 'string',
  billingType: 'string',
  agreedPrice: 'number?',
  ...customerFlags,
  deploymentStatus: 'string',
  deploymentNotes: 'string?',
  deploymentCompletedAt: 'timestamp?'
}

const customerItem: Fields = {
  id: 'string',
  firstName: 'string?',
  lastName: 'string?',
  email: 'string',
  companyName: 'string?',
  monthlyCallVolume: 'string?',
  callComplexity: 'string?',
  customerId: 'string',
  subscriptions: 'integer',
  unbilledAmount: 'number',
  currency: 'string',
  deploymentStatus: 'string',
  hasVoiceAgentA: 'boolean',
  hasVoiceAgentB: 'boolean',
  isOnTrial: 'boolean',
  subscriptionStatus: 'string',
  credentialStatus: 'string',
  createdAt: 'timestamp',
  updatedAt: 'timestamp'
}

const message: Fields = { message: 'string' }

const teamMember: Fields = {
  id: 'string',
  customerId: 'string',
  name: 'string',
  email: 'string',
  role: 'string',
  status: 'string',
  createdAt: 'timestamp'
}

const mapTable = (provider: 'a' | 'b'): EndpointTable => ({
  method: 'POST',
  path: `/voice-${provider}-agents/{agent${provider.toUpperCase()}}/map-customer`,
  required: { customerId: '{customer}', profitMultiplier: 1.5 },
  // Ours, for correcting what was.
  optional: { since: '2026-01-01T00:00:00Z' },
  answer: [
    { at: '', fields: message },
    { at: 'agent', fields: { id: 'string', name: 'string', profitMultiplier: 'number' } },
    {
      at: 'agent.customer',
      fields: { id: 'string', firstName: 'string?', lastName: 'string?', email: 'string' }
    }
  ],
  unknown: { [`{agent${provider.toUpperCase()}}`]: 404 }
})

const unmapTable = (provider: 'a' | 'b'): EndpointTable => ({
  method: 'POST',
  path: `/voice-${provider}-agents/{agent${provider.toUpperCase()}}/unmap-customer`,
  required: {},
  optional: { customerId: '{customer}' },
  answer: [
    { at: '', fields: message },
    { at: 'agent', fields: { id: 'string', name: 'string' } }
  ],
  unknown: { [`{agent${provider.toUpperCase()}}`]: 404 }
})

const onCustomer = (
  path: string,
  answer: EndpointTable['answer'],
  method: EndpointTable['method'] = 'POST'
): EndpointTable => ({
  method,
  path,
  required: {},
  optional: {},
  answer,
  unknown: { '{customer}': 404 }
})

export const endpoints: readonly EndpointTable[] = [
  {
    method: 'POST',
    path: '/customers/onboard',
    required: { 'basic.email': '{freshEmail}' },
    optional: {
      'basic.firstName': 'Ada',
      'basic.lastName': 'Lovelace',
      'basic.businessPhone': '+1 555 0100',
      'business.companyName': 'Analytical Engines',
      'business.monthlyCallVolume': '1000-5000',
      'business.peakHours': '9-17',
      'requirements.primaryUseCase': 'Bookings',
      'requirements.callComplexity': 'medium',
      'requirements.scriptComplexity': 'simple',
      'requirements.customAutomation': 'none',
      'requirements.languages': ['en', 'de'],
      'integration.crmSystem': 'HubSpot',
      'integration.phoneSystem': 'Twilio',
      'deployment.deploymentTimeline': '1 month',
      'deployment.wantsDemo': true,
      isQuickOnboarding: false,
      allowPortalAccess: true,
      planId: '{plan}'
    },
    answer: [
      { at: '', fields: message },
      {
        at: 'data',
        fields: {
          id: 'string',
          email: 'string',
          firstName: 'string?',
          lastName: 'string?',
          companyName: 'string?',
          monthlyCallVolume: 'string?',
          estimatedPrice: 'number',
          priceBreakdown: 'json',
          currency: 'string',
          orderStatus: 'string',
          isOnboardingCompleted: 'boolean',
          createdAt: 'timestamp',
          updatedAt: 'timestamp'
        }
      }
    ],
    unknown: {}
  },
  {
    method: 'POST',
    path: '/customers',
    required: { email: '{freshEmail}' },
    optional: {
      firstName: 'Ada',
      lastName: 'Lovelace',
      companyName: 'Engines',
      businessPhone: '+1 555 0100'
    },
    answer: [
      { at: '', fields: message },
      { at: 'data', fields: customer }
    ],
    unknown: {}
  },
  {
    method: 'GET',
    path: '/customers',
    required: {},
    optional: {},
    answer: [
      { at: 'data.0', fields: customerItem },
      {
        at: 'pagination',
        fields: {
          currentPage: 'integer',
          totalPages: 'integer',
          totalCount: 'integer',
          limit: 'integer',
          hasNextPage: 'boolean',
          hasPrevPage: 'boolean'
        }
      }
    ],
    unknown: {}
  },
  onCustomer('/customers/{customer}', [{ at: 'data', fields: customer }], 'GET'),
  {
    method: 'PATCH',
    path: '/customers/{customer}',
    required: {},
    optional: {
      email: '{freshEmail}',
      firstName: 'Grace',
      lastName: 'Hopper',
      businessPhone: '+1 555 0101',
      companyName: 'Navy',
      monthlyCallVolume: '0-500',
      peakHours: '8-12',
      callComplexity: 'high',
      scriptComplexity: 'high',
      primaryUseCase: 'Support',
      customAutomation: 'Yes, routing',
      crmSystem: 'Salesforce',
      phoneSystem: 'Aircall',
      languages: ['fr'],
      deploymentTimeline: 'now',
      wantsDemo: false,
      enableAdvancedAnalytics: true,
      enableApiAccess: true,
      customerPortalEnabled: true,
      showKnowledgeBase: false,
      showIntegration: false,
      allowedApps: ['cli-agent'],
      maxTeamMembers: 7,
      enableTeamMembers: true,
      aiCreditsEnabled: true,
      aiCreditPricePerMinute: 0.25,
      lowCreditThreshold: 10.5,
      lowCreditNotificationsEnabled: true,
      creditPlanIds: [],
      enableAiMemory: true,
      agreedPrice: 499.99,
      billingType: 'prepaid',
      deploymentStatus: 'agent_ready',
      deploymentNotes: 'Waiting for the number',
      deploymentCompletedAt: '2026-01-02T03:04:05.000Z'
    },
    answer: [{ at: 'data', fields: customer }],
    unknown: { '{customer}': 404 }
  },
  onCustomer('/customers/{customer}/portal-access', [{ at: '', fields: message }]),
  onCustomer('/customers/{customer}/portal-access/block', [
    { at: '', fields: { message: 'string', newStatus: 'string', action: 'string' } }
  ]),
  onCustomer('/customers/{customer}/reset-password', [{ at: '', fields: message }]),
  mapTable('a'),
  unmapTable('a'),
  mapTable('b'),
  unmapTable('b'),
  {
    method: 'POST',
    path: '/customers/{customer}/team-members',
    required: { email: '{freshEmail}', name: 'Grace' },
    optional: { role: 'admin' },
    answer: [
      { at: '', fields: message },
      { at: 'data', fields: teamMember }
    ],
    unknown: { '{customer}': 404 }
  },
  onCustomer(
    '/customers/{customer}/team-members',
    [{ at: 'data.0', fields: { ...teamMember, updatedAt: 'timestamp' } }],
    'GET'
  ),
  {
    method: 'DELETE',
    path: '/customers/{customer}/team-members/{member}',
    required: {},
    optional: {},
    answer: [{ at: '', fields: message }],
    unknown: { '{customer}': 404, '{member}': 404 }
  }
]
