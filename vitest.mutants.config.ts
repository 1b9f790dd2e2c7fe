import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { keptThread } from './tests/support/kept-thread.ts'
import gate from './vitest.config.ts'

const files = process.env.MUTANTS_TESTS?.split(' ') ?? []

/** As they are named: the first that fails ends a run. */
class AsNamed extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification) => files.findIndex((file) => moduleId.endsWith(file))
    return specifications.toSorted((a, b) => placeOf(a) - placeOf(b))
  }
}

/** What `npm run mutants` runs for each mutant: the files that scripts/mutants.mjs names, on SQLite alone. */
export default defineConfig({
  plugins: [
    {
      name: 'kept-thread',
      // Stryker wants threads of vitest's, so this comes after its options.
      configureVitest({ project: { config } }) {
        Object.assign(config, { pool: keptThread.name, poolRunner: keptThread })
      }
    }
  ],
  test: {
    ...gate.test,
    include: files,
    sequence: { sequencer: AsNamed },
    globalSetup: ['tests/support/sqlite.ts'],
    setupFiles: ['tests/support/mutants.ts'],
    reporters: [],
    execArgv: [],
    // Many mutants make something wait for ever.
    testTimeout: 40_000,
    hookTimeout: 40_000
  }
})
