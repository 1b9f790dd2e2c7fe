// The figures as a table for people, or as one line of JSON.
import { cpus } from 'node:os'
import type { Outcome } from './compare.ts'
import type { BenchOptions } from './options.ts'
import { canPin } from './processes.ts'

const COLUMNS = ['', 'goal', 'ratio CPU', 'ratio rate', 'ours', 'baseline', 'ours', 'baseline', 'p99']
const UNITS = ['', '', '', '', 'µs/req', 'µs/req', 'req/s', 'req/s', 'ms']

/** Prints what was measured, and on what. */
export function report(outcomes: readonly Outcome[], options: BenchOptions): void {
  const { rounds, seconds, connections } = options
  const machine = { node: process.version, cpu: cpus()[0]?.model ?? 'unknown', cores: cpus().length }
  if (options.isJson) {
    const settings = { rounds, seconds, connections, isPinned: canPin }
    process.stdout.write(`${JSON.stringify({ ...machine, ...settings, outcomes })}\n`)
    return
  }
  const rows = outcomes.map(({ name, against, goal, ours, baseline, ratio }) => [
    `${name} / ${against}`,
    goal === undefined ? '' : `≥ ${goal}`,
    fixed(ratio.byCpu, 2),
    fixed(ratio.byRate, 2),
    fixed(ours.cpuMicros, 0),
    fixed(baseline.cpuMicros, 0),
    fixed(ours.requestsPerSecond, 0),
    fixed(baseline.requestsPerSecond, 0),
    fixed(ours.latencyP99, 1)
  ])
  const widths = COLUMNS.map((_, column) =>
    Math.max(...[COLUMNS, UNITS, ...rows].map((row) => row[column]?.length ?? 0))
  )
  const lines = [COLUMNS, UNITS, ...rows].map((row) =>
    row.map((cell, column) => pad(cell, widths[column] ?? 0, column === 0)).join('  ')
  )
  const idle = outcomes.some(({ ours, baseline }) => Math.min(ours.busy ?? 1, baseline.busy ?? 1) < 0.9)
  process.stdout.write(
    [
      `Medians of ${rounds} rounds of ${seconds} s a side, ${connections} connections; 1 is as fast as the baseline.`,
      `Node ${machine.node}, ${machine.cpu}, ${canPin ? 'server and client on a core each' : 'server and client share the cores'}.`,
      '',
      ...lines,
      ...(idle ? ['', 'A server was idle part of the time: trust the ratio by CPU, not by rate.'] : []),
      ''
    ].join('\n')
  )
}

const fixed = (value: number | undefined, digits: number): string => value?.toFixed(digits) ?? '–'

const pad = (cell: string, width: number, isFirst: boolean): string =>
  isFirst ? cell.padEnd(width) : cell.padStart(width)
