import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Scenarios start processes and databases; a slow machine is no failure.
    // Compiling is half of what a short process does, and the tests start some thousand: once is enough.
    env: { NODE_COMPILE_CACHE: resolve(import.meta.dirname, 'node_modules/.cache/compile') },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Most of a scenario is waiting for databases and polls: more of them than cores.
    maxWorkers: 6,
    // Loading the same modules for each file took longer than most files. So a test puts back what it changes globally.
    isolate: false,
    reporters: ['default', './test/support/tally-reporter.ts'],
  },
})
