/** Queries for tables, columns, views and sequences, and for the objects that belong to a table, such as constraints. */
import { firstUserId } from '#postgres/sql'
import {
  commentOn,
  firingMode,
  flag,
  grantsOf,
  isNoMember,
  type ObjectQuery,
  onTable,
  optionsOf,
  relationName,
  storageOptions,
  tablespace,
} from './object-query.ts'

/** The common properties of relations: tables, views, sequences. */
export const relation = {
  id: "'r' || rel.oid",
  of: "'n' || relnamespace",
  name: 'quote_ident(relname)',
  comment: commentOn('pg_class', 'rel.oid'),
  owner: 'relowner',
  grants: grantsOf('relacl', 'r', 'relowner'),
} as const

const storage = {
  using: "(select quote_ident(amname) from pg_am where oid = relam and amname <> 'heap')",
  tablespace: tablespace('reltablespace'),
}

const sequenceOptions = `concat_ws(' ',
    case when seqstart <> 1 then 'start ' || seqstart end, case when seqincrement <> 1 then 'increment ' || seqincrement end,
    case when seqmin <> 1 then 'minimum ' || seqmin end,
    case when seqmax <> case seqtypid::regtype::text when 'smallint' then 32767 when 'integer' then 2147483647 else 9223372036854775807 end
      then 'maximum ' || seqmax end,
    case when seqcache <> 1 then 'cache ' || seqcache end, case when seqcycle then 'cycle' end)`

const identityOptions = `(select nullif(${sequenceOptions}, '') from pg_depend join pg_sequence on seqrelid = objid
  where refclassid = 'pg_class'::regclass and refobjid = attrelid and refobjsubid = attnum
    and classid = 'pg_class'::regclass and deptype = 'i')`

const expression = 'pg_get_expr(adbin, adrelid)'

/** The constraint of NOT NULL, which from version 18 on has a name and may be not valid. */
const notNull = `concat_ws(' ', case when nn.connoinherit then 'no inherit' end, case when not nn.convalidated then 'not valid' end)`

/** False for an inherited column that equals the parent's, which is listed only with the parent. */
const isListedHere = `(attislocal or attinhcount = 0 or not exists (
  select from pg_inherits join pg_attribute p on p.attrelid = inhparent and p.attname = a.attname
    left join pg_attrdef pd on pd.adrelid = p.attrelid and pd.adnum = p.attnum
  where inhrelid = a.attrelid and (p.attnotnull, p.attstorage, p.attcompression, ${storageOptions('p.attoptions')})
    is not distinct from (a.attnotnull, a.attstorage, a.attcompression, ${storageOptions('a.attoptions')})
    and pg_get_expr(pd.adbin, pd.adrelid) is not distinct from pg_get_expr(d.adbin, d.adrelid)))`

const indexFlags = {
  'replica identity': flag('indisreplident'),
  clustered: flag('indisclustered'),
  invalid: flag('not indisvalid'),
}

/** The definition of an index without its start, which the line of the index already contains. */
const indexDefinition = `substr(pg_get_indexdef(rel.oid), 1 + length(format('CREATE %sINDEX %I ON %s%I.%I ',
  case when indisunique then 'UNIQUE ' else '' end, rel.relname, case when rel.relkind = 'I' then 'ONLY ' else '' end, tn.nspname, tc.relname)))`

export const relationQueries: Record<string, ObjectQuery> = {
  table: {
    ...relation,
    kind: "case relkind when 'f' then 'foreign table' else 'table' end",
    has: {
      unlogged: flag("relpersistence = 'u'"),
      'partitioned by': "case when relkind = 'p' then pg_get_partkeydef(rel.oid) end",
      'partition of': `case when relispartition then (select ${relationName('inhparent')} from pg_inherits where inhrelid = rel.oid)
        || ' ' || pg_get_expr(relpartbound, rel.oid) end`,
      'partition being detached': flag(
        'exists (select from pg_inherits where inhrelid = rel.oid and inhdetachpending)',
      ),
      inherits: `case when not relispartition then
        (select string_agg(${relationName('inhparent')}, ', ' order by inhseqno) from pg_inherits where inhrelid = rel.oid) end`,
      'of type': 'case when reloftype <> 0 then reloftype::regtype::text end',
      server: `case when relkind = 'f' then
        (select quote_ident(srvname) from pg_foreign_table join pg_foreign_server s on s.oid = ftserver where ftrelid = rel.oid) end`,
      options: `case when relkind = 'f' then (select ${optionsOf('ftoptions')} from pg_foreign_table where ftrelid = rel.oid) end`,
      with: storageOptions('reloptions'),
      'toast with': `(select ${storageOptions('t.reloptions')} from pg_class t where t.oid = rel.reltoastrelid)`,
      ...storage,
      'row level security': flag('relrowsecurity'),
      'row level security forced on the owner': flag('relforcerowsecurity'),
      'replica identity':
        "case when relkind <> 'f' then case relreplident when 'n' then 'nothing' when 'f' then 'full' end end",
    },
    from: "rel where relkind in ('r', 'p', 'f')",
  },
  view: {
    ...relation,
    kind: "case relkind when 'm' then 'materialized view' else 'view' end",
    has: {
      with: storageOptions('reloptions'),
      ...storage,
      definition: 'pg_get_viewdef(rel.oid)',
    },
    from: "rel where relkind in ('v', 'm') and rel.oid not in (select id from aggregate)",
  },
  sequence: {
    ...relation,
    has: {
      unlogged: flag("relpersistence = 'u'"),
      type: 'format_type(seqtypid, null)',
      with: `nullif(${sequenceOptions}, '')`,
      'owned by': `(select ${relationName('refobjid')} || '.' || quote_ident(attname)
        from pg_depend join pg_attribute on attrelid = refobjid and attnum = refobjsubid
        where classid = 'pg_class'::regclass and objid = rel.oid and refclassid = 'pg_class'::regclass and deptype = 'a')`,
    },
    from: `rel join pg_sequence on seqrelid = rel.oid where not exists (select from pg_depend
      where classid = 'pg_class'::regclass and objid = rel.oid and deptype = 'i')`,
    grants: grantsOf('relacl', 's', 'relowner'),
  },
  column: {
    kind: "case relkind when 'c' then 'attribute' else 'column' end",
    id: "'r' || attrelid || '.' || attnum",
    of: "case relkind when 'c' then 't' || reltype else 'r' || attrelid end",
    name: 'quote_ident(attname)',
    has: {
      type: 'format_type(atttypid, atttypmod)',
      collation:
        'case when attcollation <> typcollation then nullif(attcollation, 0)::regcollation::text end',
      'not null': `case when attnotnull then ${notNull} end`,
      default: `case when attgenerated = '' then ${expression} end`,
      'generated always as': `case attgenerated when 's' then ${expression} || ' stored' when 'v' then ${expression} || ' virtual' end`,
      generated: `case attidentity when 'a' then concat_ws(' ', 'always as identity', ${identityOptions})
        when 'd' then concat_ws(' ', 'by default as identity', ${identityOptions}) end`,
      compression: "case attcompression when 'p' then 'pglz' when 'l' then 'lz4' end",
      storage: `case when attstorage <> typstorage then
        case attstorage when 'p' then 'plain' when 'e' then 'external' when 'm' then 'main' when 'x' then 'extended' end end`,
      'statistics target': 'nullif(attstattarget, -1)::text',
      with: storageOptions('attoptions'),
      options: `case when attfdwoptions is not null then ${optionsOf('attfdwoptions')} end`,
      comment: commentOn('pg_class', 'attrelid', 'attnum'),
      'not null is called': 'quote_ident(nn.conname)',
    },
    from: `rel join pg_attribute a on attrelid = rel.oid join pg_type t on t.oid = atttypid
      left join pg_attrdef d on adrelid = attrelid and adnum = attnum
      left join pg_constraint nn on nn.contype = 'n' and nn.conrelid = attrelid and nn.conkey[1] = attnum
      where relkind in ('r', 'p', 'f', 'v', 'm', 'c') and attnum > 0 and not attisdropped and ${isListedHere}`,
    grants: `case when attacl is not null then ${grantsOf('attacl', 'c', 'relowner')} end`,
  },
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
    ...onTable({ catalog: 'pg_trigger', alias: 'g', prefix: 'tg' }, 'tgrelid'),
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
    ...onTable({ catalog: 'pg_rewrite', alias: 'w', prefix: 'rule' }, 'ev_class'),
    has: {
      definition: 'pg_get_ruledef(w.oid)',
      fires: firingMode('ev_enabled'),
    },
    from: "pg_rewrite w join rel on rel.oid = ev_class where rulename <> '_RETURN'",
  },
  policy: {
    ...onTable({ catalog: 'pg_policy', alias: 'y', prefix: 'pol' }, 'polrelid'),
    has: {
      as: "case when not polpermissive then 'restrictive' end",
      for: "case polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end",
      to: "(select string_agg(case role when 0 then 'public' else quote_ident(pg_get_userbyid(role)) end, ', ' order by role) from unnest(polroles) as role)",
      using: 'pg_get_expr(polqual, polrelid)',
      'with check': 'pg_get_expr(polwithcheck, polrelid)',
    },
  },
  statistics: {
    ...onTable({ catalog: 'pg_statistic_ext', alias: 'x', prefix: 'stx' }, 'stxrelid'),
    has: {
      definition: 'pg_get_statisticsobjdef(x.oid)',
      target: 'nullif(stxstattarget, -1)::text',
    },
    from: `pg_statistic_ext x join rel on rel.oid = stxrelid where x.oid >= ${firstUserId}`,
  },
}
