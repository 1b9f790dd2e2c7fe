// What the portal's first page shows, read by the operations that the visitor may use. What is switched off is absent.
import { CreditBalanceResult, CustomerCreditDailyResult } from '../../../schemas/credits.ts'
import { customerCreditDaily, getCustomerCredits } from '../../../src/credits/operations.ts'
import { run, type Visit } from '../visit.ts'
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

export async function readOverview(visit: Visit): Promise<Overview> {
  const visitor = visit.c.get('visitor')
  const places = placesOf(visitor)
  const customer = isManager(visitor) ? await readOwnCustomer(visit) : undefined
  return {
    memory: places.includes('memory') ? await readMemory(visit) : undefined,
    team: places.includes('team') && customer ? await readTeamSummary(visit, customer) : undefined,
    agents: places.includes('agents') ? await readAgents(visit) : undefined,
    ...(customer?.aiCreditsEnabled ? await readCredits(visit, customer) : NO_CREDITS)
  }
}

const NO_CREDITS = { credits: undefined, usage: undefined }

async function readMemory(visit: Visit): Promise<MemorySummary> {
  const minds = await readMinds(visit)
  const [latest] = minds
    .filter(({ memoryCount }) => memoryCount > 0)
    .sort((a, b) => b.updatedAt.localeCompare(a.updatedAt))
  const recalled = latest && (await readRecalled(visit, latest.mindId))
  const message = recalled?.messages[0]
  return {
    memories: minds.reduce((sum, { memoryCount }) => sum + memoryCount, 0),
    minds: minds.length,
    newest: latest && message && { mindId: latest.mindId, ...message }
  }
}

async function readTeamSummary(visit: Visit, { maxTeamMembers }: OwnCustomer) {
  const members = await readTeam(visit)
  const active = members.filter(({ status }) => status === 'active').length
  return { active, invited: members.length - active, places: maxTeamMembers }
}

async function readAgents(visit: Visit) {
  const tokens = await readTokens(visit)
  const uses = tokens.flatMap(({ lastUsedAt }) => lastUsedAt ?? [])
  return { tokens: tokens.length, lastUsedAt: uses.toSorted().at(-1) ?? null }
}

async function readCredits(
  visit: Visit,
  { lowCreditThreshold }: OwnCustomer
): Promise<Pick<Overview, 'credits' | 'usage'>> {
  const { data } = await run(visit, getCustomerCredits, CreditBalanceResult)
  const credits = { balance: data.balance, threshold: lowCreditThreshold }
  if (!visit.c.get('visitor').features.hasAnalytics) return { credits, usage: undefined }
  const daily = await run(visit, customerCreditDaily, CustomerCreditDailyResult, { days: USAGE_DAYS })
  return { credits, usage: daily.data }
}
