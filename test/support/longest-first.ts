import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files that wait for databases, processes and time limits, and those that compute the longest. If one of them began
 * last, it would run alone at the end.
 */
export const longest = [
  'scenarios/fault-matrix',
  'examples/preview',
  'tools/quickstart',
  'emulator/package',
  'emulator/kept',
  'scenarios/hanging',
  'emulator/clusters/standby/standbys',
  'scenarios/preview-renewal',
  'simulator/breaks',
  'examples/hand-over',
  'examples/rehearse',
  'scenarios/services',
  'scenarios/preview-life',
  'simulator/simulator',
  'emulator/clusters/history/fork',
  'emulator/clusters/service',
  'emulator/clusters/doors/pooler',
  'emulator/action',
  'examples/prune-previews',
  'examples/ephemeral-database',
  'emulator/main',
  'preview/reset-preview-crossing',
  'scenarios/hostile',
  'examples/merge-queue',
]

const placeOf = ({ moduleId }: TestSpecification) => {
  const place = longest.findIndex(name => moduleId.endsWith(`/test/${name}.test.ts`))
  return place < 0 ? longest.length : place
}

/** In a fresh checkout vitest knows no durations, and goes by the size of the files, which says little. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => placeOf(one) - placeOf(other))
  }
}
