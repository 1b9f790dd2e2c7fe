import { consoleMind, downloadMind } from '../belongings/mind.tsx'
import { consoleMinds } from '../belongings/minds.tsx'
import { consoleBilling } from '../belongings/statements.tsx'
import { consoleTeam } from '../belongings/team.tsx'
import { consoleTokens } from '../belongings/tokens.tsx'
import { consoleUsage } from '../belongings/usage.tsx'
import { creditsPart } from './credits.tsx'
import { agentsPart } from './customer-agents.tsx'
import { showCustomers } from './customer-list.tsx'
import { ofCustomer } from './customer-page.tsx'
import { showDashboard } from './dashboard.tsx'
import { detailsPart } from './details.tsx'
import { onboardPage } from './onboard.tsx'
import { showOverview } from './overview.tsx'
import { planPart } from './plan.tsx'
import { portalAccessPart } from './portal-access.tsx'
import { usagePages } from './usage.tsx'
import { showVoiceAgents } from './voice-agents.tsx'

/** By the last part of the address, in their order. */
export const CUSTOMER_TABS = {
  '': 'Overview',
  details: 'Details',
  plan: 'Plan',
  'portal-access': 'Portal access',
  'voice-agents': 'Voice agents',
  team: 'Team',
  memory: 'Memory',
  credits: 'Credits',
  usage: 'Usage',
  billing: 'Billing',
  tokens: 'MCP tokens'
}

export const customerPages = {
  '/': showDashboard,
  '/voice-agents': showVoiceAgents,
  ...usagePages,
  '/customers': showCustomers,
  '/customers/onboard': onboardPage,
  '/customers/:customerId': ofCustomer({ show: showOverview }),
  '/customers/:customerId/details': ofCustomer(detailsPart),
  '/customers/:customerId/plan': ofCustomer(planPart),
  '/customers/:customerId/portal-access': ofCustomer(portalAccessPart),
  '/customers/:customerId/voice-agents': ofCustomer(agentsPart),
  '/customers/:customerId/team': ofCustomer(consoleTeam),
  '/customers/:customerId/memory': ofCustomer(consoleMinds),
  '/customers/:customerId/memory/:mindId': ofCustomer(consoleMind),
  '/customers/:customerId/memory/:mindId/export': ofCustomer({ show: downloadMind }),
  '/customers/:customerId/credits': ofCustomer(creditsPart),
  '/customers/:customerId/usage': ofCustomer({ show: consoleUsage }),
  '/customers/:customerId/billing': ofCustomer({ show: consoleBilling }),
  '/customers/:customerId/tokens': ofCustomer(consoleTokens)
}
