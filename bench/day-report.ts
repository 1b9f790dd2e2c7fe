// The figures of a mixed day as a table for people.
import { cpus } from 'node:os'
import { KINDS, type Kind } from './day-requests.ts'
import { canPin } from './processes.ts'

interface Work {
  requestsPerSecond: number
  /** CPU time a request, in milliseconds. */
  serverMs: number
  databaseMs: number
}

export interface SideFigures {
  side: 'ours' | 'before'
  /** Medians of the rounds. */
  capacity: Work
  half: Work
  /** In milliseconds, of all rounds together. */
  latencies: Record<Kind, { count: number; p50: number; p99: number; max: number }>
  rssMb: number[]
  failures: string[]
}

interface Frame {
  setting: string
  customers: number
  memories: number
  rounds: number
  connections: number
}

export function reportDay(frame: Frame, sides: readonly SideFigures[]): string {
  const { setting, customers, memories, rounds, connections } = frame
  const workRows = (work: (side: SideFigures) => Work): string[] => [
    row('requests a second', sides, (side) => work(side).requestsPerSecond, 0),
    row('CPU a request, server, ms', sides, (side) => work(side).serverMs, 2),
    row('CPU a request, database, ms', sides, (side) => work(side).databaseMs, 2)
  ]
  return [
    `${setting}: ${customers} customers, ${memories} memories, ${rounds} rounds. Node ${process.version}, ${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores${canPin && setting.startsWith('sqlite') ? ', server and client on one each' : ''}.`,
    '',
    `${''.padEnd(32)}${sides.map(({ side }) => side.padStart(10)).join('')}${sides.length > 1 ? '     ratio' : ''}`,
    `as fast as it answers, ${connections} connections`,
    ...workRows(({ capacity }) => capacity),
    'at half of that, at random times',
    ...workRows(({ half }) => half),
    ...KINDS.flatMap((kind) =>
      (['p50', 'p99', 'max'] as const).map((figure) =>
        row(`${kind} ${figure}, ms`, sides, ({ latencies }) => latencies[kind][figure], 1)
      )
    ),
    row('memory at the beginning, MB', sides, ({ rssMb }) => rssMb[0] ?? Number.NaN, 0),
    row('memory at the end, MB', sides, ({ rssMb }) => rssMb.at(-1) ?? Number.NaN, 0),
    row('failed, of all', sides, ({ failures }) => failures.length, 0),
    ...sides.map(({ side, rssMb }) => `memory of ${side} on the way, MB: ${rssMb.join(' ')}`),
    ...sides.flatMap(({ side, failures }) => failures.slice(0, 3).map((failure) => `${side}: ${failure}`)),
    '',
    ''
  ].join('\n')
}

/** With how many times as much ours is as before. */
function row(
  name: string,
  sides: readonly SideFigures[],
  figureOf: (side: SideFigures) => number,
  digits: number
): string {
  const [ours, before] = sides.map(figureOf)
  const cells = [ours, before].filter((figure) => figure !== undefined).map((figure) => shown(figure, digits))
  const ratio = before === undefined || ours === undefined ? [] : [shown(ours / before, 2)]
  return `  ${name.padEnd(30)}${[...cells, ...ratio].map((cell) => cell.padStart(10)).join('')}`
}

const shown = (figure: number, digits: number): string =>
  Number.isFinite(figure) ? figure.toFixed(digits) : '–'
