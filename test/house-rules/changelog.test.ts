/** Tests that the changelog names each operation, input, masking rule and effect that was added since its first entry. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { inputTable } from '#action/inputs/input-table'
import { operations } from '#action/inputs/operation-table'
import { kinds } from '#contents/masking/plan/rules'
import { effectKinds } from '#contents/rehearsal/measure/effects'

/** The names that the first entry, "every operation of the API" and so on, covers. Do not add to them. */
const first = new Set(
  `
  list-services get-service create-service fork-service delete-service start-service stop-service
  resize-service rename-service set-environment set-ha enable-data-tiering update-password enable-pooler
  disable-pooler list-replicas create-replica delete-replica resize-replica set-replica-environment
  enable-replica-pooler disable-replica-pooler list-vpcs get-vpc create-vpc rename-vpc delete-vpc
  attach-vpc detach-vpc list-peerings get-peering create-peering delete-peering get-service-logs
  list-metric-series get-metric-details get-metric-series get-auth-info list-projects log-out
  identify-user track-event preview create-preview reset-preview delete-preview prune-previews
  get-connection create-masked-parent run-sql schema-diff rehearse-migration

  empty label drafts paths comment pooler name_prefix pull_request preview_name seed_file reset_on
  max_previews masked mask_file max_age pause_after keep_label min_age max_deletions database_url sql
  sql_file transaction statement_timeout lock_timeout grants allow_production command migrations
  allow_any_database max_write_block max_read_block max_duration max_rewrite max_wal min_table_size
  on_violation approve_destructive database_name database_user sslmode export_env wait wait_timeout
  wait_for_connection cleanup dry_run quarantine keep_active request_timeout max_attempts list_lag
  operation base_url public_key secret_key api_key password_secret seal_secret github_token job_status
  project_id service_id fork_strategy name region_code cpu_millis memory_gbs addons environment_tag
  environment target_time replica_count sync_replica_count password replica_set_id nodes vpc_id cidr
  peering_id peer_account_id peer_region_code peer_vpc_id node since until search severities cursor
  metric_name from to bucket_seconds fn group_by filters event properties

  email phone name hash digits keep text token ip ip6 location date null shuffle fixed json sql
`
    .trim()
    .split(/\s+/),
)

/** Their kinds have several words. */
const firstEffects = [
  ...['table dropped', 'column dropped', 'type narrowed', 'table emptied', 'rows deleted'],
  ...['large objects deleted', 'retention added', 'constraint not valid', 'index invalid'],
]

const changelog = readFileSync(resolve(import.meta.dirname, '../../CHANGELOG.md'), 'utf8')

/** The names that neither belong to the first entry nor stand as code in the changelog. */
const unnamed = (names: Iterable<string>, text: string) =>
  [...names].filter(name => !first.has(name) && !text.includes(`\`${name}\``))

test('CHANGELOG.md names each new operation, input, masking rule and effect', () => {
  const effects = effectKinds.filter(kind => !firstEffects.includes(kind))
  const names = [...operations.keys(), ...Object.keys(inputTable), ...kinds, ...effects]
  expect(unnamed(names, changelog)).toEqual([])
})

test('finds a name that is missing, or not written as code', () => {
  expect(unnamed(['new-input', 'preview'], 'Added `new-inputs` and new-input.')).toEqual(['new-input'])
  expect(unnamed(['new-input'], '- **Previews**: the input `new-input`.')).toEqual([])
})
