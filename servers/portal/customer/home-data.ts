// What the portal's first page shows, read by the operations that the visitor may use. What is switched off is absent.
import type { Context } from 'hono'
import { CreditBalanceResult, CustomerCreditDailyResult } from '../../../schemas/credits.ts'
import { customerCreditDaily, getCustomerCredits } from '../../../src/credits/operations.ts'
import type { Service } from '../../../src/service.ts'
import type { PageEnv } from '../env.ts'
import { perform } from '../perform.ts'
import { readTokens } from './agents-pages.tsx'
import { readMinds, readRecalled } from './memory-reads.ts'
import { isManager, placesOf } from './menu.ts'
import { type OwnCustomer, readOwnCustomer } from './own-customer.ts'
import { readTeam } from './team-pages.tsx'

export interface Overview {
  memory: MemorySummary | undefined
  team: { active: number; invited: number; places: number } | undefined
  agents: { tokens: number; lastUsedAt: string | null } | undefined
  credits: { balance: number; threshold: number | null } | undefined
  /** Credits spent on each of the last days. */
  usage: { date: string; spent: number }[] | undefined
}

interface MemorySummary {
  memories: number
  minds: number
  /** What was told last, anywhere. */
  newest: { mindId: string; content: string; occurredAt: string } | undefined
}

const USAGE_DAYS = 30

export async function readOverview(service: Service, c: Context<PageEnv>): Promise<Overview> {
  const visitor = c.get('visitor')
  const places = placesOf(visitor)
  const customer = isManager(visitor) ? await readOwnCustomer(service, c) : undefined
  return {
    memory: places.includes('memory') ? await readMemory(service, c) : undefined,
    team: places.includes('team') && customer ? await readTeamSummary(service, c, customer) : undefined,
    agents: places.includes('agents') ? await readAgents(service, c) : undefined,
    ...(customer?.aiCreditsEnabled ? await readCredits(service, c, customer) : NO_CREDITS)
  }
}

const NO_CREDITS = { credits: undefined, usage: undefined }

async function readMemory(service: Service, c: Context<PageEnv>): Promise<MemorySummary> {
  const minds = await readMinds(service, c)
  const [latest] = minds
    .filter(({ memoryCount }) => memoryCount > 0)
    .sort((a, b) => b.updatedAt.localeCompare(a.updatedAt))
  const recalled = latest && (await readRecalled(service, c, latest.mindId))
  const message = recalled?.messages[0]
  return {
    memories: minds.reduce((sum, { memoryCount }) => sum + memoryCount, 0),
    minds: minds.length,
    newest: latest && message && { mindId: latest.mindId, ...message }
  }
}

async function readTeamSummary(service: Service, c: Context<PageEnv>, { maxTeamMembers }: OwnCustomer) {
  const members = await readTeam(service, c)
  const active = members.filter(({ status }) => status === 'active').length
  return { active, invited: members.length - active, places: maxTeamMembers }
}

async function readAgents(service: Service, c: Context<PageEnv>) {
  const tokens = await readTokens(service, c)
  const uses = tokens.flatMap(({ lastUsedAt }) => lastUsedAt ?? [])
  return { tokens: tokens.length, lastUsedAt: uses.toSorted().at(-1) ?? null }
}

async function readCredits(
  service: Service,
  c: Context<PageEnv>,
  { lowCreditThreshold }: OwnCustomer
): Promise<Pick<Overview, 'credits' | 'usage'>> {
  const { caller, customerId, features } = c.get('visitor')
  const { data } = await perform(service, c, getCustomerCredits, {
    caller,
    input: { customerId },
    output: CreditBalanceResult
  })
  const credits = { balance: data.balance, threshold: lowCreditThreshold }
  if (!features.hasAnalytics) return { credits, usage: undefined }
  const daily = await perform(service, c, customerCreditDaily, {
    caller,
    input: { customerId, days: USAGE_DAYS },
    output: CustomerCreditDailyResult
  })
  return { credits, usage: daily.data }
}
