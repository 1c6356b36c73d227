import type * as z from 'zod/mini'
import { operations } from '../../src/action/operation-table.ts'
import { outputs } from '../../src/action/output-table.ts'
import { fieldDescriptions } from '../../src/api/fields.ts'
import { isOptionalField, type Operation } from '../../src/operations/operation.ts'
import { examples } from './examples.ts'
import { checkGroups, type Group, inputGroups, operationGroups, outputGroups } from './groups.ts'
import { type InputEntry, inputEntries } from './input-entries.ts'
import { describeOutput } from './output-descriptions.ts'

const cell = (text: string) => text.replaceAll('|', '\\|')
const code = (text: string) => `\`${text}\``

/** A table for each group, below its heading. */
function renderGroups(groups: readonly Group[], columns: string[], row: (name: string) => string[]): string {
  const head = [`| ${columns.join(' | ')} |`, `|${'---|'.repeat(columns.length)}`]
  return groups
    .map(({ title, about, names }) => {
      const rows = names.map(name => `| ${row(name).map(cell).join(' | ')} |`)
      return [`### ${title}`, '', about, '', ...head, ...rows].join('\n')
    })
    .join('\n\n')
}

/** The required inputs of an operation, without those of every step. */
export function requiredFields({ fields }: Operation): string[] {
  return Object.keys(fields).filter(name => !isOptionalField(name, fields[name] as z.core.$ZodType))
}

/** The optional fields of the API that an operation accepts. */
export function optionalFields(operation: Operation): string[] {
  const required = requiredFields(operation)
  return operation.inputs.filter(
    name => name in fieldDescriptions && !required.includes(name) && name !== 'project_id',
  )
}

/** All operations, by what they act on. */
export function renderOperationsTables(): string {
  checkGroups('operation', operationGroups, [...operations.keys()])
  return renderGroups(operationGroups, ['operation', 'what it does', 'inputs'], name => {
    const operation = operations.get(name) as Operation
    const required = requiredFields(operation).map(field => `**${code(field)}**`)
    const optional = optionalFields(operation).map(code)
    return [code(name), operation.summary, [...required, ...optional].join(' ')]
  })
}

/** Whether people set this input: some are for the runner alone. */
const isForPeople = (name: string) => name !== 'job_status'

/** All inputs by who uses them, without those that only the runner fills in. */
export function renderInputsTables(): string {
  const entries = new Map(inputEntries().map(entry => [entry.name, entry]))
  const groups = inputGroups.map(group => ({ ...group, names: group.names.filter(isForPeople) }))
  // Two columns: a phone has no room for more.
  return renderGroups(groups, ['input', 'meaning'], name => {
    const entry = entries.get(name) as InputEntry
    const usual = entry.default ?? (entry.runnerDefault && code(entry.runnerDefault))
    const example = examples[name]
    const more = [
      ...(usual === undefined ? [] : [`default: ${usual}`]),
      ...(example === undefined || example === entry.runnerDefault ? [] : [`example: ${code(example)}`]),
    ]
    return [code(name), [entry.description, more.join(' · ')].filter(part => part !== '').join('<br>')]
  })
}

/** All outputs by who uses them. */
export function renderOutputsTables(): string {
  checkGroups('output', outputGroups, Object.keys(outputs))
  return renderGroups(outputGroups, ['output', 'meaning'], name => [code(name), describeOutput(name)])
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
        return { name, group: title, summary: operation.summary, required, optional }
      }),
    ),
    inputs: entries.map(({ name, description, default: usual, runnerDefault }) => ({
      ...{ name, group: groupOf(inputGroups, name), description },
      ...{ default: usual ?? runnerDefault, example: examples[name] },
    })),
    outputs: Object.entries(outputs).map(([name, { secret = false }]) => ({
      ...{ name, group: groupOf(outputGroups, name), description: describeOutput(name) },
      masked: secret,
    })),
  }
}
