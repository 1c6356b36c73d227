import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Scenarios start processes and databases; a slow machine is no failure.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: ['default', './test/support/tally-reporter.ts'],
  },
})
