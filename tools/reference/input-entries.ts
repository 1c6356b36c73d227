import type { InputDefinition } from '../../src/action/input-definition.ts'
import { actionInputs } from '../../src/action/input-table.ts'
import { operations } from '../../src/action/operation-table.ts'
import { fieldDescriptions } from '../../src/api/fields.ts'
import { checkExamples } from './examples.ts'
import { IncompleteReferenceError } from './generated-block.ts'
import { checkGroups, inputGroups } from './groups.ts'
import { describeInput } from './input-descriptions.ts'

/** One input as the reference shows it. */
export interface InputEntry {
  name: string
  description: string
  default: string | undefined
  runnerDefault: string | undefined
  required: boolean
}

const alwaysRequired = ['operation', 'base_url']

function actionInput([name, definition]: [string, InputDefinition<unknown>]): InputEntry {
  const { description, default: effective } = describeInput(name)
  const { runnerDefault } = definition
  return { name, description, default: effective, runnerDefault, required: alwaysRequired.includes(name) }
}

function fieldInput(name: string): InputEntry {
  const description = fieldDescriptions[name]
  if (description === undefined) {
    throw new IncompleteReferenceError(
      `the input ${name} has no description: add one to fieldDescriptions in src/api/fields.ts`,
    )
  }
  return { name, description, default: undefined, runnerDefault: undefined, required: false }
}

/**
 * Every input, the action's own and the fields of the API, in the order of their groups.
 *
 * @throws IncompleteReferenceError if a field has no description, or an input no group or example
 */
export function inputEntries(): InputEntry[] {
  const own = Object.entries(actionInputs).map(actionInput)
  const taken = new Set(own.map(({ name }) => name))
  const fields = [...new Set([...operations.values()].flatMap(({ inputs }) => inputs))].filter(
    name => !taken.has(name),
  )
  const all = new Map([...own, ...fields.map(fieldInput)].map(entry => [entry.name, entry]))
  checkGroups('input', inputGroups, [...all.keys()])
  checkExamples([...all.keys()])
  return inputGroups.flatMap(({ names }) => names.map(name => all.get(name) as InputEntry))
}
