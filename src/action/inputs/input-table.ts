import { fieldInputs } from '../../api/fields/fields.ts'
import type { Input } from '../../api/fields/input.ts'
import { contentsInputs } from '../../database/inputs/contents-inputs.ts'
import { rehearsalInputs } from '../../database/inputs/rehearsal-inputs.ts'
import type { InputRow } from '../../operations/base/input-row.ts'
import { stepInputs } from '../../operations/base/inputs.ts'
import { previewInputs } from '../../preview/base/inputs.ts'
import { accessInputs } from './access-inputs.ts'

/** The action's own inputs. */
export const ownInputs: Record<string, InputRow> = {
  ...previewInputs,
  ...contentsInputs,
  ...rehearsalInputs,
  ...stepInputs,
  ...accessInputs,
}

/** All inputs, in the order in which the reference shows those of a group. */
export const inputTable: Record<string, Input> = { ...ownInputs, ...fieldInputs }
