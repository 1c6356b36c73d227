import { inputTable } from '../../src/action/inputs/input-table.ts'
import type { InputGroup } from '../../src/api/input.ts'
import { IncompleteReferenceError } from './generated-block.ts'

/** Names that the reference shows together, below a heading of their own. */
export interface Group {
  title: string
  /** One sentence below the heading. */
  about: string
  names: readonly string[]
}

/** Operations by what they act on. */
export const operationGroups: readonly Group[] = [
  {
    title: 'Previews',
    about: 'The life of a database that belongs to a pull request.',
    names: [
      ...['preview', 'create-preview', 'reset-preview', 'delete-preview', 'prune-previews'],
      'get-connection',
    ],
  },
  {
    title: 'Services',
    about: 'A service is a PostgreSQL of its own, with its address, its users and its backups.',
    names: [
      ...['list-services', 'get-service', 'create-service', 'fork-service', 'delete-service'],
      ...['start-service', 'stop-service', 'resize-service', 'rename-service', 'set-environment', 'set-ha'],
      ...['update-password', 'enable-pooler', 'disable-pooler'],
    ],
  },
  {
    title: 'Read replica sets',
    about: 'Standbys of a service behind one address, for reading.',
    names: [
      ...['list-replicas', 'create-replica', 'delete-replica', 'resize-replica'],
      ...['set-replica-environment', 'enable-replica-pooler', 'disable-replica-pooler'],
    ],
  },
  {
    title: 'VPCs and peerings',
    about: 'Networks that services can be reached in.',
    names: [
      ...['list-vpcs', 'get-vpc', 'create-vpc', 'rename-vpc', 'delete-vpc', 'attach-vpc', 'detach-vpc'],
      ...['list-peerings', 'get-peering', 'create-peering', 'delete-peering'],
    ],
  },
  {
    title: 'Logs and metrics',
    about: 'What a service says of itself.',
    names: ['get-service-logs', 'list-metric-series', 'get-metric-series'],
  },
  {
    title: 'Key, projects and analytics',
    about: 'What the key is, and what the service is told of its user.',
    names: ['get-auth-info', 'list-projects', 'log-out', 'identify-user', 'track-event'],
  },
]

/** What is said of each group of inputs. They are grouped by who uses them, those that most steps have first. */
const aboutInputs: Record<InputGroup, string> = {
  'Every step': 'What to do, where, and with which keys.',
  Previews: 'For `preview`, `create-preview`, `reset-preview`, `delete-preview` and `get-connection`.',
  Pruning: 'For `prune-previews`, and `preview` on a schedule.',
  Connection: 'Of whatever has an address: previews, services, read replica sets.',
  'Waiting and cleaning up': 'How far a step goes.',
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

/** Outputs by who uses them. */
export const outputGroups: readonly Group[] = [
  {
    title: 'Connection',
    about: 'What a later step connects with.',
    names: [
      ...['database_url', 'jdbc_url', 'pooler_url', 'host', 'port', 'database', 'user', 'password'],
      ...['initial_password', 'pooler_host', 'pooler_port', 'vpc_host', 'vpc_port'],
    ],
  },
  {
    title: 'What happened',
    about: 'For `if:` of later steps.',
    names: ['created', 'deleted', 'changed', 'skipped', 'wait_seconds'],
  },
  {
    title: 'Previews and pruning',
    about: 'Beside those of the connection.',
    names: ['pull_request', 'comment_url', 'deleted_ids', 'kept_ids'],
  },
  {
    title: 'The record',
    about: 'What the operation was about, as last read.',
    names: [
      ...['service_id', 'replica_set_id', 'vpc_id', 'peering_id', 'project_id', 'name', 'status'],
      ...['region_code', 'service_type', 'environment', 'created_at', 'count', 'result'],
    ],
  },
]

/**
 * Checks that the groups hold every name, each once.
 *
 * @throws IncompleteReferenceError naming what is missing or unknown, and where it belongs
 */
export function checkGroups(what: string, groups: readonly Group[], names: readonly string[]): void {
  const grouped = groups.flatMap(group => group.names)
  const missing = names.find(name => !grouped.includes(name))
  const extra = grouped.find((name, index) => !names.includes(name) || grouped.indexOf(name) < index)
  if (missing !== undefined)
    throw new IncompleteReferenceError(
      `the ${what} ${missing} is in no group: add it to tools/reference/groups.ts`,
    )
  if (extra !== undefined)
    throw new IncompleteReferenceError(
      `the ${what} ${extra} of tools/reference/groups.ts does not exist or is there twice: take it out`,
    )
}
