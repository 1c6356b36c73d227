/** Queries for hypertables, dimensions, continuous aggregates and jobs of TimescaleDB. */
import { firstUserJob } from '#postgres/sql'
import { flag, type ObjectQuery } from './object-query.ts'
import { relation } from './relations.ts'

/** The id of the relation that two columns of TimescaleDB's views name. */
const relationOf = (schema: string, name: string) =>
  `to_regclass(quote_ident(${schema}) || '.' || quote_ident(${name}))::oid`

export const hypertableIds = `select ${relationOf('hypertable_schema', 'hypertable_name')} from timescaledb_information.hypertables`

export const aggregateIds = `select ${relationOf('view_schema', 'view_name')} from timescaledb_information.continuous_aggregates`

/** The compression settings of a hypertable. Columns that exist only in some versions of the view are read as JSON. */
const columnstore = {
  'segmented by': "nullif(settings->>'segmentby', '')",
  'ordered by': "nullif(settings->>'orderby', '')",
  'compressed chunk interval': "settings->>'compress_interval_length'",
  'sparse indexes': "settings->>'index'",
}

const settingsOf = (id: string) => `left join lateral (
    select to_jsonb(found) as settings from timescaledb_information.hypertable_compression_settings as found
    where hypertable = ${id}) as compressed on true`

/** For a user-defined job, only the names in its configuration, which may contain secrets. */
const configuration = `case when proc_schema ~ '^_timescaledb_' then
    (select string_agg(key || ' ' || value, ', ' order by key) from jsonb_each_text(config) where key !~ 'hypertable_id$')
  else (select string_agg(key, ', ' order by key) from jsonb_each_text(config)) end`

/** The objects in the documented views of TimescaleDB. Chunks are not part of a schema. */
export const timescaledbQueries: Record<string, ObjectQuery> = {
  hypertable: {
    id: "'h' || rel.oid",
    of: "'r' || rel.oid",
    name: "''",
    has: {
      columnstore: flag('compression_enabled'),
      ...columnstore,
      tablespaces: "array_to_string(tablespaces, ', ')",
    },
    from: `timescaledb_information.hypertables join rel on rel.oid = ${relationOf('hypertable_schema', 'hypertable_name')} ${settingsOf('rel.oid')}`,
  },
  dimension: {
    id: "'hd' || rel.oid || '.' || dimension_number",
    of: "'r' || rel.oid",
    name: 'quote_ident(column_name)',
    has: {
      'chunk interval': 'coalesce(time_interval::text, integer_interval::text)',
      partitions: 'num_partitions::text',
      'integer now': 'integer_now_func::text',
    },
    from: `timescaledb_information.dimensions join rel on rel.oid = ${relationOf('hypertable_schema', 'hypertable_name')}`,
  },
  'continuous aggregate': {
    ...relation,
    has: {
      'materialized only': flag('materialized_only'),
      'chunk interval': `(select coalesce(time_interval::text, integer_interval::text) from timescaledb_information.dimensions d
        where d.hypertable_schema = materialization_hypertable_schema and d.hypertable_name = materialization_hypertable_name
          and dimension_number = 1)`,
      columnstore: flag('compression_enabled'),
      ...columnstore,
      definition: 'view_definition',
    },
    from: `timescaledb_information.continuous_aggregates join rel on rel.oid = ${relationOf('view_schema', 'view_name')}
      ${settingsOf(relationOf('materialization_hypertable_schema', 'materialization_hypertable_name'))}`,
  },
  job: {
    id: "'j' || job_id",
    of: `coalesce('r' || coalesce(${relationOf('a.view_schema', 'a.view_name')}, ${relationOf('j.hypertable_schema', 'j.hypertable_name')}),
      (select 'n' || oid from kept_schema where nspname = proc_schema))`,
    name: 'quote_ident(proc_name)',
    has: {
      every: 'schedule_interval::text',
      'not scheduled': flag('not scheduled'),
      'fixed from': 'case when fixed_schedule then initial_start::text end',
      with: configuration,
      'maximum runtime': "nullif(max_runtime, interval '0')::text",
      'maximum retries': 'nullif(max_retries, -1)::text',
      'retry period': 'retry_period::text',
      'checked by':
        "case when check_schema !~ '^_timescaledb_' then format('%I.%I', check_schema, check_name) end",
    },
    from: `timescaledb_information.jobs j left join timescaledb_information.continuous_aggregates a
      on (a.materialization_hypertable_schema, a.materialization_hypertable_name) = (j.hypertable_schema, j.hypertable_name)
      where job_id >= ${firstUserJob}`,
    owner: 'owner::oid',
  },
}
