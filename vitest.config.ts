import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Scenarios start processes and databases; a slow machine is no failure.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Most of a scenario is waiting for processes, databases and polls: more of them than cores.
    maxWorkers: 5,
    reporters: ['default', './test/support/tally-reporter.ts'],
  },
})
