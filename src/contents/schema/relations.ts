import { commentOn, fact, firstOfUsers, grantsOf, isOwn, optionsOf, type Part, relationName } from './part.ts'

/** A space of the disk that is not the usual one. */
const tablespace = (id: string) =>
  `case when ${id} <> 0 then (select quote_ident(spcname) from pg_tablespace where oid = ${id}) end`

/** Among those of a column PostgreSQL counts its changes, from 17.12 on; pg_dump leaves that out, too. */
const storageOptions = (options: string) =>
  `(select string_agg(one, ', ') from unnest(${options}) as one where one !~ '^pg_attver=')`

/** What tables, views, indexes and sequences have in common. */
const relation = {
  id: "'r' || rel.oid",
  of: "'n' || relnamespace",
  name: 'quote_ident(relname)',
  owner: 'relowner',
} as const

const commentOfRelation = commentOn('pg_class', 'rel.oid')

const tables: Part = {
  ...relation,
  kind: "case relkind when 'f' then 'foreign table' else 'table' end",
  has: {
    unlogged: fact("relpersistence = 'u'"),
    'partitioned by': "case when relkind = 'p' then pg_get_partkeydef(rel.oid) end",
    'partition of': `case when relispartition then (select ${relationName('inhparent')} from pg_inherits where inhrelid = rel.oid)
      || ' ' || pg_get_expr(relpartbound, rel.oid) end`,
    'partition being detached': fact(
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
    using: "(select quote_ident(amname) from pg_am where oid = relam and amname <> 'heap')",
    tablespace: tablespace('reltablespace'),
    'row level security': fact('relrowsecurity'),
    'row level security forced on the owner': fact('relforcerowsecurity'),
    'replica identity':
      "case when relkind <> 'f' then case relreplident when 'n' then 'nothing' when 'f' then 'full' end end",
    comment: commentOfRelation,
  },
  from: "rel where relkind in ('r', 'p', 'f')",
  grants: grantsOf('relacl', 'r', 'relowner'),
}

const views: Part = {
  ...relation,
  kind: "case relkind when 'm' then 'materialized view' else 'view' end",
  has: {
    with: storageOptions('reloptions'),
    using: "(select quote_ident(amname) from pg_am where oid = relam and amname <> 'heap')",
    tablespace: tablespace('reltablespace'),
    definition: 'pg_get_viewdef(rel.oid)',
    comment: commentOfRelation,
  },
  from: "rel where relkind in ('v', 'm') and rel.oid not in (select id from aggregate)",
  grants: grantsOf('relacl', 'r', 'relowner'),
}

/** How a sequence goes on, where that is not the usual way. */
const sequenceOptions = `concat_ws(' ',
    case when seqstart <> 1 then 'start ' || seqstart end, case when seqincrement <> 1 then 'increment ' || seqincrement end,
    case when seqmin <> 1 then 'minimum ' || seqmin end,
    case when seqmax <> case seqtypid::regtype::text when 'smallint' then 32767 when 'integer' then 2147483647 else 9223372036854775807 end
      then 'maximum ' || seqmax end,
    case when seqcache <> 1 then 'cache ' || seqcache end, case when seqcycle then 'cycle' end)`

const sequences: Part = {
  ...relation,
  kind: "'sequence'",
  has: {
    unlogged: fact("relpersistence = 'u'"),
    type: 'format_type(seqtypid, null)',
    with: `nullif(${sequenceOptions}, '')`,
    'owned by': `(select ${relationName('refobjid')} || '.' || quote_ident(attname)
      from pg_depend join pg_attribute on attrelid = refobjid and attnum = refobjsubid
      where classid = 'pg_class'::regclass and objid = rel.oid and refclassid = 'pg_class'::regclass and deptype = 'a')`,
    comment: commentOfRelation,
  },
  from: `rel join pg_sequence on seqrelid = rel.oid where not exists (select from pg_depend
    where classid = 'pg_class'::regclass and objid = rel.oid and deptype = 'i')`,
  grants: grantsOf('relacl', 's', 'relowner'),
}

/** The sequence of an identity column. */
const identityOptions = `(select nullif(${sequenceOptions}, '') from pg_depend join pg_sequence on seqrelid = objid
  where refclassid = 'pg_class'::regclass and refobjid = attrelid and refobjsubid = attnum
    and classid = 'pg_class'::regclass and deptype = 'i')`

const expression = 'pg_get_expr(adbin, adrelid)'

/** The constraint behind NOT NULL, which has a name and may be checked later, from version 18 on. */
const notNull = `concat_ws(' ', case when nn.connoinherit then 'no inherit' end, case when not nn.convalidated then 'not valid' end)`

/** A column that a table has from its parent is told with the parent, unless it differs. */
const isToldOf = `(attislocal or attinhcount = 0 or not exists (
  select from pg_inherits join pg_attribute p on p.attrelid = inhparent and p.attname = a.attname
    left join pg_attrdef pd on pd.adrelid = p.attrelid and pd.adnum = p.attnum
  where inhrelid = a.attrelid and (p.attnotnull, p.attstorage, p.attcompression, ${storageOptions('p.attoptions')})
    is not distinct from (a.attnotnull, a.attstorage, a.attcompression, ${storageOptions('a.attoptions')})
    and pg_get_expr(pd.adbin, pd.adrelid) is not distinct from pg_get_expr(d.adbin, d.adrelid)))`

const columns: Part = {
  kind: "case relkind when 'c' then 'attribute' else 'column' end",
  id: "'r' || attrelid || '.' || attnum",
  of: "case relkind when 'c' then 't' || reltype else 'r' || attrelid end",
  name: 'quote_ident(attname)',
  has: {
    type: 'format_type(atttypid, atttypmod)',
    collation: 'case when attcollation <> typcollation then nullif(attcollation, 0)::regcollation::text end',
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
    where relkind in ('r', 'p', 'f', 'v', 'm', 'c') and attnum > 0 and not attisdropped and ${isToldOf}`,
  grants: `case when attacl is not null then ${grantsOf('attacl', 'c', 'relowner')} end`,
}

/** Whether a constraint's index, or any other, is one that the table is ordered or told apart by. */
const roles = {
  'replica identity': fact('indisreplident'),
  clustered: fact('indisclustered'),
  invalid: fact('not indisvalid'),
}

const constraints: Part = {
  kind: "'constraint'",
  id: "'c' || k.oid",
  of: "case when contypid <> 0 then 't' || contypid else 'r' || conrelid end",
  name: 'quote_ident(conname)',
  has: {
    definition: 'pg_get_constraintdef(k.oid)',
    with: storageOptions('i.reloptions'),
    tablespace: tablespace('i.reltablespace'),
    ...roles,
    comment: commentOn('pg_constraint', 'k.oid'),
  },
  from: `pg_constraint k left join rel on rel.oid = conrelid
    left join pg_class i on i.oid = conindid and contype in ('p', 'u', 'x') left join pg_index x on x.indexrelid = i.oid
    where contype in ('c', 'p', 'u', 'f', 'x') and conparentid = 0 and (contype <> 'c' or conislocal)
      and (rel.oid is not null or contypid in (select oid from kept_type)) and ${isOwn('pg_constraint', 'k.oid')}`,
}

/** The definition of an index after what its line says anyway. */
const indexDefinition = `substr(pg_get_indexdef(rel.oid), 1 + length(format('CREATE %sINDEX %I ON %s%I.%I ',
  case when indisunique then 'UNIQUE ' else '' end, rel.relname, case when rel.relkind = 'I' then 'ONLY ' else '' end, tn.nspname, tc.relname)))`

const indexes: Part = {
  kind: "'index'",
  id: "'r' || rel.oid",
  of: "'r' || indrelid",
  name: 'quote_ident(rel.relname)',
  has: {
    unique: fact('indisunique'),
    definition: indexDefinition,
    tablespace: tablespace('rel.reltablespace'),
    ...roles,
    // Only expressions have one of their own.
    'statistics targets': `case when indexprs is not null then
      (select string_agg(attnum || ': ' || attstattarget, ', ' order by attnum) from pg_attribute
        where attrelid = rel.oid and attstattarget >= 0) end`,
    comment: commentOfRelation,
  },
  from: `rel join pg_index on indexrelid = rel.oid join rel tc on tc.oid = indrelid join pg_namespace tn on tn.oid = tc.relnamespace
    where rel.relkind in ('i', 'I') and not rel.relispartition
      and not exists (select from pg_constraint where conindid = rel.oid and contype in ('p', 'u', 'x'))`,
}

const firing = (letter: string) =>
  `case ${letter} when 'D' then 'never' when 'R' then 'on replicas only' when 'A' then 'always' end`

const triggers: Part = {
  kind: "'trigger'",
  id: "'g' || g.oid",
  of: "'r' || tgrelid",
  name: 'quote_ident(tgname)',
  has: {
    definition:
      "substr(pg_get_triggerdef(g.oid), 1 + position(' TRIGGER ' in pg_get_triggerdef(g.oid)) + length(' TRIGGER ' || quote_ident(tgname)))",
    constraint: fact('tgconstraint <> 0'),
    fires: firing('tgenabled'),
    comment: commentOn('pg_trigger', 'g.oid'),
  },
  from: `pg_trigger g join rel on rel.oid = tgrelid where not tgisinternal and tgparentid = 0 and ${isOwn('pg_trigger', 'g.oid')}
    and not exists (select from pg_proc join engine on engine.oid = pronamespace where pg_proc.oid = tgfoid)`,
}

const rules: Part = {
  kind: "'rule'",
  id: "'w' || w.oid",
  of: "'r' || ev_class",
  name: 'quote_ident(rulename)',
  has: {
    definition: 'pg_get_ruledef(w.oid)',
    fires: firing('ev_enabled'),
    comment: commentOn('pg_rewrite', 'w.oid'),
  },
  from: "pg_rewrite w join rel on rel.oid = ev_class where rulename <> '_RETURN'",
}

const policies: Part = {
  kind: "'policy'",
  id: "'y' || y.oid",
  of: "'r' || polrelid",
  name: 'quote_ident(polname)',
  has: {
    as: "case when not polpermissive then 'restrictive' end",
    for: "case polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end",
    to: "(select string_agg(case role when 0 then 'public' else quote_ident(pg_get_userbyid(role)) end, ', ' order by role) from unnest(polroles) as role)",
    using: 'pg_get_expr(polqual, polrelid)',
    'with check': 'pg_get_expr(polwithcheck, polrelid)',
    comment: commentOn('pg_policy', 'y.oid'),
  },
  from: 'pg_policy y join rel on rel.oid = polrelid',
}

const statistics: Part = {
  kind: "'statistics'",
  id: "'x' || x.oid",
  of: "'r' || stxrelid",
  name: 'quote_ident(stxname)',
  has: {
    definition: 'pg_get_statisticsobjdef(x.oid)',
    target: 'nullif(stxstattarget, -1)::text',
    comment: commentOn('pg_statistic_ext', 'x.oid'),
  },
  from: `pg_statistic_ext x join rel on rel.oid = stxrelid where x.oid >= ${firstOfUsers}`,
}

/** Tables and all that is part of one; views; sequences. */
export const relationParts: Part[] = [
  ...[tables, views, sequences, columns, constraints],
  ...[indexes, triggers, rules, policies, statistics],
]
