import { GetAgentUsage } from '../../schemas/ai-gateway.ts'
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
    print({ instanceId, ...data }, ({ days, total, isMetered }) => {
      const rows = days.flatMap(({ day, models }) => models.map((row) => ({ day, ...row })))
      const shown = table([...rows, { day: 'All', model: 'all', ...total }], {
        Day: ({ day }) => day,
        Model: ({ model }) => model,
        Calls: ({ calls }) => calls,
        Failed: ({ failed }) => failed,
        'Tokens in': ({ inputTokens }) => inputTokens,
        'Tokens out': ({ outputTokens }) => outputTokens,
        Untold: ({ untold }) => untold,
        Cost: ({ cost }) => (cost === null ? null : formatMoney(cost, 'USD'))
      })
      return isMetered ? shown : `Agents call LiteLLM: its own records tell what they use.\n${shown}`
    })
  }
})
