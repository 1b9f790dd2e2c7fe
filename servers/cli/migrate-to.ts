import { z } from 'zod'
import { migrateTo } from '../../src/backup/migrate-to.ts'
import { findInstallation } from '../../src/installation.ts'
import { command } from './command.ts'
import { CommandError } from './failure.ts'
import { withProgress } from './progress.ts'
import { textOf } from './values.ts'

const Target = z.url({ protocol: /^postgres(ql)?$/, error: 'Say postgres://user:password@host/database.' })

export const migrateToCommand = command('migrate-to', {
  about: 'move everything from SQLite to an empty database of PostgreSQL, while no service runs',
  note: `Nothing in DATA_DIR changes. Interrupted, run it again: it goes on where it was. It ends with 1 where the two differ in the
end, and where the file has changed meanwhile. The secret key stays as it is: the service needs the same one on PostgreSQL.`,
  example: 'DATA_DIR=/var/lib/mindgate mindgate migrate-to postgres://mindgate:password@db.example/mindgate',
  options: (bare) => bare.argument('<url>', 'the database to move to', textOf(Target)),
  async run({ terminal, printCard }, _, [url]) {
    const { sqliteFile, databaseUrl } = findInstallation(terminal.env)
    if (databaseUrl)
      throw new CommandError(
        'DATABASE_URL is set: this installation is on PostgreSQL. Unset it to move what is in DATA_DIR.'
      )
    const rows = await withProgress(terminal, 'Moving', undefined, (at) => migrateTo(sqliteFile, url, at))
    printCard({ from: sqliteFile, rows }, `Everything in ${sqliteFile} is in PostgreSQL`, {
      Rows: rows.toLocaleString('en-US'),
      Next: 'set DATABASE_URL to that database, mindgate doctor, then start the service'
    })
  }
})
