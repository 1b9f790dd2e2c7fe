// The frame of both commands: stage, servers, comparisons one after the other, report.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { BaselineSettings } from './baseline.ts'
import { type Comparison, compare, type Outcome } from './compare.ts'
import { readOptions } from './options.ts'
import { pinClient, type ServerProcess, startBaseline, startService } from './processes.ts'
import { report } from './report.ts'
import { type Stage, setStage } from './stage.ts'

interface Bench {
  /** What the baseline has to serve. */
  baselineOf(stage: Stage, ours: ServerProcess): Promise<BaselineSettings>
  comparisonsOf(stage: Stage, ours: ServerProcess, baseline: ServerProcess): Comparison[]
}

/** Runs one of the commands from its options to its report. */
export async function runBench(command: string, bench: Bench): Promise<void> {
  const options = readOptions(command)
  buildIfNeeded()
  pinClient()
  const stage = await setStage()
  const servers: ServerProcess[] = []
  try {
    const ours = await startService(stage, options.profileFolder)
    servers.push(ours)
    const baseline = await startBaseline(stage, await bench.baselineOf(stage, ours))
    servers.push(baseline)
    const outcomes: Outcome[] = []
    for (const comparison of bench.comparisonsOf(stage, ours, baseline)) {
      if (!comparison.name.includes(options.only)) continue
      if (process.stderr.isTTY) process.stderr.write(`Measuring ${comparison.name} …\n`)
      outcomes.push(await compare(comparison, options.rounds, options))
    }
    report(outcomes, options)
  } finally {
    for (const server of servers) await server.stop()
    stage.remove()
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
