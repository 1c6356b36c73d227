import { connectionInputs } from './connection-inputs.ts'
import type { InputDefinition } from './input-definition.ts'
import { keyInputs } from './key-inputs.ts'
import { previewInputs } from './preview-inputs.ts'
import { pruningInputs } from './pruning-inputs.ts'
import { runnerInputs } from './runner-inputs.ts'
import { waitingInputs } from './waiting-inputs.ts'

/** The action's own inputs; those of the API come from the contract's rows. */
export const actionInputs = {
  ...keyInputs,
  ...waitingInputs,
  ...connectionInputs,
  ...previewInputs,
  ...pruningInputs,
  ...runnerInputs,
}

export type ActionInputs = {
  [Name in keyof typeof actionInputs]?: (typeof actionInputs)[Name] extends InputDefinition<infer Value>
    ? Value
    : never
}

/** Used by every operation, whatever its row. */
export const commonInputs = [
  'operation',
  'base_url',
  'public_key',
  'secret_key',
  'api_key',
  'project_id',
  'dry_run',
  'list_lag',
  'request_timeout',
  'max_attempts',
  'job_status',
  'github_token',
]
