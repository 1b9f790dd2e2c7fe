import { consoleMemories } from '../belongings/memories.tsx'
import { consoleMind, downloadMind } from '../belongings/mind.tsx'
import { consoleMinds } from '../belongings/minds.tsx'
import { consoleTeam } from '../belongings/team.tsx'
import { consoleTokens } from '../belongings/tokens.tsx'
import { consoleUsage } from '../belongings/usage.tsx'
import { showTimeline } from '../settings/audit.tsx'
import { billingPart } from './billing.tsx'
import { bulkPage } from './bulk.tsx'
import { creditsPart } from './credits.tsx'
import { agentsPart } from './customer-agents.tsx'
import { exportPage, showCustomers } from './customer-list.tsx'
import { ofCustomer } from './customer-page.tsx'
import { showDashboard } from './dashboard.tsx'
import { detailsPart } from './details.tsx'
import { showFind } from './find.tsx'
import { downloadTemplate, importPage } from './import.tsx'
import { onboardPage } from './onboard.tsx'
import { showOverview } from './overview.tsx'
import { portalAccessPart } from './portal-access.tsx'
import { usagePages } from './usage.tsx'
import { showVoiceAgents } from './voice-agents.tsx'

export const customerPages = {
  '/': showDashboard,
  '/find': showFind,
  '/voice-agents': showVoiceAgents,
  ...usagePages,
  '/customers': showCustomers,
  '/customers/onboard': onboardPage,
  '/customers/bulk': bulkPage,
  '/customers/export': exportPage,
  '/customers/import': importPage,
  '/customers/import/template': downloadTemplate,
  '/customers/:customerId': ofCustomer({ show: showOverview }),
  '/customers/:customerId/timeline': ofCustomer({ show: showTimeline }),
  '/customers/:customerId/details': ofCustomer(detailsPart),
  '/customers/:customerId/portal-access': ofCustomer(portalAccessPart),
  '/customers/:customerId/voice-agents': ofCustomer(agentsPart),
  '/customers/:customerId/team': ofCustomer(consoleTeam),
  '/customers/:customerId/memory': ofCustomer(consoleMinds),
  '/customers/:customerId/memory/:mindId': ofCustomer(consoleMind),
  '/customers/:customerId/memory/:mindId/memories': ofCustomer(consoleMemories),
  '/customers/:customerId/memory/:mindId/export': ofCustomer({ show: downloadMind }),
  '/customers/:customerId/credits': ofCustomer(creditsPart),
  '/customers/:customerId/usage': ofCustomer({ show: consoleUsage }),
  '/customers/:customerId/billing': ofCustomer(billingPart),
  '/customers/:customerId/tokens': ofCustomer(consoleTokens)
}
