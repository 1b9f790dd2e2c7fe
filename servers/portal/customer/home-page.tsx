// What there is, at a glance.
import type { FC } from 'hono/jsx'
import { customerCreditDaily, getCustomerCredits } from '../../../src/credits/operations.ts'
import { getCustomerOperation } from '../../../src/customers/operations.ts'
import { listMindsOperation, recallOperation } from '../../../src/memory/operations.ts'
import { listTeamMembersOperation } from '../../../src/team/operations.ts'
import { StoredText } from '../belongings/stored-text.tsx'
import type { ShownCustomer } from '../console-customers/customer-page.tsx'
import { callOperation, type PageContext, showPage } from '../page-kit.tsx'
import { SpentChart } from '../ui/chart.tsx'
import { PlainLink } from '../ui/form.tsx'
import { Card, EmptyState, type Figure, Figures, Grid } from '../ui/layout.tsx'
import { Badge, Credits, counted, Time } from '../ui/values.tsx'
import { readTokens } from './agents.tsx'
import { isManager, placesOf } from './menu.ts'

export async function showHome(context: PageContext): Promise<Response> {
  const { c } = context
  const { base, look } = c.get('site')
  const overview = await readOverview(context)
  const { memory, credits } = overview
  const figures = figuresOf(base, overview)
  const steps = isManager(c.get('visitor')) ? STEPS.filter(({ isDue }) => isDue(overview)) : []
  return showPage(
    context,
    { title: 'Home', current: '' },
    <>
      {steps.length > 0 ? (
        <Grid>
          {steps.map(({ title, text, place, verb }) => (
            <Card title={title} description={text}>
              <PlainLink href={`${base}/${place}`}>{verb}</PlainLink>
            </Card>
          ))}
        </Grid>
      ) : null}
      {figures.length > 0 ? <Figures label="At a glance" figures={figures} /> : null}
      {figures.length === 0 && !credits ? (
        <Card>
          <EmptyState title="Nothing is switched on for you yet">
            {`What ${look.name} sets up for you shows here.`}
          </EmptyState>
        </Card>
      ) : null}
      {credits ? <CreditsCard {...credits} support={look.name} /> : null}
      {memory?.newest ? (
        <Card
          title="Remembered last"
          description={<Time iso={memory.newest.occurredAt} />}
          action={<PlainLink href={`${base}/memory/minds/${memory.newest.mindId}`}>Open the Mind</PlainLink>}
        >
          <StoredText text={memory.newest.content} />
        </Card>
      ) : null}
    </>
  )
}

/** What is left, and what was used day by day where analytics are on. */
const CreditsCard: FC<NonNullable<Overview['credits']> & { support: string }> = ({
  balance,
  threshold,
  usage,
  support
}) => {
  const isUsedUp = balance <= 0
  const isLow = !isUsedUp && threshold !== null && balance < threshold
  return (
    <Card
      title="AI credits"
      description={
        <>
          <Credits amount={balance} /> left.{' '}
          {isUsedUp || isLow ? `They pay for remembering and asking. Ask ${support} for more.` : null}
        </>
      }
      action={
        isUsedUp ? <Badge tone="bad">used up</Badge> : isLow ? <Badge tone="warn">low</Badge> : undefined
      }
    >
      {usage ? <SpentChart title="Used" daily={usage} /> : null}
    </Card>
  )
}

/** Numbers, each a link to what it counts. */
function figuresOf(base: string, { memory, agents, team }: Overview): Figure[] {
  const figures: Figure[] = []
  if (memory) {
    const label = `${memory.memories === 1 ? 'memory' : 'memories'} in ${counted(memory.minds, 'Mind')}`
    figures.push({ value: memory.memories, label, href: `${base}/memory` })
  }
  if (agents) {
    const label = (
      <>
        {agents.tokens === 1 ? 'token' : 'tokens'} of agents,{' '}
        {agents.lastUsedAt ? (
          <>
            used <Time iso={agents.lastUsedAt} />
          </>
        ) : (
          'not used yet'
        )}
      </>
    )
    figures.push({ value: agents.tokens, label, href: `${base}/agents` })
  }
  if (team) {
    const invited = team.invited === 0 ? '' : `, ${team.invited} invited`
    const label = `of ${team.places} places in your team${invited}`
    figures.push({ value: team.active + team.invited, label, href: `${base}/team` })
  }
  return figures
}

/** What to do first while there is little to see. */
const STEPS = [
  {
    isDue: ({ memory }: Overview) => memory?.memories === 0,
    title: 'Write a first memory',
    text: 'A fact, a preference, an agreement: your agents know it from then on.',
    place: 'memory',
    verb: 'Open memory'
  },
  {
    isDue: ({ agents }: Overview) => agents?.tokens === 0,
    title: 'Connect an agent',
    text: 'Give Claude Code, Cursor, VS Code, n8n or a program of yours access to the memory.',
    place: 'agents',
    verb: 'Connect an agent'
  },
  {
    isDue: ({ team }: Overview) => team && team.active + team.invited === 0 && team.places > 0,
    title: 'Invite your team',
    text: 'Colleagues can read and ask, or manage all of it with you.',
    place: 'team',
    verb: 'Invite somebody'
  }
]

type Overview = Awaited<ReturnType<typeof readOverview>>

/** Read by the operations that the visitor may use; what is switched off is absent. */
async function readOverview(context: PageContext) {
  const visitor = context.c.get('visitor')
  const places = placesOf(visitor)
  const customer = isManager(visitor) ? (await callOperation(context, getCustomerOperation)).data : undefined
  return {
    memory: places.includes('memory') ? await readMemory(context) : undefined,
    team: places.includes('team') && customer ? await readTeamSummary(context, customer) : undefined,
    agents: places.includes('agents') ? await readAgents(context) : undefined,
    credits: customer?.aiCreditsEnabled ? await readCredits(context, customer) : undefined
  }
}

async function readMemory(context: PageContext) {
  const { minds } = await callOperation(context, listMindsOperation)
  const [latest] = minds
    .filter(({ memoryCount }) => memoryCount > 0)
    .sort((a, b) => b.updatedAt.localeCompare(a.updatedAt))
  const recalled = latest && (await callOperation(context, recallOperation, { mindId: latest.mindId }))
  const message = recalled?.messages[0]
  return {
    memories: minds.reduce((sum, { memoryCount }) => sum + memoryCount, 0),
    minds: minds.length,
    /** What was told last, anywhere. */
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
  return { tokens: tokens.length, lastUsedAt: uses.toSorted().at(-1) }
}

const USAGE_DAYS = 30

async function readCredits(context: PageContext, { lowCreditThreshold: threshold }: ShownCustomer) {
  const { balance } = (await callOperation(context, getCustomerCredits)).data
  if (!context.c.get('visitor').features.hasAnalytics) return { balance, threshold, usage: undefined }
  const { data: usage } = await callOperation(context, customerCreditDaily, { days: USAGE_DAYS })
  return { balance, threshold, usage }
}
