// A dozen customers as a reseller has them: many countries, all states. `.example` domains receive no mail.

/**
 * Body of `POST /customers/onboard`, and what happens to the customer afterwards. Who has memories also accepts the
 * invite, so that its portal can be looked into.
 */
export const demoCustomers = [
  {
    body: {
      basic: {
        email: 'lucia.alvarez@clinicasol.example',
        firstName: 'Lucía',
        lastName: 'Álvarez',
        businessPhone: '+34 915 550 143'
      },
      business: { companyName: 'Clínica Sol', monthlyCallVolume: '1000-5000', peakHours: '09:00-14:00' },
      requirements: {
        primaryUseCase: 'Books, moves and cancels appointments for four surgeries.',
        callComplexity: 'medium',
        scriptComplexity: 'medium',
        languages: ['es', 'ca', 'en']
      },
      integration: { crmSystem: 'HubSpot', phoneSystem: 'Twilio' },
      deployment: { deploymentTimeline: '1-2 weeks', wantsDemo: true },
      allowPortalAccess: true
    },
    hasPlan: true,
    agents: [{ provider: 'a', id: 'asst-reception-es', profitMultiplier: 1.4 }],
    team: [
      { email: 'recepcion@clinicasol.example', name: 'Recepción' },
      { email: 'marta@clinicasol.example', name: 'Marta Ruiz', role: 'admin' }
    ],
    changes: {
      deploymentStatus: 'completed',
      deploymentCompletedAt: '2026-01-12T10:30:00Z',
      enableAiMemory: true,
      enableApiAccess: true,
      enableAdvancedAnalytics: true
    },
    memories: [
      'Lucía: I run the front desk of Clínica Sol in Madrid. We have four surgeries.',
      'Lucía: Dr. Ferrer works on Mondays and Thursdays only.',
      'Lucía: New patients need thirty minutes, check-ups fifteen.',
      'Lucía: Please never book anything between 14:00 and 15:30, that is when we eat.',
      'Caller: Do you take Sanitas insurance?',
      'Agent: Told the caller that we take Sanitas, Adeslas and DKV.',
      'Lucía: From October on we close at 18:00 on Fridays.',
      'Señora Ortega’s check-up is moved to Friday at 9:15.'
    ]
  },
  {
    body: {
      basic: {
        email: 'yamada@sakura-ryokan.example',
        firstName: '太郎',
        lastName: '山田',
        businessPhone: '+81 75-555-0120'
      },
      business: { companyName: 'さくら旅館', monthlyCallVolume: '500-1000', peakHours: '15:00-21:00' },
      requirements: {
        primaryUseCase: 'Answers questions about rooms and takes reservations.',
        callComplexity: 'low',
        scriptComplexity: 'medium',
        languages: ['ja', 'en', 'zh']
      },
      integration: { phoneSystem: '3CX' },
      deployment: { deploymentTimeline: '1 month', wantsDemo: false },
      allowPortalAccess: true
    },
    hasPlan: true,
    agents: [{ provider: 'b', id: 'agent_ryokan', profitMultiplier: 1.6 }],
    team: [{ email: 'front@sakura-ryokan.example', name: 'フロント' }],
    changes: { deploymentStatus: 'agent_ready' }
  },
  {
    body: {
      basic: {
        email: 'sean@obrienmotors.example',
        firstName: 'Seán',
        lastName: "O'Brien",
        businessPhone: '+353 1 555 0177'
      },
      business: {
        companyName: 'O’Brien & Daughters Motors',
        monthlyCallVolume: '5000-10000',
        peakHours: '08:00-18:00'
      },
      requirements: {
        primaryUseCase: 'Qualifies leads for used cars and books test drives.',
        callComplexity: 'high',
        scriptComplexity: 'high',
        customAutomation: 'Looks the registration number up before the call is passed on.',
        languages: ['en']
      },
      integration: { crmSystem: 'Salesforce', phoneSystem: 'Vonage' },
      deployment: { deploymentTimeline: '1-2 weeks', wantsDemo: true },
      allowPortalAccess: true
    },
    agents: [
      { provider: 'a', id: 'asst-sales-en', profitMultiplier: 1.35 },
      { provider: 'b', id: 'agent_after_hours', profitMultiplier: 1.8 }
    ],
    // Its invoices are overdue: portal access is taken away again.
    isSuspended: true
  },
  {
    body: {
      basic: {
        email: 'jutta.mueller@mueller-haustechnik.example',
        firstName: 'Jutta',
        lastName: 'Müller-Weiß'
      },
      business: { companyName: 'Müller Haustechnik GmbH', monthlyCallVolume: '100-500' },
      requirements: {
        primaryUseCase: 'Takes emergency calls at night.',
        callComplexity: 'medium',
        languages: ['de']
      },
      deployment: { deploymentTimeline: 'immediately' }
    },
    agents: [{ provider: 'a', id: 'asst-notdienst-de', profitMultiplier: 2 }]
  },
  {
    body: {
      basic: {
        email: 'ngozi@adeyemi-logistics.example',
        firstName: 'Ngozi',
        lastName: 'Adeyemi',
        businessPhone: '+234 1 555 0199'
      },
      business: { companyName: 'Adeyemi Logistics', monthlyCallVolume: '10000+', peakHours: 'all day' },
      requirements: {
        primaryUseCase: 'Tells callers where their delivery is.',
        callComplexity: 'high',
        scriptComplexity: 'low',
        languages: ['en', 'yo', 'ha', 'ig']
      },
      integration: { crmSystem: 'Zoho' },
      deployment: { deploymentTimeline: '3 months', wantsDemo: true }
    },
    hasPlan: true
  },
  {
    body: {
      basic: { email: 'maryam@alnoor.example', firstName: 'مريم', lastName: 'الهاشمي' },
      business: { companyName: 'مؤسسة النور', monthlyCallVolume: '500-1000' },
      requirements: { languages: ['ar', 'en'], callComplexity: 'low' },
      allowPortalAccess: true
    },
    team: [{ email: 'office@alnoor.example', name: 'مكتب النور' }]
  },
  {
    body: {
      basic: { email: 'lukasz@zolw.example', firstName: 'Łukasz', lastName: 'Żółw' },
      isQuickOnboarding: true
    }
  },
  {
    body: {
      basic: { email: 'priya@chennaidental.example', firstName: 'Priya', lastName: 'Raghunathan' },
      business: { companyName: 'Chennai Dental Care', monthlyCallVolume: '1000-5000' },
      requirements: { languages: ['ta', 'en', 'hi'], callComplexity: 'medium' },
      allowPortalAccess: true
    },
    hasPlan: true,
    agents: [{ provider: 'b', id: 'agent_dental', profitMultiplier: 1.5 }]
  },
  {
    body: {
      basic: { email: 'minjun@hangangrealty.example', firstName: '민준', lastName: '김' },
      business: { companyName: '한강부동산', monthlyCallVolume: '100-500' },
      isQuickOnboarding: true
    }
  },
  {
    body: {
      basic: { email: 'amelie@boulangerie-petit.example', firstName: 'Amélie', lastName: 'Petit' },
      business: { companyName: 'Boulangerie Petit', monthlyCallVolume: '100-500', peakHours: '06:00-09:00' },
      requirements: { primaryUseCase: 'Takes orders for cakes.', callComplexity: 'low', languages: ['fr'] },
      deployment: { deploymentTimeline: '1 month', wantsDemo: false }
    }
  },
  {
    body: {
      basic: { email: 'soren@fjordturer.example', firstName: 'Søren', lastName: 'Ødegård' },
      business: { companyName: 'Fjordturer AS', monthlyCallVolume: '500-1000' },
      requirements: { languages: ['nb', 'en', 'de'], callComplexity: 'medium', scriptComplexity: 'low' },
      integration: { phoneSystem: 'Telenor' }
    },
    agents: [{ provider: 'a', id: 'asst-booking-nb', profitMultiplier: 1.25 }],
    changes: { deploymentStatus: 'in_progress', deploymentNotes: 'Waiting for the number to be ported.' }
  },
  { body: { basic: { email: 'hello@tinystartup.example' }, isQuickOnboarding: true } }
]

/** What `mindgate agent import` reads, by provider; some agents are still free to be mapped. */
export const demoAgents = {
  a: [
    { id: 'asst-reception-es', name: 'Recepción' },
    { id: 'asst-sales-en', name: 'Showroom' },
    { id: 'asst-notdienst-de', name: 'Notdienst' },
    { id: 'asst-booking-nb', name: 'Booking' },
    { id: 'asst-free', name: 'Front desk (free)' }
  ],
  b: [
    { id: 'agent_ryokan', name: '旅館案内' },
    { id: 'agent_after_hours', name: 'After hours' },
    { id: 'agent_dental', name: 'Dental desk' },
    { id: 'agent_free', name: 'Survey (free)' }
  ]
}
