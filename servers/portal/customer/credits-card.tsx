import type { FC } from 'hono/jsx'
import { Badge } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'
import { BarChart } from '../ui/chart.tsx'
import { Credits } from '../ui/time.tsx'
import type { Overview } from './home-data.ts'

/** What is left, and what was used day by day where analytics are on. */
export const CreditsCard: FC<{
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
      {usage ? (
        <BarChart
          title="Used"
          unit="credits a day"
          points={usage.map(({ date, spent }) => ({ label: dayLabel(date), value: spent }))}
        />
      ) : null}
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

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const dayLabel = (date: string): string => DAY.format(new Date(`${date}T00:00:00Z`))
