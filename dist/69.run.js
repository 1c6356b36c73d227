"use strict";exports.id=69,exports.ids=[69],exports.modules={7069:((e,t,n)=>{n.d(t,{maskAndMark:()=>maskAndMark});var r=n(7598),i=n(5902);let parts=({version:e})=>`
  part(whole, id) as (
    select distinct atttypid, atttypid from pg_attribute where attnum > 0 and not attisdropped
    union
    select whole, next from part join pg_type as type on type.oid = part.id, lateral (
      select typbasetype where typtype = 'd'
      union all select typelem where typcategory = 'A' and typelem <> 0
      union all select atttypid from pg_attribute where attrelid = typrelid and attnum > 0 and not attisdropped
      union all select rngsubtype from pg_range
        where rngtypid = type.oid ${e>=14e4?`or rngmultitypid = type.oid`:``}
    ) as below(next)),
  texts(id) as (
    select distinct whole from part join pg_type as type on type.oid = part.id
    where typtype = 'b' and not (typcategory = 'A' and typelem <> 0) and not (typcategory in ('B', 'N', 'D', 'T', 'G') or typname in
  ('uuid', 'oid', 'xid', 'xid8', 'cid', 'tid', 'pg_lsn', 'pg_snapshot', 'txid_snapshot', 'bit', 'varbit'))),
  -- Of a domain the type below, however many domains lie between.
  base(id, type, modifier) as (
    select oid, oid, -1 from pg_type where typtype <> 'd'
    union all
    select type.oid, base.type, greatest(typtypmod, modifier) from base join pg_type as type on typbasetype = base.id
      where typtype = 'd')`,trees=({timescaledb:e})=>`
  hypertable(id, is_compressed) as (${e===null?`select null::oid, false where false`:`select to_regclass(format('%I.%I', schema_name, table_name))::oid, exists (select from timescaledb_information.chunks
           where hypertable_schema = schema_name and hypertable_name = table_name and is_compressed)
         from _timescaledb_catalog.hypertable`}),
  covered(id, parent) as (
    select inhrelid, inhparent from pg_inherits join pg_class on pg_class.oid = inhrelid
    where relispartition or inhparent in (select id from hypertable)),
  tree(root, id) as (
    select oid, oid from pg_class where relkind in ('r', 'p', 'm', 'f') and oid not in (select id from covered)
    union all select root, covered.id from tree join covered on covered.parent = tree.id)`,own=({workSchema:e})=>`(nspname in ('pg_catalog', 'information_schema', '${e}') or nspname ~ '^pg_(toast|temp)')`,a=`pg_largeobject_metadata as object
  where not exists (select from pg_description where classoid = 'pg_largeobject'::regclass and objoid = object.oid
    and description like 'managed-database-action: %')`,tables=e=>`with recursive ${trees(e)},
  aggregate(id) as (${e.timescaledb===null?`select null::oid where false`:`select to_regclass(format('%I.%I', schema_name, table_name))::oid
  from _timescaledb_catalog.continuous_agg as aggregate
  join _timescaledb_catalog.hypertable as stored on stored.id = aggregate.mat_hypertable_id`})
  select class.oid::text as id, nspname::text as schema, relname::text as name,
    case when class.oid in (select id from aggregate) then 'continuous aggregate'
      else case relkind when 'm' then 'materialized view' when 'f' then 'foreign table' else 'table' end end as kind,
    (select sum(greatest(part.reltuples, 0)) from tree join pg_class as part on part.oid = tree.id
      where root = class.oid)::float8 as rows,
    pg_get_userbyid(relowner)::text as owner, pg_has_role(relowner, 'usage') as "isOurs",
    case when nspname ~ '^_timescaledb_' then 'timescaledb' else
      (select extname::text from pg_depend join pg_extension on pg_extension.oid = refobjid
        where classid = 'pg_class'::regclass and objid = class.oid and deptype = 'e' limit 1) end as keeper,
    class.oid in (select id from hypertable) as "isHypertable",
    coalesce((select is_compressed from hypertable where id = class.oid), false) as "isCompressed",
    relkind = 'r' and class.oid not in (select id from hypertable) as "isPlain",
    exists (select from pg_rewrite where ev_class = class.oid and ev_type = '2') as "hasRewriteRule",
    (select inhparent::text from pg_inherits where inhrelid = class.oid order by inhseqno limit 1) as parent,
    array(select part.oid::regclass::text from tree join pg_class as part on part.oid = tree.id
      where root = class.oid and part.relkind = 'f' and class.relkind <> 'f') as elsewhere
  from pg_class as class join pg_namespace on pg_namespace.oid = relnamespace
  where relkind in ('r', 'p', 'm', 'f') and class.oid not in (select id from covered) and not ${own(e)}
  union all
  select 'pg_largeobject', 'pg_catalog', 'pg_largeobject', 'large objects', count(*), current_user::text,
    coalesce(bool_and(pg_has_role(lomowner, 'usage')), true), null, false, false, true, false, null, '{}'
  from ${a}
  order by 2, 3`,columns=e=>`with recursive ${parts(e)}, ${trees(e)}
  select * from (select attrelid::text as table, attname::text as name, format_type(atttypid, atttypmod) as type,
    case when type.typcategory = 'S' then 'text'
      when type.typcategory = 'A' and element.typcategory = 'S' then 'texts'
      when type.typname in ('json', 'jsonb') then 'json' when type.typname = 'bytea' then 'bytes' else 'other' end as family,
    atttypid in (select id from texts) as "holdsText",
    case when type.typname in ('varchar', 'bpchar') and greatest(atttypmod, modifier) > 4
      then greatest(atttypmod, modifier) - 4 when type.typname = 'name' then 63 end as length,
    attnotnull or declared.typnotnull as "notNull", attgenerated <> '' as "isGenerated", attidentity = 'a' as "isAlwaysIdentity",
    type.typname = 'citext' as "ignoresCase",
    exists (select from tree join pg_partitioned_table on partrelid = tree.id
      left join pg_attribute as key on key.attrelid = tree.id and key.attname = pg_attribute.attname
      where root = pg_attribute.attrelid and partstrat <> 'h' and (key.attnum = any (partattrs) or 0 = any (partattrs)))
    ${e.timescaledb===null?``:`or exists (select from _timescaledb_catalog.dimension join _timescaledb_catalog.hypertable as whole
             on whole.id = hypertable_id where column_name = attname
             and to_regclass(format('%I.%I', schema_name, table_name)) = attrelid)`} as "decidesPart",
    (select max(case when n_distinct < 0 then -n_distinct * greatest(class.reltuples, 0) else n_distinct end) from pg_stats
      where schemaname = nspname and tablename = relname and pg_stats.attname = pg_attribute.attname)::float8 as distinct,
    (select max(avg_width) from pg_stats
      where schemaname = nspname and tablename = relname and pg_stats.attname = pg_attribute.attname)::int as width, attnum as position
  from pg_attribute join pg_class as class on class.oid = attrelid join pg_namespace on pg_namespace.oid = relnamespace
    join pg_type as declared on declared.oid = atttypid
    join base on base.id = atttypid join pg_type as type on type.oid = base.type
    left join pg_type as element on element.oid = type.typelem
  where attnum > 0 and not attisdropped and relkind in ('r', 'p', 'm', 'f')
    and attrelid not in (select id from covered) and not ${own(e)}
  union all
  select 'pg_largeobject', 'data', 'bytea', 'bytes', true, null, true, false, false, false, false, null, null, 1
  from ${a}) as found order by position`,uniques=e=>`with recursive ${trees(e)}
  select root::text as table, index.relname::text as name,
    array(select distinct attname::text from pg_attribute where attrelid = indrelid and attnum > 0
      and (attnum = any (indkey[0:indnkeyatts - 1]) or 0 = any (indkey) and exists (select from pg_depend
        where classid = 'pg_class'::regclass and objid = indexrelid and refobjid = indrelid and refobjsubid = attnum))) as columns,
    ${e.version>=15e4?`indnullsnotdistinct`:`false`} as "nullsEqual", indisexclusion as "isExclusion"
  from pg_index join tree on tree.id = indrelid join pg_class as index on index.oid = indexrelid
    join pg_class as class on class.oid = indrelid join pg_namespace on pg_namespace.oid = class.relnamespace
  where (indisunique or indisexclusion) and not ${own(e)}`,foreignKeys=e=>`with recursive ${trees(e)}
  select conname::text as name, conrelid::regclass::text as relation, one.root::text as table,
    array(select attname::text from unnest(conkey) with ordinality as key(number, position)
      join pg_attribute on attrelid = conrelid and attnum = number order by position) as columns,
    other.root::text as target,
    array(select attname::text from unnest(confkey) with ordinality as key(number, position)
      join pg_attribute on attrelid = confrelid and attnum = number order by position) as "targetColumns",
    pg_get_constraintdef(key.oid) as definition
  from pg_constraint as key join tree as one on one.id = conrelid join tree as other on other.id = confrelid
  where contype = 'f' and conparentid = 0
    and not exists (select from covered join hypertable on hypertable.id = parent where covered.id in (conrelid, confrelid))`,obstacles=e=>`with recursive ${trees(e)}
  select root::text as table, format('alter table %s disable trigger %I', tgrelid::regclass, tgname) as lift,
    format('alter table %s enable %s trigger %I', tgrelid::regclass,
      case tgenabled when 'A' then 'always' when 'R' then 'replica' else '' end, tgname) as restore, false as "isPolicy"
  from pg_trigger join tree on tree.id = tgrelid join pg_proc on pg_proc.oid = tgfoid
    join pg_namespace on pg_namespace.oid = pronamespace
  where not tgisinternal and tgenabled in ('O', 'A') ${e.version>=13e4?`and tgparentid = 0`:``}
    and nspname !~ '^_timescaledb_'
    and not exists (select from covered join hypertable on hypertable.id = parent where covered.id = tgrelid)
  union all
  select root::text, format('alter table %s no force row level security', class.oid::regclass),
    format('alter table %s force row level security', class.oid::regclass), true
  from pg_class as class join tree on tree.id = class.oid where relforcerowsecurity`,derived=({timescaledb:e})=>`with recursive
  used(by, id) as (
    select distinct ev_class, refobjid from pg_rewrite join pg_depend on classid = 'pg_rewrite'::regclass and objid = pg_rewrite.oid
    where refclassid = 'pg_class'::regclass and refobjid <> ev_class),
  depth(id, steps) as (
    select oid, 0 from pg_class where relkind = 'm'
    union select used.id, steps + 1 from depth join used on used.by = depth.id)
  select name, stored, "isAggregate" from (
    select class.oid::regclass::text as name, class.oid::regclass::text as stored, false as "isAggregate", -max(steps) as position
      from depth join pg_class as class on class.oid = depth.id where relkind = 'm' and relispopulated group by class.oid
    ${e===null?``:`union all select format('%I.%I', user_view_schema, user_view_name), format('%I.%I', schema_name, table_name), true,
             mat_hypertable_id - 1000000000
           from _timescaledb_catalog.continuous_agg join _timescaledb_catalog.hypertable on hypertable.id = mat_hypertable_id`}) as found order by position`,catalogQueries=e=>({tables:tables(e),columns:columns(e),uniques:uniques(e),foreignKeys:foreignKeys(e),obstacles:obstacles(e),derived:derived(e)}),o=`managed_database_action_masking`,catalog_tableName=({schema:e,name:t})=>{let plain=e=>/[".]/.test(e)?`"${e.replaceAll(`"`,`""`)}"`:e;return`${plain(e)}.${plain(t)}`};async function ask(e,t){return(await e.query(t)).rows}async function catalog_readCatalog(e){let[t]=await ask(e,`select current_setting('server_version_num')::int as version, current_database()::text as database,
       current_user::text as user,
       case when to_regclass('_timescaledb_catalog.continuous_agg') is not null then
         (select quote_ident(nspname) from pg_extension join pg_namespace on pg_namespace.oid = extnamespace
           where extname = 'timescaledb') end as timescaledb`);if(t===void 0)throw Error(`the database says nothing of itself`);let n=catalogQueries({...t,workSchema:o}),r=await ask(e,n.tables),i=await ask(e,n.columns),a=Map.groupBy(i,({table:e})=>e);return{...t,tables:r.map(e=>({...e,columns:a.get(e.id)??[]})),uniques:await ask(e,n.uniques),foreignKeys:await ask(e,n.foreignKeys),obstacles:await ask(e,n.obstacles),derived:await ask(e,n.derived)}}var s=n(9615);let c=`(select key from ${o}.secret)`,quoteText=e=>`'${e.replaceAll(`'`,`''`)}'`,digest=e=>`sha256(${c} || convert_to(${e}, current_setting('server_encoding')))`,hex=e=>`encode(${digest(e)}, 'hex')`,l=[`ba`,`do`,`fe`,`gu`,`ka`,`li`,`mo`,`nu`,`pe`,`ra`,`so`,`ti`,`ve`,`wi`,`xa`,`zo`];function expressions_name(e){let syllable=e=>`(array[${l.map(quoteText).join()}])[1 + get_byte(digest, ${e}) % ${l.length}]`,word=e=>[0,1,2].map(t=>syllable(e+t)).join(` || `);return`(select initcap(${word(0)} || ' ' || ${word(3)}) from (select ${digest(e)} offset 0) as made(digest))`}let digits=e=>`(select coalesce(string_agg(case
    when letter between '0' and '9' then chr(48 + byte % 10)
    when letter between 'A' and 'Z' then chr(65 + byte % 26)
    when letter between 'a' and 'z' or ascii(letter) > 127 then chr(97 + byte % 26)
    else letter end, '' order by place), ${e})
  from (select ${digest(e)} offset 0) as made(digest),
    unnest(string_to_array(${e}, null)) with ordinality as part(one, place),
    lateral (select one collate "C", get_byte(digest, (place % 32)::int)) as now(letter, byte))`,u={hash:e=>`left(${hex(e)}, 32)`,email:e=>`left(${hex(e)}, 20) || '@masked.invalid'`,phone:e=>`'+999' || lpad((('x' || left(${hex(e)}, 11))::bit(44)::bigint % 100000000000)::text, 11, '0')`,text:e=>`left(repeat(translate(${hex(e)}, '0123456789abcdef', 'etaoinshrdlucmfp'), length(${e}) / 64 + 1), length(${e}))`,name:e=>`case when ${e} is not null then ${expressions_name(e)} end`,digits:e=>`case when ${e} is not null then ${digits(e)} end`};function maskedValue(e,t){let n=`target.${(0,s.AB)(e.name)}`;if(t.kind===`keep`||t.kind===`shuffle`)return n;if(t.kind===`null`)return`null`;if(t.kind===`fixed`)return`${quoteText(t.text)}::${e.type}`;if(t.kind===`sql`)return`(${t.text}\n)`;let r=u[t.kind];if(r===void 0)throw Error(`no expression for ${t.kind}`);return e.family===`texts`?`case when ${n} is not null then array(select ${r(`element`)} from unnest(${n}::text[]) as part(element)) end::${e.type}`:`(${r(e.ignoresCase?`lower(${n}::text)`:`${n}::text`)})::${e.type}`}let keepsNull=({kind:e})=>e!==`fixed`&&e!==`sql`,isMasked=({rule:e})=>e!==void 0&&e.kind!==`keep`,planned_takesRules=({kind:e,keeper:t})=>t===null&&(e===`table`||e===`large objects`),d=1e6,lowered=e=>`lower(${e} collate "C")`,unescaped=e=>`case when strpos(${e}, '\\') > 0 then regexp_replace(${e}, '\\\\[nrtfb]', ' ', 'g') else ${e} end`,quoted=e=>`E'${e.replace(/['\\]/g,`\\$&`).replace(/[\t\n\r\f\v]/g,e=>`\\x0${e.charCodeAt(0).toString(16)}`)}'`,wordsOf=e=>`array_remove(string_to_array(translate(${lowered(unescaped(e))}, ${quoted(` !"#$%&'()*+,-./:;<=>?@[\\]^_\`{|}~	
\r\f\v`)}, '${` `.repeat(38)}'), ' '), '')`,hashOf=e=>`substring(${digest(`array_to_string(${e}, ' ')`)}, 1, 16)`,hashOfWord=e=>`hashtextextended(${e} collate "C", (select seed from ${o}.secret))`,bytesAsText=e=>`encode(${e}, 'escape')`,readJson=e=>`${e}::text || case when strpos(${e}::text, '\\u') > 0 and strpos(${e}::text, '\\u0000') = 0 then ' ' || ${e}::jsonb::text else '' end`;function textOf({name:e,type:t,family:n}){let r=(0,s.AB)(e);return n===`texts`?`array_to_string(${r}::text[], ' ')`:n===`bytes`?bytesAsText(`${r}::bytea`):t===`json`?readJson(r):`${r}::text`}function partsOf({name:e,family:t}){let n=(0,s.AB)(e);return t===`texts`?`select unnest(${n}::text[])`:t===`bytes`?`select ${bytesAsText(`${n}::bytea`)}`:t===`json`?`select one #>> '{}' from jsonb_path_query(case when strpos(${n}::text, '\\u0000') = 0 then ${n}::jsonb end,
      'strict $.** ? (@.type() == "string")') as string(one)`:`select ${n}::text`}let fromOnly=({schema:e,name:t,isPlain:n})=>`${n?`only `:``}${(0,s.AB)(e)}.${(0,s.AB)(t)}`;var f=n(5145),p=n(6238);class MaskingError extends f.lZ{}let m=/^(?:0A|23|25|40|42|53|54|55|57)/;function describeRefusal({code:e,message:t,where:n}){return m.test(e)&&n===void 0?`${t} (SQLSTATE ${e})`:`SQLSTATE ${e} (its message may hold values, and is not shown)`}async function during(e,t){try{return await t()}catch(t){throw t instanceof p.Mp?new MaskingError(`${e}: ${describeRefusal(t)}`,`correct the rule that it is about, or the parent; the copy is not to be used`):t}}async function prepare(e,{timescaledb:t}){await during(`a session for masking`,()=>e.query(`
  set row_security = off;
  set statement_timeout = 0;
  set lock_timeout = '60s';
  set idle_in_transaction_session_timeout = 0;
  set default_transaction_read_only = off;
  set client_min_messages = error;
  set standard_conforming_strings = on;
  set xmlbinary = base64;
  set jit = off;
  set work_mem = '128MB';
  set maintenance_work_mem = '256MB';${t===null?``:`set timescaledb.max_tuples_decompressed_per_dml_transaction = 0;`}`))}async function makeWorkSchema(e){await during(`a schema for masking`,()=>e.query(`
      drop schema if exists ${o} cascade;
      create schema ${o};
      revoke all on schema ${o} from public;
      create unlogged table ${o}.secret as
        select sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')) as key,
          ('x' || left(encode(sha256(convert_to(gen_random_uuid()::text, 'UTF8')), 'hex'), 16))::bit(64)::bigint as seed;
      create unlogged table ${o}.needle (id bigint generated always as identity, source int not null,
        hash bytea not null, words int not null, first int not null, word bigint not null);
      create unlogged table ${o}.hit (place text not null, needle bigint not null, times bigint not null)`))}async function dropWorkSchema(e){await during(`the schema for masking`,()=>e.query(`drop schema if exists ${o} cascade`))}async function inParallel(e,t,{sessions:n,tasks:r},i){let a=[...r],work=async e=>{await prepare(e,t);for(let t=a.shift();t!==void 0;t=a.shift())await i(e,t)},o=Array.from({length:Math.min(n,r.length)},async()=>{try{await e(work)}catch(e){throw a.length=0,e}}),s=(await Promise.allSettled(o)).find(({status:e})=>e===`rejected`);if(s?.status===`rejected`)throw s.reason}let maskedColumns=e=>e.columns.flatMap(e=>e.rule&&isMasked(e)?[{...e,rule:e.rule}]:[]),findMasked=({tables:e})=>e.filter(e=>!e.dropRows&&e.kind===`table`&&maskedColumns(e).length>0),findDropped=({tables:e})=>e.filter(({dropRows:e,kind:t})=>e&&t===`table`);function shuffling(e,t){let n=fromOnly(e),r=t.map(({name:e},t)=>`, (select ${(0,s.AB)(e)} as shuffled_value_${t},
      row_number() over (order by random()) as shuffled_number_${t} from ${n}) as shuffled_${t}`),i=t.map((e,t)=>` and shuffled_number_${t} = own_number`);return`from (select tableoid as own_table, ctid as own_row, row_number() over () as own_number from ${n}) as numbered
    ${r.join(``)} where target.tableoid = own_table and target.ctid = own_row${i.join(``)}`}function updateOf(e){let t=maskedColumns(e),n=t.filter(({rule:e})=>e.kind===`shuffle`),r=t.map(e=>{let t=n.indexOf(e);return`${(0,s.AB)(e.name)} = ${t<0?maskedValue(e,e.rule):`shuffled_value_${t}`}`}),i=t.map(({name:e})=>`${(0,s.AB)(e)} is not null`).join(` or `),a=n.length>0?shuffling(e,n):t.every(({rule:e})=>keepsNull(e))?`where ${i}`:``;return`update ${fromOnly(e)} as target set ${r.join(`, `)} ${a}`}async function tryRules(e,t){for(let n of findMasked(t)){let t=n.columns.filter(({isGenerated:e})=>!e),r=t.map(({name:e})=>(0,s.AB)(e)).join(),i=t.map(e=>maskedValue(e,e.rule??{kind:`keep`})).join();await during(`the rules for ${catalog_tableName(n)}, tried on some rows`,async()=>{await e.query(`begin`);try{await e.query(`create temp table tried (like ${(0,s.AB)(n.schema)}.${(0,s.AB)(n.name)}
             including constraints including defaults including generated including indexes) on commit drop`),await e.query(`insert into pg_temp.tried (${r}) select ${i} from ${fromOnly(n)} as target limit 1000`)}finally{await e.attempt(`rollback`)}})}}function findObstacles(e){let t=findDropped(e).map(({id:e})=>e),n=findMasked(e),r=new Set([...t,...n.map(({id:e})=>e)]),changes=(e,r)=>t.includes(e)||n.some(t=>t.id===e&&maskedColumns(t).some(({name:e})=>r.includes(e)));return[...e.foreignKeys.filter(e=>changes(e.table,e.columns)||changes(e.target,e.targetColumns)).map(({relation:e,name:t,definition:n})=>({lift:`alter table ${e} drop constraint ${(0,s.AB)(t)}`,restore:`alter table ${e} add constraint ${(0,s.AB)(t)} ${n}`})),...e.obstacles.filter(({table:e,isPolicy:t})=>!t&&r.has(e))]}async function emptyTables(e,t){let n=findDropped(t).map(({schema:e,name:t})=>`${(0,s.AB)(e)}.${(0,s.AB)(t)}`);n.length>0&&await e.query(`truncate ${n.join(`, `)}`),t.tables.some(e=>e.kind===`large objects`&&e.dropRows)&&await e.query(`select lo_unlink(object.oid) from ${a}`)}let secondsOf=async e=>Number((await e.query(`select extract(epoch from clock_timestamp())::float8 as now`)).rows[0]?.now);async function updateAll(e,t,{sessions:n,onProgress:r}){let i=findMasked(t).toSorted((e,t)=>t.rows-e.rows),a=i.reduce((e,{rows:t})=>e+t,0),o=await e(secondsOf),s=0,c=0;return await inParallel(e,t,{sessions:n,tasks:i},async(e,t)=>{let n=catalog_tableName(t);c+=(await during(`masking ${n}`,()=>e.query(updateOf(t)))).rowCount,s+=t.rows;let i=await secondsOf(e)-o,l=s>0?i/s*(a-s):0;r?.({table:n,rows:s,allRows:a,seconds:i,left:l})}),c}async function clearStatistics(e,{version:t},n,r){if(t>=18e4)await e.query(`
  with recursive part(id) as (
    select $1::regclass::oid union select inhrelid from part join pg_inherits on inhparent = part.id)
  select pg_clear_attribute_stats(schemaname, tablename, attname, inherited)
  from pg_stats join pg_class on pg_class.oid = format('%I.%I', schemaname, tablename)::regclass
  where reltuples = 0 and (pg_class.oid in (select id from part)
    or pg_class.oid in (select indexrelid from pg_index where indrelid in (select id from part)))`,[n]);else for(let{name:t,type:i,holdsText:a}of r?.dropRows?r.columns:[])a&&await e.attempt(`alter table ${n} alter column ${(0,s.AB)(t)} type ${i}`)}async function rewrite(e,t,n){let r=`${(0,s.AB)(n.schema)}.${(0,s.AB)(n.name)}`;if(!n.isCompressed){await e.query(`vacuum (analyze) ${r}`),await clearStatistics(e,t,r,n);return}let{rows:i}=await e.query(`
  select format('%I.%I', chunk_schema, chunk_name) as chunk from timescaledb_information.chunks
  where is_compressed and hypertable_schema = $1 and hypertable_name = $2`,[n.schema,n.name]);await e.query(`analyze ${r}`);for(let{chunk:n}of i)await e.query(`select ${t.timescaledb}.compress_chunk($1::regclass, if_not_compressed => true)`,[n]);await e.query(`vacuum ${r}`)}async function derive(e,t){let{derived:n,timescaledb:r}=t;if(findMasked(t).some(({isCompressed:e})=>e))for(let{name:t}of(await e.query(`
  select attrelid::regclass::text as name from pg_attribute join pg_class on pg_class.oid = attrelid
  where attname = '_ts_meta_count' and relkind = 'r' and relnamespace = '_timescaledb_internal'::regnamespace
    and pg_has_role(relowner, 'usage')`)).rows)await e.query(`vacuum (analyze) ${t}`);for(let{name:i,stored:a,isAggregate:o}of n)await during(`refreshing ${i}`,async()=>{o?await e.query(`call ${r}.refresh_continuous_aggregate('${i.replaceAll(`'`,`''`)}', null, null)`):await e.query(`refresh materialized view ${i}`),await e.query(`vacuum (analyze) ${a}`),await clearStatistics(e,t,a)})}async function maskRows(e,t,n){let r=findObstacles(t),one=(n,r)=>inParallel(e,t,{sessions:1,tasks:[n]},e=>during(n,()=>r(e)));await one(`what stands in the way of masking`,async e=>{for(let{lift:t}of r)await e.query(t)}),await one(`dropping rows`,e=>emptyTables(e,t));let i=await updateAll(e,t,n);await one(`a constraint or trigger, put back after masking`,async e=>{for(let{restore:t}of r)await e.query(t)});let{sessions:a}=n;return await inParallel(e,t,{sessions:a,tasks:[...findMasked(t),...findDropped(t)]},(e,n)=>during(`cleaning up ${catalog_tableName(n)}`,()=>rewrite(e,t,n))),await one(`what is computed from the masked rows`,e=>derive(e,t)),i}var h=n(4526);let g=new Set([`keep`,`hash`,`email`,`sql`]),_=new Set([`hash`,`email`,`name`,`phone`,`text`,`digits`]),kindOf=e=>e?.rule?.kind??`keep`;function findMisfit(e,t){let{rule:n,length:r}=t;if(n!==void 0&&n.kind!==`keep`){if(t.isGenerated)return`is computed from other columns: mask those`;if(e.kind===`large objects`)return`can only be kept, or dropped with drop_rows`;if(t.isAlwaysIdentity)return`is an identity that the database gives: keep it`;if(t.decidesPart)return`decides in which partition or chunk a row is: keep it`;if(n.kind===`null`&&t.notNull)return`must not be null`;if(_.has(n.kind)&&t.family!==`text`&&t.family!==`texts`)return`is ${t.type}, and ${n.kind} is for texts`;if(n.kind===`email`&&r!==null&&r<35)return`has room for ${r} characters, and email needs 35`;if(n.kind===`fixed`&&r!==null&&[...n.text].length>r)return`has room for ${r} characters, and the fixed text is longer`;if(n.kind===`shuffle`&&e.isHypertable)return`is in a hypertable, whose rows cannot change places: take another rule than shuffle`}}function findHindrance(e){if(e.dropRows||e.columns.some(isMasked)){if(!e.isOurs)return`belongs to ${e.owner}, whose rights this login does not have`;if(e.elsewhere.length>0&&!e.dropRows)return`has rows that cannot be changed, in ${e.elsewhere.join(`, `)}: only drop_rows is possible`;if(e.hasRewriteRule)return`has a rewrite rule for updates: drop it from the parent, or use a trigger`}}function findUniqueConflicts(e,t){let columnOf=t=>e.columns.find(e=>e.name===t),isSafe=(e,{isExclusion:t,nullsEqual:n})=>{let r=columnOf(e),i=kindOf(r);if(t)return i===`keep`;let a=i===`hash`&&(r?.length??16)<16;return g.has(i)&&!a||i===`null`&&!n},n=t.filter(t=>t.table===e.id),r=n.filter(e=>e.columns.every(t=>isSafe(t,e)));return n.filter(e=>!r.some(({columns:t})=>t.every(t=>e.columns.includes(t)))).flatMap(t=>t.columns.filter(e=>!isSafe(e,t)).map(n=>({place:columnOf(n)?.place,what:`${catalog_tableName(e)}.${n} must stay ${t.isExclusion?`as it is`:`unique`} (${t.name}): ${kindOf(columnOf(n))} does not keep it so`})))}function areAlike(e,t){let[n,r]=[kindOf(e),kindOf(t)];if(n!==r||!g.has(n))return!1;if(n===`keep`)return!0;if(n===`sql`)return e.rule?.kind===`sql`&&t.rule?.kind===`sql`&&e.rule.text===t.rule.text;let room=e=>Math.min(e.length??32,32);return e.ignoresCase===t.ignoresCase&&(n===`email`||room(e)===room(t))}function findKeyConflicts(e,t){let[n,r]=[t.table,t.target].map(t=>e.tables.find(e=>e.id===t));if(n===void 0||r===void 0||n.dropRows)return[];let i=t.columns.map((e,i)=>({from:n.columns.find(t=>t.name===e),to:r.columns.find(e=>e.name===t.targetColumns[i])}));if(i.some(({from:e})=>kindOf(e)===`null`))return[];let a=`${catalog_tableName(n)}.${t.columns.join(`, `)} refers to ${catalog_tableName(r)} (${t.name})`,{place:o}=i[0]?.from??{};return r.dropRows?[{place:o??n.place,what:`${a}, whose rows are dropped: take null or drop_rows for it as well`}]:i.every(({from:e,to:t})=>e&&t&&areAlike(e,t))?[]:[{place:o,what:`${a}: both ends need the same rule, one of keep, hash, email and sql`}]}function findConflicts(e){let t=e.tables.filter(planned_takesRules);return[...t.flatMap(e=>{let t=findHindrance(e);return t===void 0?[]:[{place:e.place,what:`${catalog_tableName(e)} ${t}`}]}),...t.filter(({dropRows:e})=>!e).flatMap(t=>[...t.columns.flatMap(e=>{let n=findMisfit(t,e);return n===void 0?[]:[{place:e.place,what:`${catalog_tableName(t)}.${e.name} ${n}`}]}),...findUniqueConflicts(t,e.uniques)]),...e.foreignKeys.flatMap(t=>findKeyConflicts(e,t))]}let fitsSchema=(e,t)=>RegExp(`^${e.split(`*`).map(e=>e.replace(/[\\^$.*+?()[\]{}|]/g,`\\$&`)).join(`.*`)}$`,`s`).test(t);function findRules({tables:e},{schema:t,name:n}){return e.filter(e=>e.table===n&&fitsSchema(e.schema,t)).sort((e,t)=>Number(e.schema.includes(`*`))-Number(t.schema.includes(`*`)))}function findAllRules(e,t,n){let r=t.tables.find(({id:e})=>e===n.parent);return[...findRules(e,n),...r?findAllRules(e,t,r):[]]}function planTable(e,t,n){let r=planned_takesRules(n)?findAllRules(e,t,n):[],i=n.columns.map(e=>{let t=r.flatMap(({columns:t})=>t.filter(t=>t.column===e.name))[0];return{...e,rule:t?.rule,place:t?.place}});return{...n,columns:i,dropRows:r[0]?.dropRows===!0,place:r[0]?.place}}function findIdle(e,{tables:t}){let n=[],r=t.filter(planned_takesRules);for(let i of e.tables){let a=catalog_tableName({schema:i.schema,name:i.table}),o=t.filter(t=>findRules(e,t).includes(i)),s=o.filter(planned_takesRules);for(let e of o.filter(e=>!planned_takesRules(e))){let t=e.keeper?`belongs to the extension ${e.keeper}`:`is a ${e.kind}`;i.schema.includes(`*`)||n.push({place:i.place,what:`${a} ${t}, and takes no rules`})}o.length===0&&n.push({place:i.place,what:`there is no table ${a}${(0,h.o2)(a,r.map(catalog_tableName))}`});for(let{column:e,place:t}of s.length>0?i.columns:[]){let r=s.flatMap(({columns:e})=>e.map(({name:e})=>e));r.includes(e)||n.push({place:t,what:`${a} has no column ${e}${(0,h.o2)(e,r)}`})}}return n}let findUnlisted=e=>e.filter(e=>planned_takesRules(e)&&!e.dropRows).filter(({kind:e,rows:t})=>e!==`large objects`||t>0).flatMap(e=>e.columns.filter(({rule:e,holdsText:t,isGenerated:n})=>e===void 0&&t&&!n).map(({name:t,type:n})=>({what:`${catalog_tableName(e)}.${t} (${n}) has no rule`})));function planMasking(e,t){let n=t.tables.map(n=>planTable(e,t,n)),r={...t,tables:n},i=[...findIdle(e,t),...findUnlisted(n),...findConflicts(r)];if(i.length>0)throw new s.ll(e.file,i,`give each column a rule that its table can take; dry_run prints a complete file to compare with`);return r}let v=4e3;function findSources({tables:e}){return e.flatMap(e=>e.columns.filter(t=>e.dropRows||isMasked(t)&&t.rule?.kind!==`shuffle`).filter(({holdsText:e,type:t})=>e||/^(?:bigint|numeric)/.test(t)).filter(()=>e.kind===`table`).map(t=>({table:e,column:t}))).map((e,t)=>({number:t,...e}))}function needlesOf({number:e,table:t,column:n}){let r=`select part.value from ${fromOnly(t)} as target, lateral (${partsOf(n)}) as part(value)`,i=t.rows>2*v?`and random() < ${2*v/t.rows}`:``,a=n.rule?.kind===`fixed`?`and value <> ${quoteText(n.rule.text)}`:``;return`
    with seen as materialized (
      select distinct left(value, ${d}) as value from (${r}) as all_parts
      where value is not null ${i} ${a} limit ${v}),
    counted as materialized (
      select left(value, ${d}) as value, count(*) as times from (${r}) as all_parts
      where left(value, ${d}) in (select value from seen) group by 1),
    long as materialized (
      select value, times, ${wordsOf(`value`)} as words from counted where length(value) >= 8),
    taken as (select words from long where times = 1 and words <> '{}' order by random() limit 1000),
    -- Letters beyond ASCII look otherwise in a column of bytes.
    form as (
      select words from taken
      union all
      select ${wordsOf(`encode(convert_to(array_to_string(words, ' '), 'UTF8'), 'escape')`)} from taken
      where octet_length(array_to_string(words, '')) <> length(array_to_string(words, ''))),
    frequency as (select word, count(*) as times from form, unnest(words) as word group by word),
    made as (
      insert into ${o}.needle (source, hash, words, first, word)
      select ${e}, ${hashOf(`words`)}, cardinality(words), place, ${hashOfWord(`word`)}
      from form, lateral (select word, place from unnest(words) with ordinality as one(word, place)
        join frequency using (word) order by times, length(word) desc, place limit 1) as rarest
      returning 1)
    select (select count(*) from taken)::int as taken, (select count(*) from made)::int as made,
      (select count(*) from counted where length(value) < 8)::int as "tooShort",
      (select count(*) from long where times > 1)::int as "notUnique"`}async function takeSamples(e,t,n){let r=[];return await inParallel(e,t,{sessions:n,tasks:findSources(t)},async(e,t)=>{let n=`${catalog_tableName(t.table)}.${t.column.name}`,{rows:i}=await during(`the originals of ${n}`,()=>e.query(needlesOf(t)));r[t.number]={column:n,...i[0]}}),r}let placeOf=(e,{name:t})=>`${catalog_tableName(e)}.${t}`;function haystackOf(e){let t=e.columns.filter(({holdsText:e})=>e);if(t.length===0||e.kind===`foreign table`||e.kind===`large objects`)return[];let n=t.map(t=>`(${quoteText(placeOf(e,t))}, ${textOf(t)})`);return[{places:t.map(t=>placeOf(e,t)),texts:`select cell.place, cell.value from ${fromOnly(e)} as target, lateral (values ${n.join()}) as cell(place, value)`}]}let otherHaystacks=({version:e})=>[{places:[`large objects`],texts:`select 'large objects', ${bytesAsText(`lo_get(object.oid, start, 510000)`)}
      from ${a.replace(`where`,`, generate_series(0::bigint, lo_lseek64(lo_open(object.oid, 262144), 0, 2), 500000) as start where`)}`},{places:[`statistics`],texts:`select 'statistics of ' || concat_ws('.', schemaname, tablename, attname), value from pg_stats,
        lateral (values (most_common_vals::text), (histogram_bounds::text), (most_common_elems::text)) as kept(value)
      where schemaname <> 'pg_catalog'
      union all select 'statistics ' || concat_ws('.', statistics_schemaname, statistics_name), array_to_string(most_common_vals, ' ')
        from pg_stats_ext
      ${e>=14e4?`union all select 'statistics ' || concat_ws('.', statistics_schemaname, statistics_name), value from pg_stats_ext_exprs,
               lateral (values (most_common_vals::text), (histogram_bounds::text), (most_common_elems::text)) as kept(value)`:``}`},{places:[`comments`],texts:`select 'comments', description from pg_description`},{places:[`function bodies`],texts:`select 'function bodies', prosrc from pg_proc where pronamespace <> 'pg_catalog'::regnamespace`}],search=({texts:e})=>`
  insert into ${o}.hit
  select place, needle.id, count(*)
  from (select place, left(value, ${d}) as value from (${e}) as cell(place, value)
      where length(value) >= 8 offset 0) as cell,
    lateral (select ${wordsOf(`value`)} as words offset 0) as split,
    lateral unnest(split.words) with ordinality as one(word, at)
    join ${o}.needle on needle.word = ${hashOfWord(`one.word`)}
  where ${hashOf(`split.words[at - first + 1 : at - first + needle.words]`)} = needle.hash
  group by 1, 2`;async function searchIn(e,t,n){let r=t.places.join(`, `),i=await e.attempt(search(t));i instanceof p.Mp?i.code===`42501`?n.notSearched.push(`${r}: ${describeRefusal(i)}`):await during(`the search in ${r}`,()=>Promise.reject(i)):n.searched.push(...t.places)}let findKept=({tables:e})=>e.filter(e=>planned_takesRules(e)&&!e.dropRows).flatMap(e=>e.columns.filter(({rule:e})=>e?.kind===`keep`||e?.kind===`shuffle`||e?.kind===`digits`).map(t=>placeOf(e,t))),y=`
  with found as (
    select distinct hit.place, source, needle from ${o}.hit join ${o}.needle on needle.id = hit.needle
    where place = any ($1) and (times > 10 or place = any ($2))),
  few as (
    select place, source from found group by 1, 2 having count(*) <= greatest(3, 0.01 *
      (select count(*) from ${o}.needle where needle.source = found.source)))
  delete from ${o}.hit where needle in (select needle from found join few using (place, source))
  returning needle`,b=`
  select place, sum(times)::float8 as times, count(distinct hit.needle)::int as originals, array_agg(distinct source) as from
  from ${o}.hit join ${o}.needle on needle.id = hit.needle group by place order by place`,x=[`values that hold no text, like numbers and times`,`what follows the first ${d} characters of a value`,`earlier snapshots, the write-ahead log and the server log`];async function proveMasking(e,t,n){let r={searched:[],notSearched:[...x],common:0,hits:[]};for(let e of t.tables)e.kind===`foreign table`&&r.notSearched.push(`${catalog_tableName(e)}: a foreign table`),e.elsewhere.length>0&&r.notSearched.push(`${e.elsewhere.join(`, `)}: foreign parts of ${catalog_tableName(e)}`);let i=[...t.tables.toSorted((e,t)=>t.rows-e.rows).flatMap(haystackOf),...otherHaystacks(t)];await e(e=>during(`the originals`,()=>e.query(`create index on ${o}.needle (source); analyze ${o}.needle`))),await inParallel(e,t,{sessions:n,tasks:i},(e,t)=>searchIn(e,t,r));let a=findSources(t);return await e(async e=>{let n=t.tables.flatMap(e=>e.columns.filter(({rule:e})=>e?.kind===`digits`).map(t=>placeOf(e,t))),i=await e.query(y,[findKept(t),n]);r.common=new Set(i.rows.map(({needle:e})=>e)).size;let{rows:o}=await e.query(b);r.hits=o.map(e=>({...e,from:e.from.flatMap(e=>a[e]??[]).map(({table:e,column:t})=>placeOf(e,t))}))}),r}class OriginalsFoundError extends f.lZ{}let named=(e,t)=>t.map(({name:t})=>`${catalog_tableName(e)}.${t}`);function reportRules(e){let t=e.tables.filter(planned_takesRules),n=t.filter(({dropRows:e})=>!e),find=e=>n.flatMap(t=>named(t,t.columns.filter(e)));return{masked:n.flatMap(e=>e.columns.filter(isMasked).map(({name:t,rule:n})=>({column:`${catalog_tableName(e)}.${t}`,rule:n?.kind??``}))),droppedTables:t.filter(({dropRows:e})=>e).map(catalog_tableName),keptByRule:find(({rule:e})=>e?.kind===`keep`),keptByType:find(({rule:e,isGenerated:t})=>e===void 0&&!t),computed:find(({isGenerated:e})=>e)}}let renderHit=({place:e,times:t,originals:n,from:r})=>`${e}: ${n} ${n===1?`original`:`originals`} of ${r.join(`, `)}, in ${t} ${t===1?`value`:`values`}`,sumOf=(e,t)=>e.reduce((e,n)=>e+t(n),0);function renderProof({samples:e,proof:t}){let n=sumOf(e,({taken:e})=>e),r=sumOf(e,({tooShort:e})=>e),i=sumOf(e,({notUnique:e})=>e),a=t.hits.reduce((e,{originals:t})=>e+t,0);return`${a===0?`none`:a} of ${n} originals of ${e.length} columns found in ${t.searched.length} places; left out: ${r} shorter than 8 characters, ${i} not unique, ${t.common} common in columns that are kept`}function listReport(e){let{masked:t,proof:n,samples:r}=e,i=r.filter(({taken:e})=>e===0).map(({column:e})=>e);return[{title:`Masked by rule`,names:t.map(({column:e,rule:t})=>`${e}: ${t}`)},{title:`Rows dropped`,names:e.droppedTables},{title:`Kept by rule`,names:e.keptByRule},{title:`Kept by type`,names:e.keptByType},{title:`Computed from other columns`,names:e.computed},{title:`Searched`,names:n.searched},{title:`Not searched`,names:n.notSearched},{title:`Masked, but without an original to look for`,names:i}].filter(({names:e})=>e.length>0)}function checkProven({proof:{hits:e}}){if(e.length!==0)throw new OriginalsFoundError(`originals were found after masking: ${e.map(renderHit).join(`; `)}`,`give these columns a rule that masks them, or drop_rows for their table; the copy is not to be used`)}async function checkRules(e,t){return planMasking(t,await catalog_readCatalog(e))}async function hashCatalog(e,{tables:t}){let n=t.filter(planned_takesRules).map(e=>[catalog_tableName(e),e.columns.map(({name:e,type:t})=>[e,t])]),{rows:r}=await e.query(`select encode(sha256(convert_to($1, 'UTF8')), 'hex') as hash`,[JSON.stringify(n)]);return String(r[0]?.hash)}async function maskByFile(e,{file:t,sessions:n=4,onProgress:r}){let i=(0,s.qn)(t),{plan:a,catalog:o}=await e(async e=>{let t=await checkRules(e,i);return{plan:t,catalog:await hashCatalog(e,t)}}),c=a.obstacles.filter(({isPolicy:e,table:t})=>e&&a.tables.some(({id:e,isOurs:n})=>n&&e===t));await e(async e=>{await prepare(e,a);for(let{lift:t}of c)await during(`a policy that hides rows`,()=>e.query(t));await makeWorkSchema(e),await tryRules(e,a)});let l=await takeSamples(e,a,n),u=await maskRows(e,a,{sessions:n,onProgress:r}),d=await proveMasking(e,await e(e=>checkRules(e,i)),n);return await e(async e=>{await dropWorkSchema(e);for(let{restore:t}of c)await during(`a policy, put back after masking`,()=>e.query(t))}),{...reportRules(a),catalog:o,rows:u,samples:l,proof:d}}var S=n(384);function renderProgress({table:e,rows:t,allRows:n,left:r}){return`masked ${e}: ${n>0?Math.floor(100*t/n):100} % of the rows, about ${(0,i.PP)(Math.round(r*1e3))} left`}async function mask_mark(e,{source:t,at:n,run:i,rules:a}){let o=(0,r.createHash)(`sha256`).update(a.text).digest(`hex`);await e.query(`begin`),await(0,S.L)(e,{source:t,at:n,run:i,file:o}),await e.query(`commit`)}async function maskAndMark(e,t){let n=await maskByFile(e,{file:t.rules,onProgress:e=>t.onProgress(renderProgress(e))});return checkProven(n),await e(e=>mask_mark(e,t)),{summary:`${n.masked.length} columns, ${n.rows} rows; ${renderProof(n)}`,lists:listReport(n)}}}),9615:((e,t,n)=>{n.d(t,{ll:()=>MaskFileError,qn:()=>parseMaskFile,AB:()=>quoteName});var r=n(5145),i=n(4526),a=n(3804);class YamlError extends Error{place;constructor(e,t){super(e),this.place=t}}class Reader{#e;#t;#n=0;#r=0;constructor(e,t){this.#t=e,this.#e=t}#i(e){e>=0&&(this.#r=e);let t=this.#t.slice(0,this.#r).split(`
`);return{line:t.length,column:[...t.at(-1)??``].length+1}}#a(e){let t=[];for(;this.#e[this.#n]?.type!==a.EVENT_POP;){let e=this.read();if(e.kind!==`scalar`)throw new YamlError(`a key must be a name`,e.place);if(t.some(t=>t.key.text===e.text))throw new YamlError(`${e.text} stands here a second time`,e.place);t.push({key:e,value:this.read()})}return this.#n++,{kind:`mapping`,place:e,entries:t}}#o(e){for(let t=e;t>0;this.#n++){let e=this.#e[this.#n]?.type;e===a.EVENT_POP?t--:e!==a.EVENT_SCALAR&&e!==a.EVENT_ALIAS&&t++}}read(){let e=this.#e[this.#n++];return e?.type===a.EVENT_SCALAR&&e.tagStart<0?{kind:`scalar`,place:this.#i(e.valueStart),text:(0,a.getScalarValue)(this.#t,e),isPlain:e.style===a.SCALAR_STYLE.PLAIN}:e?.type===a.EVENT_MAPPING&&e.tagStart<0?this.#a(this.#i(e.start)):(e!==void 0&&e.type!==a.EVENT_SCALAR&&e.type!==a.EVENT_ALIAS&&this.#o(1),{kind:`other`,place:this.#i(-1)})}}function readYaml(e){try{let t=(0,a.parseEvents)(e,{maxDepth:5});if(t.filter(({type:e})=>e===a.EVENT_DOCUMENT).length!==1)throw new YamlError(`there must be one document`,{line:1,column:1});return new Reader(e,t.slice(1)).read()}catch(e){if(!(e instanceof a.YAMLException))throw e;let{line:t,column:n}=e.mark??{line:0,column:0};throw new YamlError(e.reason,{line:t+1,column:n+1})}}let o=[`keep`,`null`,`hash`,`email`,`name`,`phone`,`text`,`digits`,`shuffle`];class MaskFileError extends r.lZ{constructor({name:e,path:t},n,r){let i=n.slice(0,20).map(({place:t,what:n})=>t?`${e}:${t.line}:${t.column}: ${n}`:n),a=n.length>20?`; and ${n.length-20} more`:``;super(`${i.join(`; `)}${a}`,r);let o=n[0]?.place;t!==void 0&&o&&(this.place={file:t,...o})}}let quoteName=e=>`"${e.replaceAll(`"`,`""`)}"`;function parseTableName(e){let[,t,n]=/^("(?:[^"]|"")+"|[^".]+)\.("(?:[^"]|"")+"|[^".]+)$/.exec(e)??[];if(t===void 0||n===void 0)return;let plain=e=>e.startsWith(`"`)?e.slice(1,-1).replaceAll(`""`,`"`):e;return[plain(t),plain(n)]}let isWord=e=>o.some(t=>t===e),s=`${o.join(`, `)}, { fixed: \u2026 } or { sql: \u2026 }`;function parseRule(e){if(e.kind===`scalar`){let t=e.text===`~`&&e.isPlain?`null`:e.text;return isWord(t)?{kind:t}:t===`drop_rows`?`drop_rows is a rule for a table, not for a column`:t===``?`no rule; expected ${s}`:`${t} is no rule${(0,i.o2)(t,[...o,`fixed`,`sql`])}; expected ${s}`}let[t,...n]=e.kind===`mapping`?e.entries:[],{key:r,value:a}=t??{};return n.length>0||a?.kind!==`scalar`||r?.text!==`fixed`&&r?.text!==`sql`?`expected ${s}`:r.text===`sql`&&a.text.trim()===``?`sql: an expression is expected`:{kind:r.text,text:a.text}}function parseTable(e,t,n){let{place:r}=e,[i,a]=parseTableName(e.text)??[];if(i===void 0||a===void 0)return n.push({place:r,what:`${e.text} is no table; expected schema.table, like public.people`}),[];let o={schema:i,table:a,place:r,dropRows:!1,columns:[]};if(t.kind===`scalar`&&t.text===`drop_rows`)return[{...o,dropRows:!0}];if(t.kind!==`mapping`)return n.push({place:r,what:`${e.text}: expected drop_rows, or a rule for each column`}),[];for(let{key:r,value:i}of t.entries){let t=parseRule(i);typeof t==`string`?n.push({place:i.place,what:`${e.text}.${r.text}: ${t}`}):o.columns.push({column:r.text,rule:t,place:r.place})}return[o]}function parseTables(e,t){return e.kind===`mapping`?e.entries.flatMap(({key:e,value:n})=>parseTable(e,n,t)):(t.push({place:e.place,what:`expected tables with their rules, like public.people:`}),[])}function parseMaskFile(e){let t=[],n=[];try{n=parseTables(readYaml(e.text),t)}catch(e){if(!(e instanceof YamlError))throw e;t.push({place:e.place,what:e.message})}if(t.length>0)throw new MaskFileError(e,t,`correct the file; docs/masking.md has all rules`);return{file:e,tables:n}}})};