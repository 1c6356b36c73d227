import { inputTable } from '#action/inputs/input-table'
import { type OutputGroup, outputs } from '#action/outputs/output-table'
import { endpointGroups } from '#api/endpoints'
import type { InputGroup } from '#api/fields/input'
import { contentsOperations } from '#database/operations'
import { maskedOperations } from '#preview/masked/operations'
import { previewOperations } from '#preview/operations'

/** Names that the reference shows together, below a heading of their own. */
export interface Group {
  title: string
  /** One sentence below the heading. */
  about: string
  names: readonly string[]
}

/** What is said of each group of endpoints. */
const aboutEndpoints: Record<keyof typeof endpointGroups, string> = {
  Services: 'A service is a PostgreSQL of its own, with its address, its users and its backups.',
  'Read replica sets': 'Standbys of a service behind one address, for reading.',
  'VPCs and peerings': 'Networks that services can be reached in.',
  'Logs and metrics': 'What a service says of itself.',
  'Key, projects and analytics': 'What the key is, and what the service is told of its user.',
}

/** Operations by what they act on. */
export const operationGroups: readonly Group[] = [
  {
    title: 'Previews',
    about: 'The life of a database that belongs to a pull request.',
    names: previewOperations.map(({ name }) => name),
  },
  {
    title: 'Masked copies',
    about: 'What previews are forked from where pull requests must not show personal data.',
    names: maskedOperations.map(({ name }) => name),
  },
  {
    title: 'What a database holds',
    about: 'On any database that the runner reaches, with or without keys of the API.',
    names: contentsOperations.map(({ name }) => name),
  },
  ...Object.entries(endpointGroups).map(([title, rows]) => ({
    ...{ title, about: aboutEndpoints[title as keyof typeof endpointGroups] },
    names: Object.keys(rows),
  })),
]

/** What is said of each group of inputs. They are grouped by who uses them, those that most steps have first. */
const aboutInputs: Record<InputGroup, string> = {
  'Every step': 'What to do, where, and with which keys.',
  Previews: 'For `preview`, `create-preview`, `reset-preview`, `delete-preview` and `get-connection`.',
  Pruning: 'For `prune-previews`, and `preview` on a schedule.',
  SQL: 'For `run-sql`, `schema-diff` and `rehearse-migration`: what to run, and where.',
  Migrations: 'For `rehearse-migration`: what to run, and what it may do at most.',
  Connection: 'Of whatever has an address: previews, services, read replica sets.',
  'Waiting and cleaning up': 'How far a step goes.',
  'What a database holds':
    'What a fork brings along from its parent: what is at work in it, and personal data.',
  'What is created or changed':
    'For services, and where it says so for previews, read replica sets and VPCs.',
  'Read replica sets, VPCs and peerings': 'For the operations of the same names.',
  'Logs, metrics and analytics':
    'For `get-service-logs`, `get-metric-series`, `identify-user` and `track-event`.',
  Requests: 'How patient the action is with the API. The defaults are right for the real service.',
}

/** Before the others of their group. */
const first = ['service_id', 'empty', 'fork_strategy']
const inputNames = [...new Set([...first, ...Object.keys(inputTable)])]

/** Inputs as their rows say: the action's own before the fields of the API. */
export const inputGroups: readonly Group[] = Object.entries(aboutInputs).map(([title, about]) => ({
  ...{ title, about },
  names: inputNames.filter(name => inputTable[name]?.group === title),
}))

/** What is said of each group of outputs. They are grouped by who uses them. */
const aboutOutputs: Record<OutputGroup, string> = {
  Connection: 'What a later step connects with.',
  'What happened': 'For `if:` of later steps.',
  'Previews and pruning': 'Beside those of the connection.',
  Migrations: 'Of `rehearse-migration`, and `diff` of `schema-diff`.',
  'The record': 'What the operation was about, as last read.',
}

/** Outputs as their rows say. */
export const outputGroups: readonly Group[] = Object.entries(aboutOutputs).map(([title, about]) => ({
  ...{ title, about },
  names: Object.keys(outputs).filter(name => outputs[name]?.group === title),
}))
