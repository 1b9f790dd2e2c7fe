import { defineConfig } from 'vitest/config'

/** What `npm test` runs: every rule once. vitest.long.config.ts has the rest; docs/testing.md tells what is where. */
export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    exclude: ['tests/**/*.long.test.ts'],
    globalSetup: ['tests/support/postgres.ts', 'tests/e2e/support/chromium.ts', 'tests/support/openssh.ts'],
    reporters: ['default', './tests/support/closing-line.ts'],
    // Most of the time the tests wait for processes and timers, not for a core.
    maxWorkers: 3,
    // A worker loads the product once for all of its files; a file leaves nothing behind that another could see.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    env: { NO_COLOR: '1' }
  }
})
