import type { StepSettings } from '../../src/preview/context.ts'
import { projectId } from './world.ts'

/** The defaults of the inputs, without a connection to a database. */
export const defaultSettings: StepSettings = {
  projectId,
  wait: true,
  waitForConnection: false,
  cleanup: 'never',
  dryRun: false,
  listLag: 10_000,
  login: { user: 'tsdbadmin', database: 'tsdb', sslmode: 'require' },
  preview: {
    namePrefix: 'preview',
    pullRequest: undefined,
    previewName: undefined,
    empty: false,
    labels: undefined,
    drafts: true,
    comment: true,
    pooler: false,
    maxAge: undefined,
    pauseAfter: undefined,
    keepLabels: ['keep-preview'],
    maxPreviews: undefined,
    minAge: 30 * 60_000,
    maxDeletions: 10,
  },
}
