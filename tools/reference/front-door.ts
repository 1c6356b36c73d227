import { operations } from '../../src/action/inputs/operation-table.ts'
import { IncompleteReferenceError } from './generated-block.ts'
import { type InputEntry, inputEntries } from './input-entries.ts'

/** The inputs of preview/action.yml: those that most previews need. All others are for the action at the top. */
const inputs = [
  ...['operation', 'base_url', 'public_key', 'secret_key', 'api_key', 'password_secret', 'project_id'],
  ...['service_id', 'empty', 'fork_strategy', 'cpu_millis', 'memory_gbs'],
  ...['label', 'drafts', 'name_prefix', 'pull_request', 'comment'],
  ...['pooler', 'wait_timeout', 'database_name', 'export_env', 'dry_run'],
  ...['max_age', 'pause_after', 'keep_label', 'max_previews', 'list_lag', 'github_token'],
]

/** Its outputs: those about one preview, and those of prune about many. */
export const frontDoorOutputs = [
  ...['service_id', 'name', 'status', 'created_at', 'host', 'port', 'database', 'user', 'password'],
  ...['database_url', 'jdbc_url', 'created', 'deleted', 'changed', 'skipped'],
  ...['pull_request', 'comment_url', 'deleted_ids', 'kept_ids', 'wait_seconds', 'result'],
]

/** The operations of previews: those with the input `name_prefix`. */
const ofPreviews = [...operations.values()].filter(one => one.inputs.includes('name_prefix'))

/** What differs from the inputs at the top. */
const changed: Record<string, Partial<InputEntry>> = {
  operation: {
    description: `What to do: ${ofPreviews.map(({ name }) => `\`${name}\``).join(', ')}.`,
    runnerDefault: 'preview',
    required: false,
  },
  service_id: {
    description:
      'Id of the parent to fork from; only forks of it are ever deleted. For get-connection: the service to connect to, in place of a preview.',
  },
  fork_strategy: {
    description: 'What the fork starts from: `LAST_SNAPSHOT`, without what was written since, or `NOW`.',
    default: 'LAST_SNAPSHOT',
  },
}

/**
 * The inputs of preview/action.yml.
 *
 * @throws IncompleteReferenceError if there is no input of a name
 */
export function frontDoorInputs(): InputEntry[] {
  const entries = new Map(inputEntries(ofPreviews).map(entry => [entry.name, entry]))
  return inputs.map(name => {
    const entry = entries.get(name)
    if (entry === undefined)
      throw new IncompleteReferenceError(
        `there is no input ${name}: take it out of tools/reference/front-door.ts`,
      )
    return { ...entry, ...changed[name] }
  })
}
