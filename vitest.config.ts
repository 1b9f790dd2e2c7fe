import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    globalSetup: ['tests/support/postgres.ts', 'tests/e2e/support/chromium.ts', 'tests/support/openssh.ts'],
    reporters: ['default', './tests/support/closing-line.ts'],
    // Most of the time the tests wait for processes and timers, not for a core.
    maxWorkers: 3,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    env: { NO_COLOR: '1' }
  }
})
