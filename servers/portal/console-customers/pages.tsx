// The console's dashboard, customers and voice agents. Mounted behind consoleVisitor().
import { type Context, Hono } from 'hono'
import type { Service } from '../../../src/service.ts'
import type { PageEnv } from '../env.ts'
import type { Visit } from './console.ts'
import { grantCredits, showCredits } from './credits.tsx'
import { mapAgent, showAgents, unmapAgent } from './customer-agents.tsx'
import { showCustomers } from './customer-list.tsx'
import { showDashboard } from './dashboard.tsx'
import { saveDetails, showDetails } from './details.tsx'
import { downloadMind, forgetMemory, forgetMind, retryWork, showMind } from './mind.tsx'
import { addMind, showMinds, turnMemoryOn } from './minds.tsx'
import { onboard, showOnboarding } from './onboard.tsx'
import { showOverview } from './overview.tsx'
import { customerPath } from './paths.ts'
import { blockOrGrant, inviteToPortal, resetPassword, showPortalAccess } from './portal-access.tsx'
import { inviteMember, removeMember, showTeam } from './team.tsx'
import { mintToken, revokeToken, showTokens } from './tokens.tsx'
import { showVoiceAgents } from './voice-agents.tsx'

type Answer = (visit: Visit) => Promise<Response>

/** A part of one customer's page. */
interface PartPages {
  show: Answer
  /** What its forms post to, below the part. */
  forms: Readonly<Record<string, Answer>>
}

const PART_PAGES: Readonly<Record<string, PartPages>> = {
  details: { show: showDetails, forms: { ':group': saveDetails } },
  'portal-access': {
    show: showPortalAccess,
    forms: { invite: inviteToPortal, reset: resetPassword, block: blockOrGrant }
  },
  'voice-agents': { show: showAgents, forms: { map: mapAgent, unmap: unmapAgent } },
  team: { show: showTeam, forms: { invite: inviteMember, ':teamMemberId/remove': removeMember } },
  memory: { show: showMinds, forms: { create: addMind, enable: turnMemoryOn } },
  'memory/:mindId': {
    show: showMind,
    forms: { 'forget-memory': forgetMemory, forget: forgetMind, retry: retryWork }
  },
  credits: { show: showCredits, forms: { grant: grantCredits } },
  tokens: { show: showTokens, forms: { mint: mintToken, ':tokenId/revoke': revokeToken } }
}

export function customerPages(service: Service): Hono<PageEnv> {
  const app = new Hono<PageEnv>()
  const by = (answer: Answer) => (c: Context<PageEnv>) => answer({ c, service })

  app.get('/', by(showDashboard))
  app.get('/voice-agents', by(showVoiceAgents))
  app.get('/customers', by(showCustomers))
  app.get('/customers/onboard', by(showOnboarding))
  app.post('/customers/onboard', by(onboard))

  const customer = '/customers/:customerId'
  app.get(customer, by(showOverview))
  app.get(`${customer}/memory/:mindId/export`, by(downloadMind))
  for (const [part, { show, forms }] of Object.entries(PART_PAGES)) {
    for (const [form, answer] of Object.entries(forms)) {
      app.post(`${customer}/${part}/${form}`, by(answer))
      // A form that was refused leaves its own address in the bar; opening that again shows the page.
      app.get(`${customer}/${part}/${form}`, (c) => c.redirect(pathOf(c, part), 302))
    }
    app.get(`${customer}/${part}`, by(show))
  }
  return app
}

const pathOf = (c: Context<PageEnv>, part: string): string =>
  customerPath(
    c.req.param('customerId') ?? '',
    ...part.split('/').map((name) => (name.startsWith(':') ? (c.req.param(name.slice(1)) ?? '') : name))
  )
