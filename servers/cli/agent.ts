import { readAgentFile } from '../../src/voice-agents/import.ts'
import { importVoiceAgentsOperation } from '../../src/voice-agents/operations.ts'
import { commandGroup, commandOfPartner } from './command.ts'
import { readLines } from './files.ts'
import { withProgress } from './progress.ts'
import { providerOption } from './provider.ts'

const importCommand = commandOfPartner('import', {
  about: 'add voice agents from a file, or rename those that are there; mappings stay',
  note: 'Every line is checked before anything is written. An interrupted import can be run again.',
  example: 'mindgate agent import --partner acme-voice --provider a --file agents.jsonl',
  options: (bare) =>
    providerOption(bare).requiredOption(
      '--file <file>',
      'JSON Lines, each {"id": "…", "name": "…"}; - reads standard input'
    ),
  async run({ terminal, operate, print }, { provider, file }) {
    const { items: agents } = await readLines(terminal, file, readAgentFile)
    const result = await withProgress(terminal, 'Importing agents', agents.length, (onProgress) =>
      operate(importVoiceAgentsOperation, { provider, agents }, { onProgress })
    )
    print(result, ({ imported }) => (imported === 1 ? 'Imported 1 agent.' : `Imported ${imported} agents.`))
  }
})

export const agentCommand = commandGroup('agent', 'bring in voice agents', [importCommand])
