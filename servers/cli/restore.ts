import { resolve } from 'node:path'
import { restore } from '../../src/backup/restore.ts'
import { findInstallation } from '../../src/installation.ts'
import { command } from './command.ts'
import { watched } from './progress.ts'

export const restoreCommand = command('restore', {
  about: 'put a backup in the place of the database, while no service runs',
  note: `The secret key of the backup is taken from SECRET_KEY, from DATA_DIR/secret.key or from <file>.key, whichever fits. With
DATABASE_URL it restores into an empty database of PostgreSQL, by pg_restore.`,
  example: 'DATA_DIR=/var/lib/mindgate mindgate restore --from /backup/mindgate-2026-05-01.db',
  options: (bare) =>
    bare
      .requiredOption('--from <file>', 'a backup of `mindgate backup`')
      .option('--force', 'set aside the database that is there; nothing of it is deleted'),
  async run({ terminal, printCard }, { from, force: mayReplace = false }) {
    const file = resolve(from)
    const installation = findInstallation(terminal.env)
    const restored = await watched(terminal, 'Restoring', (watch) =>
      restore({ file, installation, mayReplace, watch })
    )
    printCard(restored, `${file} is restored`, {
      Database: restored.database,
      'Secret key': restored.secretKeyFrom,
      'Set aside': restored.setAside.join(', ') || 'nothing was there',
      Next: 'mindgate doctor, then start the service'
    })
  }
})
