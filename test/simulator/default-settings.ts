import { readRows } from '../../src/action/inputs/read-inputs.ts'
import { contentsInputs } from '../../src/database/inputs/contents-inputs.ts'
import { rehearsalInputs } from '../../src/database/inputs/rehearsal-inputs.ts'
import { stepInputs } from '../../src/operations/base/inputs.ts'
import type { StepSettings } from '../../src/preview/base/context.ts'
import { previewInputs } from '../../src/preview/base/inputs.ts'
import { projectId } from './world.ts'

const none = { texts: new Map<string, string>() }

/** The defaults of the inputs, without a connection to a database. */
export const defaultSettings: StepSettings = {
  ...readRows(stepInputs, none, []),
  projectId,
  login: { user: 'tsdbadmin', database: 'tsdb', sslmode: 'require' },
  preview: { ...readRows(previewInputs, none, []), namePrefix: 'preview' },
  contents: readRows(contentsInputs, none, []),
  rehearsal: readRows(rehearsalInputs, none, []),
}
