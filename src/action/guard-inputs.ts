import type { Effect } from '../operations/operation.ts'

/** Which operations would do harm by ignoring an input, and what harm. */
export interface Guard {
  /** `changes`: all operations but those that only read. `creates`: only those that create something. */
  harms: Exclude<Effect, 'reads'>
  /** What could happen, as a clause. */
  harm: string
  /** The value that means the same as leaving the input out. */
  idle?: string
}

const target: Guard = { harms: 'changes', harm: 'another record than the one it names would be changed' }
const previews: Guard = { harms: 'changes', harm: 'databases that it excludes would be changed' }
const data: Guard = { harms: 'creates', harm: 'the new database would hold other data than requested' }
const replicas: Guard = { harms: 'creates', harm: 'no replica would take over from a database that fails' }
const environment: Guard = { harms: 'changes', harm: 'no environment would be checked or set' }

/**
 * For each input that is not common to all operations: the harm of ignoring it. An operation that could do that harm
 * fails when it is given the input; in all other cases an unused input is a warning.
 */
export const guards: Record<string, Guard | undefined> = {
  // The action's own.
  password_secret: undefined,
  wait: undefined,
  wait_timeout: undefined,
  wait_for_connection: undefined,
  cleanup: { harms: 'changes', harm: 'nothing would be deleted at the end of the job', idle: 'never' },
  database_name: undefined,
  database_user: undefined,
  sslmode: undefined,
  export_env: undefined,
  name_prefix: previews,
  pull_request: previews,
  preview_name: previews,
  comment: undefined,
  label: { harms: 'changes', harm: 'pull requests without the label would count too' },
  drafts: { harms: 'creates', harm: 'drafts would get a preview too', idle: 'true' },
  empty: { harms: 'creates', harm: 'the database would hold data although none is asked for', idle: 'false' },
  max_age: { harms: 'changes', harm: 'nothing would be kept or deleted for its age' },
  min_age: { harms: 'changes', harm: 'younger previews could be deleted' },
  max_deletions: { harms: 'changes', harm: 'more previews could be deleted than it allows' },
  keep_label: { harms: 'changes', harm: 'previews with the label would not be spared' },
  pause_after: undefined,
  max_previews: { harms: 'creates', harm: 'more previews could be made than it allows' },
  pooler: undefined,
  // Fields of the API.
  service_id: target,
  replica_set_id: target,
  vpc_id: target,
  peering_id: target,
  name: target,
  peer_account_id: target,
  peer_region_code: target,
  peer_vpc_id: target,
  environment,
  environment_tag: environment,
  region_code: { harms: 'creates', harm: 'the data could lie in another region' },
  fork_strategy: data,
  target_time: data,
  replica_count: replicas,
  sync_replica_count: replicas,
  password: { harms: 'creates', harm: 'another password would be in effect' },
  addons: undefined,
  cpu_millis: undefined,
  memory_gbs: undefined,
  nodes: undefined,
  cidr: undefined,
  event: undefined,
  properties: undefined,
  cursor: undefined,
  since: undefined,
  until: undefined,
  search: undefined,
  severities: undefined,
  node: undefined,
  from: undefined,
  to: undefined,
  bucket_seconds: undefined,
  fn: undefined,
  filters: undefined,
}

/** What ignoring the input could do; undefined if no harm. */
export function harmOfIgnoring(name: string, text: string, effect: Effect): string | undefined {
  const guard = guards[name]
  if (guard === undefined || effect === 'reads' || text === guard.idle) return undefined
  return guard.harms === 'changes' || effect === 'creates' ? guard.harm : undefined
}
