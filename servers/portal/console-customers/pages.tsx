// The console's dashboard, customers and voice agents. Mounted behind consoleVisitor().
import { type Context, Hono } from 'hono'
import type { Service } from '../../../src/service.ts'
import type { PageEnv } from '../env.ts'
import { done, submitted, type Visit } from '../visit.ts'
import { creditsPart } from './credits.tsx'
import { agentsPart } from './customer-agents.tsx'
import { showCustomers } from './customer-list.tsx'
import { type PartPages, visitCustomer } from './customer-page.tsx'
import { showDashboard } from './dashboard.tsx'
import { detailsPart } from './details.tsx'
import { downloadMind, mindPart } from './mind.tsx'
import { mindsPart } from './minds.tsx'
import { onboard, showOnboarding } from './onboard.tsx'
import { showOverview } from './overview.tsx'
import { customerPath } from './paths.ts'
import { portalAccessPart } from './portal-access.tsx'
import { teamPart } from './team.tsx'
import { tokensPart } from './tokens.tsx'
import { showVoiceAgents } from './voice-agents.tsx'

const PART_PAGES: Readonly<Record<string, PartPages>> = {
  details: detailsPart,
  'portal-access': portalAccessPart,
  'voice-agents': agentsPart,
  team: teamPart,
  memory: mindsPart,
  'memory/:mindId': mindPart,
  credits: creditsPart,
  tokens: tokensPart
}

export function customerPages(service: Service): Hono<PageEnv> {
  const app = new Hono<PageEnv>()
  const by = (answer: (visit: Visit) => Promise<Response>) => (c: Context<PageEnv>) => answer({ c, service })

  app.get('/', by(showDashboard))
  app.get('/voice-agents', by(showVoiceAgents))
  app.get('/customers', by(showCustomers))
  app.get('/customers/onboard', by(showOnboarding))
  app.post('/customers/onboard', by(onboard))

  const customer = '/customers/:customerId'
  app.get(customer, by(showOverview))
  app.get(`${customer}/memory/:mindId/export`, by(downloadMind))
  for (const [part, { show, forms, maxBytes }] of Object.entries(PART_PAGES)) {
    for (const [form, act] of Object.entries(forms)) {
      app.post(`${customer}/${part}/${form}`, async (c) => {
        const visited = await visitCustomer({ c, service })
        return submitted(visited, {
          async act(filled) {
            const outcome = await act(visited, filled)
            if (outcome instanceof Response) return outcome
            return done(visited, outcome.next ?? pathOf(c, visited.customer.id, part), outcome.message)
          },
          again: (tried) => show(visited, tried),
          maxBytes
        })
      })
      // A form that was refused leaves its own address in the bar; opening that again shows the page.
      app.get(`${customer}/${part}/${form}`, (c) =>
        c.redirect(pathOf(c, c.req.param('customerId') ?? '', part), 302)
      )
    }
    app.get(
      `${customer}/${part}`,
      by(async (visit) => show(await visitCustomer(visit)))
    )
  }
  return app
}

const pathOf = (c: Context<PageEnv>, customerId: string, part: string): string =>
  customerPath(
    customerId,
    ...part.split('/').map((name) => (name.startsWith(':') ? (c.req.param(name.slice(1)) ?? '') : name))
  )
