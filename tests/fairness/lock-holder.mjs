// Holds the write lock of a SQLite file until its parent lets go of it.
import Sqlite from 'better-sqlite3'

const [, , file] = process.argv
const connection = new Sqlite(file)
connection.exec('begin immediate')
process.send('locked')
process.once('disconnect', () => connection.close())
