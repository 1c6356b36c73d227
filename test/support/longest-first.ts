/** Orders the test files by their duration. */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files that wait for databases, processes and time limits, and the longest computations. If one began last, it would
 * run alone at the end.
 */
export const longest = [
  ...['simulator/breaks', 'scenarios/fault-matrix', 'tools/release-workflow', 'examples/preview'],
  ...['examples/use-database', 'tools/quickstart', 'contents/rehearsal/cases'],
  ...['scenarios/quarantined-preview', 'scenarios/preview-life', 'contents/rehearsal/tap/transparency'],
  ...['emulator/package', 'emulator/persistence', 'scenarios/rehearse-migration'],
  ...['scenarios/schema-diff', 'tools/live/kills', 'scenarios/hanging', 'emulator/clusters/standby/standbys'],
  ...['emulator/clusters/forwarding/pooler', 'simulator/simulator', 'contents/masking/properties'],
  ...['contents/masking/masking', 'contents/rehearsal/lock-times', 'contents/schema/compare-schemas'],
  ...['scenarios/services', 'emulator/clusters/history/fork', 'emulator/clusters/service'],
  ...['emulator/action', 'examples/prune-previews'],
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
