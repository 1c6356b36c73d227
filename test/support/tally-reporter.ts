/** A reporter that ends a test run with one line of counts. */
import type { Reporter, SerializedError, TestModule } from 'vitest/node'

/** Ends the run with one plain line that any reader, human or not, can take the counts from. */
export default class TallyReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const tests = modules.flatMap(module => [...module.children.allTests()])
    const count = (state: string) => tests.filter(test => test.result().state === state).length
    // The tests of a file or group with a failed preparation count as skipped.
    const groups = modules.flatMap(module => [module, ...module.children.allSuites()])
    const unprepared = groups.filter(group => group.errors().length > 0)
    const failed = count('failed') + unprepared.length + unhandled.length
    process.stdout.write(`\n${count('passed')} passed, ${failed} failed, ${count('skipped')} skipped\n`)
  }
}
