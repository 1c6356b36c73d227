/** Orders the test files by their duration. */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files that wait for databases, processes and time limits, and the longest computations. If one began last, it would
 * run alone at the end.
 */
export const longest = [
  ...['simulator/breaks', 'scenarios/fault-matrix', 'scenarios/quarantined-preview', 'examples/use-database'],
  ...['contents/masking/propose/proposal', 'scenarios/preview-life', 'simulator/simulator'],
  ...['scenarios/stored-verdicts', 'emulator/package', 'contents/rehearsal/cases'],
  ...['contents/masking/properties', 'contents/rehearsal/losses', 'scenarios/rehearse-migration'],
  ...['emulator/persistence', 'tools/live/live', 'scenarios/masked-parent', 'scenarios/schema-diff'],
  ...['scenarios/run-sql-targets', 'examples/preview', 'tools/release-workflow'],
  ...['emulator/clusters/standby/standbys', 'preview/reset-preview-crossing', 'contents/masking/stamp'],
  ...['tools/runner-github', 'tools/quickstart', 'tools/live/kills', 'contents/masking/canaries'],
  ...['contents/schema/compare-schemas', 'contents/rehearsal/tap/transparency', 'scenarios/hanging'],
  ...['emulator/clusters/forwarding/pooler', 'contents/masking/masking', 'contents/rehearsal/lock-times'],
  ...['scenarios/services', 'emulator/clusters/history/fork', 'emulator/clusters/service', 'emulator/action'],
  ...['examples/prune-previews'],
]

const placeOf = ({ moduleId }: TestSpecification) => {
  const place = longest.findIndex(name => moduleId.endsWith(`/test/${name}.test.ts`))
  return place < 0 ? longest.length : place
}

/** In a fresh checkout vitest knows no durations. It uses the size of the files, which is a poor estimate. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => placeOf(one) - placeOf(other))
  }
}
