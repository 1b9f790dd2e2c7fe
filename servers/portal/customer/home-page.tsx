import type { Child, FC } from 'hono/jsx'
import type { Recalled } from '../../../schemas/mind.ts'
import { listCustomerApps } from '../../../src/connected-apps/operations.ts'
import { customerCreditDaily, getCustomerCredits } from '../../../src/credits/operations.ts'
import { getCustomerOperation } from '../../../src/customers/operations.ts'
import { pieces, say, sayIfKnown } from '../../../src/language/say.ts'
import { listMindsOperation, recallOperation } from '../../../src/memory/operations.ts'
import { listTeamMembersOperation } from '../../../src/team/operations.ts'
import { getUsage } from '../../../src/usage/operations.ts'
import { listVoiceAgents } from '../../../src/voice-agents/operations.ts'
import { RecalledSections, sectionsOf } from '../belongings/recalled-text.tsx'
import { StoredText } from '../belongings/stored-text.tsx'
import type { ShownCustomer } from '../console-customers/customer-page.tsx'
import { callOperation, type PageContext, showPage } from '../page-kit.tsx'
import { SpentChart } from '../ui/chart.tsx'
import { PlainLink } from '../ui/form.tsx'
import { Card, EmptyState, type Figure, Figures } from '../ui/layout.tsx'
import { Badge, roundedMoney, Time } from '../ui/values.tsx'
import { readTokens } from './agents.tsx'
import { FirstSteps } from './first-steps.tsx'
import { isManager, placesOf } from './menu.ts'
import { readPacks } from './packs.tsx'

export async function showHome(context: PageContext): Promise<Response> {
  const { base, look } = context.c.get('portal')
  const [first] = context.c.get('visitor').agents
  const { customer, voice, memory, agents, team, credits } = await readOverview(context)
  const figures = [memory, agents, team].flatMap((part) => part?.figure ?? [])
  const begun = { memory: memory?.isBegun, agents: agents?.isBegun, team: team?.isBegun }
  return showPage(
    context,
    { title: say('Home'), current: '' },
    <>
      {customer ? <FirstSteps {...{ context, customer, credits, begun }} /> : null}
      {voice ? <Figures label={say('Usage of the last 30 days')} figures={voice} /> : null}
      {figures.length > 0 ? <Figures label={say('At a glance')} figures={figures} /> : null}
      {figures.length === 0 && !voice && !credits && !first ? (
        <Card>
          <EmptyState title={say('Nothing is switched on for you yet')}>
            {say('What {name} sets up for you shows here.', { name: look.name })}
          </EmptyState>
        </Card>
      ) : null}
      {first ? (
        <Card
          title={first.name}
          description={sayIfKnown(first.state)}
          action={<PlainLink href={`${base}/chat`}>{say('Open the chat')}</PlainLink>}
        />
      ) : null}
      {memory && memory.coming.length > 0 ? (
        <Card title={say('Coming up')}>
          <RecalledSections sections={[{ heading: undefined, facts: memory.coming }]} />
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

/** Read by the operations that the visitor may use; what is switched off is absent. */
async function readOverview(context: PageContext) {
  const visitor = context.c.get('visitor')
  const places = placesOf(visitor)
  const customer = isManager(visitor) ? (await callOperation(context, getCustomerOperation)).data : undefined
  return {
    customer,
    voice: places.includes('usage') ? await readVoice(context) : undefined,
    memory: places.includes('memory') ? await readMemory(context) : undefined,
    team: places.includes('team') && customer ? await readTeam(context, customer) : undefined,
    agents: places.includes('agents') ? await readAgents(context) : undefined,
    credits: customer?.aiCreditsEnabled ? await readCredits(context, customer) : undefined
  }
}

const figureAt = ({ c }: PageContext, place: string, value: Figure['value'], label: Child): Figure => ({
  value,
  label,
  href: `${c.get('portal').base}/${place}`
})

/** The last 30 days, and what is owed for these and all else. */
async function readVoice(context: PageContext) {
  const { data: usage } = await callOperation(context, getUsage)
  const { totalCount: count } = (await callOperation(context, listVoiceAgents, { limit: 1 })).pagination
  const [calls, minutes] = [usage.total.calls, Math.round(usage.total.minutes)]
  const figure = (value: Figure['value'], label: Child) => figureAt(context, 'usage', value, label)
  return [
    figure(count, say('{count, plural, one {voice agent} other {voice agents}}', { count })),
    figure(calls, say('{count, plural, one {call} other {calls}} in 30 days', { count: calls })),
    figure(minutes, say('{count, plural, one {minute} other {minutes}} in 30 days', { count: minutes })),
    figure(roundedMoney(usage.openAmount, usage.currency), say('owed, not billed yet'))
  ]
}

async function readMemory(context: PageContext) {
  const { minds } = await callOperation(context, listMindsOperation)
  const [latest] = minds
    .filter(({ memoryCount }) => memoryCount > 0)
    .sort((a, b) => b.updatedAt.localeCompare(a.updatedAt))
  // Of many parts two: the one that agents use, and the one that was told last.
  const looked = minds.filter((mind) => mind.memoryCount > 0 && (mind.isPrimary || mind === latest))
  const recalled: Recalled[] = []
  for (const { mindId } of looked) recalled.push(await callOperation(context, recallOperation, { mindId }))
  const message = recalled.find(({ mindId }) => mindId === latest?.mindId)?.messages[0]
  const count = minds.reduce((sum, { memoryCount }) => sum + memoryCount, 0)
  const label = say('{count, plural, one {memory} other {memories}}', { count })
  return {
    figure: figureAt(context, 'memory', count, label),
    isBegun: count > 0,
    coming: recalled
      .flatMap(({ snapshot }) => sectionsOf(snapshot))
      .flatMap(({ heading, facts }) => (heading === 'Coming up' ? facts : []))
      .toSorted((a, b) => `${a.day} ${a.text}`.localeCompare(`${b.day} ${b.text}`)),
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
    isBegun: places > 0 ? members.length > 0 : undefined
  }
}

async function readAgents(context: PageContext) {
  const tokens = await readTokens(context)
  const lastUsedAt = tokens
    .flatMap((token) => token.lastUsedAt ?? [])
    .toSorted()
    .at(-1)
  const { hasApiAccess } = context.c.get('visitor').features
  const { data: apps } = await callOperation(context, listCustomerApps)
  const count = tokens.length
  const label = lastUsedAt
    ? pieces('{count, plural, one {token} other {tokens}} of agents, used {time}', {
        count,
        time: <Time iso={lastUsedAt} />
      })
    : say('{count, plural, one {token} other {tokens}} of agents, not used yet', { count })
  const isBegun = hasApiAccess ? count + apps.length > 0 : undefined
  return { figure: figureAt(context, 'agents', count, label), isBegun }
}

async function readCredits(context: PageContext, { lowCreditThreshold: threshold }: ShownCustomer) {
  const { balance } = (await callOperation(context, getCustomerCredits)).data
  const packs = await readPacks(context)
  if (!context.c.get('visitor').features.hasAnalytics) return { balance, threshold, packs, usage: undefined }
  const { data: usage } = await callOperation(context, customerCreditDaily)
  return { balance, threshold, packs, usage }
}
