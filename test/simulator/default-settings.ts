/** Settings for simulated steps. */
import { readRows } from '#action/inputs/read-inputs'
import type { AllSettings } from '#database/context'
import { contentsInputs, rehearsalInputs } from '#database/inputs'
import { stepInputs } from '#operations/base/inputs'
import { previewInputs } from '#preview/base/inputs'
import { projectId } from './world.ts'

const none = { texts: new Map<string, string>() }

export const defaultSettings: AllSettings = {
  ...readRows(stepInputs, none, []),
  projectId,
  hasPasswordSecret: false,
  login: { user: 'tsdbadmin', database: 'tsdb', sslmode: 'require' },
  preview: { ...readRows(previewInputs, none, []), namePrefix: 'preview' },
  contents: readRows(contentsInputs, none, []),
  rehearsal: readRows(rehearsalInputs, none, []),
}
