import type * as z from 'zod/mini'
import { actionInputs, type InputDefinition } from '../../src/action/input-table.ts'
import { operations } from '../../src/action/operation-table.ts'
import { outputs } from '../../src/action/output-table.ts'
import { fieldDescriptions } from '../../src/api/fields.ts'
import { isOptionalField, type Operation } from '../../src/operations/operation.ts'
import { IncompleteReferenceError } from './generated-block.ts'

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
  const { description, default: effective, runnerDefault } = definition
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
 * Every input: the action's own, then the fields of the API in the order of the contract.
 *
 * @throws IncompleteReferenceError where a field has no description
 */
export function inputEntries(): InputEntry[] {
  const own = Object.entries(actionInputs).map(actionInput)
  const taken = new Set(own.map(({ name }) => name))
  const fields = [...new Set([...operations.values()].flatMap(({ inputs }) => inputs))].filter(
    name => !taken.has(name),
  )
  return [...own, ...fields.map(fieldInput)]
}

/** A YAML scalar in single quotes (YAML 1.2 section 7.3.2). */
const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`

function inputYaml(entry: InputEntry): string {
  const effective = entry.default ? ` Default: ${entry.default}.` : ''
  const lines = [
    `  ${entry.name}:`,
    `    description: ${quoted(entry.description + effective)}`,
    `    required: ${entry.required}`,
    ...(entry.runnerDefault ? [`    default: ${entry.runnerDefault}`] : []),
  ]
  return lines.join('\n')
}

/** The inputs block of an action.yml. Defaults live in the code: an empty input is an unset one. */
export function renderInputsYaml(entries = inputEntries()): string {
  return ['inputs:', ...entries.map(inputYaml)].join('\n')
}

/**
 * The outputs block of an action.yml, of all or only some.
 *
 * @throws IncompleteReferenceError where there is no output of a name
 */
export function renderOutputsYaml(names = Object.keys(outputs)): string {
  const known: Record<string, { description: string }> = outputs
  const entries = names.map(name => {
    const description = known[name]?.description
    if (description === undefined) throw new IncompleteReferenceError(`there is no output ${name}`)
    return `  ${name}:\n    description: ${quoted(description)}`
  })
  return ['outputs:', ...entries].join('\n')
}

const cell = (text: string) => text.replaceAll('|', '\\|')
const code = (names: string[]) => names.map(name => `\`${name}\``).join(' ')

function requiredFields({ fields }: Operation): string[] {
  return Object.keys(fields).filter(name => !isOptionalField(name, fields[name] as z.core.$ZodType))
}

function operationRow(operation: Operation): string {
  const required = requiredFields(operation)
  const optional = operation.inputs.filter(
    name => name in fieldDescriptions && !required.includes(name) && name !== 'project_id',
  )
  return `| \`${operation.name}\` | ${cell(operation.summary)} | ${code(required)} | ${code(optional)} |`
}

/** The README's table of operations. */
export function renderOperationsTable(): string {
  const head = ['| operation | what it does | required inputs | optional inputs |', '|---|---|---|---|']
  return [...head, ...[...operations.values()].map(operationRow)].join('\n')
}

/** The README's table of inputs; those that only the runner fills in are left to action.yml. */
export function renderInputsTable(): string {
  const entries = inputEntries().filter(({ name }) => name !== 'job_status')
  const rows = entries.map(
    entry =>
      `| \`${entry.name}\` | ${cell(entry.description)} | ${cell(entry.default ?? (entry.runnerDefault ? `\`${entry.runnerDefault}\`` : ''))} |`,
  )
  return ['| input | meaning | default |', '|---|---|---|', ...rows].join('\n')
}

/** The README's table of outputs. */
export function renderOutputsTable(): string {
  const rows = Object.entries(outputs).map(
    ([name, { description }]) => `| \`${name}\` | ${cell(description)} |`,
  )
  return ['| output | meaning |', '|---|---|', ...rows].join('\n')
}
