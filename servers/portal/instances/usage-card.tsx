import type { FC } from 'hono/jsx'
import type { AgentUsage } from '../../../schemas/ai-gateway.ts'
import { daysAfter } from '../../../src/billing/calendar.ts'
import { DayChart } from '../ui/chart.tsx'
import { Card } from '../ui/layout.tsx'
import { atEnd, Table } from '../ui/table.tsx'
import { counted, decimal, Money } from '../ui/values.tsx'

/** What the agent used of models in the last 30 days. */
export const UsageCard: FC<{ usage: AgentUsage }> = ({
  usage: { from, to, isMetered, total, models, days }
}) => {
  const daily = []
  for (let date = from; date <= to; date = daysAfter(date, 1)) {
    const ofDay = days.filter(({ day }) => day === date)
    const value = ofDay.reduce((sum, { inputTokens, outputTokens }) => sum + inputTokens + outputTokens, 0)
    const calls = ofDay.reduce((sum, row) => sum + row.calls, 0)
    daily.push({ date, value, text: `${counted(value, 'token')} in ${counted(calls, 'call')}` })
  }
  const rows = models.length > 1 ? [...models, { model: 'All', ...total }] : models
  const seen = isMetered
    ? 'The last 30 days, in UTC. Costs are at the prices as they are set now.'
    : 'Agents call LiteLLM, whose own records tell what they use. Here is only what was before.'
  const untold = `Of ${counted(total.untold, 'call')} nobody told the tokens: what they took is not in here.`
  return (
    <Card title="Use of models" description={total.untold === 0 ? seen : `${seen} ${untold}`}>
      <DayChart title="Tokens in the last 30 days" unit="tokens a day" daily={daily} />
      <Table
        caption="Use of models in the last 30 days"
        columns={['Model', ...['Calls', 'Failed', 'Tokens in', 'Tokens out', 'Cost'].map(atEnd)]}
        rows={rows.map(({ model, calls, failed, inputTokens, outputTokens, cost }) => ({
          cells: [
            model,
            decimal(calls),
            decimal(failed),
            decimal(inputTokens),
            decimal(outputTokens),
            <Money amount={cost} currency="USD" />
          ]
        }))}
      />
    </Card>
  )
}
