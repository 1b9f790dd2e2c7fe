// How far the work behind a Mind is, and what models took for it.
import type { FC } from 'hono/jsx'
import type { z } from 'zod'
import type { MindWork } from '../../../schemas/mind-work.ts'
import { ActButton } from '../ui/form.tsx'
import { Card } from '../ui/layout.tsx'
import { atEnd, Table } from '../ui/table.tsx'
import { counted, decimal, type State, StateBadge, Time } from '../ui/values.tsx'

type Shown = z.output<typeof MindWork>
type Work = Shown['work'][number]
type Usage = Shown['usage'][number]

const WORKS: Readonly<Record<Work['kind'], string>> = {
  consolidate: 'Facts read by the model',
  embed: 'Vectors for finding by meaning',
  forward: 'Copies at Honcho'
}

const PURPOSES: Readonly<Record<Usage['purpose'], string>> = {
  consolidate: 'Reading facts',
  ask: 'Answering questions',
  embed: 'Vectors'
}

/** Nothing where no model and no other service ever worked on the Mind. */
export const MindWorkCard: FC<Pick<Shown, 'work' | 'usage'> & { action: string }> = ({
  work,
  usage,
  action
}) => {
  if (work.length === 0 && usage.length === 0) return null
  return (
    <Card
      title="Work behind this memory"
      description="It goes on by itself. Recall and Ask don’t wait for it."
      action={
        work.some(({ isOn, lastError, putAside }) => isOn && (lastError !== null || putAside > 0)) ? (
          <ActButton action={action}>Try again now</ActButton>
        ) : undefined
      }
    >
      <Table
        caption="Work behind this memory"
        columns={['Work', 'State', ...['Last done', 'Oldest waiting', 'Failed runs'].map(atEnd)]}
        rows={work.map((one) => ({
          cells: [
            WORKS[one.kind],
            <StateBadge {...stateOf(one)} />,
            <Time iso={one.lastDoneAt} />,
            <Time iso={one.waitingSince} />,
            decimal(one.failures)
          ]
        }))}
      />
      {work
        .filter(({ lastError }) => lastError !== null)
        .map((one) => (
          <Failure work={one} />
        ))}
      {usage.length === 0 ? null : <Costs usage={usage} />}
    </Card>
  )
}

function stateOf({ isOn, waiting, lastError, putAside }: Work): State {
  if (!isOn) return { tone: 'neutral', label: 'Switched off' }
  if (lastError !== null) return { tone: 'bad', label: 'Failing' }
  if (putAside > 0) return { tone: 'warn', label: `${counted(putAside, 'memory', 'memories')} given up` }
  if (waiting > 0) return { tone: 'neutral', label: `${counted(waiting, 'memory waits', 'memories wait')}` }
  return { tone: 'good', label: 'Up to date' }
}

const Failure: FC<{ work: Work }> = ({ work: { kind, lastError, nextAttemptAt, waiting, putAside } }) => (
  <p>
    {WORKS[kind]}: {lastError} {counted(waiting, 'memory waits', 'memories wait')}
    {putAside > 0 ? `, ${counted(putAside, 'was', 'were')} given up` : ''}
    {nextAttemptAt === null ? (
      '.'
    ) : (
      <>
        , next attempt <Time iso={nextAttemptAt} />.
      </>
    )}
  </p>
)

const Costs: FC<{ usage: readonly Usage[] }> = ({ usage }) => (
  <Table
    caption="What models took for this memory"
    columns={['Models', ...['Calls', 'Tokens in', 'Tokens out', 'Cost'].map(atEnd)]}
    rows={usage.map(({ purpose, calls, inputTokens, outputTokens, cost }) => ({
      cells: [
        PURPOSES[purpose],
        ...[calls, inputTokens, outputTokens].map((count) => decimal(count)),
        // By the operator's prices, in whatever these are.
        decimal(cost, { minimumFractionDigits: 2 })
      ]
    }))}
  />
)
