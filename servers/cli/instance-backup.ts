// What an agent knows, taken off its server into a file, and put onto a server from it.
import { createReadStream, statSync } from 'node:fs'
import { backUpAgent, restoreAgent } from '../../src/instances/backup.ts'
import { asked } from './asked.ts'
import { commandOfInstance } from './command.ts'
import { confirm } from './confirm.ts'
import { CommandError } from './failure.ts'
import { writeText } from './files.ts'

const backupCommand = commandOfInstance('backup', {
  about: 'write the home and the conversations of the agent on a server into one file, without its keys',
  example: 'mindgate instance backup ins_6g… --file agent.tar.gz',
  options: (bare) => bare.option('--file <file>', 'where to write; standard output when left out'),
  hasJson: false,
  async run(at, { file }) {
    await asked(at, backUpAgent, {}, { use: (backup) => writeText(backup.file.pieces, file, at.terminal) })
  }
})

const restoreCommand = commandOfInstance('restore', {
  about: 'put such a file in the place of what the agent on a server has',
  note: 'The agent must be deployed there. What it had is kept on its server until the next time.',
  example: 'mindgate instance restore ins_6g… --file agent.tar.gz',
  options: (bare) =>
    bare.requiredOption('--file <file>', 'what `instance backup` wrote').option('--yes', 'don’t ask first'),
  async run(at, { file, yes }) {
    const { instanceId } = at.instance
    const size = statSync(file, { throwIfNoEntry: false })?.size
    if (size === undefined) throw new CommandError(`There is no file ${file}.`)
    if (!yes) await confirm(at.terminal, `Replace all that the agent on ${instanceId} knows?`)
    const { message } = await asked(at, restoreAgent, { file: { size, pieces: createReadStream(file) } })
    at.print({ instanceId, restored: true }, () => message)
  }
})

export const backupCommands = [backupCommand, restoreCommand]
