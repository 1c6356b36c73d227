import type { Reporter, TestModule } from 'vitest/node'

/** Ends the run with one plain line that any reader, human or not, can take the counts from. */
export default class TallyReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap(module => [...module.children.allTests()])
    const count = (state: string) => tests.filter(test => test.result().state === state).length
    process.stdout.write(
      `\n${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped\n`,
    )
  }
}
