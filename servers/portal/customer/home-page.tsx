// What there is, at a glance.
import type { Context } from 'hono'
import type { FC } from 'hono/jsx'
import { customerCreditDaily, getCustomerCredits } from '../../../src/credits/operations.ts'
import { getCustomerOperation } from '../../../src/customers/operations.ts'
import { listMindsOperation, recallOperation } from '../../../src/memory/operations.ts'
import { listTeamMembersOperation } from '../../../src/team/operations.ts'
import { StoredText } from '../belongings/stored-text.tsx'
import type { ShownCustomer } from '../console-customers/customer-page.tsx'
import type { PageEnv } from '../env.ts'
import { PortalPage } from '../frames.tsx'
import { callOperation, type PageContext } from '../page-kit.tsx'
import { SpentChart } from '../ui/chart.tsx'
import { LinkButton } from '../ui/form.tsx'
import { Card, EmptyState, type Figure, Figures, Grid, Stack } from '../ui/layout.tsx'
import { Badge, Credits, Time } from '../ui/values.tsx'
import { readTokens } from './agents.tsx'
import { isManager, placesOf } from './menu.ts'

export const HomePage: FC<{ c: Context<PageEnv>; overview: Overview }> = ({ c, overview }) => {
  const { base, look } = c.get('site')
  const { memory, credits, usage } = overview
  const figures = figuresOf(base, overview)
  const steps = isManager(c.get('visitor')) ? nextSteps(base, overview) : []
  return (
    <PortalPage c={c} title="Home" current="">
      <Stack>
        {steps.length > 0 ? <NextSteps steps={steps} /> : null}
        {figures.length > 0 ? <Figures label="At a glance" figures={figures} /> : null}
        {figures.length === 0 && !credits ? (
          <Card>
            <EmptyState title="Nothing is switched on for you yet">
              {`What ${look.name} sets up for you shows here.`}
            </EmptyState>
          </Card>
        ) : null}
        {credits ? <CreditsCard credits={credits} usage={usage} support={look.name} /> : null}
        {memory?.newest ? (
          <Card
            title="Remembered last"
            description={<Time iso={memory.newest.occurredAt} />}
            action={
              <LinkButton kind="plain" href={`${base}/memory/minds/${memory.newest.mindId}`}>
                Open the Mind
              </LinkButton>
            }
          >
            <StoredText text={memory.newest.content} />
          </Card>
        ) : null}
      </Stack>
    </PortalPage>
  )
}

/** What is left, and what was used day by day where analytics are on. */
const CreditsCard: FC<{
  credits: NonNullable<Overview['credits']>
  usage: Overview['usage']
  support: string
}> = ({ credits: { balance, threshold }, usage, support }) => {
  const state = stateOf(balance, threshold)
  return (
    <Card
      title="AI credits"
      description={
        <>
          <Credits amount={balance} /> left.{' '}
          {state === 'fine' ? null : `They pay for remembering and asking. Ask ${support} for more.`}
        </>
      }
      action={state === 'fine' ? undefined : <BalanceBadge state={state} />}
    >
      {usage ? <SpentChart title="Used" daily={usage} /> : null}
    </Card>
  )
}

type BalanceState = 'fine' | 'low' | 'empty'

function stateOf(balance: number, threshold: number | null): BalanceState {
  if (balance <= 0) return 'empty'
  return threshold !== null && balance < threshold ? 'low' : 'fine'
}

const BalanceBadge: FC<{ state: BalanceState }> = ({ state }) =>
  state === 'low' ? <Badge tone="warn">low</Badge> : <Badge tone="bad">used up</Badge>

// Numbers at a glance, each a link to what it counts.
function figuresOf(base: string, { memory, agents, team }: Overview): Figure[] {
  const figures: Figure[] = []
  if (memory) {
    const label = `${memory.memories === 1 ? 'memory' : 'memories'} in ${memory.minds} ${memory.minds === 1 ? 'Mind' : 'Minds'}`
    figures.push({ value: memory.memories, label, href: `${base}/memory` })
  }
  if (agents) {
    const used = agents.lastUsedAt ? (
      <>
        used <Time iso={agents.lastUsedAt} />
      </>
    ) : (
      'not used yet'
    )
    const label = (
      <>
        {agents.tokens === 1 ? 'token' : 'tokens'} of agents, {used}
      </>
    )
    figures.push({ value: agents.tokens, label, href: `${base}/agents` })
  }
  if (team) {
    const invited = team.invited === 0 ? '' : `, ${team.invited} invited`
    figures.push({
      value: team.active + team.invited,
      label: `of ${team.places} places in your team${invited}`,
      href: `${base}/team`
    })
  }
  return figures
}

// What to do first while there is little to see.
interface Step {
  title: string
  text: string
  href: string
  verb: string
}

/** The steps that are still to do. */
function nextSteps(base: string, { memory, agents, team }: Overview): Step[] {
  const steps: Step[] = []
  if (memory?.memories === 0) {
    steps.push({
      title: 'Write a first memory',
      text: 'A fact, a preference, an agreement: your agents know it from then on.',
      href: `${base}/memory`,
      verb: 'Open memory'
    })
  }
  if (agents?.tokens === 0) {
    steps.push({
      title: 'Connect an agent',
      text: 'Give Claude Code, Cursor, VS Code, n8n or a program of yours access to the memory.',
      href: `${base}/agents`,
      verb: 'Connect an agent'
    })
  }
  if (team && team.active + team.invited === 0 && team.places > 0) {
    steps.push({
      title: 'Invite your team',
      text: 'Colleagues can read and ask, or manage all of it with you.',
      href: `${base}/team`,
      verb: 'Invite somebody'
    })
  }
  return steps
}

const NextSteps: FC<{ steps: readonly Step[] }> = ({ steps }) => (
  <Grid>
    {steps.map(({ title, text, href, verb }) => (
      <Card title={title} description={text}>
        <LinkButton kind="plain" href={href}>
          {verb}
        </LinkButton>
      </Card>
    ))}
  </Grid>
)

// What the portal's first page shows, read by the operations that the visitor may use. What is switched off is absent.

interface Overview {
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

export async function readOverview(context: PageContext): Promise<Overview> {
  const visitor = context.c.get('visitor')
  const places = placesOf(visitor)
  const customer = isManager(visitor) ? (await callOperation(context, getCustomerOperation)).data : undefined
  return {
    memory: places.includes('memory') ? await readMemory(context) : undefined,
    team: places.includes('team') && customer ? await readTeamSummary(context, customer) : undefined,
    agents: places.includes('agents') ? await readAgents(context) : undefined,
    ...(customer?.aiCreditsEnabled ? await readCredits(context, customer) : NO_CREDITS)
  }
}

const NO_CREDITS = { credits: undefined, usage: undefined }

async function readMemory(context: PageContext): Promise<MemorySummary> {
  const { minds } = await callOperation(context, listMindsOperation)
  const [latest] = minds
    .filter(({ memoryCount }) => memoryCount > 0)
    .sort((a, b) => b.updatedAt.localeCompare(a.updatedAt))
  const recalled = latest && (await callOperation(context, recallOperation, { mindId: latest.mindId }))
  const message = recalled?.messages[0]
  return {
    memories: minds.reduce((sum, { memoryCount }) => sum + memoryCount, 0),
    minds: minds.length,
    newest: latest && message && { mindId: latest.mindId, ...message }
  }
}

async function readTeamSummary(context: PageContext, { maxTeamMembers }: ShownCustomer) {
  const { data: members } = await callOperation(context, listTeamMembersOperation)
  const active = members.filter(({ status }) => status === 'active').length
  return { active, invited: members.length - active, places: maxTeamMembers }
}

async function readAgents(context: PageContext) {
  const tokens = await readTokens(context)
  const uses = tokens.flatMap(({ lastUsedAt }) => lastUsedAt ?? [])
  return { tokens: tokens.length, lastUsedAt: uses.toSorted().at(-1) ?? null }
}

async function readCredits(
  context: PageContext,
  { lowCreditThreshold }: ShownCustomer
): Promise<Pick<Overview, 'credits' | 'usage'>> {
  const { data } = await callOperation(context, getCustomerCredits)
  const credits = { balance: data.balance, threshold: lowCreditThreshold }
  if (!context.c.get('visitor').features.hasAnalytics) return { credits, usage: undefined }
  const daily = await callOperation(context, customerCreditDaily, { days: USAGE_DAYS })
  return { credits, usage: daily.data }
}
