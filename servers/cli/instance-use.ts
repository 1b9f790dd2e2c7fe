// What the agent on a server says, and what it uses of models.
import { GetAgentUsage } from '../../schemas/ai-gateway.ts'
import { AskAgent } from '../../schemas/instance.ts'
import { getAgentUsage } from '../../src/ai-gateway/operations.ts'
import { askAgent } from '../../src/instances/chat/operations.ts'
import { plainText } from '../../src/instances/deploy/progress.ts'
import { formatMoney } from '../../src/money.ts'
import { asked } from './asked.ts'
import { commandOfInstance } from './command.ts'
import { readSecret } from './files.ts'
import { table } from './output.ts'
import { textOf } from './values.ts'

const { message } = AskAgent.shape
const { from, to } = GetAgentUsage.shape

export const chatCommand = commandOfInstance('chat', {
  about: 'say something to the agent on a server, in a conversation that its customer doesn’t see',
  note: 'It waits for the reply as long as the agent may work. A message that is left out is read from standard input.',
  example: 'mindgate instance chat ins_6g… "Who is on duty today?"',
  options: (bare) =>
    bare
      .argument('[message]', 'what to say', textOf(message))
      .option('--new', 'begin a new conversation, of which it knows nothing before'),
  async run(at, { new: isNew }, args) {
    // Behind the instance, which is the frame's own.
    const text = args.at(-1) ?? (await readSecret(at.terminal, '-', message, 'message'))
    const patient = { ...at, config: { ...at.config, chatTimeoutMs: at.config.chatRunMs } }
    const { data } = await asked(patient, askAgent, { message: text, isNew })
    at.print({ instanceId: at.instance.instanceId, ...data }, ({ reply }) => plainText(reply))
  }
})

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
