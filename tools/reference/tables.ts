/** Renders the tables of the reference. */
import type * as z from 'zod/mini'
import { parseField } from '#action/inputs/field-text'
import { inputTable } from '#action/inputs/input-table'
import { operations } from '#action/inputs/operation-table'
import { outputs } from '#action/outputs/output-table'
import { fieldInputs } from '#api/field-table'
import { isOptionalField, type Operation } from '#operations/base/operation'
import { type Group, inputGroups, operationGroups, outputGroups } from './groups.ts'
import { type InputEntry, inputEntries } from './input-entries.ts'
import { outputsOf, outputsOfAll } from './operation-outputs.ts'

const code = (text: string) => `\`${text}\``

/** A list for each group, below its heading. */
function renderGroups(groups: readonly Group[], item: (name: string) => string): string {
  return groups
    .map(({ title, about, names }) => [`### ${title}`, '', about, '', ...names.map(item)].join('\n'))
    .join('\n\n')
}

/** The required inputs of an operation, without those of every step. */
export function requiredFields({ fields }: Operation): string[] {
  return Object.keys(fields).filter(name => !isOptionalField(name, fields[name] as z.core.$ZodType))
}

/** The optional fields of which an operation needs at least one, found by trying each; none if all may be missing. */
function alternativeFields({ fields, rules }: Operation): string[] {
  const given = Object.entries(fields).flatMap(([name, schema]) => {
    const parsed = parseField(schema, inputTable[name]?.example ?? '')
    return 'value' in parsed ? [[name, parsed.value] as const] : []
  })
  const optional = given.filter(([name]) => isOptionalField(name, fields[name] as z.core.$ZodType))
  const required = given.filter(one => !optional.includes(one))
  const issues = (values: typeof given) => rules?.safeParse(Object.fromEntries(values)).error?.issues ?? []
  // A field that the action fills in is missing here, which is not a rule between fields.
  const fits = (values: typeof given) => !issues(values).some(({ code: kind }) => kind === 'custom')
  if (fits(required)) return []
  return optional.filter(one => fits([...required, one])).map(([name]) => name)
}

/** A list of all operations, by the object that they act on, with the fields of the API that they accept. */
export function renderOperationLists(): string {
  const bold = (field: string) => `**${code(field)}**`
  return renderGroups(operationGroups, name => {
    const operation = operations.get(name) as Operation
    const required = requiredFields(operation)
    const alternatives = alternativeFields(operation)
    const others = ['project_id', ...required, ...alternatives]
    const optional = operation.inputs.filter(field => field in fieldInputs && !others.includes(field))
    const oneOf = alternatives.length > 0 ? ['at least one of', ...alternatives.map(bold)] : []
    const words = [`${operation.summary}.`, ...required.map(bold), ...oneOf, ...optional.map(code)]
    return `- ${code(name)}: ${words.join(' ')}`
  })
}

/** Whether users set this input: some are for the runner alone. */
const isForPeople = (name: string) => name !== 'job_status'

/** Whether an example adds to the default and the description: both values of a flag are known, and so is the form of a number. */
function isTelling({ description, default: usual = '', example = '' }: InputEntry): boolean {
  if (example.startsWith('${{') || ['', 'true', 'false', usual].includes(example)) return false
  return (
    !/^\d+$/.test(example) &&
    !/\b(?:like|such as) `/.test(description) &&
    !description.includes(code(example))
  )
}

/** A list of all inputs by their users, without those that only the runner sets. */
export function renderInputLists(): string {
  const entries = new Map(inputEntries().map(entry => [entry.name, entry]))
  const groups = inputGroups.map(group => ({ ...group, names: group.names.filter(isForPeople) }))
  return renderGroups(groups, name => {
    const entry = entries.get(name) as InputEntry
    const { example } = entry
    const usual = entry.default ?? (entry.runnerDefault && code(entry.runnerDefault))
    const sentences = [entry.description]
    if (usual !== undefined) sentences.push(`Default: ${usual}.`)
    if (isTelling(entry) && example !== entry.runnerDefault)
      sentences.push(`Example: ${code(example ?? '')}.`)
    return `- ${code(name)}: ${sentences.join(' ')}`
  })
}

/** A list of all outputs by their users. */
export function renderOutputLists(): string {
  return renderGroups(outputGroups, name => `- ${code(name)}: ${outputs[name]?.about ?? ''}`)
}

/** The operations for editors and other programs. */
export function describeOperations(): object {
  const entries = inputEntries().filter(({ name }) => isForPeople(name))
  const groupOf = (groups: readonly Group[], name: string) =>
    groups.find(({ names }) => names.includes(name))?.title
  return {
    operations: operationGroups.flatMap(({ title, names }) =>
      names.map(name => {
        const operation = operations.get(name) as Operation
        const required = requiredFields(operation)
        const optional = operation.inputs.filter(input => !required.includes(input))
        const oneOf = alternativeFields(operation)
        return {
          ...{ name, group: title, summary: operation.summary, required, optional },
          ...(oneOf.length > 0 && { at_least_one_of: oneOf }),
          outputs: [...outputsOf(name), ...outputsOfAll],
        }
      }),
    ),
    inputs: entries.map(({ name, description, default: usual, runnerDefault, example }) => ({
      ...{ name, group: groupOf(inputGroups, name), description },
      ...{ default: usual ?? runnerDefault, example },
    })),
    outputs: Object.entries(outputs).map(([name, { group, about, secret = false }]) => ({
      ...{ name, group, description: about },
      masked: secret,
    })),
  }
}
