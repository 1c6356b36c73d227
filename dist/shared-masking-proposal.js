"use strict";exports.id=996,exports.ids=[996],exports.modules={1266:((e,t,n)=>{n.d(t,{E:()=>s,h:()=>a});var r=n(6238),i=n(4109);let a=`nextval('${i.fY}.done') > 0`,o=`select case when is_called then last_value else 0 end::float8 as rows,
  extract(epoch from clock_timestamp())::float8 as now from ${i.fY}.done`;async function s(e,t,n,{onProgress:i,every:a=30},s){if(i===void 0)return await s();let c=n.reduce((e,{rows:t})=>e+t,0),l=!1,{promise:u,resolve:d}=Promise.withResolvers(),f=e(async e=>{let n=()=>(0,r.zZ)(e,o),s=await n();d();let u=s.now;for(;!l;){await e.query(`select pg_sleep(0.25)`);let r=await n();if(l||r.now<u+a)continue;u=r.now;let o=Math.min(r.rows-s.rows,c),d=o>0?(r.now-s.now)/o*(c-o):void 0;i({stage:t,rows:o,allRows:c,left:d})}}).catch(()=>{}).finally(d);try{return await u,await s()}finally{l=!0,await f}}}),5112:((e,t,n)=>{n.d(t,{HU:()=>c,I_:()=>y,QK:()=>h,a2:()=>d,aK:()=>p,hl:()=>g,iW:()=>f,ml:()=>_,nm:()=>v,rJ:()=>m});var r=n(5145),i=n(6238),a=n(4109),o=n(9578),s=n(3229);class c extends r.lZ{}let l=/^(?:23|25|40|42501|53|54|55|57)/,u=/^(?:0A|42)/;function d({code:e,message:t,where:n,position:r}){return n===void 0&&(l.test(e)||r!==void 0&&u.test(e))?`${t} (SQLSTATE ${e})`:`SQLSTATE ${e} (its message may hold values, and is not shown)`}async function f(e,t){let n=await(0,i.kr)(t());if(!(n instanceof i.Mp))return n;throw new c(`${e}: ${d(n)}`,`correct the rule, or the parent; do not use the copy`)}async function p(e){await f(`a session for masking`,()=>e.query(`reset search_path; 
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
  set maintenance_work_mem = '256MB';`)),await e.attempt(`set timescaledb.max_tuples_decompressed_per_dml_transaction = 0`)}let m=e=>(t,n)=>e(async e=>(await p(e),await t(e)),n),h=e=>(0,i.cL)(e,`select has_database_privilege(current_database(), 'create')
      and has_database_privilege(current_database(), 'temporary') and not pg_is_in_recovery()`);async function g(e){await f(`a schema for masking`,()=>e.query(`
      drop schema if exists ${a.fY} cascade;
      create schema ${a.fY};
      revoke all on schema ${a.fY} from public;
      do $$ begin
        -- From PostgreSQL 17 on, where the encoding is UTF-8.
        execute format('create collation ${a.fY}.folding from pg_catalog.%I',
          case when to_regcollation('pg_catalog.pg_c_utf8') is null then 'C' else 'pg_c_utf8' end);
      end $$;
      create unlogged table ${a.fY}.secret as
        select sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')) as key,
          ('x' || left(encode(sha256(convert_to(gen_random_uuid()::text, 'UTF8')), 'hex'), 16))::bit(64)::bigint as seed;
      create unlogged table ${a.fY}.needle (id bigint generated always as identity, source int not null,
        hash bytea not null, words int not null, first int not null, word bigint not null, is_ordinary boolean not null);
      -- A session takes a hundred numbers at once: each is written to disk.
      create sequence ${a.fY}.done cache 100;
      -- Relations whose statistics are renewed, each with the table at its top, and the statistics that are older.
      create unlogged table ${a.fY}.renewed (relation oid primary key, root oid not null);
      create unlogged table ${a.fY}.stale (relation oid not null, attname name not null, inherited boolean not null);
      create unlogged table ${a.fY}.blank (relation oid not null, place tid not null);
      create unlogged table ${a.fY}.hit (place text not null, needle bigint not null, times bigint not null, is_schema boolean not null);
      ${(0,o.mo)((0,s.fD)(`original`))}`))}async function _(e){await f(`the schema for masking`,()=>e.query(`drop schema if exists ${a.fY} cascade`))}let v=(e,t,n)=>e(e=>f(t,()=>n(e)));async function y(e,t,n,r){let i=[...n],a=async e=>{for(let t=i.shift();t!==void 0;t=i.shift())await r(e,t)},o=Array.from({length:Math.min(t,n.length)},()=>e(a).catch(e=>{throw i.length=0,e}));for(let e of await Promise.allSettled(o))if(e.status===`rejected`)throw e.reason}}),7996:((e,t,n)=>{n.d(t,{Cc:()=>d,hv:()=>o,pN:()=>u,qO:()=>s});var r=n(977),i=n(4109);let a=({timescaledb:e})=>`
  hypertable(id, is_compressed) as (${e===null?`select null::oid, false where false`:`select to_regclass(format('%I.%I', schema_name, table_name))::oid, exists (select from timescaledb_information.chunks
           where hypertable_schema = schema_name and hypertable_name = table_name and is_compressed)
         from _timescaledb_catalog.hypertable`}),
  covered(id, parent) as (
    select inhrelid, inhparent from pg_inherits join pg_class on pg_class.oid = inhrelid
    where relispartition or inhparent in (select id from hypertable)),
  tree(root, id) as (
    select oid, oid from pg_class where relkind in ('r', 'p', 'm', 'f') and oid not in (select id from covered)
    union all select root, covered.id from tree join covered on covered.parent = tree.id)`,o=`(nspname in ('pg_catalog', 'information_schema', '${i.fY}') or nspname ~ '^pg_(toast|temp)')`,s=`pg_largeobject_metadata as object
  where not exists (select from pg_description where classoid = 'pg_largeobject'::regclass and objoid = object.oid
    and description like 'managed-database-action: %')`,c=`(atttypid = 'name'::regtype and ${(0,r.Fi)(`'pg_class'::regclass`,`attrelid`)})`,l=e=>`not exists (select from covered join hypertable on hypertable.id = parent where covered.id = ${e})`,u=`format('alter table %s disable trigger %I', tgrelid::regclass, tgname) as lift,
  format('alter table %s enable %s trigger %I', tgrelid::regclass,
    case tgenabled when 'A' then 'always' when 'R' then 'replica' else '' end, tgname) as restore`,d={tables:e=>`with recursive ${a(e)},
  aggregate(id) as (${e.timescaledb===null?`select null::oid where false`:`select to_regclass(format('%I.%I', schema_name, table_name))::oid
  from _timescaledb_catalog.continuous_agg as aggregate
  join _timescaledb_catalog.hypertable as stored on stored.id = aggregate.mat_hypertable_id`}),
  whole(root, rows, elsewhere, parts) as (
    select root, sum(greatest(reltuples, 0)),
      coalesce(array_agg(id::regclass::text) filter (where relkind = 'f' and id <> root), '{}'),
      coalesce(array_agg(id::regclass::text) filter (where relkind = 'r' and id <> root), '{}')
    from tree join pg_class on pg_class.oid = id group by root)
  select class.oid::text as id, nspname::text as schema, relname::text as name,
    case when class.oid in (select id from aggregate) then 'continuous aggregate'
      else case relkind when 'm' then 'materialized view' when 'f' then 'foreign table' else 'table' end end as kind,
    whole.rows::float8 as rows,
    pg_get_userbyid(relowner)::text as owner, pg_has_role(relowner, 'usage') as "hasOwnerRights",
    case when nspname ~ '^_timescaledb_' then 'timescaledb' else
      (select extname::text from pg_depend join pg_extension on pg_extension.oid = refobjid
        where classid = 'pg_class'::regclass and objid = class.oid and deptype = 'e' limit 1) end as extension,
    class.oid in (select id from hypertable) as "isHypertable", ${e.timescaledb===null?`null`:`(select case when column_type in ('timestamptz'::regtype, 'timestamp'::regtype, 'date'::regtype) then 'interval '
    when integer_now_func is not null then format('%I.%I() - ', integer_now_func_schema, integer_now_func) end
  from _timescaledb_catalog.dimension join _timescaledb_catalog.hypertable as divided on divided.id = hypertable_id
  where schema_name = nspname and table_name = relname and num_slices is null order by dimension.id limit 1)`} as "agePrefix",
    coalesce((select is_compressed from hypertable where id = class.oid), false) as "isCompressed",
    relkind = 'r' and class.oid not in (select id from hypertable) as "isPlain",
    exists (select from pg_rewrite where ev_class = class.oid and ev_type = '2') as "hasRewriteRule",
    (select inhparent::text from pg_inherits where inhrelid = class.oid order by inhseqno limit 1) as parent,
    elsewhere, parts
  from pg_class as class join pg_namespace on pg_namespace.oid = relnamespace join whole on root = class.oid
  where relkind in ('r', 'p', 'm', 'f') and class.oid not in (select id from covered) and not ${o}
  union all
  select 'pg_largeobject', 'pg_catalog', 'pg_largeobject', 'large objects', count(*), current_user::text,
    coalesce(bool_and(pg_has_role(lomowner, 'usage')), true), null, false, null, false, true, false, null, '{}', '{}'
  from ${s}
  order by 2, 3`,columns:e=>`with recursive 
  part(whole, id) as (
    select distinct atttypid, atttypid from pg_attribute where attnum > 0 and not attisdropped
    union
    select whole, next from part join pg_type as type on type.oid = part.id, lateral (
      select typbasetype where typtype = 'd'
      union all select typelem where typcategory = 'A' and typelem <> 0
      union all select atttypid from pg_attribute where attrelid = typrelid and attnum > 0 and not attisdropped
      union all select rngsubtype from pg_range
        where rngtypid = type.oid or rngmultitypid = type.oid
    ) as below(next)),
  texts(id) as (
    select distinct whole from part join pg_type as type on type.oid = part.id
    where typtype = 'b' and not (typcategory = 'A' and typelem <> 0) and not (typcategory in ('B', 'N', 'D', 'T', 'G') or typname in
  ('uuid', 'oid', 'xid', 'xid8', 'cid', 'tid', 'pg_lsn', 'pg_snapshot', 'txid_snapshot', 'bit', 'varbit'))),
  -- The type below a domain, through any number of domains.
  base(id, type, modifier) as (
    select oid, oid, -1 from pg_type where typtype <> 'd'
    union all
    select type.oid, base.type, greatest(typtypmod, modifier) from base join pg_type as type on typbasetype = base.id
      where typtype = 'd'), ${a(e)},
  divided(root, name) as (
    select root, attname from tree join pg_partitioned_table on partrelid = tree.id join pg_attribute on attrelid = tree.id
    where partstrat <> 'h' and (attnum = any (partattrs) or 0 = any (partattrs))
    ${e.timescaledb===null?``:`union all select to_regclass(format('%I.%I', schema_name, table_name))::oid, column_name
             from _timescaledb_catalog.dimension join _timescaledb_catalog.hypertable as whole on whole.id = hypertable_id`})
  select attrelid::text as table, pg_attribute.attname::text as name, format_type(atttypid, atttypmod) as type,
    case when type.typcategory = 'S' then 'text'
      when type.typcategory = 'A' and element.typcategory = 'S' then 'texts'
      when type.typname in ('json', 'jsonb') then 'json' when type.typname = 'bytea' then 'bytes'
      when type.typname in ('inet', 'cidr') then 'ip' when element.typname in ('inet', 'cidr') then 'ips'
      when type.typname = 'uuid' then 'uuid'
      when type.typname in ('date', 'timestamp', 'timestamptz') then 'date' when type.typcategory = 'N' then 'number'
      when type.typname in ('point', 'geometry', 'geography') then type.typname else 'other' end as family,
    atttypid in (select id from texts) and not ${c} as "holdsText",
    case when type.typname in ('varchar', 'bpchar') and greatest(atttypmod, modifier) > 4
      then greatest(atttypmod, modifier) - 4 when type.typname = 'name' then 63 end as length,
    attnotnull or declared.typnotnull as "notNull", attgenerated <> '' as "isGenerated", attidentity = 'a' as "isAlwaysIdentity",
    type.typname = 'citext' as "ignoresCase",
    (attrelid, pg_attribute.attname) in (select root, name from divided) as "decidesPart", attnum as position
  from pg_attribute join pg_class as class on class.oid = attrelid join pg_namespace on pg_namespace.oid = relnamespace
    join pg_type as declared on declared.oid = atttypid
    join base on base.id = atttypid join pg_type as type on type.oid = base.type
    left join pg_type as element on element.oid = type.typelem
  where attnum > 0 and not attisdropped and relkind in ('r', 'p', 'm', 'f')
    and attrelid not in (select id from covered) and not ${o}
  union all
  select 'pg_largeobject', 'data', 'bytea', 'bytes', true, null, true, false, false, false, false, 1
  where exists (select from ${s}) order by position`,uniques:e=>`with recursive ${a(e)}
  select root::text as table, index.relname::text as name,
    array(select distinct attname::text from pg_attribute where attrelid = indrelid and attnum > 0
      and (attnum = any (indkey[0:indnkeyatts - 1]) or 0 = any (indkey) and exists (select from pg_depend
        where classid = 'pg_class'::regclass and objid = indexrelid and refobjid = indrelid and refobjsubid = attnum))) as columns,
    ${e.version>=15e4?`indnullsnotdistinct`:`false`} as "nullsEqual", indisexclusion as "isExclusion",
    case when root = indrelid then coalesce(format('alter table %s drop constraint ', indrelid::regclass) || quote_ident(conname),
      format('drop index %s', indexrelid::regclass)) end as lift,
    case when root = indrelid then coalesce(format('alter table %s add constraint ', indrelid::regclass) || quote_ident(conname) || ' ' ||
      pg_get_constraintdef(key.oid), pg_get_indexdef(indexrelid)) end as restore
  from pg_index join tree on tree.id = indrelid left join pg_constraint as key on conindid = indexrelid and conrelid = indrelid
      and contype in ('p', 'u', 'x')
    join pg_class as index on index.oid = indexrelid join pg_class as class on class.oid = indrelid
    join pg_namespace on pg_namespace.oid = class.relnamespace
  where (indisunique or indisexclusion) and not ${o}`,foreignKeys:e=>`with recursive ${a(e)}
  select conname::text as name, conrelid::regclass::text as relation, child.root::text as table,
    array(select attname::text from unnest(conkey) with ordinality as key(number, position)
      join pg_attribute on attrelid = conrelid and attnum = number order by position) as columns,
    parent.root::text as target,
    array(select attname::text from unnest(confkey) with ordinality as key(number, position)
      join pg_attribute on attrelid = confrelid and attnum = number order by position) as "targetColumns",
    array(select format('operator(%I.%s)', nspname, oprname) from unnest(conpfeqop) with ordinality as used(id, position)
      join pg_operator on pg_operator.oid = used.id join pg_namespace on pg_namespace.oid = oprnamespace order by position) as operators,
    pg_get_constraintdef(key.oid) as definition
  from pg_constraint as key join tree as child on child.id = conrelid join tree as parent on parent.id = confrelid
  where contype = 'f' and conparentid = 0
    and not exists (select from covered join hypertable on hypertable.id = covered.parent where covered.id in (conrelid, confrelid))`,triggers:e=>`with recursive ${a(e)}
  select root::text as table, ${u}
  from pg_trigger join tree on tree.id = tgrelid join pg_proc on pg_proc.oid = tgfoid
    join pg_namespace on pg_namespace.oid = pronamespace
  where not tgisinternal and tgenabled in ('O', 'A') and tgparentid = 0
    and nspname !~ '^_timescaledb_' and ${l(`tgrelid`)}`,policies:e=>`with recursive ${a(e)}
  select root::text as table, format('alter table %s no force row level security', class.oid::regclass) as lift,
    format('alter table %s force row level security', class.oid::regclass) as restore
  from pg_class as class join tree on tree.id = class.oid where relforcerowsecurity and pg_has_role(relowner, 'usage')`,notValid:e=>`with recursive ${a(e)}
  select root::text as table, conname::text as name,
    format('alter table %s drop constraint %I', conrelid::regclass, conname) as lift,
    format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(pg_constraint.oid)) as restore
  from pg_constraint join tree on tree.id = conrelid
  where contype = 'c' and not convalidated and coninhcount = 0 and ${l(`conrelid`)}`,derived:({timescaledb:e})=>`with recursive
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
           from _timescaledb_catalog.continuous_agg join _timescaledb_catalog.hypertable on hypertable.id = mat_hypertable_id`}) as found order by position`}}),5809:((e,t,n)=>{n.d(t,{Cm:()=>s,RO:()=>u,Yt:()=>o,aH:()=>l,nx:()=>f,uM:()=>d,uS:()=>c});var r=n(6238),i=n(977),a=n(7996);let o={text:`texts`,json:`JSON`,bytes:`bytes`,ip:`IP addresses`,uuid:`UUIDs`,number:`numbers`,date:`dates`,point:`points`,geometry:`geometries`,geography:`geographies`},s=({schema:e,name:t})=>{let n=e=>/[".]/.test(e)?`"${e.replaceAll(`"`,`""`)}"`:e;return`${n(e)}.${n(t)}`},c=(e,t)=>`${s(e)}.${t.name}`,l=({schema:e,name:t})=>`${(0,i.AB)(e)}.${(0,i.AB)(t)}`;function u(e){let{isPlain:t,elsewhere:n,parts:r,columns:a}=e,o=l(e);if(n.length===0)return t?`only ${o}`:o;let s=a.map(e=>(0,i.AB)(e.name)).join();return`(${[`select ${s} from only ${o} where false`,...r.map(e=>`select ${s} from ${e}`)].join(` union all `)})`}async function d(e){let t=await(0,r.zZ)(e,`select current_setting('server_version_num')::int as version,
       case when to_regclass('_timescaledb_catalog.continuous_agg') is not null then ${i.DG} end as timescaledb,
       ${i.J9} as "pgStatStatements"`),n=n=>(0,r.Ym)(e,a.Cc[n](t)),o=await n(`tables`),s=await n(`columns`),c=Map.groupBy(s,({table:e})=>e);return{...t,tables:o.map(e=>({...e,columns:c.get(e.id)??[]})),uniques:await n(`uniques`),foreignKeys:await n(`foreignKeys`),triggers:await n(`triggers`),policies:await n(`policies`),notValid:await n(`notValid`),derived:await n(`derived`)}}async function f(e){let t=await d(e);return t.tables.some(({kind:e,hasOwnerRights:t})=>e!==`large objects`&&t)?t:{...t,tables:t.tables.map(e=>({...e,hasOwnerRights:!0}))}}}),4109:((e,t,n)=>{n.d(t,{OR:()=>d,Ue:()=>o,br:()=>s,fY:()=>i,uh:()=>c,vm:()=>p});var r=n(977);let i=`managed_database_action_masking`,a=`(select key from ${i}.secret)`,o=`collate "default"`,s=e=>`sha256(${a} || convert_to(${e}, (select current_setting('server_encoding'))))`,c=e=>`encode(${s(e)}, 'hex')`,l=`ba do fe gu ka li mo nu pe ra so ti ve wi xa zo`.split(` `),u=l.map(e=>e.charAt(0).toUpperCase()+e.slice(1));function d(e){let t=(e,t)=>`(array[${e.map(r.ol).join()}])[1 + get_byte(digest, ${t}) % ${e.length}]`,n=e=>`${t(u,e)} || ${t(l,e+1)} || ${t(l,e+2)}`;return`(select ${n(0)} || case when strpos(${e}, ' ') > 0 then ' ' || ${n(3)} else '' end from (select ${s(e)} offset 0) as made(digest))`}let f=e=>e.charCodeAt(0),p=e=>`(select coalesce(string_agg(case
    when code between ${f(`0`)} and ${f(`9`)} then chr(${f(`0`)} + byte % 10)
    when code between ${f(`A`)} and ${f(`Z`)} then chr(${f(`A`)} + byte % 26)
    when code between ${f(`a`)} and ${f(`z`)} or code > 127 then chr(${f(`a`)} + byte % 26)
    else chr(code) end, ''), ${e})
  from (select ascii(unnest(string_to_array(${e}, null))) as code,
      get_byte(digest, generate_series(1, length(${e})) % 32) as byte
    from (select ${s(e)} offset 0) as made(digest)) as part)`}),9578:((e,t,n)=>{n.d(t,{HN:()=>d,Sq:()=>_,Vh:()=>p,az:()=>g,mo:()=>v,o_:()=>h});var r=n(977),i=n(4109),a=n(3718);let o=[`*`,`**`],s=e=>o.includes(e)?[]:e.split(`.`),c=e=>s(e).filter(e=>!o.includes(e)).length,l=e=>s(e).filter(e=>e!==`**`).length;function u(e){return e===`**`?`([^.]*[.])*`:e===`*`?`[^.]*[.]`:`${e.replace(/[^\p{L}\p{N}_ -]/gu,`\\$&`)}[.]`}let d=e=>e.toSorted(({path:e},{path:t})=>c(t)-c(e)||l(t)-l(e)).map(({path:e,...t})=>({...t,pattern:`^${s(e).map(u).join(``)}`})),f=String.raw`(?<!\\)((?:\\\\)*)\\u(?:0000|d[89ab]..(?!\\ud[c-f])|(?<!\\ud[89ab]..\\u)d[c-f]..)`,p=e=>`case when strpos(${e}::text, '\\u') > 0 then regexp_replace(${e}::text, '${f}', '\\1 ', 'gi')::jsonb else ${e}::jsonb end`,m=e=>`${(0,r.ol)(JSON.stringify(e))}::jsonb`;function h(e,{family:t,type:n}){return t===`text`?`${i.fY}.parsed_json(${e}::text ${i.Ue})`:n===`jsonb`?e:p(e)}let g=(e,t)=>`${i.fY}.masked_json(${e}, '', ${m(t)})`,_=(e,t)=>`select ${i.fY}.masked_texts(${e}, ${m(t)})`,v=e=>`
  create function ${i.fY}.rule_of(path text, rules jsonb) returns jsonb language sql immutable as
    $$ select rule from jsonb_array_elements(rules) with ordinality as rule_at(rule, place)
      where path ~ (rule ->> 'pattern') order by place limit 1 $$;
  create function ${i.fY}.masked_text(original text, rule_kind text) returns text language plpgsql as
    $$ begin return case rule_kind ${e.map(({kind:e,sql:t})=>`when '${e}' then ${t}`).join(` `)} end; end $$;
  create function ${i.fY}.parsed_json(original text) returns jsonb language plpgsql as
    $$ begin return ${p(`original`)}; exception when data_exception then return null; end $$;
  create function ${i.fY}.masked_json(node jsonb, path text, rules jsonb) returns jsonb language plpgsql strict as $$
    declare
      rule jsonb;
    begin
      if jsonb_typeof(node) = 'object' then
        return (select coalesce(jsonb_object_agg(entry.k, ${i.fY}.masked_json(entry.v, path || entry.k || '.', rules)), '{}')
          from jsonb_each(node) as entry(k, v));
      elsif jsonb_typeof(node) = 'array' then
        return (select coalesce(jsonb_agg(${i.fY}.masked_json(entry.v, path, rules) order by entry.n), '[]')
          from jsonb_array_elements(node) with ordinality as entry(v, n));
      end if;
      rule := ${i.fY}.rule_of(path, rules);
      return case
        when rule ->> 'kind' = 'keep' then node
        when rule ->> 'kind' = 'null' then 'null'
        when rule ->> 'kind' = 'fixed' then rule -> 'argument'
        when jsonb_typeof(node) = 'string' then to_jsonb(${i.fY}.masked_text(node #>> '{}', rule ->> 'kind'))
        when jsonb_typeof(node) = 'number' and rule ->> 'kind' = 'location' then to_jsonb(${(0,a.uj)(`(node #>> '{}')::numeric`)})
        when jsonb_typeof(node) = 'number' then to_jsonb(${(0,i.vm)(`(node #>> '{}')`)}::numeric)
        else node end;
    end $$;
  create function ${i.fY}.masked_texts(whole jsonb, rules jsonb) returns setof text language sql as $$
    with recursive leaf(path, node) as (
      select '', whole
      union all
      select leaf.path || below.path, below.node from leaf, lateral (
        select entry.k || '.', entry.v from jsonb_each(case jsonb_typeof(leaf.node) when 'object' then leaf.node else '{}' end) as entry(k, v)
        union all
        select '', entry from jsonb_array_elements(case jsonb_typeof(leaf.node) when 'array' then leaf.node else '[]' end) as entry
      ) as below(path, node))
    select node #>> '{}' from leaf, lateral (select ${i.fY}.rule_of(path, rules)) as found(rule)
    where jsonb_typeof(node) = 'string' and rule ->> 'kind' <> 'keep' and rule -> 'argument' is distinct from node $$;`}),5063:((e,t,n)=>{n.d(t,{l:()=>l,q:()=>v});var r=n(5771),i=n(5145),a=n(4526),o=n(9578),s=n(1822),c=n(3229);class l extends i.Jc{constructor({name:e,path:t},n,i){let a=n.map(({place:t,message:n})=>t?`${e}:${t.line}:${t.column}: ${n}`:n);super(``,(0,r.Np)(a,100),i);let o=n[0]?.place;t!==void 0&&o&&(this.place={file:t,...o})}}function u(e){let[,t,n]=/^("(?:[^"]|"")+"|[^".]+)\.("(?:[^"]|"")+"|[^".]+)$/.exec(e)??[];if(t===void 0||n===void 0)return;let r=e=>e.startsWith(`"`)?e.slice(1,-1).replaceAll(`""`,`"`):e;return[r(t),r(n)]}function d({text:e,isPlain:t}){let n=t===!0&&e.endsWith(`?`);return{name:n?e.slice(0,-1):e,isOptional:n}}function f({text:e,isPlain:t,entries:n=[]}){if(e!==void 0){let n=e===`~`&&t?`null`:e,r=c.EZ.find(e=>e===n);return r===void 0?e===`drop_rows`?`drop_rows is a rule for a table, not for a column`:e===``?`no rule; expected ${c.wj}`:`${e} is not a rule${(0,a.C_)(e,c.EZ)}; expected ${c.wj}`:c.P0.includes(r)?{kind:r}:(0,c.EC)(r)}let[r,...i]=n,o=c.RN.find(e=>e===r?.key.text),s=r?.value.text;return i.length>0||s===void 0||o===void 0?`expected ${c.wj}`:(0,c.yV)(o,s)?{kind:o,argument:s}:(0,c.EC)(o)}function p(e){let t=[];for(let{key:n,value:r}of e){let e=f(r);if(typeof e==`string`)return`${n.text}: ${e}`;if(!c.ep.includes(e.kind))return`${n.text}: ${e.kind} is not a rule for a part of JSON; expected one of ${c.ep.join(`, `)}`;t.push({path:n.text,...e})}return t.some(({path:e})=>e===`*`||e===`**`)?{kind:`json`,paths:(0,o.HN)(t)}:`json needs a rule for all other paths: add "*": text`}function m(e){let[t,...n]=e.entries??[];return t?.key.text===`json`&&t.value.entries&&n.length===0?p(t.value.entries):f(e)}let h=/^[1-9]\d{0,17}(?: (?:hour|day|week|month|year)s?)?$/;function g(e,t){let n=new Set;for(let{key:r}of e){let{name:e}=d(r);n.has(e)&&t(r.place,`${e} is a duplicate`),n.add(e)}}function _({key:e,value:t},n){let{text:r,place:i}=e,{name:a,isOptional:o}=d(e),[s,c]=u(a)??[];if(s===void 0||c===void 0)return n(i,`${r} is not a table; expected schema.table, like public.people`),[];let l={schema:s,table:c,place:i,isOptional:o,dropRows:t.text===`drop_rows`,columns:[]};if(t.entries===void 0&&!l.dropRows)return n(i,`${r}: expected drop_rows, or a rule for each column`),[];g(t.entries??[],n);for(let{key:e,value:i}of t.entries??[]){if(e.text===`newer_than`&&/^\W*\d/.test(i.text??``)){h.test(i.text??``)?l.newerThan=i.text:n(i.place,`${r}: newer_than: expected a length of time, like 90 days`);continue}let t=m(i);if(typeof t==`string`)n(i.place,`${r}.${e.text}: ${t}`);else{let{name:n,isOptional:r}=d(e);l.columns.push({column:n,rule:t,place:e.place,isOptional:r})}}return[l]}function v(e){let t=[],n=[];try{let{entries:r,place:i}=(0,s.gM)(e.text),a=(e,n)=>t.push({place:e,message:n});r===void 0&&a(i,"expected a mapping of tables to rules, like `public.people: { email: email }`"),g(r??[],a),n=(r??[]).flatMap(e=>_(e,a))}catch(e){if(!(e instanceof s.Iz))throw e;t.push({place:e.place,message:e.message})}if(t.length>0)throw new l(e,t,`correct the file; docs/masking.md has all rules`);return{file:e,tables:n}}}),8275:((e,t,n)=>{n.d(t,{o:()=>C});var r=n(4526),i=n(5809),a=n(5155),o=n(3229);let s=o.EZ.filter(o.rB),c=(e,t,n)=>({place:t,table:e.id,message:`${(0,i.Cm)(e)}${n}`}),l=e=>e?.rule?.kind??`keep`;function u(e,t){let{rule:n}=t;if(n!==void 0&&n.kind!==`keep`)return t.isGenerated?`is computed from other columns: mask those`:e.kind===`large objects`?`can only be kept, or dropped with drop_rows`:t.isAlwaysIdentity?`is GENERATED ALWAYS AS IDENTITY, so the database refuses another value: keep it`:t.decidesPart?`decides in which partition or chunk a row is: keep it`:n.kind===`null`&&t.notNull?`is NOT NULL: use another rule than null`:n.kind===`shuffle`&&e.isHypertable?`is in a hypertable, whose rows cannot change places: use another rule than shuffle`:(0,o.WM)(t,n)}function d(e){let t=e.dropRows||e.columns.some(a.So);return!t&&e.newerThan===null?[]:e.hasOwnerRights?t?e.elsewhere.length>0&&!e.dropRows?[`has rows that cannot be changed, in ${e.elsewhere.join(`, `)}: only drop_rows is possible`]:e.hasRewriteRule?[`has a rewrite rule for updates: drop it from the parent, or use a trigger`]:[]:[]:[`belongs to ${e.owner}, whose rights this login does not have`]}function f({foreignKeys:e},t){let{newerThan:n,agePrefix:r}=t;if(n===null)return[];if(!t.isHypertable)return[`is not a hypertable: newer_than drops chunks. Remove newer_than`];if(r===null)return[`has an integer time column: newer_than needs its integer_now function (set_integer_now_func)`];let i=/^\d+$/.test(n);return r===`interval `&&i?[`needs a unit of time for newer_than, like 90 days`]:r!==`interval `&&!i?[`has an integer time column: set newer_than to a number in its unit, without days`]:e.filter(({target:e})=>e===t.id).map(({relation:e,name:t})=>`is referenced by ${e} (${t}): newer_than would break this foreign key`)}function p(e,t){let n=t=>e.columns.find(e=>e.name===t),r=(e,{isExclusion:t,nullsEqual:r})=>{let i=n(e),a=l(i);return t?a===`keep`:(0,o.te)(a,i?.length??null)||a===`null`&&!r},i=t.filter(e=>e.columns.every(t=>r(t,e)));return t.filter(e=>!i.some(({columns:t})=>t.every(t=>e.columns.includes(t)))).flatMap(e=>e.columns.map(t=>({name:t,unique:e}))).filter(({name:e,unique:t})=>!r(e,t)).map(({name:t,unique:r})=>{let i=n(t),[a,o]=r.isExclusion?[`as it is`,`keep`]:[`unique`,`token or keep`],s=`.${t} must stay ${a} (${r.name}): use ${o} instead of ${l(i)}`;return c(e,i?.place,s)})}function m(e,t){let n=l(e);return n!==l(t)||!(0,o.rB)(n)?!1:n===`keep`?!0:n===`sql`?e.rule?.argument===t.rule?.argument:e.ignoresCase===t.ignoresCase&&(0,o.Ez)(n,e.length)===(0,o.Ez)(n,t.length)}function h(e,t){let[n,r]=[e.get(t.table),e.get(t.target)];if(n===void 0||r===void 0||n.dropRows)return[];let a=t.columns.map((e,i)=>({from:n.columns.find(t=>t.name===e),to:r.columns.find(e=>e.name===t.targetColumns[i])})),o=`.${t.columns.join(`, `)} refers to ${(0,i.Cm)(r)} (${t.name})`,{place:u}=a[0]?.from??{},d=a.filter(({from:e})=>l(e)===`null`).length;if(d>0){let e=t.definition.includes(` MATCH FULL`),r=`${o} with MATCH FULL: use null for all of its columns, or for none`;return e&&d<a.length?[c(n,u,r)]:[]}if(r.dropRows){let e=`${o}, whose rows are dropped: use null or drop_rows for it too`;return[c(n,u??n.place,e)]}if(a.every(({from:e,to:t})=>e&&t&&m(e,t)))return[];let f=`${o}: both ends need the same rule, one of ${s.join(`, `)}`;return[c(n,u,f)]}function g(e){let t=e.tables.filter(a.bf),n=new Map(e.tables.map(e=>[e.id,e])),r=Map.groupBy(e.uniques,({table:e})=>e);return[...t.flatMap(t=>[...d(t),...f(e,t)].map(e=>c(t,t.place,` ${e}`))),...t.flatMap(e=>e.dropRows?[]:[...e.columns.flatMap(t=>{let n=u(e,t);return n?[c(e,t.place,`.${t.name} ${n}`)]:[]}),...p(e,r.get(e.id)??[])]),...e.foreignKeys.flatMap(e=>h(n,e))]}function _(e,t){let n=e.replace(/[\\^$.+?()[\]{}|]/g,`\\$&`).replaceAll(`*`,`.*`);return RegExp(`^${n}$`,`s`).test(t)}let v=({schema:e})=>e.includes(`*`);function y(e,{schema:t,name:n,parent:r}){let i=(e.rules.get(n)??[]).filter(e=>_(e.schema,t)),a=e.tables.get(r??``);return[...i.sort((e,t)=>Number(v(e))-Number(v(t))),...a?y(e,a):[]]}function b(e,t){let n=(0,a.Wd)(t)?y(e,t):[],r=t.columns.map(e=>{let t=n.flatMap(({columns:t})=>t.filter(t=>t.column===e.name))[0];return{...e,rule:t?.rule,place:t?.place}}),{dropRows:i=!1,newerThan:o=null,place:s}=n[0]??{};return{...t,columns:r,dropRows:i,newerThan:o,place:s}}function x(e,{tables:t,byName:n}){let o=[],s=[...t.values()].filter(a.Wd),c=s.map(i.Cm);for(let{schema:t,table:l,place:u,isOptional:d,columns:f}of e.tables){let e=(0,i.Cm)({schema:t,name:l}),p=(n.get(l)??[]).filter(({schema:e})=>_(t,e)),m=p.filter(a.Wd);for(let{kind:n,extension:r}of p.filter(e=>!(0,a.Wd)(e))){let i=r?`belongs to ${r}`:`is a ${n}`;t.includes(`*`)||o.push({place:u,message:`${e} ${i}, and takes no rules`})}if(p.length===0&&!d){let t=o.length<4?c:[],n=(0,r.ZA)(e,t),a=s.filter(e=>n.includes((0,i.Cm)(e)));o.push({place:u,message:`there is no table ${e}${(0,r.C_)(e,t)||`: remove its rules`}`,suggested:a.flatMap(e=>e.columns.map(t=>(0,i.uS)(e,t)))})}let h=new Set(m.flatMap(e=>e.columns.map(e=>e.name)));for(let{column:t,place:n,isOptional:a}of f)m.length===0||a||h.has(t)||o.push({place:n,message:`${e} has no column ${t}${(0,r.C_)(t,h)||`: remove the rule`}`,suggested:(0,r.ZA)(t,h).flatMap(e=>m.map(t=>(0,i.uS)(t,{name:e})))})}return o}let S=(e,t)=>e.filter(e=>(0,a.Ve)(e)&&!e.dropRows).flatMap(e=>e.columns.filter(({rule:e,holdsText:t,isGenerated:n})=>e===void 0&&t&&!n).map(t=>({unruled:(0,i.uS)(e,t),type:t.type})).filter(({unruled:e})=>!t.has(e)).map(({unruled:e,type:t})=>({message:`${e} (${t}) has no rule`,unruled:e})));function C(e,t){let n={tables:new Map(t.tables.map(e=>[e.id,e])),byName:Map.groupBy(t.tables,({name:e})=>e),rules:Map.groupBy(e.tables,({table:e})=>e)},r=t.tables.map(e=>b(n,e)),i={...t,tables:r},a=x(e,n),o=new Set(a.flatMap(({suggested:e=[]})=>e)),s=S(r,o);return{plan:i,problems:[...a,...s,...g(i)]}}}),5155:((e,t,n)=>{n.d(t,{Bn:()=>u,So:()=>i,Ve:()=>o,Wd:()=>a,bf:()=>s,hV:()=>c,lo:()=>l,u8:()=>d});var r=n(5809);let i=({rule:e})=>e!==void 0&&e.kind!==`keep`,a=({kind:e,extension:t})=>t!==`timescaledb`&&(e===`table`||e===`large objects`),o=e=>a(e)&&e.extension===null,s=e=>o(e)||a(e)&&e.place!==void 0,c=e=>e.columns.flatMap(e=>e.rule&&i(e)?[{...e,rule:e.rule}]:[]),l=(e,t)=>e.flatMap(e=>e.columns.filter(t).map(t=>(0,r.uS)(e,t))),u=({tables:e})=>e.filter(e=>!e.dropRows&&e.kind===`table`&&c(e).length>0),d=({tables:e})=>e.filter(({dropRows:e,kind:t})=>e&&t===`table`)}),1822:((e,t,n)=>{n.d(t,{Iz:()=>i,aW:()=>s,gM:()=>c});var r=n(3804);class i extends Error{place;constructor(e,t){super(e),this.place=t}}let a={line:1,column:1};function o(e,t,n){if(e===null)return{place:n,text:``,isPlain:!0};let[a,s]=e.range,c=a<s?t(a):n;if(e.tag!==void 0)return{place:c};if((0,r.isScalar)(e))return{place:c,text:`${e.value}`,isPlain:e.type===`PLAIN`};if(!(0,r.isMap)(e))return{place:c};let l=new Map;for(let n of e.items){let{text:e,place:r,isPlain:a}=o(n.key,t,c);if(e===void 0)throw new i(`a key must be a name`,r);if(l.has(e))throw new i(`${e} is a duplicate`,r);l.set(e,{key:{text:e,place:r,isPlain:a},value:o(n.value,t,r)})}return{place:c,entries:[...l.values()]}}let s={schema:`failsafe`,resolveKnownTags:!1,uniqueKeys:!1,prettyErrors:!1};function c(e){let t=new r.LineCounter,n=(0,r.parseAllDocuments)(e,{...s,lineCounter:t}),c=n=>{let{line:r,col:i}=t.linePos(n);return{line:r,column:[...e.slice(n-i+1,n)].length+1}};if(`empty`in n)throw new i(`the file has no rules`,a);let[l,...u]=n,[d]=n.flatMap(({errors:e})=>e);if(d)throw new i(d.message,c(d.pos[0]));if(l===void 0||u.length>0)throw new i(`there must be one document`,a);return o(l.contents,c,a)}}),3229:((e,t,n)=>{n.d(t,{EC:()=>y,wj:()=>x,WM:()=>A,yV:()=>v,ep:()=>E,te:()=>j,rB:()=>N,EZ:()=>h,RN:()=>_,P0:()=>g,Ez:()=>M,pM:()=>k,OB:()=>m,fD:()=>O});var r=n(8772),i=n(977),a=n(5809),o=n(4109),s=n(9578),c=n(3718);let l=`masked.example`,u={keepsNull:!0,keepsDistinct:!1,canCollide:!1,neededRoom:null,leaves:`nothing`},d=e=>`left(repeat(${(0,o.uh)(e)}, length(${e}) / 64 + 1), length(${e}))`,f=`another value, the same for equal values in the whole database`,p={email:{about:f,value:{text:e=>`left(${(0,o.uh)(e)}, 20) || '@${l}'`},...u,keepsDistinct:!0,neededRoom:()=>20+`@${l}`.length},url:{value:{text:e=>`'https://${l}/' || left(${(0,o.uh)(e)}, 20)`},...u,keepsDistinct:!0,neededRoom:()=>`https://${l}/`.length+20},phone:{about:f,value:{text:e=>`'+999' || lpad((('x' || left(${(0,o.uh)(e)}, 11))::bit(44)::bigint % 100000000000)::text, 11, '0')`},...u},name:{about:f,value:{text:o.OR},...u},hash:{about:f,value:{text:e=>`left(${(0,o.uh)(e)}, 32)`},...u,keepsDistinct:{leastRoom:16}},digits:{value:{text:o.vm},...u,leaves:`chance`},keep:{value:{any:e=>e},...u,keepsDistinct:!0,leaves:`all`},text:{value:{text:d},...u},token:{value:{text:c.Sh,bytes:c.en,uuid:e=>c.Sh(`${e}::text`)},...u,keepsDistinct:!0,canCollide:!0,leaves:`chance`},ip:{value:{text:c.ip,ip:c.zP(c.ip)},...u},ip6:{value:{text:c.Y0,ip:c.zP(c.Y0)},...u,keepsDistinct:!0,neededRoom:()=>43},location:{value:{text:e=>c.Ir(e,d(e)),number:c.Ym,point:c.Rg,geometry:c.Pr,geography:c.Pr},...u,leaves:`chance`},date:{value:{date:c.n6},...u},null:{value:{any:()=>`null`},...u},shuffle:{value:{any:e=>e},...u,leaves:`all`},fixed:{value:{any:(e,{argument:t,type:n})=>`${(0,i.ol)(t)}::${n}`},argument:{name:`text`,examples:[`Ada`,`''`],form:`any text`},...u,keepsNull:!1,neededRoom:e=>[...e].length,leaves:{values:e=>[e]}},json:{value:{json:(e,{type:t,paths:n})=>(0,s.az)((0,s.o_)(e,{family:`json`,type:t}),n),text:(e,{type:t,paths:n})=>`coalesce(${(0,s.az)((0,s.o_)(e,{family:`text`,type:t}),n)}::text, ${d(e)})`},argument:{name:`mapping`,examples:[`{ "*": text }`],form:`mapping`},...u,leaves:`chance`},sql:{value:{any:(e,{argument:t})=>`(${t}\n)`},argument:{name:`expression`,examples:[`"upper('other')"`,`"NULL"`],form:/\S/},...u,keepsNull:!1,keepsDistinct:!0,canCollide:!0}},m=e=>p[e],h=(0,r.YD)(p),g=h.filter(e=>m(e).argument===void 0),_=h.filter(e=>!g.includes(e));function v(e,t){let n=m(e).argument?.form;return n===`any text`||n instanceof RegExp&&n.test(t)}function y(e){let{name:t=``}=m(e).argument??{};return`${e} needs ${/^[aeiou]/.test(t)?`an`:`a`} ${t}: write { ${e}: ${t} }`}function b(e){let t=e.map(e=>g.includes(e)?e:`{ ${e}: \u2026 }`);return`${t.slice(0,-1).join(`, `)} or ${t.at(-1)}`}let x=b(h);function S(e){return e===`texts`?`text`:e===`ips`?`ip`:e}function C(e,t){let{value:n}=m(e);if(`any`in n)return n.any;let r=S(t);return r===`other`?void 0:n[r]}let w=e=>`any`in m(e).value,T=g.flatMap(e=>{let t=C(e,`text`);return t===void 0||w(e)?[]:[{kind:e,maskValue:t}]}),E=h.filter(e=>[`keep`,`null`,`fixed`].includes(e)||T.some(t=>t.kind===e)),D=(e,t)=>`case when ${e} <> '' then ${t} else ${e} end`,O=e=>T.map(({kind:t,maskValue:n})=>({kind:t,sql:D(e,n(e,{argument:``,paths:[],type:`text`,dates:[]}))}));function k(e,t,n=[]){let{type:r,family:a,ignoresCase:s}=e,c=`target.${(0,i.AB)(e.name)}`,{argument:l=``,paths:u=[]}=t,d={argument:l,paths:u,type:r,dates:n.map(e=>`target.${(0,i.AB)(e)}`)},f=C(t.kind,a);if(f===void 0)throw Error(`${t.kind} is not for ${r}`);if(w(t.kind))return f(c,d);let p=e=>S(a)===`text`?D(e,f(e,d)):f(e,d);if(a===`texts`||a===`ips`)return`case when ${c} is not null then array(select ${p(`element`)} from unnest(${c}::text[] ${o.Ue}) as part(element)) end::${r}`;let m=s&&t.paths===void 0?`lower(${c}::text)`:`${c}::text ${o.Ue}`;return`(${p(a===`text`?m:c)})::${r}`}function A({family:e,type:t,length:n},{kind:i,argument:o=``}){let{value:s,neededRoom:c}=m(i);if(C(i,e)===void 0){let n=(0,r.YD)(a.Yt).filter(e=>e in s),o=h.filter(t=>C(t,e)!==void 0);return`is ${t}, and ${i} is for ${n.map(e=>a.Yt[e]).join(`, `)}: use ${b(o)}`}let l=c?.(o);if(!(l===void 0||n===null||n>=l))return g.includes(i)?`has room for ${n} characters, and ${i} needs ${l}`:`has room for ${n} characters, and the ${i} text is longer`}function j(e,t){let n=m(e).keepsDistinct;return typeof n==`boolean`?n:(t??32)>=n.leastRoom}let M=(e,t)=>typeof m(e).keepsDistinct==`boolean`?0:Math.min(t??32,32),N=e=>m(e).keepsDistinct!==!1}),3718:((e,t,n)=>{n.d(t,{Ir:()=>y,Pr:()=>S,Rg:()=>x,Sh:()=>d,Y0:()=>h,Ym:()=>v,en:()=>f,ip:()=>m,n6:()=>C,uj:()=>_,zP:()=>g});var r=n(4109);let i=e=>`('x' || left(${(0,r.uh)(e)}, 8))::bit(32)::bigint`,a=[[`0`,`9`],[`a`,`f`],[`g`,`z`],[`A`,`F`],[`G`,`Z`]];function o(e,t){let n=e.charCodeAt(0);return`when letter between '${e}' and '${t}' then chr(${n} + (ascii(letter) - ${n} + byte) % ${t.charCodeAt(0)-n+1})`}function s(e,t){let n=`regexp_replace(${e}, '(.)(.?)', '${t%2==0?String.raw`\2`:String.raw`\1`}', 'g')`,i=`(select string_agg(${(0,r.br)(`'token ${t} ' || piece || ' ' || ${n}`)}, '' order by piece)
    from generate_series(0, length(${e}) / 64) as series(piece))`;return`(select coalesce(string_agg(case
      when place % 2 = ${t%2} then letter
      when is_base32 and letter between '2' and '7' then chr(50 + (ascii(letter) - 50 + byte) % 6)
      ${a.map(([e,t])=>o(e,t)).join(`
      `)}
      when ascii(letter) > 127 then chr(97 + byte % 26)
      else letter end, ''), ${e})
    from (select ${i}, ${e} ~ '^[A-Z2-7]{16,}=*$' offset 0) as made(stream, is_base32),
      unnest(string_to_array(${e}, null)) with ordinality as part(one, place),
      lateral (select one collate "C", get_byte(stream, (place - 1)::int / 2)) as now(letter, byte))`}let c=e=>`(select ${s(`token_2`,2)} from (select ${s(`token_1`,1)} from (select ${s(`token_0`,0)}
    from (select ${e} offset 0) as round_0(token_0) offset 0) as round_1(token_1) offset 0) as round_2(token_2))`,l=String.raw`\$(?:2[abxy]?|argon2(?:i|d|id)|scrypt|pbkdf2(?:-sha[0-9]+)?|[156])\$`,u=[String.raw`^(?:\{[a-z0-9]{6}\}|\$wp|argon2|bcrypt(?:_sha256)?\$)?${l}(?:(?:[a-z]+=[0-9]+,?)+\$|[0-9]+\$)*`,String.raw`^pbkdf2_sha[0-9]+\$[0-9]+\$`,String.raw`^(?:pbkdf2:sha[0-9]+|scrypt)(?::[0-9]+)+\$`,String.raw`^\$[PHS]\$.`,String.raw`^SCRAM-SHA-256\$[0-9]+:`].join(`|`),d=e=>`(select kept_start || ${c(`substr(whole_token, length(kept_start) + 1)`)}
    from (select whole_token, coalesce(substring(whole_token from '${u}'), '') from (select ${e} offset 0) as unparted(whole_token)
      offset 0) as parted(whole_token, kept_start))`,f=e=>`decode(${d(`encode(${e}, 'hex')`)}, 'hex')`,p=(e,t)=>`(select case when ${t}
      then host(('2001:db8:' || regexp_replace(left(encode(digest, 'hex'), 24), '(....)(?=.)', '\\1:', 'g'))::inet)
      else concat_ws('.', 240 + get_byte(digest, 0) % 15, get_byte(digest, 1), get_byte(digest, 2), get_byte(digest, 3)) end
    || coalesce(substring(${e} from case when strpos(${e}, ':') > 0 then '/[0-9]+$' else '/(?!32$)[0-9]+$' end), '')
  from (select ${(0,r.br)(`lower(split_part(${e}, '/', 1))`)} offset 0) as made(digest) where ${e} is not null)`,m=e=>p(e,`strpos(${e}, ':') > 0`),h=e=>p(e,`true`),g=e=>(t,{type:n})=>{let r=e(`${t}::text`);return n.startsWith(`cidr`)?`network((${r})::inet)`:r},_=e=>`round(${i(`'degrees ' || round(${e}, 6)`)} / 4294967296.0 * 170 - 85, 6)`,v=(e,{type:t})=>/^(?:integer|bigint)/.test(t)?`${_(`${e}::numeric / 10000000`)} * 10000000`:_(`${e}::numeric`),y=(e,t)=>`case when ${e} ~ '^\\s*[-+]?[0-9]{1,3}([.][0-9]+)?\\s*$' then ${_(`${e}::numeric`)}::text else ${t} end`,b=e=>`${_(`(${e})::numeric`)}::float8`,x=e=>`point(${b(`${e}[0]`)}, ${b(`${e}[1]`)})`;function S(e,{type:t}){let n=/^(.*\.)geo(?:metry|graphy)\b/.exec(t)?.[1]??``,r=`${n}st_x(center)`,i=`${n}st_y(center)`;return`(select coalesce(${n}st_translate(shape, ${b(r)} - ${r}, ${b(i)} - ${i}), shape)
    from (select shape, ${n}st_centroid(shape) from (select ${e}::${n}geometry offset 0) as found(shape) offset 0)
      as made(shape, center))`}let C=(e,{dates:t})=>`(${e} - (1 + ${i(`concat_ws(' ', 'date', ${t.map(e=>`${e}::text`).join()})`)} % 365) * interval '24 hours')`}),3524:((e,t,n)=>{n.d(t,{C:()=>P,B:()=>j});var r=n(6238),i=n(1266),a=n(5112),o=n(5809),s=n(4109),c=n(5155),l=n(3229),u=n(977),d=n(7996),f=n(3449);let p=[`table`,`continuous aggregate`];function m(e,t=f.b6,n=o.RO){let r=e.columns.filter(({holdsText:e})=>e);if(r.length===0||!p.includes(e.kind))return[];let a=r.map(n=>`(${(0,u.ol)((0,o.uS)(e,n))}, ${t(n)})`);return[{places:r.map(t=>(0,o.uS)(e,t)),texts:`select cell.place, cell.value from ${n(e)} as target, lateral (values ${a.join()}) as cell(place, value) where ${i.h}`}]}let h=(e,t)=>`not ${(0,u.Fi)(e,t)}`,g=`'pg_class'::regclass`,_=`'pg_type'::regclass`,v=`pronamespace not in ${u.Ah} and ${h(`'pg_proc'::regclass`,`oid`)}`,y=`classoid <> 'pg_extension'::regclass and ${h(`classoid`,`objoid`)}
  and (objoid >= ${u.Tc} or classoid = 'pg_largeobject'::regclass
    or classoid = 'pg_namespace'::regclass and objoid = 2200 and description <> 'standard public schema')`,b=e=>`
  select 'view ' || oid::regclass, pg_get_viewdef(oid) from pg_class
    where relkind in ('v', 'm') and relnamespace not in ${u.Ah} and ${h(g,`oid`)}
  union all select 'default of ' || adrelid::regclass, pg_get_expr(adbin, adrelid)
    from pg_attrdef where ${h(g,`adrelid`)}
  -- The values of a new column in existing rows.
  union all select 'default of ' || attrelid::regclass, quote_literal(attmissingval::text) from pg_attribute where atthasmissing
  -- Constraints of chunks repeat the bounds of their times or the constraints of the table.
  union all select 'constraint ' || conname, pg_get_constraintdef(oid) from pg_constraint
    where connamespace not in ${u.Ah} and connamespace::regnamespace::text !~ '^_timescaledb_'
      and ${h(g,`conrelid`)} and ${h(_,`contypid`)}
  union all select 'index ' || indexrelid::regclass, pg_get_indexdef(indexrelid)
    from pg_index where indpred is not null or indexprs is not null
  union all select 'partition ' || oid::regclass, pg_get_expr(relpartbound, oid)
    from pg_class as part where relpartbound is not null and exists (select from pg_inherits join pg_partitioned_table on partrelid = inhparent
  left join pg_attribute on attrelid = partrelid and attnum = any (partattrs) left join pg_type on pg_type.oid = atttypid
  where inhrelid = part.oid and (typcategory = 'S' or 0 = any (partattrs)))
  union all select 'policy ' || polname, pg_get_expr(polqual, polrelid) from pg_policy
  union all select 'policy ' || polname, pg_get_expr(polwithcheck, polrelid) from pg_policy
  union all select 'rule ' || rulename, pg_get_ruledef(oid) from pg_rewrite where rulename <> '_RETURN'
  union all select 'trigger ' || tgname, pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
  union all select 'function ' || oid::regproc, pg_get_function_arguments(oid)
    from pg_proc where proargdefaults is not null and ${v}
  union all select 'function ' || oid::regproc, pg_get_function_sqlbody(oid)
    from pg_proc where prosqlbody is not null and ${v}
  ${e>=15e4?`union all select 'publication of ' || prrelid::regclass, pg_get_expr(prqual, prrelid)
  from pg_publication_rel where prqual is not null`:``}
  union all select 'type ' || enumtypid::regtype, quote_literal(enumlabel)
    from pg_enum where ${h(_,`enumtypid`)}
  union all select 'type ' || oid::regtype, quote_literal(typdefault) from pg_type
    where typdefault is not null and typnamespace not in ${u.Ah} and ${h(_,`oid`)}
  union all select 'foreign server ' || srvname, quote_literal(array_to_string(srvoptions, ' ')) from pg_foreign_server
  union all select 'foreign table ' || ftrelid::regclass, quote_literal(array_to_string(ftoptions, ' ')) from pg_foreign_table
  union all select 'settings of roles and databases', quote_literal(array_to_string(setconfig, ' ')) from pg_db_role_setting
  union all select 'comments of roles and databases', quote_literal(description) from pg_shdescription where objoid >= ${u.Tc}`,x=e=>`
  select place, found[1] from (${b(e)}) as definition(place, text),
    regexp_matches(text, '"(?:[^"]|"")*"|(''(?:[^'']|'''')*'')', 'g') as found where found[1] is not null`,S=({version:e,pgStatStatements:t})=>[{places:[`large objects`],texts:`select 'large object ' || object.oid, ${(0,f.fo)(`lo_get(object.oid, start, 510000)`)}
      from ${d.qO.replace(`where`,`, generate_series(0::bigint, lo_lseek64(lo_open(object.oid, 262144), 0, 2), 500000) as start where`)}`},{places:[`comments`],isSchema:!0,texts:`select 'comment on ' || pg_describe_object(classoid, objoid, objsubid), description from pg_description where ${y}`},{places:[`function bodies`],isSchema:!0,texts:`select 'function ' || oid::regproc, prosrc from pg_proc where ${v}`},...t===null?[]:[{places:[`pg_stat_statements`],texts:`select 'pg_stat_statements', query from ${t}.pg_stat_statements`}],{places:[`definitions and settings`],isSchema:!0,texts:x(e)}];var C=n(4607);let w=({texts:e,isSchema:t=!1})=>`
  insert into ${s.fY}.hit
  select place, needle.id, count(*), ${t}
  from (select place, words, unnest(words) as word, generate_subscripts(words, 1) as at
      from (select place, ${(0,f.Xe)(`value`)} as words
        from (select place, left(value, ${f.xS}) as value from (${e}) as cell(place, value)
          where length(value) >= ${f.pr} offset 0) as cell offset 0) as split) as one
    join ${s.fY}.needle on needle.word = ${(0,f.iQ)(`one.word`)} ${t?`and not is_ordinary`:``}
  where ${(0,f.qQ)(`one.words[at - first + 1 : at - first + needle.words]`)} = needle.hash
  group by 1, 2`;async function T(e,t,n){let i=t.places.join(`, `),o=await e.attempt(w(t));o instanceof r.Mp?o.code===`42501`?n.notSearched.push(`${i}: ${(0,a.a2)(o)}`):await(0,a.iW)(`the search in ${i}`,()=>Promise.reject(o)):n.searched.push(...t.places)}let E=(e,t)=>(0,c.lo)(e,({rule:e})=>e!==void 0&&t.some(t=>t===(0,l.OB)(e.kind).leaves)),D=`
  with found as (
    select distinct hit.place, source, needle from ${s.fY}.hit join ${s.fY}.needle on needle.id = hit.needle
    where place = any ($1) and (times > 10 or place = any ($2))),
  few as (
    select place, source from found group by 1, 2 having count(*) <= greatest(3, 0.01 *
      (select count(*) from ${s.fY}.needle where needle.source = found.source)))
  delete from ${s.fY}.hit where needle in (select needle from found join few using (place, source))
  returning needle`,O=`
  select place, sum(times)::float8 as times, count(distinct hit.needle)::int as originals, array_agg(distinct source) as from, bool_and(is_schema) as "isSchema"
  from ${s.fY}.hit join ${s.fY}.needle on needle.id = hit.needle group by place order by place`;async function k(e,t){let n=t.tables.filter(e=>(0,c.bf)(e)&&!e.dropRows),i=await e.query(D,[E(n,[`all`,`chance`]),E(t.tables,[`chance`])]),a=await(0,r.Ym)(e,O),o=(0,c.lo)(t.tables,({family:e,rule:t})=>e===`json`||t?.kind===`json`),s=(0,C.I)(t),l=a.map(e=>({...e,isJson:o.includes(e.place),from:e.from.flatMap(e=>s[e]?.name??[])}));return{common:new Set(i.rows.map(({needle:e})=>e)).size,hits:l}}let A=[`values that hold no text, like numbers and times`,`originals that are part of a longer word, or encoded`,`names of tables, columns, roles and jobs`,`text after the first ${f.xS} characters of a value`,`comments and definitions that PostgreSQL and extensions bring`,`ordinary words in comments, functions and definitions`,`deleted row versions in the data files`,`earlier snapshots, the write-ahead log and the server log`];async function j(e,t,n){let r=[...A],c={searched:[],notSearched:r,rebuilt:[...t.derived.filter(({isAggregate:e})=>!e).map(({name:e})=>`materialized view ${e}`),`statistics`,`indexes`],common:0,hits:[]};for(let e of t.tables)e.kind===`foreign table`&&r.push(`${(0,o.Cm)(e)}: a foreign table`),e.elsewhere.length>0&&r.push(`${e.elsewhere.join(`, `)}: foreign parts of ${(0,o.Cm)(e)}`);let l=t.tables.toSorted((e,t)=>t.rows-e.rows),u=[...l.flatMap(e=>m(e)),...S(t)];await(0,a.nm)(e,`the originals`,e=>e.query(`create index on ${s.fY}.needle (source); analyze ${s.fY}.needle`)),await(0,i.E)(e,`searching`,l,n,()=>(0,a.I_)(e,n.sessions,u,(e,t)=>T(e,t,c)));let{common:d,hits:f}=await e(e=>k(e,t));return{...c,common:d,hits:f}}let M=({rule:e})=>e?.kind===`keep`||e?.paths!==void 0;function N(e){let{rule:t}=e;if(t?.paths===void 0)return(0,f.b6)(e);let n=t.paths.map(e=>e.kind===`keep`?e:{...e,kind:`null`});return`(${(0,l.pM)(e,{...t,paths:n})})::text`}async function P(e,t,n){let i={...e,async attempt(...t){await e.query(`savepoint search`);let n=await e.attempt(...t);return n instanceof r.Mp&&await e.query(`rollback to savepoint search`),n}},o=t.tables.filter(({dropRows:e})=>!e).map(e=>({...e,columns:e.columns.filter(M)})),s={searched:[],notSearched:[],rebuilt:[],common:0,hits:[]};await e.query(`begin`);try{await(0,a.hl)(e),await(0,C.D)(t=>t(e),t,1,n);for(let e of[...o.flatMap(e=>m(e,N,n)),...n===void 0?S(t):[]])await T(i,e,s);return(await k(e,t)).hits}finally{await e.attempt(`rollback`)}}}),4607:((e,t,n)=>{n.d(t,{D:()=>h,I:()=>f});var r=n(6238),i=n(977),a=n(5112),o=n(5809),s=n(4109),c=n(5155),l=n(3229),u=n(3449);let d=4e3;function f({tables:e}){return e.filter(({kind:e})=>e===`table`).flatMap(e=>e.columns.filter(t=>e.dropRows||(0,c.So)(t)&&t.rule?.kind!==`shuffle`).filter(({holdsText:e,type:t})=>e&&t!==`tsvector`||/^(?:bigint|numeric)/.test(t)).map(t=>({table:e,column:t,name:(0,o.uS)(e,t)}))).map((e,t)=>({number:t,...e}))}let p=e=>`${e} ~ '^([[:alpha:]]+|[a-z]+([_-][a-z]+)+)$'`;function m({number:e,table:t,column:n},r){let a=`select part.value ${s.Ue} as value from ${r(t)} as target, lateral (${(0,u.CI)(n)}) as part(value)`,o=t.rows>2*d?`and random() < ${2*d/t.rows}`:``,c=n.rule&&(0,l.OB)(n.rule.kind).leaves,f=typeof c==`object`?c.values(n.rule?.argument??``):[],m=f.length>0?`and value not in (${f.map(i.ol).join()})`:``;return`
    with seen as materialized (
      select distinct left(value, ${u.xS}) as value from (${a}) as all_parts
      where value is not null ${o} ${m} limit ${d}),
    counted as materialized (
      select left(value, ${u.xS}) as value, count(*) as times from (${a}) as all_parts
      where left(value, ${u.xS}) in (select value from seen) group by 1),
    long as materialized (
      select value, times, ${(0,u.Z9)(`value`)} as words, ${(0,u.kJ)(`value`)} as in_bytes from counted where length(value) >= ${u.pr}),
    taken as (select words, in_bytes, ${p(`value`)} as is_ordinary from long where times = 1 and words <> '{}' order by random() limit 1000),
    -- Letters beyond ASCII look otherwise in a column of bytes.
    form as (
      select words, is_ordinary from taken
      union all
      select ${(0,u.Z9)(`encode(convert_to(array_to_string(in_bytes, ' '), 'UTF8'), 'escape')`)}, is_ordinary from taken
      where octet_length(array_to_string(words, '')) <> length(array_to_string(words, ''))),
    frequency as (select word, count(*) as times from form, unnest(words) as word group by word),
    stored as (
      insert into ${s.fY}.needle (source, hash, words, first, word, is_ordinary)
      select ${e}, ${(0,u.qQ)(`words`)}, cardinality(words), place, ${(0,u.iQ)(`word`)}, is_ordinary
      from form, lateral (select word, place from unnest(words) with ordinality as one(word, place)
        join frequency using (word) order by times, length(word) desc, place limit 1) as rarest)
    select (select count(*) from taken)::int as taken,
      (select count(*) from counted where length(value) < ${u.pr})::int as "tooShort",
      (select count(*) from long where times > 1)::int as "notUnique"`}async function h(e,t,n,i=o.RO){let s=[],c=f(t);return await(0,a.I_)(e,n,c,async(e,t)=>{let{number:n,name:o}=t,c=await(0,a.iW)(`the originals of ${o}`,()=>(0,r.zZ)(e,m(t,i)));s[n]={column:o,...c}}),s}}),3449:((e,t,n)=>{n.d(t,{CI:()=>x,Xe:()=>f,Z9:()=>p,b6:()=>y,fo:()=>_,iQ:()=>g,kJ:()=>m,pr:()=>o,qQ:()=>h,xS:()=>s});var r=n(977),i=n(4109),a=n(9578);let o=8,s=1e6,c=String.raw`[\x01-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]`,l=(e,t)=>`regexp_replace(${e}, E'${t.replaceAll(`\\`,`\\\\`)}+', ' ', 'g')`,u=e=>`case when strpos(${e}, '\\') > 0 then ${l(e,String.raw`(?:\\[nrtfb]|${c})`)} else ${l(e,c)} end`,d=`${i.fY}.folding`,f=(e,t=d)=>`string_to_array(lower((${u(`${e} collate "C"`)}) collate ${t}), ' ')`,p=e=>`array_remove(${f(e)}, '')`,m=e=>`array_remove(${f(e,`"C"`)}, '')`,h=e=>`substring(${(0,i.br)(`array_to_string(${e}, ' ')`)}, 1, 16)`,g=e=>`hashtextextended(${e} collate "C", (select seed from ${i.fY}.secret))`,_=e=>`encode(${e}, 'escape')`,v=e=>`concat_ws(' ', ${e}::text, (select string_agg(lexeme, ' ' order by position)
    from unnest(${e}) as entry, unnest(positions) as position))`;function y({name:e,family:t,type:n}){let i=(0,r.AB)(e);return n===`tsvector`?v(i):t===`texts`?`array_to_string(${i}::text[], ' ')`:t===`bytes`?_(`${i}::bytea`):t===`json`?`${i}::text || case when strpos(${i}::text, '\\u') > 0 then ' ' || (${(0,a.Vh)(i)})::text else '' end`:`${i}::text`}function b(e,t,n){let r=(0,a.o_)(e,t);return`${(0,a.Sq)(r,n)} union all select ${e}::text where ${r} is null`}function x({name:e,family:t,type:n,rule:i}){let o=(0,r.AB)(e);return i?.paths!==void 0&&t===`texts`?`select part.value from unnest(${o}::text[]) as entry(element),
      lateral (${b(`element`,{family:`text`,type:`text`},i.paths)}) as part(value)`:i?.paths===void 0?t===`ip`?`select host(${o})`:t===`texts`?`select unnest(${o}::text[])`:t===`bytes`?`select ${_(`${o}::bytea`)}`:t===`json`?`select one #>> '{}' from jsonb_path_query(${(0,a.Vh)(o)}, 'strict $.** ? (@.type() == "string")') as string(one)`:`select ${o}::text`:b(o,{family:t,type:n},i.paths)}})};