import { IncompleteReferenceError } from './generated-block.ts'

/**
 * What each output means, for the reference. Kept apart from the code that makes them, so that a step need not read it.
 */
const outputDescriptions: Record<string, string> = {
  result:
    "The record last read, or the answer, as JSON: the fields of the API's specification, without passwords.",
  project_id: 'Id of the project; with `get-auth-info` and `list-projects` where there is exactly one.',
  service_id: 'Id of the service; of the new one after a create or fork.',
  replica_set_id: 'Id of the read replica set.',
  vpc_id: 'Id of the VPC.',
  peering_id: 'Id of the peering.',
  name: 'Name of the record.',
  status: 'Status of the record when last read, also after a wait that failed.',
  region_code: 'Region of the service or VPC.',
  service_type: 'Type of the service.',
  environment: '`DEV` or `PROD`.',
  created_at: 'When the service was created.',
  host: 'Host of the database.',
  port: 'Port of the database.',
  pooler_host: 'Host of the connection pooler.',
  pooler_port: 'Port of the connection pooler.',
  vpc_host: 'Host of the database within its VPC.',
  vpc_port: 'Port of the database within its VPC.',
  database: 'Name of the database.',
  user: 'Name of the user.',
  initial_password: 'The password that the API gave at creation. Masked.',
  password: 'The password of the user, where this step knows it. Masked.',
  database_url: 'Connection URL; holds the password where this step knows it, then it is masked.',
  pooler_url: 'Connection URL through the pooler; masked like `database_url`.',
  jdbc_url: 'Connection URL for JDBC; masked like `database_url`.',
  count: 'Number of records in a list.',
  created: '`true` where the operation created something.',
  deleted: '`true` where the operation deleted something.',
  changed: '`true` where the operation changed anything.',
  skipped:
    '`true` where nothing was done, or there is no preview to use: the pull request gets none (or is open again), the event calls for nothing, the run has no secrets, or it was a dry run.',
  pull_request: 'Number of the pull request that the preview belongs to.',
  comment_url: 'Address of the comment on the pull request.',
  deleted_ids: 'Ids of the previews that were deleted, comma separated.',
  kept_ids: 'Ids of the previews that prune kept, comma separated.',
  wait_seconds:
    'How long the step waited in all: for statuses, for lists, for connections. What waits at the same time counts once.',
}

/** @throws IncompleteReferenceError if nobody has described it yet */
export function describeOutput(name: string): string {
  const description = outputDescriptions[name]
  if (description === undefined)
    throw new IncompleteReferenceError(
      `the output ${name} has no description: add one to tools/reference/output-descriptions.ts`,
    )
  return description
}
