import { IncompleteReferenceError } from './generated-block.ts'

/** An expression of the workflow language. */
const expression = (text: string) => `\${{ ${text} }}`

/**
 * A value for each input, as a workflow would give it; undefined where only a program knows one. Tests read each as the
 * action does, and call operations with them.
 */
export const examples: Record<string, string | undefined> = {
  operation: 'preview',
  base_url: 'https://console.cloud.tigerdata.com/public/api/v1',
  public_key: expression('secrets.DATABASE_PUBLIC_KEY'),
  secret_key: expression('secrets.DATABASE_SECRET_KEY'),
  api_key: expression('secrets.DATABASE_API_KEY'),
  project_id: 'rp1pz7uyae',
  service_id: expression('vars.DATABASE_SERVICE_ID'),
  empty: 'true',
  fork_strategy: 'NOW',
  label: 'preview',
  drafts: 'false',
  comment: 'false',
  pooler: 'true',
  name_prefix: 'orders',
  pull_request: '12',
  preview_name: 'preview-pr-12-0a1b2c3d',
  max_previews: '20',
  password_secret: expression('secrets.DATABASE_PASSWORD_SECRET'),
  github_token: expression('github.token'),
  max_age: '336h',
  pause_after: '12h',
  keep_label: 'keep-preview',
  min_age: '1h',
  max_deletions: '20',
  database_name: 'shop',
  database_user: 'tsdbadmin',
  sslmode: 'verify-full',
  export_env: 'true',
  wait: 'false',
  wait_timeout: '45m',
  wait_for_connection: 'true',
  cleanup: 'always',
  dry_run: 'true',
  name: 'test-*',
  region_code: 'us-east-1',
  cpu_millis: '500',
  memory_gbs: '2',
  addons: 'time-series, ai',
  environment_tag: 'DEV',
  environment: 'PROD',
  target_time: '2026-01-31T12:00:00Z',
  replica_count: '1',
  sync_replica_count: '1',
  password: expression('secrets.DATABASE_PASSWORD'),
  replica_set_id: expression('steps.replica.outputs.replica_set_id'),
  nodes: '2',
  vpc_id: expression('steps.vpc.outputs.vpc_id'),
  cidr: '10.42.0.0/16',
  peering_id: expression('steps.peering.outputs.peering_id'),
  peer_account_id: '123456789012',
  peer_region_code: 'us-east-1',
  peer_vpc_id: 'vpc-0a1b2c3d',
  node: '0',
  cursor: undefined,
  since: '2026-01-31T00:00:00Z',
  until: '2026-01-31T12:00:00Z',
  search: 'deadlock, timeout',
  severities: 'ERROR, FATAL',
  from: '2026-01-31T00:00:00Z',
  to: '2026-01-31T12:00:00Z',
  bucket_seconds: '300',
  fn: 'AVG',
  filters: '[{"key": "role", "value": "primary"}]',
  event: 'deployed',
  properties: '{"version": "1.2.0"}',
  job_status: undefined,
  request_timeout: '2m',
  max_attempts: '3',
  list_lag: '100ms',
}

/**
 * Checks that every input has an example, or is said to have none.
 *
 * @throws IncompleteReferenceError naming the first one that is missing
 */
export function checkExamples(inputs: readonly string[]): void {
  const missing = inputs.find(name => !(name in examples))
  if (missing === undefined) return
  throw new IncompleteReferenceError(
    `the input ${missing} has no example: add one to tools/reference/examples.ts`,
  )
}
