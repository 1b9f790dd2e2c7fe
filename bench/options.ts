// What both commands can be told.
import { parseArgs } from 'node:util'

export interface BenchOptions {
  /** How often each pair is measured; the medians count. */
  rounds: number
  /** How long each side of a round is loaded. */
  seconds: number
  connections: number
  isJson: boolean
  /** Only comparisons whose name contains this text. */
  only: string
  /** Folder for a CPU profile of the service, if one is wanted. */
  profileFolder: string | undefined
  /** Of PostgreSQL, where that is measured in place of SQLite. */
  databaseUrl: string | undefined
}

const HELP = `
  --rounds <n>         how often each pair is measured; the medians count (7)
  --seconds <n>        how long each side of a round is loaded (2)
  --connections <n>    connections at once (16)
  --db <url>           on PostgreSQL, beside that database, whose role may create others
  --only <text>        only comparisons whose name contains the text
  --profile <folder>   write a CPU profile of the service there
  --json               answer with one line of JSON
  --help               this text
`

/** Reads the command line; ends the process after `--help`. */
export function readOptions(command: string): BenchOptions {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '7' },
      seconds: { type: 'string', default: '2' },
      connections: { type: 'string', default: '16' },
      db: { type: 'string' },
      only: { type: 'string', default: '' },
      profile: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false }
    }
  })
  if (values.help) {
    process.stdout.write(`npm run ${command} -- [options]\n${HELP}`)
    process.exit()
  }
  return {
    rounds: countOf('rounds', values.rounds),
    seconds: countOf('seconds', values.seconds),
    connections: countOf('connections', values.connections),
    databaseUrl: values.db,
    only: values.only,
    isJson: values.json,
    profileFolder: values.profile
  }
}

/** @throws Error unless the text spells a number from 1 to 1,000 */
function countOf(name: string, text: string): number {
  const count = Number(text)
  if (Number.isInteger(count) && count >= 1 && count <= 1_000) return count
  throw new Error(`--${name} must be a whole number from 1 to 1000.`)
}
