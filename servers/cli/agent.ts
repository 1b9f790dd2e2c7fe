import { Command, Option } from '@commander-js/extra-typings'
import { PROVIDERS, VoiceAgentsImported } from '../../schemas/voice-agent.ts'
import { readAgentFile } from '../../src/voice-agents/import.ts'
import { importVoiceAgentsOperation } from '../../src/voice-agents/operations.ts'
import { readLines, refuseProblems } from './input-file.ts'
import { operate } from './operate.ts'
import { print } from './output.ts'
import { startProgress } from './progress.ts'
import type { Terminal } from './terminal.ts'
import { partnerNamed, withDatabase } from './workplace.ts'

export const agentCommand = (terminal: Terminal) =>
  new Command('agent').description('bring in voice agents').addCommand(importCommand(terminal))

const importCommand = (terminal: Terminal) =>
  new Command('import')
    .description('add voice agents from a file, or rename those that are there; mappings stay')
    .requiredOption('--partner <id>', 'id or slug of the partner')
    .addOption(
      new Option('--provider <provider>', 'whose agents they are').choices(PROVIDERS).makeOptionMandatory()
    )
    .requiredOption('--file <file>', 'JSON Lines, each {"id": "…", "name": "…"}; - reads standard input')
    .option('--json', 'answer with one line of JSON')
    .addHelpText(
      'after',
      '\nEvery line is checked before anything is written. An interrupted import can be run again.\n\nExample:\n  $ mindgate agent import --partner acme-voice --provider a --file agents.jsonl'
    )
    .action(({ partner: idOrSlug, provider, file, json }) =>
      withDatabase(terminal, async (place) => {
        const { partnerId } = await partnerNamed(place.database, idOrSlug)
        const { agents, problems } = await readLines(terminal, file, readAgentFile)
        refuseProblems(file, problems)
        const progress = startProgress('Importing agents', agents.length, terminal.stderr)
        const result = await operate(place, importVoiceAgentsOperation, {
          ...{ partnerId, input: { provider, agents }, output: VoiceAgentsImported },
          onProgress: progress.at
        }).finally(progress.end)
        print(terminal, { json }, result, ({ imported }) =>
          imported === 1 ? 'Imported 1 agent.' : `Imported ${imported} agents.`
        )
      })
    )
