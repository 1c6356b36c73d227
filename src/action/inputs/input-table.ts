/** The table of all inputs. */
import { fieldInputs } from '#api/field-table'
import type { Input } from '#api/fields/input'
import { contentsInputs, rehearsalInputs } from '#database/inputs'
import type { InputRow } from '#operations/base/input-row'
import { stepInputs } from '#operations/base/inputs'
import { previewInputs } from '#preview/base/inputs'
import { accessInputs } from './access-inputs.ts'

export const ownInputs: Record<string, InputRow> = {
  ...previewInputs,
  ...contentsInputs,
  ...rehearsalInputs,
  ...stepInputs,
  ...accessInputs,
}

/** All inputs, in the order of the reference. */
export const inputTable: Record<string, Input> = { ...ownInputs, ...fieldInputs }
