import { existsSync, statfsSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const MEMORY_FOLDER = '/dev/shm'
const LEAST_FREE_BYTES = 2 ** 31

// A commit that waits for the disk takes 80 times as long as one in memory (measured: 5 ms), and nothing here outlives
// the machine. Workers and the programs that they start inherit it.
if (existsSync(MEMORY_FOLDER)) {
  const { bavail, bsize } = statfsSync(MEMORY_FOLDER)
  if (bavail * bsize > LEAST_FREE_BYTES) process.env.TMPDIR ??= MEMORY_FOLDER
}

/** Folders whose tests take long, so that no worker is left with one of them at the end. */
const LONG_FIRST = /\/tests\/(e2e|crash|security|calls|instances)\//

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => LONG_FIRST.test(moduleId)
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

/** What `npm test` runs: every rule once. vitest.long.config.ts has the rest; docs/testing.md tells what is where. */
export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    exclude: ['tests/**/*.long.test.ts'],
    globalSetup: [
      'tests/support/sqlite.ts',
      'tests/support/postgres.ts',
      'tests/support/pgbouncer.ts',
      'tests/deploy/support/programs.ts',
      'tests/e2e/support/chromium.ts',
      'tests/support/openssh.ts'
    ],
    reporters: ['default', './tests/support/closing-line.ts'],
    // Most of the time the tests wait for processes and timers, not for a core.
    maxWorkers: 3,
    // A worker loads the product once for all of its files; a file leaves nothing behind that another could see.
    isolate: false,
    // Most of what a test makes dies young: with room for it less is copied (measured: 9 % of the gate's processor time).
    execArgv: ['--max-semi-space-size=32'],
    sequence: { sequencer: LongFirst },
    // They end a hang. The longest test takes 10 s alone, and four times as long beside other load.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // So does this one: what comes by itself comes later on a busy machine (measured: 1.1 s instead of 0.1).
    expect: { poll: { timeout: 30_000 } },
    env: { NO_COLOR: '1' }
  }
})
