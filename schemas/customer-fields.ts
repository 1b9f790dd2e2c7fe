// Every field that a customer has from its partner, once: the limits of what is sent, its meaning, and how forms call it.
import { z } from 'zod'
import { APP_IDS } from './app.ts'
import { nullable, optionals } from './fields.ts'
import { LANGUAGES } from './language.ts'
import {
  Email,
  Label,
  line,
  Money,
  optionalName,
  RecordId,
  requiredLine,
  said,
  setOf,
  Timestamp,
  text,
  told
} from './primitives.ts'

export const identity = {
  id: told.text('Customer record id.', 'cus_4k9v2m7x1q8t3w6z0b5n'),
  customerId: told
    .text('Short code, unique among your customers; stands for the id in paths.', 'C-7KQ2M9XD')
    .describe('Short code')
}

export const email = said(
  Email,
  'E-mail address, unique among your customers, compared without case.',
  'ada@example.com',
  {
    label: 'E-mail'
  }
)

/** Who the customer is and what onboarding asks, each of which may be left open. */
export const intake = {
  firstName: said(optionalName(100), 'First name.', 'Ada', { label: 'First name' }),
  lastName: said(optionalName(100), 'Last name.', 'Lovelace', { label: 'Last name' }),
  businessPhone: said(line(50), 'Business phone number.', '+1 555 0100', { label: 'Business phone' }),
  companyName: said(optionalName(200), 'Company.', 'Analytical Engines', { label: 'Company' }),
  portalLanguage: said(z.enum(LANGUAGES), 'Language of its portal and of mails to it.', 'es', {
    label: 'Language of portal and mails',
    help: 'Without one the portal speaks as the browser asks, and mails as your brand does.'
  }),
  monthlyCallVolume: said(Label, 'Call-volume tier.', '1000-5000', {
    label: 'Monthly call volume',
    help: 'A label of your own, such as “1000-5000”. You can filter the list of customers by it.'
  }),
  peakHours: said(Label, 'When most calls come in.', '9:00-17:00', {
    label: 'Peak hours',
    help: 'Such as “9:00-17:00”.'
  }),
  callComplexity: said(Label, 'Complexity level of the calls.', 'medium', {
    label: 'Call complexity',
    help: 'Such as “low”, “medium” or “high”.'
  }),
  scriptComplexity: said(Label, 'Complexity level of the script.', 'simple', {
    label: 'Script complexity',
    help: 'Such as “simple” or “complex”.'
  }),
  primaryUseCase: said(text(2000), 'What the voice agent is for.', 'Appointment booking', {
    label: 'Primary use case'
  }),
  customAutomation: said(
    text(2000),
    'Automation to be built beside the calls.',
    'Write bookings to the calendar',
    { label: 'Custom automation' }
  ),
  crmSystem: said(Label, 'CRM to connect.', 'HubSpot', { label: 'CRM' }),
  phoneSystem: said(Label, 'Phone system to connect.', 'Twilio', { label: 'Phone system' }),
  languages: said(setOf(Label), 'Languages that the agent speaks.', ['en', 'de'], {
    label: 'Languages',
    help: 'One a line.'
  }),
  deploymentTimeline: said(Label, 'Wanted timeline.', '1 month', {
    label: 'Timeline',
    help: 'Such as “1 month”.'
  }),
  wantsDemo: told.flag('Whether a demo is wanted.', true, { label: 'Wants a demo' })
}

/** The switches, menu and team settings and AI-credit settings that PATCH and a plan can set. */
export const customerFeatures = {
  enableAdvancedAnalytics: told.flag('Shows usage charts in the portal.', false, {
    label: 'Usage charts',
    help: 'The portal shows calls, what they are charged, and how many credits were used.',
    usual: false
  }),
  enableApiAccess: told.flag('Lets the customer make its own access tokens.', false, {
    label: 'Own MCP tokens',
    help: 'The customer may make tokens for its agents in the portal. You always can.',
    usual: false
  }),
  customerPortalEnabled: told.flag('Whether the portal is open to the customer at all.', true, {
    label: 'Customer portal',
    help: 'The customer may enter the portal once it is invited. Off closes it, whatever its access says.',
    usual: false
  }),
  showKnowledgeBase: told.flag('Shows the knowledge base in the menu.', true, {
    label: 'Memory in the menu',
    help: 'The portal shows what is remembered.',
    usual: true
  }),
  showIntegration: told.flag('Shows integrations in the menu.', true, {
    label: 'Agents in the menu',
    help: 'The portal shows how agents connect.',
    usual: true
  }),
  allowedApps: said(setOf(z.enum(APP_IDS)), 'Apps that the customer may see.', ['cli-agent'], {
    label: 'Apps',
    help: 'Apps that the customer may see.',
    usual: [...APP_IDS]
  }),
  maxTeamMembers: said(z.int().min(0).max(10_000), 'Most members that the team may have.', 5, {
    label: 'Most team members',
    help: 'The owner not counted. Members who are there already stay, also over the limit.',
    usual: 5
  }),
  enableTeamMembers: told.flag('Whether the customer may have a team.', true, {
    label: 'Team members',
    help: 'The customer may invite people to its portal.',
    usual: true
  }),
  aiCreditsEnabled: told.flag('Whether the customer has AI credits of its own.', false, {
    label: 'Credits of its own',
    help: 'What the customer uses is taken from credits of its own, beside yours.',
    usual: false
  }),
  aiCreditPricePerMinute: said(Money, 'Price per minute of AI credit.', 0.25, {
    label: 'Price per AI credit',
    help: 'Billed for each AI credit used that wasn’t bought; one stands for a minute. Empty bills nothing.'
  }),
  lowCreditThreshold: said(Money, 'Balance below which a notice is due.', 20, {
    label: 'Low-credit threshold',
    help: 'Below this many credits the customer counts as low. Empty never does.'
  }),
  lowCreditNotificationsEnabled: told.flag('Sends the notice about a low balance.', false, {
    label: 'Low-credit mails',
    help: 'Mails the customer and you once when the balance falls below the threshold.',
    usual: false
  }),
  enableAiMemory: told.flag('Opens the memory tools for this customer.', false, {
    label: 'AI memory',
    help: 'Opens remembering, recalling and asking for the customer.',
    usual: false
  })
}

/** The same of a customer, who may have no price and no threshold. */
export const features = {
  ...customerFeatures,
  ...nullable({
    aiCreditPricePerMinute: customerFeatures.aiCreditPricePerMinute,
    lowCreditThreshold: customerFeatures.lowCreditThreshold
  })
}

export const creditPlanIds = said(
  setOf(RecordId),
  'Credit plans that the customer may buy; each must be yours.',
  [],
  {
    label: 'Credit plans',
    help: 'Plans that the customer may buy.',
    usual: []
  }
)

export const terms = {
  billingType: said(
    z.enum(['postpaid', 'prepaid']),
    'Whether the customer pays for what it used, or before: then use ends when its AI credits do.',
    'postpaid',
    {
      label: 'Billing type',
      help: 'Postpaid bills what was used. Prepaid refuses use when the credits are used up.',
      usual: 'postpaid'
    }
  ),
  agreedPrice: said(Money, 'Price agreed with the customer, in place of its plan’s.', 599, {
    label: 'Agreed price',
    help: 'For each period of its plan, in place of the plan’s price. Empty when there is none.'
  }).nullable(),
  planId: said(
    RecordId,
    'Subscription plan that the customer has; null ends it.',
    'pln_2b6d8f0h3j5l7n9p1r4t',
    { label: 'Plan' }
  ).nullable()
}

export const deployment = {
  deploymentStatus: said(requiredLine(100), 'Label of the deployment’s state.', 'pending', {
    label: 'Status',
    usual: 'pending'
  }),
  ...nullable({
    deploymentNotes: said(text(10_000), 'Notes on the deployment.', 'Number porting under way', {
      label: 'Notes'
    }),
    deploymentCompletedAt: said(Timestamp, 'When the deployment was completed.', null, {
      label: 'Completed at (UTC)'
    })
  })
}

const part = <Of extends z.ZodRawShape>(shape: Of, meaning: string, label: string) =>
  said(z.strictObject(shape), meaning, undefined, { label })

/** What onboarding asks, by the part of its body. */
export const INTAKE_PARTS = {
  basic: part(
    { email, ...optionals(intake, 'firstName', 'lastName', 'businessPhone', 'portalLanguage') },
    'Who the customer is.',
    'Contact'
  ),
  business: part(
    optionals(intake, 'companyName', 'monthlyCallVolume', 'peakHours'),
    'The customer’s business.',
    'Business'
  ),
  requirements: part(
    optionals(
      intake,
      'primaryUseCase',
      'callComplexity',
      'scriptComplexity',
      'customAutomation',
      'languages'
    ),
    'What the voice agent has to do.',
    'Requirements'
  ),
  integration: part(optionals(intake, 'crmSystem', 'phoneSystem'), 'Systems to connect.', 'Integration'),
  deployment: part(optionals(intake, 'deploymentTimeline', 'wantsDemo'), 'When to go live.', 'Deployment')
}
