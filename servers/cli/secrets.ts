import { countSealed, openSecrets, type Rotation } from '../../src/sealing.ts'
import { rotateSecretsOperation } from '../../src/sealing-operations.ts'
import { commandAtDatabase, commandGroup } from './command.ts'
import { FAILED } from './failure.ts'
import { withProgress } from './progress.ts'

const rotateCommand = commandAtDatabase('rotate', {
  about: 'seal everything under SECRET_KEY, beside a running service',
  note: 'Every process must have the new SECRET_KEY, and the old one in SECRET_KEY_PREVIOUS. An interrupted run can be repeated.\nExit code 1 if a process still uses the old key, or if no key opens something.',
  example: 'mindgate secrets rotate',
  async run({ terminal, config, database, operate, print }) {
    const secrets = await openSecrets(config, database)
    const others = [...(await countSealed(database.read))].filter(([keyId]) => keyId !== secrets.keyId)
    const total = others.reduce((sum, [, count]) => sum + count, 0)
    const rotation = await withProgress(terminal, 'Sealing anew', total, (onProgress) =>
      operate(rotateSecretsOperation, {}, { parts: { secrets }, onProgress })
    )
    const isDone = rotation.sealedMeanwhile === 0 && rotation.unreadable.length === 0
    print({ ...rotation, isDone }, report)
    if (!isDone) terminal.exitCode = FAILED
  }
})

function report({ resealed, sealedMeanwhile, unreadable, isDone }: Rotation & { isDone: boolean }): string {
  const lines = [`Sealed anew: ${resealed}.`]
  if (isDone) lines.push('Everything is sealed under SECRET_KEY: SECRET_KEY_PREVIOUS can go.')
  if (sealedMeanwhile > 0)
    lines.push('A process still seals under another key. Give it the new SECRET_KEY, then run this again.')
  for (const { table, id } of unreadable)
    lines.push(`No key here opens what ${table} ${id} has: it stays as it is.`)
  return lines.join('\n')
}

export const secretsCommand = commandGroup('secrets', 'exchange SECRET_KEY', [rotateCommand])
