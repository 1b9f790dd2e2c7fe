import { defineConfig } from 'vitest/config'
import gate from './vitest.config.ts'

/** What `npm run test:long` adds to the gate: more rounds, more processes, other people's suites. */
export default defineConfig({
  test: {
    ...gate.test,
    include: ['tests/**/*.long.test.ts'],
    exclude: [],
    // Ends a hang; the rounds that the gate leaves out take minutes beside other load.
    testTimeout: 300_000
  }
})
