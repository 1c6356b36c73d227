/** The actions with fewer inputs. */
import { operations } from '#action/inputs/operation-table'
import { rehearsalInputs } from '#database/inputs'
import { contentsOperations } from '#database/operations'
import type { Operation } from '#operations/base/operation'
import { previewInputs } from '#preview/base/inputs'
import { type InputEntry, inputEntries } from './input-entries.ts'

/** An action with fewer inputs and outputs than the one at the top. */
interface FrontDoor {
  operations: Operation[]
  inputs: string[]
  outputs: string[]
  /** The changed inputs. */
  changed: Record<string, Partial<InputEntry>>
}

const taking = (input: string) => [...operations.values()].filter(one => one.inputs.includes(input))

/** The input `operation`, which has a default there. */
const choice = (among: Operation[], usual: string): Partial<InputEntry> => ({
  description: `One of ${among.map(({ name }) => `\`${name}\``).join(', ')}.`,
  runnerDefault: usual,
  required: false,
})

const onUrls = [...operations.values()].filter(one => contentsOperations.includes(one))
const ofPreviews = taking('name_prefix').filter(one => !onUrls.includes(one))

/** Inputs of previews that only the action at the top has. */
const rare = ['preview_name', 'mask_file', 'min_age', 'max_deletions']

/**
 * Every front door by its file, with the inputs that most steps of its kind need. All others are for the action at the
 * top.
 */
export const frontDoors = {
  'preview/action.yml': {
    operations: ofPreviews,
    inputs: [
      ...['operation', 'base_url', 'public_key', 'secret_key', 'api_key', 'password_secret', 'project_id'],
      ...['seal_secret', 'service_id', 'fork_strategy', 'cpu_millis', 'memory_gbs'],
      ...Object.keys(previewInputs).filter(name => !rare.includes(name)),
      ...['quarantine', 'keep_active', 'wait_timeout', 'database_name', 'export_env', 'dry_run'],
      ...['list_lag', 'github_token'],
    ],
    // Those about one preview, and those of prune about many.
    outputs: [
      ...['service_id', 'name', 'status', 'created_at', 'host', 'port', 'database', 'user', 'password'],
      ...['database_url', 'sealed_url', 'jdbc_url', 'created', 'deleted', 'changed', 'skipped'],
      'connection_changed',
      ...['pull_request', 'comment_url', 'deleted_ids', 'kept_ids', 'wait_seconds', 'result'],
    ],
    changed: {
      operation: choice(ofPreviews, 'preview'),
      service_id: {
        description:
          'Id of the parent to fork from; only forks of it are ever deleted. For get-connection: the service to connect to, in place of a preview.',
      },
      fork_strategy: {
        description: 'Starting point of the fork: `LAST_SNAPSHOT` (without later changes) or `NOW`.',
        default: 'LAST_SNAPSHOT',
      },
    },
  },
  // Contains no key, because code of a pull request may run in the same job.
  'database/action.yml': {
    operations: onUrls,
    inputs: [
      ...['operation', 'database_url', 'seal_secret', 'sql', 'sql_file', 'transaction', 'statement_timeout'],
      ...['lock_timeout', 'grants', ...Object.keys(rehearsalInputs)],
      ...['pull_request', 'name_prefix', 'comment', 'github_token'],
      ...['wait_timeout', 'wait_for_connection', 'dry_run'],
    ],
    outputs: [
      ...['verdict', 'violations', 'destructive', 'duration', 'diff', 'has_diff'],
      ...['pull_request', 'comment_url'],
      ...['result', 'count', 'changed', 'skipped', 'wait_seconds'],
    ],
    changed: {
      operation: choice(onUrls, 'run-sql'),
      database_url: { required: true, default: undefined },
    },
  },
} satisfies Record<string, FrontDoor>

/**
 * The inputs of a front door.
 * @throws Error if there is no input of a name
 */
export function frontDoorInputs(door: FrontDoor): InputEntry[] {
  const entries = new Map(inputEntries(door.operations).map(entry => [entry.name, entry]))
  return door.inputs.map(name => {
    const entry = entries.get(name)
    if (entry === undefined)
      throw new Error(`there is no input ${name}: take it out of tools/reference/front-door.ts`)
    return { ...entry, ...door.changed[name] }
  })
}
