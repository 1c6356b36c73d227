import { defineConfig } from 'vitest/config'
import { compileCache } from './test/support/caches.ts'
import { LongestFirst } from './test/support/longest-first.ts'
import { chooseTemporaryFolder } from './test/support/temporary-folder.ts'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Compiling is half of what a short process does, and the tests start some hundred: once is enough.
    env: {
      NODE_COMPILE_CACHE: compileCache,
      TMPDIR: chooseTemporaryFolder(),
    },
    globalSetup: 'test/support/fill-caches.ts',
    // Scenarios start processes and databases; a slow machine is no failure.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // All concurrent tests of a file start at once: a later start resets the assertions counted for those that run.
    maxConcurrency: 100,
    expect: { poll: { timeout: 30_000, interval: 20 }, requireAssertions: true },
    // Scenarios wait for databases and polls: with six, two cores are hardly idle. Each loads all modules anew.
    maxWorkers: 6,
    // Loading the same modules for each file took longer than most files. So a test puts back what it changes globally.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    reporters: ['default', './test/support/tally-reporter.ts'],
  },
})
