import { type AgentUsage, GetAgentUsage } from '../../schemas/ai-gateway.ts'
import { getAgentUsage } from '../../src/ai-gateway/operations.ts'
import { formatMoney } from '../../src/money.ts'
import { commandOfInstance } from './command.ts'
import { table } from './output.ts'
import { textOf } from './values.ts'

const { from, to } = GetAgentUsage.shape

export const usageCommand = commandOfInstance('usage', {
  about: 'show what the agent on a server used of models by day: calls, tokens and what they cost',
  note: 'Days are of UTC. A cost is there where AI_PRICES has the price of the model.',
  example: 'mindgate instance usage ins_6g… --from 2026-01-01 --to 2026-01-31',
  options: (bare) =>
    bare
      .option('--from <day>', 'first day (default: 30 days)', textOf(from.unwrap()))
      .option('--to <day>', 'last day (default: today)', textOf(to.unwrap())),
  async run({ operate, instance: { instanceId }, print }, { from, to }) {
    const { data } = await operate(getAgentUsage, { from, to })
    print({ instanceId, ...data }, ({ days, models, total, isMetered }) => {
      const all = [...days, ...models.map((row) => ({ day: 'All', ...row }))]
      const rows = models.length > 1 ? [...all, { day: 'All', model: 'all', ...total }] : all
      const unseen = isMetered ? [] : ['Agents call LiteLLM: its own records tell what they use.']
      const used = rows.length === 0 ? `No call from ${data.from} to ${data.to}.` : table(rows, COLUMNS)
      return [...unseen, used].join('\n')
    })
  }
})

type Row = AgentUsage['days'][number]

const COLUMNS = {
  Day: ({ day }: Row) => day,
  Model: ({ model }: Row) => model,
  Calls: ({ calls }: Row) => calls,
  Failed: ({ failed }: Row) => failed,
  'Tokens in': ({ inputTokens }: Row) => inputTokens,
  'Tokens out': ({ outputTokens }: Row) => outputTokens,
  Untold: ({ untold }: Row) => untold,
  Cost: ({ cost }: Row) => (cost === null ? null : formatMoney(cost, 'USD'))
}
