// The frame of both commands: fixture, servers, comparisons one after the other, report.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { BaselineSettings } from './baseline.ts'
import { type Comparison, compare, type Outcome } from './compare.ts'
import { type Fixture, setFixture } from './fixture.ts'
import { readOptions } from './options.ts'
import { pinClient, type ServerProcess, startBaseline, startService } from './processes.ts'
import { report } from './report.ts'

interface Bench {
  /** What the baseline has to serve. */
  baselineOf(fixture: Fixture, ours: ServerProcess): Promise<BaselineSettings>
  comparisonsOf(fixture: Fixture, ours: ServerProcess, baseline: ServerProcess): Comparison[]
}

/** Runs one of the commands from its options to its report. */
export async function runBench(command: string, bench: Bench): Promise<void> {
  const options = readOptions(command)
  buildIfNeeded()
  pinClient()
  const fixture = await setFixture(options.databaseUrl)
  const servers: ServerProcess[] = []
  try {
    const ours = await startService(fixture, options.profileFolder)
    servers.push(ours)
    const baseline = await startBaseline(fixture, await bench.baselineOf(fixture, ours))
    servers.push(baseline)
    const outcomes: Outcome[] = []
    for (const comparison of bench.comparisonsOf(fixture, ours, baseline)) {
      if (!`${comparison.name} / ${comparison.against}`.includes(options.only)) continue
      if (process.stderr.isTTY) process.stderr.write(`Measuring ${comparison.name} …\n`)
      outcomes.push(await compare(comparison, options.rounds, options))
    }
    report(outcomes, options)
  } finally {
    for (const server of servers) await server.stop()
    await fixture.remove()
  }
}

/** The service is measured as it ships. */
function buildIfNeeded(): void {
  const script = join(import.meta.dirname, '../scripts/build.mjs')
  const { status } = spawnSync(process.execPath, [script, '--if-needed'], {
    stdio: ['ignore', 'ignore', 'inherit']
  })
  if (status !== 0) throw new Error('The build failed; nothing was measured.')
}
