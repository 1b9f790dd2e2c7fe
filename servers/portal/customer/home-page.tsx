import type { Child, FC } from 'hono/jsx'
import { customerCreditDaily, getCustomerCredits } from '../../../src/credits/operations.ts'
import { getCustomerOperation } from '../../../src/customers/operations.ts'
import { pieces, say } from '../../../src/language/say.ts'
import { listMindsOperation, recallOperation } from '../../../src/memory/operations.ts'
import { listTeamMembersOperation } from '../../../src/team/operations.ts'
import { StoredText } from '../belongings/stored-text.tsx'
import type { ShownCustomer } from '../console-customers/customer-page.tsx'
import { callOperation, type PageContext, showPage } from '../page-kit.tsx'
import { SpentChart } from '../ui/chart.tsx'
import { PlainLink } from '../ui/form.tsx'
import { Card, EmptyState, type Figure, Figures, Grid } from '../ui/layout.tsx'
import { Badge, roundedMoney, Time } from '../ui/values.tsx'
import { readTokens } from './agents.tsx'
import { isManager, placesOf } from './menu.ts'
import { readPacks } from './packs.tsx'

export async function showHome(context: PageContext): Promise<Response> {
  const { base, look } = context.c.get('portal')
  const { memory, agents, team, usage, credits } = await readOverview(context)
  const figures = [memory, agents, team, usage].flatMap((part) => part?.figure ?? [])
  const due = { memory: memory?.isEmpty, agents: agents?.isEmpty, team: team?.isEmpty }
  const steps = isManager(context.c.get('visitor')) ? STEPS.filter(({ place }) => due[place]) : []
  return showPage(
    context,
    { title: say('Home'), current: '' },
    <>
      {steps.length > 0 ? (
        <Grid>
          {steps.map(({ title, text, place, verb }) => (
            <Card title={say(title)} description={say(text)}>
              <PlainLink href={`${base}/${place}`}>{say(verb)}</PlainLink>
            </Card>
          ))}
        </Grid>
      ) : null}
      {figures.length > 0 ? <Figures label={say('At a glance')} figures={figures} /> : null}
      {figures.length === 0 && !credits ? (
        <Card>
          <EmptyState title={say('Nothing is switched on for you yet')}>
            {say('What {name} sets up for you shows here.', { name: look.name })}
          </EmptyState>
        </Card>
      ) : null}
      {credits ? <CreditsCard {...credits} base={base} support={look.name} /> : null}
      {memory?.newest ? (
        <Card
          title={say('Remembered last')}
          description={<Time iso={memory.newest.occurredAt} />}
          action={
            <PlainLink href={`${base}/memory/minds/${memory.newest.mindId}`}>
              {say('Open the memory')}
            </PlainLink>
          }
        >
          <StoredText text={memory.newest.content} />
        </Card>
      ) : null}
    </>
  )
}

const CreditsCard: FC<Awaited<ReturnType<typeof readCredits>> & { base: string; support: string }> = ({
  balance,
  threshold,
  usage,
  packs,
  base,
  support
}) => {
  const isLow = threshold !== null && balance < threshold
  const lowBadge = isLow ? <Badge tone="warn">{say('low')}</Badge> : undefined
  const hasPacks = packs.length > 0
  const purpose = hasPacks
    ? say('They pay for remembering and asking.')
    : say('They pay for remembering and asking. Ask {support} for more.', { support })
  const badge = balance <= 0 ? <Badge tone="bad">{say('used up')}</Badge> : lowBadge
  return (
    <Card
      title={say('AI credits')}
      description={
        <>
          {pieces('{count, plural, one {<n># credit</n> left.} other {<n># credits</n> left.}}', {
            count: balance,
            n: (words) => <span class="number">{words}</span>
          })}{' '}
          {badge ? purpose : null}
        </>
      }
      action={badge}
    >
      {usage ? <SpentChart title={say('Used')} daily={usage} /> : null}
      {hasPacks ? (
        <p>
          <PlainLink href={`${base}/packs`}>{say('Buy credits')}</PlainLink>
        </p>
      ) : null}
    </Card>
  )
}

/** What to do first while there is little to see. */
const STEPS = [
  {
    place: 'memory',
    title: 'Write a first memory',
    text: 'A fact, a preference, an agreement: your agents know it from then on.',
    verb: 'Open memory'
  },
  {
    place: 'agents',
    title: 'Connect an agent',
    text: 'Give Claude Code, Cursor, VS Code, n8n or a program of yours access to the memory.',
    verb: 'Connect an agent'
  },
  {
    place: 'team',
    title: 'Invite your team',
    text: 'Colleagues can read and ask, or manage all of it with you.',
    verb: 'Invite somebody'
  }
] as const

/** Read by the operations that the visitor may use; what is switched off is absent. */
async function readOverview(context: PageContext) {
  const visitor = context.c.get('visitor')
  const places = placesOf(visitor)
  const customer = isManager(visitor) ? (await callOperation(context, getCustomerOperation)).data : undefined
  return {
    memory: places.includes('memory') ? await readMemory(context) : undefined,
    team: places.includes('team') && customer ? await readTeam(context, customer) : undefined,
    usage: places.includes('usage') && customer ? readOwed(context, customer) : undefined,
    agents: places.includes('agents') ? await readAgents(context) : undefined,
    credits: customer?.aiCreditsEnabled ? await readCredits(context, customer) : undefined
  }
}

const figureAt = ({ c }: PageContext, place: string, value: Figure['value'], label: Child): Figure => ({
  value,
  label,
  href: `${c.get('portal').base}/${place}`
})

async function readMemory(context: PageContext) {
  const { minds } = await callOperation(context, listMindsOperation)
  const [latest] = minds
    .filter(({ memoryCount }) => memoryCount > 0)
    .sort((a, b) => b.updatedAt.localeCompare(a.updatedAt))
  const recalled = latest && (await callOperation(context, recallOperation, { mindId: latest.mindId }))
  const message = recalled?.messages[0]
  const count = minds.reduce((sum, { memoryCount }) => sum + memoryCount, 0)
  const label = say('{count, plural, one {memory} other {memories}}', { count })
  return {
    figure: figureAt(context, 'memory', count, label),
    isEmpty: count === 0,
    /** What was told last, anywhere. */
    newest: latest && message && { mindId: latest.mindId, ...message }
  }
}

async function readTeam(context: PageContext, { maxTeamMembers: places }: ShownCustomer) {
  const { data: members } = await callOperation(context, listTeamMembersOperation)
  const invited = members.filter(({ status }) => status !== 'active').length
  const label =
    invited === 0
      ? say('of {places, plural, one {# place} other {# places}} in your team', { places })
      : say(
          'of {places, plural, one {# place} other {# places}} in your team, {invited, plural, other {# invited}}',
          { places, invited }
        )
  return {
    figure: figureAt(context, 'team', members.length, label),
    isEmpty: members.length === 0 && places > 0
  }
}

const readOwed = (context: PageContext, { unbilledAmount, currency }: ShownCustomer) => ({
  figure: figureAt(context, 'usage', roundedMoney(unbilledAmount, currency), say('owed, not billed yet'))
})

async function readAgents(context: PageContext) {
  const tokens = await readTokens(context)
  const lastUsedAt = tokens
    .flatMap((token) => token.lastUsedAt ?? [])
    .toSorted()
    .at(-1)
  const count = tokens.length
  const label = lastUsedAt
    ? pieces('{count, plural, one {token} other {tokens}} of agents, used {time}', {
        count,
        time: <Time iso={lastUsedAt} />
      })
    : say('{count, plural, one {token} other {tokens}} of agents, not used yet', { count })
  return { figure: figureAt(context, 'agents', count, label), isEmpty: count === 0 }
}

async function readCredits(context: PageContext, { lowCreditThreshold: threshold }: ShownCustomer) {
  const { balance } = (await callOperation(context, getCustomerCredits)).data
  const packs = await readPacks(context)
  if (!context.c.get('visitor').features.hasAnalytics) return { balance, threshold, packs, usage: undefined }
  const { data: usage } = await callOperation(context, customerCreditDaily)
  return { balance, threshold, packs, usage }
}
