/** Queries for the objects that belong to a table: constraints, indexes, triggers, rules, policies, statistics. */
import {
  commentOn,
  firingMode,
  firstUserId,
  flag,
  isNoMember,
  type ObjectQuery,
  onTable,
  storageOptions,
  tablespace,
} from './object-query.ts'

const indexFlags = {
  'replica identity': flag('indisreplident'),
  clustered: flag('indisclustered'),
  invalid: flag('not indisvalid'),
}

/** The definition of an index without its start, which the line of the index already contains. */
const indexDefinition = `substr(pg_get_indexdef(rel.oid), 1 + length(format('CREATE %sINDEX %I ON %s%I.%I ',
  case when indisunique then 'UNIQUE ' else '' end, rel.relname, case when rel.relkind = 'I' then 'ONLY ' else '' end, tn.nspname, tc.relname)))`

export const attachmentQueries: Record<string, ObjectQuery> = {
  constraint: {
    id: "'c' || k.oid",
    of: "case when contypid <> 0 then 't' || contypid else 'r' || conrelid end",
    name: 'quote_ident(conname)',
    has: {
      definition: 'pg_get_constraintdef(k.oid)',
      with: storageOptions('i.reloptions'),
      tablespace: tablespace('i.reltablespace'),
      ...indexFlags,
    },
    comment: commentOn('pg_constraint', 'k.oid'),
    from: `pg_constraint k left join rel on rel.oid = conrelid
      left join pg_class i on i.oid = conindid and contype in ('p', 'u', 'x') left join pg_index x on x.indexrelid = i.oid
      where contype in ('c', 'p', 'u', 'f', 'x') and conparentid = 0 and (contype <> 'c' or conislocal)
        and (rel.oid is not null or contypid in (select oid from kept_type)) and ${isNoMember('pg_constraint', 'k.oid')}`,
  },
  index: {
    id: "'r' || rel.oid",
    of: "'r' || indrelid",
    name: 'quote_ident(rel.relname)',
    has: {
      unique: flag('indisunique'),
      definition: indexDefinition,
      tablespace: tablespace('rel.reltablespace'),
      ...indexFlags,
      // Only expressions have statistics targets of their own.
      'statistics targets': `case when indexprs is not null then
        (select string_agg(attnum || ': ' || attstattarget, ', ' order by attnum) from pg_attribute
          where attrelid = rel.oid and attstattarget >= 0) end`,
    },
    comment: commentOn('pg_class', 'rel.oid'),
    from: `rel join pg_index on indexrelid = rel.oid join rel tc on tc.oid = indrelid join pg_namespace tn on tn.oid = tc.relnamespace
      where rel.relkind in ('i', 'I') and not rel.relispartition
        and not exists (select from pg_constraint where conindid = rel.oid and contype in ('p', 'u', 'x'))`,
  },
  trigger: {
    ...onTable('pg_trigger', 'g', 'tg', 'tgrelid'),
    has: {
      definition:
        "substr(pg_get_triggerdef(g.oid), 1 + position(' TRIGGER ' in pg_get_triggerdef(g.oid)) + length(' TRIGGER ' || quote_ident(tgname)))",
      constraint: flag('tgconstraint <> 0'),
      fires: firingMode('tgenabled'),
    },
    from: `pg_trigger g join rel on rel.oid = tgrelid where not tgisinternal and tgparentid = 0 and ${isNoMember('pg_trigger', 'g.oid')}
      and not exists (select from pg_proc join engine on engine.oid = pronamespace where pg_proc.oid = tgfoid)`,
  },
  rule: {
    ...onTable('pg_rewrite', 'w', 'rule', 'ev_class'),
    has: {
      definition: 'pg_get_ruledef(w.oid)',
      fires: firingMode('ev_enabled'),
    },
    from: "pg_rewrite w join rel on rel.oid = ev_class where rulename <> '_RETURN'",
  },
  policy: {
    ...onTable('pg_policy', 'y', 'pol', 'polrelid'),
    has: {
      as: "case when not polpermissive then 'restrictive' end",
      for: "case polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end",
      to: "(select string_agg(case role when 0 then 'public' else quote_ident(pg_get_userbyid(role)) end, ', ' order by role) from unnest(polroles) as role)",
      using: 'pg_get_expr(polqual, polrelid)',
      'with check': 'pg_get_expr(polwithcheck, polrelid)',
    },
  },
  statistics: {
    ...onTable('pg_statistic_ext', 'x', 'stx', 'stxrelid'),
    has: {
      definition: 'pg_get_statisticsobjdef(x.oid)',
      target: 'nullif(stxstattarget, -1)::text',
    },
    from: `pg_statistic_ext x join rel on rel.oid = stxrelid where x.oid >= ${firstUserId}`,
  },
}
