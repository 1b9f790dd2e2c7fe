import { Command, Option } from '@commander-js/extra-typings'
import { PROVIDERS } from '../../schemas/voice-agent.ts'
import { importVoiceAgents, readAgentFile } from '../../src/voice-agents/import.ts'
import { readLines, refuseProblems } from './input-file.ts'
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
      withDatabase(terminal, async ({ database }) => {
        const { partnerId } = await partnerNamed(database, idOrSlug)
        const { agents, problems } = await readLines(terminal, file, readAgentFile)
        refuseProblems(file, problems)
        const progress = startProgress('Importing agents', agents.length, terminal.stderr)
        try {
          await importVoiceAgents(database, partnerId, provider, agents, progress.at)
        } finally {
          progress.end()
        }
        print(terminal, { json }, { imported: agents.length }, ({ imported }) =>
          imported === 1 ? 'Imported 1 agent.' : `Imported ${imported} agents.`
        )
      })
    )
