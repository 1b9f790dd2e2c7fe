import { resolve } from 'node:path'
import { Command } from '@commander-js/extra-typings'
import { kindOf } from '../../src/backup/backup.ts'
import { BackupError } from '../../src/backup/backup-error.ts'
import { restoreDump, restoreFile } from '../../src/backup/restore.ts'
import { findInstallation } from '../../src/installation.ts'
import { card, print } from './output.ts'
import type { Terminal } from './terminal.ts'
import { watched } from './watched.ts'

export const restoreCommand = (terminal: Terminal) =>
  new Command('restore')
    .description('put a backup in the place of the database, while no service runs')
    .requiredOption('--from <file>', 'a backup of `mindgate backup`')
    .option('--force', 'set aside the database that is there; nothing of it is deleted')
    .option('--json', 'answer with one line of JSON')
    .addHelpText(
      'after',
      `
The secret key of the backup is taken from SECRET_KEY, from DATA_DIR/secret.key or from <file>.key, whichever fits. With
DATABASE_URL it restores into an empty database of PostgreSQL, by pg_restore.

Example:
  $ DATA_DIR=/var/lib/mindgate mindgate restore --from /backup/mindgate-2026-05-01.db`
    )
    .action(async ({ from, force: mayReplace = false, json }) => {
      const file = resolve(from)
      const installation = findInstallation(terminal.env)
      requireKind(file, installation.databaseUrl ? 'postgres' : 'sqlite')
      const restored = await watched(terminal, 'Restoring', (watch) =>
        installation.databaseUrl
          ? restoreDump(file, installation, installation.databaseUrl, watch)
          : restoreFile(file, installation, { mayReplace, watch })
      )
      print(terminal, { json }, restored, ({ database, setAside, secretKeyFrom }) =>
        card(`${file} is restored`, {
          Database: database,
          'Secret key': secretKeyFrom,
          'Set aside': setAside.join(', ') || 'nothing was there',
          Next: 'mindgate doctor, then start the service'
        })
      )
    })

/** @throws BackupError when the backup is of the other database */
function requireKind(file: string, wanted: ReturnType<typeof kindOf>): void {
  const kind = kindOf(file)
  if (kind === wanted) return
  throw new BackupError(
    kind === 'sqlite'
      ? `${file} is a backup of SQLite, and DATABASE_URL is set. Unset it to restore into DATA_DIR.`
      : `${file} is a dump of PostgreSQL. Set DATABASE_URL to an empty database to restore it.`
  )
}
