/** The groups of the reference. */
import { inputTable } from '#action/inputs/input-table'
import { type OutputGroup, outputs } from '#action/outputs/output-table'
import { endpointGroups } from '#api/endpoints'
import type { InputGroup } from '#api/fields/input'
import { keysOf } from '#base/table'
import { contentsOperations } from '#database/operations'
import type { Operation } from '#operations/base/operation'
import { maskedOperations, previewOperations } from '#preview/operations'

/** Names that the reference shows together, below their own heading. */
export interface Group {
  title: string
  /** One sentence below the heading. */
  about: string
  names: readonly string[]
}

const group = (title: string, about: string, names: readonly string[]): Group => ({ title, about, names })

/** The sentence below the heading of each group of endpoints. */
const aboutEndpoints: Record<keyof typeof endpointGroups, string> = {
  Services: 'A service is a PostgreSQL database with its own address, users and backups.',
  'Read replica sets': 'Read-only nodes of a service, with one address.',
  'VPCs and peerings': 'Private networks for services.',
  'Logs and metrics': 'Logs and metrics of a service.',
  'Key, projects and analytics': 'The API key, and analytics of the vendor.',
}

const namesOf = (operations: readonly Operation[]) => operations.map(({ name }) => name)

/** Operations by their subject. */
export const operationGroups: readonly Group[] = [
  group('Previews', 'Databases that belong to a pull request.', namesOf(previewOperations)),
  group('Masked copies', 'Parents of previews without personal data.', namesOf(maskedOperations)),
  group(
    'Contents of a database',
    'On any database that the runner can reach, with or without API keys.',
    namesOf(contentsOperations),
  ),
  ...keysOf(endpointGroups).map(title =>
    group(title, aboutEndpoints[title], Object.keys(endpointGroups[title])),
  ),
]

/** The sentence below the heading of each group of inputs, the most common group first. */
const aboutInputs: Record<InputGroup, string> = {
  'Every step': 'The operation, the address and the keys.',
  Previews: 'For `preview`, `create-preview`, `reset-preview`, `delete-preview` and `get-connection`.',
  Pruning: 'For `prune-previews`, and `preview` on a schedule.',
  SQL: 'For `run-sql`, `schema-diff` and `rehearse-migration`.',
  Migrations: 'For `rehearse-migration`.',
  Connection: 'For previews, services and read replica sets.',
  'Waiting and cleaning up': 'For every operation that changes something.',
  'Quarantine and masking': 'Contents of a fork.',
  'New or changed records': 'For services. The description names other uses.',
  'Read replica sets, VPCs and peerings': 'For the operations of the same names.',
  'Logs, metrics and analytics':
    'For `get-service-logs`, `get-metric-series`, `identify-user` and `track-event`.',
  Requests: 'Retries and time limits. The defaults fit the real service.',
}

/** Before the others of their group. */
const first = ['service_id', 'empty', 'fork_strategy']
const inputNames = [...new Set([...first, ...Object.keys(inputTable)])]

/** Inputs by the groups of their rows: the action's own before the fields of the API. */
export const inputGroups = Object.entries(aboutInputs).map(([title, about]) => {
  const names = inputNames.filter(name => inputTable[name]?.group === title)
  return group(title, about, names)
})

/** The sentence below the heading of each group of outputs. */
const aboutOutputs: Record<OutputGroup, string> = {
  Connection: 'Connection details for later steps.',
  Result: 'For `if:` of later steps.',
  'Previews and pruning': 'Besides the connection.',
  Migrations: 'For `rehearse-migration`, and `diff` for `schema-diff`.',
  'The record': 'The record of the operation, as last read.',
}

/** Outputs by the groups of their rows. */
export const outputGroups = Object.entries(aboutOutputs).map(([title, about]) => {
  const names = Object.keys(outputs).filter(name => outputs[name]?.group === title)
  return group(title, about, names)
})
