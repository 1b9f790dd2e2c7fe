import { Command } from '@commander-js/extra-typings'
import { countSealed, openSecrets, type Rotation } from '../../src/sealing.ts'
import { rotateSecretsOperation, SecretsRotated } from '../../src/sealing-operations.ts'
import { FAILED } from './failure.ts'
import { operate } from './operate.ts'
import { print } from './output.ts'
import { startProgress } from './progress.ts'
import type { Terminal } from './terminal.ts'
import { withDatabase } from './workplace.ts'

export const secretsCommand = (terminal: Terminal) =>
  new Command('secrets').description('exchange SECRET_KEY').addCommand(rotateCommand(terminal))

const rotateCommand = (terminal: Terminal) =>
  new Command('rotate')
    .description('seal everything under SECRET_KEY, beside a running service')
    .option('--json', 'answer with one line of JSON')
    .addHelpText(
      'after',
      '\nEvery process must have the new SECRET_KEY, and the old one in SECRET_KEY_PREVIOUS. An interrupted run can be repeated.\nExit code 1 if a process still uses the old key, or if no key opens something.\n\nExample:\n  $ mindgate secrets rotate'
    )
    .action(({ json }) =>
      withDatabase(terminal, async (place) => {
        const secrets = await openSecrets(place.config, place.database)
        const counts = [...(await countSealed(place.database.read))].filter(
          ([keyId]) => keyId !== secrets.keyId
        )
        const total = counts.reduce((sum, [, count]) => sum + count, 0)
        const progress = startProgress('Sealing anew', total, terminal.stderr)
        const rotation = await operate(place, rotateSecretsOperation, {
          ...{ output: SecretsRotated, parts: { secrets }, onProgress: progress.at }
        }).finally(progress.end)
        const isDone = rotation.sealedMeanwhile === 0 && rotation.unreadable.length === 0
        print(terminal, { json }, { ...rotation, isDone }, report)
        if (!isDone) terminal.exitCode = FAILED
      })
    )

function report({ resealed, sealedMeanwhile, unreadable, isDone }: Rotation & { isDone: boolean }): string {
  const lines = [`Sealed anew: ${resealed}.`]
  if (isDone) lines.push('Everything is sealed under SECRET_KEY: SECRET_KEY_PREVIOUS can go.')
  if (sealedMeanwhile > 0)
    lines.push('A process still seals under another key. Give it the new SECRET_KEY, then run this again.')
  for (const { table, id } of unreadable)
    lines.push(`No key here opens what ${table} ${id} has: it stays as it is.`)
  return lines.join('\n')
}
