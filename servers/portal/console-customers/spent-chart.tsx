import type { FC } from 'hono/jsx'
import { BarChart } from '../ui/chart.tsx'

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** Credits spent on each day. */
export const SpentChart: FC<{ title: string; daily: readonly { date: string; spent: number }[] }> = ({
  title,
  daily
}) => (
  <BarChart
    title={title}
    unit="credits a day"
    points={daily.map(({ date, spent }) => ({
      label: DAY.format(new Date(date)),
      value: spent,
      hint: `${DAY.format(new Date(date))}: ${spent.toLocaleString('en', { maximumFractionDigits: 6 })} credits`
    }))}
  />
)
