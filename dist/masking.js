"use strict";exports.id=965,exports.ids=[965],exports.modules={5112:((e,t,n)=>{n.d(t,{HN:()=>h,HU:()=>MaskingError,XT:()=>p,a2:()=>u,iA:()=>f,iW:()=>d,ml:()=>m});var r=n(5145),i=n(6238),a=n(4109),o=n(9578),s=n(3229);class MaskingError extends r.lZ{}let c=/^(?:23|25|40|42501|53|54|55|57)/,l=/^(?:0A|42)/;function u({code:e,message:t,where:n,position:r}){return n===void 0&&(c.test(e)||r!==void 0&&l.test(e))?`${t} (SQLSTATE ${e})`:`SQLSTATE ${e} (its message may hold values, and is not shown)`}async function d(e,t){try{return await t()}catch(t){throw t instanceof i.Mp?new MaskingError(`${e}: ${u(t)}`,`correct the rule that it is about, or the parent; the copy is not to be used`):t}}async function f(e,{timescaledb:t}){await d(`a session for masking`,()=>e.query(`
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
  set maintenance_work_mem = '256MB';${t===null?``:`set timescaledb.max_tuples_decompressed_per_dml_transaction = 0;`}`))}async function p(e){await d(`a schema for masking`,()=>e.query(`
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
      ${(0,o.mo)((0,s.fD)(`original`))}`))}async function m(e){await d(`the schema for masking`,()=>e.query(`drop schema if exists ${a.fY} cascade`))}async function h(e,t,{sessions:n,tasks:r},i){let a=[...r],o=async e=>{await f(e,t);for(let t=a.shift();t!==void 0;t=a.shift())await i(e,t)},s=Array.from({length:Math.min(n,r.length)},async()=>{try{await e(o)}catch(e){throw a.length=0,e}}),c=(await Promise.allSettled(s)).find(({status:e})=>e===`rejected`);if(c?.status===`rejected`)throw c.reason}}),8752:((e,t,n)=>{n.d(t,{checkFileOn:()=>tn,i:()=>rn,parseMaskFile:()=>R,proposeFile:()=>en});var r=n(5809),i=n(4109),a=n(3924),o=n(3229),s=n(6238);let c=`nextval('${i.fY}.done') > 0`,l=`select case when is_called then last_value else 0 end::float8 as rows,
  extract(epoch from clock_timestamp())::float8 as now from ${i.fY}.done`;async function u(e,{stage:t,allRows:n,onProgress:r,every:i=30},a){if(r===void 0)return await a();let o=!1,{promise:c,resolve:u}=Promise.withResolvers(),d=e(async e=>{let a=()=>(0,s.zZ)(e,l),c=await a();u();let d=c.now;for(;!o;){await e.query(`select pg_sleep(0.25)`);let s=await a();if(o||s.now<d+i)continue;d=s.now;let l=Math.min(s.rows-c.rows,n);r({stage:t,rows:l,allRows:n,left:l>0?(s.now-c.now)/l*(n-l):void 0})}}).catch(()=>{}).finally(u);try{return await c,await a()}finally{o=!0,await d}}let d=e=>e.columns.flatMap(e=>e.rule&&(0,a.So)(e)?[{...e,rule:e.rule}]:[]),f=({tables:e})=>e.filter(e=>!e.dropRows&&e.kind===`table`&&d(e).length>0),p=({tables:e})=>e.filter(({dropRows:e,kind:t})=>e&&t===`table`),m=e=>e.flatMap(({name:e,rule:t})=>t?.kind===`date`?[e]:[]);function h(e,t){let n=(0,r.RO)(e),a=t.map(({name:e},t)=>`, (select ${(0,i.AB)(e)} as shuffled_value_${t},
      row_number() over (order by random()) as shuffled_number_${t} from ${n}) as shuffled_${t}`),o=t.map((e,t)=>` and shuffled_number_${t} = own_number`);return`from (select tableoid as own_table, ctid as own_row, row_number() over () as own_number from ${n}) as numbered
    ${a.join(``)} where target.tableoid = own_table and target.ctid = own_row${o.join(``)}`}function g(e){let t=d(e),n=t.filter(({rule:e})=>e.kind===`shuffle`),a=m(t),s=t.map(e=>{let t=n.indexOf(e);return`${(0,i.AB)(e.name)} = ${t<0?(0,o.pM)(e,e.rule,a):`shuffled_value_${t}`}`}),l=t.map(({name:e})=>`${(0,i.AB)(e)} is not null`).join(` or `),u=n.length>0?h(e,n):`where ${t.every(({rule:e})=>(0,o.Mh)(e))?`(${l})`:`true`}`;return`update ${(0,r.RO)(e)} as target set ${s.join(`, `)} ${u} and ${c}`}var _=n(5112);async function v(e,{schema:t,name:n}){await e.query(`vacuum ${(0,i.AB)(t)}.${(0,i.AB)(n)}`)}async function ee(e,t,n){let{rows:r}=await e.query(`
  select format('%I.%I', chunk_schema, chunk_name) as chunk from timescaledb_information.chunks
  where is_compressed and hypertable_schema = $1 and hypertable_name = $2`,[n.schema,n.name]);for(let{chunk:n}of r)await e.query(`select ${t.timescaledb}.compress_chunk($1::regclass, if_not_compressed => true)`,[n]);await v(e,n)}async function te(e,t){let{derived:n,timescaledb:r}=t;if(f(t).some(({isCompressed:e})=>e))for(let{name:t}of(await e.query(`
  select attrelid::regclass::text as name from pg_attribute join pg_class on pg_class.oid = attrelid
  where attname = '_ts_meta_count' and relkind = 'r' and relnamespace = '_timescaledb_internal'::regnamespace
    and pg_has_role(relowner, 'usage')`)).rows)await e.query(`vacuum ${t}`);let{argument:i=``}=(await e.query(`
  select case when 'force' = any (proargnames) then ', force => true' else '' end as argument
  from pg_proc where proname = 'refresh_continuous_aggregate'`)).rows[0]??{};for(let{name:t,stored:a,isAggregate:o}of n)await(0,_.iW)(`refreshing ${t}`,async()=>{o?await e.query(`call ${r}.refresh_continuous_aggregate('${t.replaceAll(`'`,`''`)}', null, null${i})`):await e.query(`refresh materialized view ${t}`),await e.query(`vacuum ${a}`)})}var y=n(7996);let b=18e4,x=e=>p(e).map(({schema:e,name:t})=>`${(0,i.AB)(e)}.${(0,i.AB)(t)}`);async function S(e,t){let n=p(t);for(let t of n.flatMap(({elsewhere:e})=>e))await e.query(`drop foreign table if exists ${t}`);if(n.length>0&&await e.query(`truncate ${x(t).join(`, `)}`),t.timescaledb!==null)for(let{name:t}of(await e.query(`
  with recursive stored(id) as (
    select id from _timescaledb_catalog.hypertable
      where to_regclass(format('%I.%I', schema_name, table_name))::oid::text = any ($1)
    union
    select mat_hypertable_id from stored join _timescaledb_catalog.continuous_agg on raw_hypertable_id = stored.id)
  select format('%I.%I', user_view_schema, user_view_name) as name
  from _timescaledb_catalog.continuous_agg join stored on stored.id = mat_hypertable_id`,[n.map(({id:e})=>e)])).rows)await e.query(`truncate ${t}`);t.tables.some(e=>e.kind===`large objects`&&e.dropRows)&&await e.query(`select lo_unlink(object.oid) from ${y.x}`)}let C=(e,t={column:`null::name`,value:`null`})=>`(
  select case when count(*) = 0 then 'default values'
    else format('(%s) values (%s)', string_agg(quote_ident(name), ', '), string_agg(quote_literal(value), ', ')) end
  from (select attname, made.value from pg_attribute join pg_type as type on type.oid = atttypid, lateral (select case
      when typname in ('json', 'jsonb') then 'null' when typname = 'uuid' then repeat('0', 32) when typname = 'xml' then '<a/>'
      when typcategory in ('N', 'T') then '0' when typcategory = 'B' then 'false' when typcategory = 'D' then 'epoch'
      when typcategory = 'A' then '{}' when typcategory = 'R' then 'empty' when typcategory = 'I' then '0.0.0.0'
      when typcategory = 'E' then (select enumlabel from pg_enum where enumtypid = type.oid order by enumsortorder limit 1)
      else '' end) as made(value)
    where attrelid = ${e} and attnum > 0 and not attisdropped and attnotnull and not atthasdef and attidentity = ''
      and attname is distinct from ${t.column}
    union all select ${t.column}, ${t.value} where ${t.column} is not null) as entry(name, value))`;async function w(e,t){if(!(t.version>=b))for(let n of x(t)){let{rows:t}=await e.query(`select ${C(`$1::regclass`)} as row`,[n]);await e.attempt(`insert into ${n} ${t[0]?.row}`)}}async function ne(e,t){if(!(t.version>=b||p(t).length===0)){await S(e,t);for(let{name:n,isAggregate:r}of t.derived)r||await e.query(`refresh materialized view ${n}`)}}function T(e){let t=new Set(p(e).map(({id:e})=>e)),n=new Map(f(e).map(e=>[e.id,d(e)]));return{changes:e=>t.has(e)||n.has(e),changesColumns:(e,r)=>t.has(e)||n.get(e)?.some(({name:e})=>r.includes(e))===!0,fits:(e,t,r)=>n.get(e)?.some(({name:e,rule:n})=>t.includes(e)&&r(n))===!0}}function E(e){let{changesColumns:t}=T(e);return e.foreignKeys.filter(e=>t(e.table,e.columns)||t(e.target,e.targetColumns))}function D(e){let{changes:t,fits:n}=T(e),r=E(e).map(({relation:e,name:t,definition:n})=>({lift:`alter table ${e} drop constraint ${(0,i.AB)(t)}`,restore:`alter table ${e} add constraint ${(0,i.AB)(t)} ${n}`})),a=e.uniques.flatMap(({table:e,columns:t,lift:r,restore:i})=>r!==null&&i!==null&&n(e,t,o.Ck)?[{lift:r,restore:i}]:[]),s=[...e.obstacles,...e.notValid].filter(({table:e})=>t(e));return[...r,...a,...s]}let O=`${i.fY}.stale`;async function k(e,t){let n=[];for(let r of await(0,s.Ym)(e,t))!(await e.attempt(r.act)instanceof s.Mp)&&r.undo!==null&&n.unshift(r.undo);return n}let re=`
  select command || ' -1' as act, command || ' 0' as undo from ${O} join pg_class on oid = relation
    join pg_attribute on attrelid = relation and pg_attribute.attname = stale.attname,
    lateral (select case relkind when 'i' then format('alter index %s alter column %s set statistics', relation::regclass, attnum)
      else format('alter table only %s alter column %I set statistics', relation::regclass, pg_attribute.attname) end) as made(command)
  where attstattarget = 0`,ie=`
  select distinct format('create statistics if not exists ${i.fY}.%I on (1) from %s', 'probe_' || relation, relation::regclass)
    as act, null as undo
  from ${O} where inherited`,ae=()=>`
  select distinct format('vacuum (full) %s', oid::regclass) as act, null as undo
  from ${O} join pg_class on oid = relation where not inherited and relkind in ('r', 'm')`,oe=`format('alter column %1$I type %2$s %3$s, alter column %1$I set storage %4$s', pg_attribute.attname,
    format_type(atttypid, atttypmod), case when attcollation <> 0 then 'collate ' || attcollation::regcollation end,
    case attstorage when 'p' then 'plain' when 'e' then 'external' when 'm' then 'main' else 'extended' end)
  || case attcompression when 'p' then format(', alter column %I set compression pglz', pg_attribute.attname)
    when 'l' then format(', alter column %I set compression lz4', pg_attribute.attname) else '' end`,se=e=>`
  select format('alter table %s ', id::regclass) || ${oe} as act, null as undo
  from (${e}) as found(id, name) join pg_attribute on attrelid = id and pg_attribute.attname = name`,ce=`(select string_agg(format('alter statistics %I.%I set statistics %s', nspname, stxname, stxstattarget), '; ')
  from pg_statistic_ext join ${i.fY}.renewed as other on other.relation = stxrelid
    join pg_namespace on pg_namespace.oid = stxnamespace
  where other.root = renewed.root and stxstattarget >= 0)`,le=()=>`
  select distinct format('alter table %s ', case attinhcount when 0 then relation else root end::regclass) || ${oe} as act,
    ${ce} as undo
  from ${O} join ${i.fY}.renewed using (relation) join pg_class on oid = relation
    join pg_attribute on attrelid = relation and pg_attribute.attname = stale.attname where relkind in ('r', 'p', 'f')`,ue=()=>`
  select distinct format('drop index %s; %s', oid::regclass, pg_get_indexdef(oid)) as act, null as undo
  from ${O} join pg_class on oid = relation where relkind = 'i' and not relispartition`,de=`format('${i.fY}.%I', 'blank_' || oid)`,fe=()=>`
  select distinct format('create table %1$s %2$s; alter table %1$s disable trigger user; insert into %1$s %3$s', ${de},
      format(case relkind when 'p' then 'partition of %s default' else '() inherits (%s)' end, oid::regclass), ${C(`oid`)})
      as act, 'drop table ' || ${de} as undo
  from ${O} join pg_class on oid = relation where inherited`,pe=e=>`format('select 1 / (not exists (select from %s))::int', ${e})`,me=[ae,le,ue,({timescaledb:e})=>e===null?`select where false`:`select distinct format('with blank as (insert into %1$s %2$s returning ctid)
             insert into ${i.fY}.blank select %3$s, ctid from blank', relation::regclass,
           ${C(`relation`,{column:`primary_dimension`,value:`coalesce(range_start_integer::text, range_start at time zone 'UTC' || '+00')`})}, relation) as act,
         format('delete from only %s where ctid = (select place from ${i.fY}.blank where relation = %s)', relation::regclass,
           relation) as undo
       from ${O} join pg_class on pg_class.oid = relation join pg_namespace on pg_namespace.oid = relnamespace
         join timescaledb_information.chunks on chunk_schema = nspname and chunk_name = relname`,fe,({timescaledb:e})=>`
  select concat_ws('; ', ${pe(`named`)}, detach, lifts, format('insert into %s %s', class.oid::regclass, ${C(`class.oid`)})) as act,
    concat_ws('; ', case when is_hypertable then 'truncate ' else 'delete from ' end || named, restores, attach) as undo
  from (select distinct relation from ${O}) as old join pg_class as class on class.oid = relation
    cross join lateral (select ${e===null?`false`:`class.oid in (select to_regclass(format('%I.%I', schema_name, table_name))::oid from _timescaledb_catalog.hypertable)`}) as kind(is_hypertable)
    cross join lateral (select case when is_hypertable then '' else 'only ' end || class.oid::regclass) as own(named)
    cross join lateral (select string_agg(lift, '; '), string_agg(restore, '; ') from (
  select format('alter table %s disable trigger %I', tgrelid::regclass, tgname),
    format('alter table %s enable %s trigger %I', tgrelid::regclass,
      case tgenabled when 'A' then 'always' when 'R' then 'replica' else '' end, tgname)
  from pg_trigger join pg_proc on pg_proc.oid = tgfoid join pg_namespace on pg_namespace.oid = pronamespace
  where tgrelid = class.oid and not tgisinternal and tgenabled <> 'D' and tgparentid = 0 and nspname !~ '^_timescaledb_'
  union all
  select format('alter table %s drop constraint %I', conrelid::regclass, conname),
    format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
  from pg_constraint where conrelid = class.oid and contype = 'c' and coninhcount = 0) as guard(lift, restore)) as found(lifts, restores)
    left join lateral (select format('alter table %s detach partition %s', inhparent::regclass, class.oid::regclass),
        format('alter table %s attach partition %s %s', inhparent::regclass, class.oid::regclass, pg_get_expr(relpartbound, class.oid))
      from pg_inherits where inhrelid = class.oid and relispartition) as bound(detach, attach) on true
  where relkind = 'r'`],A=`
  with recursive tree(root, id) as (
    select oid, oid from pg_class where relkind in ('r', 'p', 'm', 'f') and oid not in (select inhrelid from pg_inherits)
    union select root, inhrelid from tree join pg_inherits on inhparent = id),
  relation as (
    select distinct on (class.oid) class.oid as relation, root, nspname as schema, relname as name,
      pg_has_role(relowner, 'usage') as is_ours
    from (select id, root from tree union all select indexrelid, root from tree join pg_index on indrelid = id) as found
      join pg_class as class on class.oid = found.id join pg_namespace as space on space.oid = relnamespace
      join pg_roles as owner on owner.oid = relowner
    where nspname not in ('pg_catalog', 'information_schema', '${i.fY}') and nspname !~ '^pg_(toast|temp)'
      and (not rolsuper or pg_has_role(relowner, 'usage'))
    order by class.oid, root)`,he=({version:e})=>`${A},
  holding as (
    select relation, attname, inherited, schema, name from pg_stats join relation on schema = schemaname and name = tablename
    where most_common_vals is not null or histogram_bounds is not null or most_common_elems is not null
      or ${e>=17e4?`range_bounds_histogram is not null`:`exists (select from pg_attribute join pg_type on pg_type.oid = atttypid
  where attrelid = relation and pg_attribute.attname = pg_stats.attname and typanalyze::text ~ 'range_typanalyze')`})`,ge=`${A}
  insert into ${i.fY}.renewed select relation, root from relation
  where is_ours and ($1::text[] is null or root::text = any ($1)) and relation not in (select relation from ${i.fY}.renewed)
  returning relation::text as id`,_e=`${A}
  select distinct root::text as root from relation where relation::text = any ($1)
    and (root::text = any ($2) or root in (select to_regclass(name) from unnest($3::text[]) as stored(name))
      or (schema, name) in (select schemaname, tablename from pg_stats))`;async function ve(e,t){let n=await(0,s.Ym)(e,`
  select format('drop statistics %I.%I', nspname, stxname) as drop, pg_get_statisticsobjdef(stat.oid) as make,
    format('alter statistics %I.%I set statistics %s', nspname, stxname, coalesce(stxstattarget, -1)) as target,
    format('comment on statistics %I.%I is %L', nspname, stxname, obj_description(stat.oid, 'pg_statistic_ext')) as comment
  from pg_statistic_ext as stat join pg_namespace on pg_namespace.oid = stxnamespace where stxrelid::text = any ($1)`,[t]);for(let{drop:t,make:r,target:i,comment:a}of n)await e.query([t,r,i,a].join(`;
`))}let ye=`${A}
  select pg_clear_attribute_stats(schemaname, tablename, attname, inherited)
  from pg_stats join relation on schema = schemaname and name = tablename where relation::text = any ($1)`,be=e=>`${he(e)}
  insert into ${i.fY}.stale select relation, attname, inherited from holding where relation::text = any ($1)`,xe=e=>`${he(e)}
  delete from ${i.fY}.stale as old where not exists (select from holding
    where relation = old.relation and attname = old.attname and inherited = old.inherited)`,j=`
  with recursive above(id) as (
    select oid from pg_class where relkind = 'f' union select inhparent from above join pg_inherits on inhrelid = id)
  select id from above`,Se=({version:e})=>`
  delete from ${i.fY}.stale using pg_class left join pg_index on indexrelid = pg_class.oid
    where pg_class.oid = relation and not inherited and relkind in ('r', 'm', 'i') and reltuples > 0
      and coalesce(indrelid, relation) not in (${j});
  ${e>=15e4?`delete from ${i.fY}.stale using pg_stats_ext_exprs as probe where stale.inherited and probe.inherited
           and statistics_schemaname = '${i.fY}' and statistics_name = 'probe_' || relation`:``}`,Ce=`
  select format('%I.%I', nspname, relname) as name from ${i.fY}.renewed join pg_class as class on class.oid = relation
    join pg_namespace on pg_namespace.oid = relnamespace
  where root = $1::oid and relkind in ('r', 'p', 'm') and relation not in (${j})
    and (relation = root or not $2::boolean and not relispartition or root in (${j}))`;async function we(e,t,n){let r=t.tables.some(({id:e,isHypertable:t,keeper:r})=>e===n&&t&&!r),i=(await e.query(Ce,[n,r])).rows.map(({name:e})=>e);i.length>0&&await e.query(`analyze ${i.join(`, `)}`)}let Te=`select distinct root::text as root from ${i.fY}.stale join ${i.fY}.renewed using (relation)`;async function M({open:e,plan:t},n){let r;if(await(0,_.HN)(e,t,{sessions:1,tasks:[n]},async(e,t)=>{r={value:await(0,_.iW)(`the statistics of masked tables`,()=>t(e))}}),r===void 0)throw Error(`the database was not asked`);return r.value}async function Ee({open:e,plan:t,sessions:n},r){let i=await M({open:e,plan:t},async e=>(await e.query(xe(t)),await k(e,ie),await k(e,re)));return await(0,_.HN)(e,t,{sessions:n,tasks:r},(e,n)=>(0,_.iW)(`the statistics of masked tables`,()=>we(e,t,n))),await M({open:e,plan:t},async e=>{await e.query(Se(t));for(let t of i)await e.query(t);return(await e.query(Te)).rows.map(({root:e})=>String(e))})}function De(e){let t=({family:e})=>e===`geometry`||e===`geography`,n=[...f(e),...p(e)].flatMap(({id:e,columns:n,dropRows:r})=>n.filter(e=>t(e)&&(r||e.rule?.kind===`null`)).map(({name:t})=>`(${e}::oid, ${(0,i.ol)(t)}::name)`));return n.length===0?void 0:`values ${n.join(`, `)}`}async function Oe(e,t){let{plan:n}=e,r=De(n),i=await M(e,async e=>{let i=(await e.query(ge,[t??null])).rows.map(({id:e})=>String(e)),a=[...f(n),...p(n)].map(({id:e})=>e),o=n.derived.map(({stored:e})=>e),s=(await e.query(_e,[i,a,o])).rows;return await ve(e,i),n.version>=b?await e.query(ye,[i]):r!==void 0&&await k(e,se(r)),await e.query(be(n),[i]),s.map(({root:e})=>String(e))});i=await Ee(e,i);for(let t of me){if(i.length===0)return;let r=await M(e,e=>k(e,t(n)));i=await Ee(e,i),await M(e,async e=>{for(let t of r)await e.query(t)})}}let ke=(e,t=`select null::oid, null::name where false`)=>`${he(e)}
  select distinct format('%s.%s.%s', schema, name, attname) as place from holding
  where relation not in (select relation from ${i.fY}.renewed)
    or exists (select from ${i.fY}.stale as old
      where old.relation = holding.relation and old.attname = holding.attname and old.inherited = holding.inherited)
  union select format('%s.%s.%s', schema, name, attname) from pg_stats join relation on schema = schemaname and name = tablename
  where (root, attname) in (${t})
  union select format('%s.%s', statistics_schemaname, statistics_name) from pg_stats_ext
    join relation on schema = schemaname and name = tablename
  where relation not in (select relation from ${i.fY}.renewed)
  order by place`;async function Ae(e){let t=await M(e,async t=>(await t.query(ke(e.plan,De(e.plan)))).rows.map(({place:e})=>String(e)));if(t.length===0)return;let n=t.length>20?`, and ${t.length-20} more`:``;throw new _.HU(`statistics from before the masking can neither be replaced nor deleted: ${t.slice(0,20).join(`, `)}${n}`,`in the parent, insert a row into the table, analyze it, and delete the row; or drop the table. The login also needs the rights of its owner`)}async function je(e,t,{sessions:n,...i}){let a=f(t).toSorted((e,t)=>t.rows-e.rows),o=a.reduce((e,{rows:t})=>e+t,0),s=0;return await u(e,{stage:`masking`,allRows:o,...i},()=>(0,_.HN)(e,t,{sessions:n,tasks:a},async(e,t)=>{let{rowCount:n}=await(0,_.iW)(`masking ${(0,r.Cm)(t)}`,()=>e.query(g(t)));s+=n})),s}async function Me(e,t,n){let i=D(t),a=(n,r)=>(0,_.HN)(e,t,{sessions:1,tasks:[n]},e=>(0,_.iW)(n,()=>r(e)));await a(`what stands in the way of masking`,async e=>{for(let{lift:t}of i)await e.query(t)}),await a(`dropping rows`,async e=>{await S(e,t),await w(e,t)});let o=await je(e,t,n),s=(i,a)=>(0,_.HN)(e,t,{sessions:n.sessions,tasks:i},(e,t)=>(0,_.iW)(`cleaning up ${(0,r.Cm)(t)}`,()=>a(e,t)));await s([...f(t),...p(t)],v);let c={open:e,plan:t,sessions:n.sessions},l=f(t).filter(({isCompressed:e})=>e);return l.length>0&&await Oe(c,l.map(({id:e})=>e)),await s(l,(e,n)=>ee(e,t,n)),await a(`what is computed from the masked rows`,e=>te(e,t)),await Oe(c),await Ae(c),await a(`dropping rows`,e=>ne(e,t)),await a(`a constraint or trigger, put back after masking`,async e=>{for(let{restore:t}of i.toReversed())await e.query(t)}),o}var Ne=n(5145),N=n(4526),P=n(9578),F=n(3804);class YamlError extends Error{place;constructor(e,t){super(e),this.place=t}}let I={line:1,column:1};function Pe(e){let t=[0,...Array.from(e.matchAll(/\n/g),({index:e})=>e+1)];return n=>{let[r,i]=[0,t.length];for(;i-r>1;){let e=r+i>>1;(t[e]??0)<=n?r=e:i=e}return{line:r+1,column:[...e.slice(t[r],n)].length+1}}}function L(e,t,n){if(e===null)return{kind:`scalar`,place:n,text:``,isPlain:!0};let[r,i]=e.range,a=r<i?t(r):n;if(e.tag!==void 0)return{kind:`other`,place:a};if((0,F.isScalar)(e))return{kind:`scalar`,place:a,text:`${e.value}`,isPlain:e.type===`PLAIN`};if(!(0,F.isMap)(e))return{kind:`other`,place:a};let o=[],s=new Set;for(let n of e.items){let e=L(n.key,t,a);if(e.kind!==`scalar`)throw new YamlError(`a key must be a name`,e.place);if(s.has(e.text))throw new YamlError(`${e.text} stands here a second time`,e.place);s.add(e.text),o.push({key:e,value:L(n.value,t,e.place)})}return{kind:`mapping`,place:a,entries:o}}let Fe={schema:`failsafe`,resolveKnownTags:!1,uniqueKeys:!1,prettyErrors:!1};function Ie(e){let t=(0,F.parseAllDocuments)(e,Fe),n=Pe(e);if(`empty`in t)throw new YamlError(`the file has no rules`,I);let[r,...i]=t,[a]=t.flatMap(({errors:e})=>e);if(a)throw new YamlError(a.message,n(a.pos[0]));if(r===void 0||i.length>0)throw new YamlError(`there must be one document`,I);return L(r.contents,n,I)}class MaskFileError extends Ne.lZ{constructor({name:e,path:t},n,r){let i=n.slice(0,100).map(({place:t,what:n})=>t?`${e}:${t.line}:${t.column}: ${n}`:n),a=n.length>100?`; and ${n.length-100} more`:``;super(`${i.join(`; `)}${a}`,r);let o=n[0]?.place;t!==void 0&&o&&(this.place={file:t,...o})}}function Le(e){let[,t,n]=/^("(?:[^"]|"")+"|[^".]+)\.("(?:[^"]|"")+"|[^".]+)$/.exec(e)??[];if(t===void 0||n===void 0)return;let r=e=>e.startsWith(`"`)?e.slice(1,-1).replaceAll(`""`,`"`):e;return[r(t),r(n)]}function Re(e){if(e.kind===`scalar`){let t=e.text===`~`&&e.isPlain?`null`:e.text,n=o.aL.find(e=>e===t);if(n!==void 0)return{kind:n};if(t===`drop_rows`)return`drop_rows is a rule for a table, not for a column`;let r=o.YI.find(e=>e===t);return r===void 0?t===``?`no rule; expected ${o.p6}`:`${t} is no rule${(0,N.C_)(t,[...o.aL,...o.YI])}; expected ${o.p6}`:(0,o.EC)(r)}let[t,...n]=e.kind===`mapping`?e.entries:[],{key:r,value:i}=t??{},a=o.YI.find(e=>e===r?.text);return n.length>0||i?.kind!==`scalar`||a===void 0?`expected ${o.p6}`:a===`json`||a===`sql`&&i.text.trim()===``?(0,o.EC)(a):{kind:a,argument:i.text}}function ze({entries:e}){let t=[];for(let{key:n,value:r}of e){let e=Re(r);if(typeof e==`string`)return`${n.text}: ${e}`;if(!o.ep.includes(e.kind))return`${n.text}: ${e.kind} is no rule for a part of JSON; expected one of ${o.ep.join(`, `)}`;t.push({path:n.text,...e})}return t.some(({path:e})=>e===`*`||e===`**`)?{kind:`json`,paths:(0,P.HN)(t)}:`json needs a rule for all other paths: add "*": text`}function Be(e){let[t,...n]=e.kind===`mapping`?e.entries:[];return t?.key.text===`json`&&t.value.kind===`mapping`&&n.length===0?ze(t.value):Re(e)}function Ve(e,t,n){let{place:r}=e,[i,a]=Le(e.text)??[];if(i===void 0||a===void 0)return n.push({place:r,what:`${e.text} is no table; expected schema.table, like public.people`}),[];let o={schema:i,table:a,place:r,dropRows:!1,columns:[]};if(t.kind===`scalar`&&t.text===`drop_rows`)return[{...o,dropRows:!0}];if(t.kind!==`mapping`)return n.push({place:r,what:`${e.text}: expected drop_rows, or a rule for each column`}),[];for(let{key:r,value:i}of t.entries){let t=Be(i);typeof t==`string`?n.push({place:i.place,what:`${e.text}.${r.text}: ${t}`}):o.columns.push({column:r.text,rule:t,place:r.place})}return[o]}function He(e,t){return e.kind===`mapping`?e.entries.flatMap(({key:e,value:n})=>Ve(e,n,t)):(t.push({place:e.place,what:"expected a mapping of tables to rules, like `public.people: { email: email }`"}),[])}function R(e){let t=[],n=[];try{n=He(Ie(e.text),t)}catch(e){if(!(e instanceof YamlError))throw e;t.push({place:e.place,what:e.message})}if(t.length>0)throw new MaskFileError(e,t,`correct the file; docs/masking.md has all rules`);return{file:e,tables:n}}let Ue=[...o.aL,...o.YI].filter(o.rB),z=e=>e?.rule?.kind??`keep`;function We(e,t){let{rule:n}=t;if(n!==void 0&&n.kind!==`keep`)return t.isGenerated?`is computed from other columns: mask those`:e.kind===`large objects`?`can only be kept, or dropped with drop_rows`:t.isAlwaysIdentity?`is an identity that the database gives: keep it`:t.decidesPart?`decides in which partition or chunk a row is: keep it`:n.kind===`null`&&t.notNull?`is NOT NULL: use another rule than null`:n.kind===`shuffle`&&e.isHypertable?`is in a hypertable, whose rows cannot change places: take another rule than shuffle`:(0,o.WM)(t,n)}function Ge(e){if(e.dropRows||e.columns.some(a.So)){if(!e.isOurs)return`belongs to ${e.owner}, whose rights this login does not have`;if(e.elsewhere.length>0&&!e.dropRows)return`has rows that cannot be changed, in ${e.elsewhere.join(`, `)}: only drop_rows is possible`;if(e.hasRewriteRule)return`has a rewrite rule for updates: drop it from the parent, or use a trigger`}}function Ke(e,t){let n=t=>e.columns.find(e=>e.name===t),i=(e,{isExclusion:t,nullsEqual:r})=>{let i=n(e),a=z(i);return t?a===`keep`:(0,o.te)(a,i?.length??null)||a===`null`&&!r},a=t.filter(e=>e.columns.every(t=>i(t,e)));return t.filter(e=>!a.some(({columns:t})=>t.every(t=>e.columns.includes(t)))).flatMap(t=>t.columns.filter(e=>!i(e,t)).map(i=>({place:n(i)?.place,table:e.id,what:`${(0,r.Cm)(e)}.${i} must stay ${t.isExclusion?`as it is`:`unique`} (${t.name}): ${z(n(i))} does not keep it so`})))}let qe=({definition:e})=>e.includes(` MATCH FULL`);function Je(e,t){let[n,r]=[z(e),z(t)];return n!==r||!(0,o.rB)(n)?!1:n===`keep`?!0:n===`sql`?e.rule?.argument===t.rule?.argument:e.ignoresCase===t.ignoresCase&&(0,o.Y5)(n,e.length)===(0,o.Y5)(n,t.length)}function Ye(e,t){let[n,i]=[e.get(t.table),e.get(t.target)];if(n===void 0||i===void 0||n.dropRows)return[];let a=t.columns.map((e,r)=>({from:n.columns.find(t=>t.name===e),to:i.columns.find(e=>e.name===t.targetColumns[r])})),o=`${(0,r.Cm)(n)}.${t.columns.join(`, `)} refers to ${(0,r.Cm)(i)} (${t.name})`,{place:s}=a[0]?.from??{},c=a.map(({from:e})=>z(e)===`null`);return c.includes(!0)?qe(t)&&c.includes(!1)?[{place:s,table:n.id,what:`${o} with MATCH FULL: use null for all of its columns, or for none`}]:[]:i.dropRows?[{place:s??n.place,table:n.id,what:`${o}, whose rows are dropped: take null or drop_rows for it as well`}]:a.every(({from:e,to:t})=>e&&t&&Je(e,t))?[]:[{place:s,table:n.id,what:`${o}: both ends need the same rule, one of ${Ue.join(`, `)}`}]}function Xe(e){let t=e.tables.filter(a.bf),n=new Map(e.tables.map(e=>[e.id,e])),i=Map.groupBy(e.uniques,({table:e})=>e);return[...t.flatMap(e=>{let t=Ge(e);return t===void 0?[]:[{place:e.place,table:e.id,what:`${(0,r.Cm)(e)} ${t}`}]}),...t.filter(({dropRows:e})=>!e).flatMap(e=>[...e.columns.flatMap(t=>{let n=We(e,t);return n===void 0?[]:[{place:t.place,table:e.id,what:`${(0,r.Cm)(e)}.${t.name} ${n}`}]}),...Ke(e,i.get(e.id)??[])]),...e.foreignKeys.flatMap(e=>Ye(n,e))]}let Ze=(e,t)=>RegExp(`^${e.split(`*`).map(e=>e.replace(/[\\^$.*+?()[\]{}|]/g,`\\$&`)).join(`.*`)}$`,`s`).test(t),B=`correct these rules. Run dry_run: true with database_url and without mask_file to print a complete file`;function Qe({rules:e},{schema:t,name:n}){return(e.get(n)??[]).filter(e=>Ze(e.schema,t)).sort((e,t)=>Number(e.schema.includes(`*`))-Number(t.schema.includes(`*`)))}function $e(e,t){let n=e.tables.get(t.parent??``);return[...Qe(e,t),...n?$e(e,n):[]]}function et(e,t){let n=(0,a.Wd)(t)?$e(e,t):[],r=t.columns.map(e=>{let t=n.flatMap(({columns:t})=>t.filter(t=>t.column===e.name))[0];return{...e,rule:t?.rule,place:t?.place}});return{...t,columns:r,dropRows:n[0]?.dropRows===!0,place:n[0]?.place}}function tt(e,{tables:t,byName:n}){let i=[],o=[...t.values()].filter(a.Wd),s=o.map(r.Cm);for(let t of e.tables){let e=(0,r.Cm)({schema:t.schema,name:t.table}),c=(n.get(t.table)??[]).filter(({schema:e})=>Ze(t.schema,e)),l=c.filter(a.Wd);for(let n of c.filter(e=>!(0,a.Wd)(e))){let r=n.keeper?`belongs to ${n.keeper}`:`is a ${n.kind}`;t.schema.includes(`*`)||i.push({place:t.place,what:`${e} ${r}, and takes no rules`})}if(c.length===0){let n=i.length<4?s:[],a=(0,N.C_)(e,n),c=new Set((0,N.ZA)(e,n));i.push({place:t.place,what:`there is no table ${e}${a||`: remove its rules`}`,meant:o.filter(e=>c.has((0,r.Cm)(e))).flatMap(e=>e.columns.map(({name:t})=>`${(0,r.Cm)(e)}.${t}`))})}let u=new Set(l.flatMap(({columns:e})=>e.map(({name:e})=>e)));for(let{column:n,place:a}of l.length>0?t.columns:[]){if(u.has(n))continue;let t=(0,N.C_)(n,u),o=(0,N.ZA)(n,u);i.push({place:a,what:`${e} has no column ${n}${t||`: remove the rule`}`,meant:l.flatMap(e=>o.map(t=>`${(0,r.Cm)(e)}.${t}`))})}}return i}let nt=(e,t)=>e.filter(e=>(0,a.Ve)(e)&&!e.dropRows).filter(({kind:e,rows:t})=>e!==`large objects`||t>0).flatMap(e=>e.columns.filter(({rule:e,holdsText:t,isGenerated:n})=>e===void 0&&t&&!n).filter(({name:n})=>!t.has(`${(0,r.Cm)(e)}.${n}`)).map(({name:t,type:n})=>({what:`${(0,r.Cm)(e)}.${t} (${n}) has no rule`})));function V(e,t){let n={tables:new Map(t.tables.map(e=>[e.id,e])),byName:Map.groupBy(t.tables,({name:e})=>e),rules:Map.groupBy(e.tables,({table:e})=>e)},r=t.tables.map(e=>et(n,e)),i={...t,tables:r},a=tt(e,n),o=new Set(a.flatMap(({meant:e=[]})=>e));return{plan:i,problems:[...a,...nt(r,o),...Xe(i)]}}function rt(e,t){let{plan:n,problems:r}=V(e,t);if(r.length>0)throw new MaskFileError(e.file,r,B);return n}let it=[[`Rails`,`schema_migrations`,[`version`]],[`Rails`,`ar_internal_metadata`,[`key`,`value`,`created_at`,`updated_at`]],[`Django`,`django_migrations`,[`app`,`name`,`applied`]],[`Django`,`django_content_type`,[`app_label`,`model`]],[`Django`,`auth_permission`,[`name`,`content_type_id`,`codename`]],[`Alembic`,`alembic_version`,[`version_num`]],[`Flyway`,`flyway_schema_history`,[`installed_rank`,`version`,`description`,`type`,`script`,`checksum`,`installed_by`,`success`]],[`Liquibase`,`databasechangelog`,[`id`,`author`,`filename`,`orderexecuted`,`exectype`,`md5sum`,`description`,`comments`,`tag`,`liquibase`,`contexts`,`labels`,`deployment_id`]],[`Prisma`,`_prisma_migrations`,[`id`,`checksum`,`migration_name`,`applied_steps_count`]],[`Drizzle`,`__drizzle_migrations`,[`hash`,`created_at`]],[`Diesel`,`__diesel_schema_migrations`,[`version`,`run_on`]],[`sqlx`,`_sqlx_migrations`,[`version`,`description`,`checksum`,`execution_time`]],[`Knex`,`knex_migrations`,[`name`,`batch`,`migration_time`]],[`TypeORM`,`migrations`,[`timestamp`,`name`]],[`TypeORM`,`typeorm_metadata`,[`type`,`database`,`schema`,`table`,`name`,`value`]],[`Sequelize`,`SequelizeMeta`,[`name`]]];function at({name:e,columns:t},n){let r=new Set(t.map(e=>e.name));return it.find(([,t,i])=>t===e&&i.includes(n)&&i.every(e=>r.has(e)))?.[0]}function ot({rows:e},t){let{name:n,family:r,distinct:i,notNull:a}=t;if(r===`json`)return a?`{ fixed: '{}' }`:`null`;if(r===`bytes`)return a?`{ fixed: '' }`:`null`;if(r===`ip`||r===`ips`)return`ip`;if(r===`geometry`||r===`geography`)return`location`;if(r!==`text`&&r!==`texts`)return a?`keep`:`null`;let s=(0,o.$F)(n);if(s!==void 0&&(0,o.WM)(t,{kind:s})!==void 0)return`hash`;let c=i!==null&&i>0&&i<Math.min(20,e/5);return s??(c?`keep`:`text`)}let H=(e,t)=>`${e} ${t}`;function st({tables:e,uniques:t}){let n=new Map;for(let r of e.filter(a.Ve))for(let e of r.columns.filter(({holdsText:e,isGenerated:t})=>e&&!t)){let i=t.some(t=>t.table===r.id&&t.columns.includes(e.name)),a=t.some(t=>t.isExclusion&&t.table===r.id&&t.columns.includes(e.name)),s=e.decidesPart||a||r.elsewhere.length>0||!r.isOurs,c=at(r,e.name),l=s||c!==void 0,u=l?`keep`:i?(0,o.ZE)(e):ot(r,e),d=s?`cannot be changed`:c===void 0?i?`must stay unique`:``:`${c} needs it`;n.set(H(r.id,e.name),{column:e,rule:u,remark:d,isKept:l})}return n}function ct({foreignKeys:e},t){for(let n of e)for(let n of e)n.columns.forEach((e,r)=>{let i=t.get(H(n.table,e)),a=t.get(H(n.target,n.targetColumns[r]??``));if(i===void 0||a===void 0)return;let s=[i,a].map(({column:e})=>(0,o.ZE)(e)).includes(`keep`)||i.column.ignoresCase!==a.column.ignoresCase||i.isKept||a.isKept||a.rule===`keep`?`keep`:a.rule===`email`?`email`:`hash`;Object.assign(i,{rule:s,remark:i.remark||`refers to another table (${n.name})`}),a.rule=s})}let U=e=>/^[A-Za-z_][\w.]*$/.test(e)?e:JSON.stringify(e);function lt({column:e,rule:t,remark:n}){let{name:r,type:i,distinct:a,width:o}=e,s=a!==null&&o!==null?`, ${Math.round(a)} distinct, ${o} bytes`:``;return`  ${U(r)}: ${t} # ${i}${s}${n&&`; ${n}`}`}function ut(e,t){let n=U((0,r.Cm)(e));if(e.kind===`large objects`)return e.rows===0?[]:[`${n}: drop_rows # about ${e.rows} large objects`];let i=e.columns.flatMap(({name:n})=>t.get(H(e.id,n))??[]);if(i.length===0)return[];let a=e.columns.filter(({holdsText:e,isGenerated:t})=>!e&&!t);return[`${n}:`,...i.map(lt),...a.length>0?[`  # kept without a rule: ${a.map(({name:e})=>U(e)).join(`, `)}`]:[]]}function dt(e){let t=st(e);return ct(e,t),`${[`# Guessed by names and statistics: look at every line.`,...e.tables.filter(a.Ve).flatMap(e=>ut(e,t))].join(`
`)}\n`}let W=`('pg_catalog'::regnamespace, 'information_schema'::regnamespace)`,G=(e,t)=>`not exists (select from pg_depend where classid = ${e} and objid = ${t} and deptype = 'e')`,K=`'pg_class'::regclass`,q=`'pg_type'::regclass`,J=`pronamespace not in ${W} and ${G(`'pg_proc'::regclass`,`oid`)}`,ft=`classoid <> 'pg_extension'::regclass and ${G(`classoid`,`objoid`)}
  and (objoid >= 16384 or classoid = 'pg_largeobject'::regclass
    or classoid = 'pg_namespace'::regclass and objoid = 2200 and description <> 'standard public schema')`,pt=[[`'view ' || oid::regclass`,`pg_get_viewdef(oid)`,`pg_class where relkind in ('v', 'm') and relnamespace not in ${W} and ${G(K,`oid`)}`],[`'default of ' || adrelid::regclass`,`pg_get_expr(adbin, adrelid)`,`pg_attrdef where ${G(K,`adrelid`)}`],[`'default of ' || attrelid::regclass`,`quote_literal(attmissingval::text)`,`pg_attribute where atthasmissing`],[`'constraint ' || conname`,`pg_get_constraintdef(oid)`,`pg_constraint where connamespace not in ${W} and connamespace::regnamespace::text !~ '^_timescaledb_'
      and ${G(K,`conrelid`)} and ${G(q,`contypid`)}`],[`'index ' || indexrelid::regclass`,`pg_get_indexdef(indexrelid)`,`pg_index where indpred is not null or indexprs is not null`],[`'partition ' || oid::regclass`,`pg_get_expr(relpartbound, oid)`,`pg_class as part where relpartbound is not null and exists (select from pg_inherits join pg_partitioned_table on partrelid = inhparent
  left join pg_attribute on attrelid = partrelid and attnum = any (partattrs) left join pg_type on pg_type.oid = atttypid
  where inhrelid = part.oid and (typcategory = 'S' or 0 = any (partattrs)))`],[`'policy ' || polname`,`pg_get_expr(polqual, polrelid)`,`pg_policy`],[`'policy ' || polname`,`pg_get_expr(polwithcheck, polrelid)`,`pg_policy`],[`'rule ' || rulename`,`pg_get_ruledef(oid)`,`pg_rewrite where rulename <> '_RETURN'`],[`'trigger ' || tgname`,`pg_get_triggerdef(oid)`,`pg_trigger where not tgisinternal`],[`'function ' || oid::regproc`,`pg_get_function_arguments(oid)`,`pg_proc where proargdefaults is not null and ${J}`],[`'function ' || oid::regproc`,`pg_get_function_sqlbody(oid)`,`pg_proc where prosqlbody is not null and ${J}`,14e4],[`'publication of ' || prrelid::regclass`,`pg_get_expr(prqual, prrelid)`,`pg_publication_rel where prqual is not null`,15e4],[`'type ' || enumtypid::regtype`,`quote_literal(enumlabel)`,`pg_enum where ${G(q,`enumtypid`)}`],[`'type ' || oid::regtype`,`quote_literal(typdefault)`,`pg_type where typdefault is not null and typnamespace not in ${W} and ${G(q,`oid`)}`],[`'foreign server ' || srvname`,`quote_literal(array_to_string(srvoptions, ' '))`,`pg_foreign_server`],[`'foreign table ' || ftrelid::regclass`,`quote_literal(array_to_string(ftoptions, ' '))`,`pg_foreign_table`],[`'settings of roles and databases'`,`quote_literal(array_to_string(setconfig, ' '))`,`pg_db_role_setting`],[`'comments of roles and databases'`,`quote_literal(description)`,`pg_shdescription where objoid >= 16384`]];function mt(e){return`select place, found[1] from (${pt.filter(([,,,t=0])=>e>=t).map(([e,t,n])=>`select ${e}, ${t} from ${n}`).join(` union all `)}) as definition(place, text),
    regexp_matches(text, '"(?:[^"]|"")*"|(''(?:[^'']|'''')*'')', 'g') as found where found[1] is not null`}let Y=1e6,ht=String.raw`[\x01-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]`,gt=(e,t)=>`regexp_replace(${e}, E'${t.replaceAll(`\\`,`\\\\`)}+', ' ', 'g')`,_t=e=>`case when strpos(${e}, '\\') > 0 then ${gt(e,String.raw`(?:\\[nrtfb]|${ht})`)} else ${gt(e,ht)} end`,vt=`${i.fY}.folding`,X=(e,t=vt)=>`string_to_array(lower((${_t(`${e} collate "C"`)}) collate ${t}), ' ')`,yt=e=>`array_remove(${X(e)}, '')`,bt=e=>`array_remove(${X(e,`"C"`)}, '')`,xt=e=>`substring(${(0,i.br)(`array_to_string(${e}, ' ')`)}, 1, 16)`,St=e=>`hashtextextended(${e} collate "C", (select seed from ${i.fY}.secret))`,Z=e=>`encode(${e}, 'escape')`,Ct=e=>`concat_ws(' ', ${e}::text, (select string_agg(lexeme, ' ' order by position)
    from unnest(${e}) as entry, unnest(positions) as position))`;function wt({name:e,family:t,type:n}){let r=(0,i.AB)(e);return n===`tsvector`?Ct(r):t===`texts`?`array_to_string(${r}::text[], ' ')`:t===`bytes`?Z(`${r}::bytea`):t===`json`?`${r}::text || case when strpos(${r}::text, '\\u') > 0 then ' ' || (${(0,P.Vh)(r)})::text else '' end`:`${r}::text`}function Tt({name:e,family:t,rule:n}){let r=(0,i.AB)(e);return n?.paths===void 0?t===`ip`?`select host(${r})`:t===`texts`?`select unnest(${r}::text[])`:t===`bytes`?`select ${Z(`${r}::bytea`)}`:t===`json`?`select one #>> '{}' from jsonb_path_query(${(0,P.Vh)(r)}, 'strict $.** ? (@.type() == "string")') as string(one)`:`select ${r}::text`:(0,P.Sq)((0,P.Vh)(r),n.paths)}let Q=(e,{name:t})=>`${(0,r.Cm)(e)}.${t}`,Et=[`table`,`continuous aggregate`];function Dt(e){let t=e.columns.filter(({holdsText:e})=>e);if(t.length===0||!Et.includes(e.kind))return[];let n=t.map(t=>`(${(0,i.ol)(Q(e,t))}, ${wt(t)})`);return[{places:t.map(t=>Q(e,t)),texts:`select cell.place, cell.value from ${(0,r.RO)(e)} as target, lateral (values ${n.join()}) as cell(place, value) where ${c}`}]}let Ot=({version:e,statements:t})=>[{places:[`large objects`],texts:`select 'large object ' || object.oid, ${Z(`lo_get(object.oid, start, 510000)`)}
      from ${y.x.replace(`where`,`, generate_series(0::bigint, lo_lseek64(lo_open(object.oid, 262144), 0, 2), 500000) as start where`)}`},{places:[`comments`],isSchema:!0,texts:`select 'comment on ' || pg_describe_object(classoid, objoid, objsubid), description from pg_description where ${ft}`},{places:[`function bodies`],isSchema:!0,texts:`select 'function ' || oid::regproc, prosrc from pg_proc where ${J}`},...t===null?[]:[{places:[`pg_stat_statements`],texts:`select 'pg_stat_statements', query from ${t}.pg_stat_statements`}],{places:[`definitions and settings`],isSchema:!0,texts:mt(e)}],$=4e3;function kt({tables:e}){return e.flatMap(e=>e.columns.filter(t=>e.dropRows||(0,a.So)(t)&&t.rule?.kind!==`shuffle`).filter(({holdsText:e,type:t})=>e||/^(?:bigint|numeric)/.test(t)).filter(()=>e.kind===`table`).map(t=>({table:e,column:t}))).map((e,t)=>({number:t,...e}))}let At=e=>`${e} ~ '^([[:alpha:]]+|[a-z]+([_-][a-z]+)+)$'`;function jt({number:e,table:t,column:n}){let a=`select part.value from ${(0,r.RO)(t)} as target, lateral (${Tt(n)}) as part(value)`,s=t.rows>2*$?`and random() < ${2*$/t.rows}`:``,c=n.rule===void 0?[]:(0,o.sm)(n.rule),l=c.length>0?`and value not in (${c.map(i.ol).join()})`:``;return`
    with seen as materialized (
      select distinct left(value, ${Y}) as value from (${a}) as all_parts
      where value is not null ${s} ${l} limit ${$}),
    counted as materialized (
      select left(value, ${Y}) as value, count(*) as times from (${a}) as all_parts
      where left(value, ${Y}) in (select value from seen) group by 1),
    long as materialized (
      select value, times, ${yt(`value`)} as words, ${bt(`value`)} as in_bytes from counted where length(value) >= 8),
    taken as (select words, in_bytes, ${At(`value`)} as is_ordinary from long where times = 1 and words <> '{}' order by random() limit 1000),
    -- Letters beyond ASCII look otherwise in a column of bytes.
    form as (
      select words, is_ordinary from taken
      union all
      select ${yt(`encode(convert_to(array_to_string(in_bytes, ' '), 'UTF8'), 'escape')`)}, is_ordinary from taken
      where octet_length(array_to_string(words, '')) <> length(array_to_string(words, ''))),
    frequency as (select word, count(*) as times from form, unnest(words) as word group by word),
    made as (
      insert into ${i.fY}.needle (source, hash, words, first, word, is_ordinary)
      select ${e}, ${xt(`words`)}, cardinality(words), place, ${St(`word`)}, is_ordinary
      from form, lateral (select word, place from unnest(words) with ordinality as one(word, place)
        join frequency using (word) order by times, length(word) desc, place limit 1) as rarest
      returning 1)
    select (select count(*) from taken)::int as taken, (select count(*) from made)::int as made,
      (select count(*) from counted where length(value) < 8)::int as "tooShort",
      (select count(*) from long where times > 1)::int as "notUnique"`}async function Mt(e,t,n){let i=[],a=kt(t);return await(0,_.HN)(e,t,{sessions:n,tasks:a},async(e,t)=>{let n=`${(0,r.Cm)(t.table)}.${t.column.name}`,a=await(0,_.iW)(`the originals of ${n}`,()=>(0,s.zZ)(e,jt(t)));i[t.number]={column:n,...a}}),i}let Nt=({texts:e,isSchema:t=!1})=>`
  insert into ${i.fY}.hit
  select place, needle.id, count(*), ${t}
  from (select place, words, unnest(words) as word, generate_subscripts(words, 1) as at
      from (select place, ${X(`value`)} as words
        from (select place, left(value, ${Y}) as value from (${e}) as cell(place, value)
          where length(value) >= 8 offset 0) as cell offset 0) as split) as one
    join ${i.fY}.needle on needle.word = ${St(`one.word`)} ${t?`and not is_ordinary`:``}
  where ${xt(`one.words[at - first + 1 : at - first + needle.words]`)} = needle.hash
  group by 1, 2`;async function Pt(e,t,n){let r=t.places.join(`, `),i=await e.attempt(Nt(t));i instanceof s.Mp?i.code===`42501`?n.notSearched.push(`${r}: ${(0,_.a2)(i)}`):await(0,_.iW)(`the search in ${r}`,()=>Promise.reject(i)):n.searched.push(...t.places)}let Ft=({tables:e})=>e.filter(e=>(0,a.bf)(e)&&!e.dropRows).flatMap(e=>e.columns.filter(({rule:e})=>e!==void 0&&[`all`,`chance`].some(t=>(0,o.wf)(e)===t)).map(t=>Q(e,t))),It=`
  with found as (
    select distinct hit.place, source, needle from ${i.fY}.hit join ${i.fY}.needle on needle.id = hit.needle
    where place = any ($1) and (times > 10 or place = any ($2))),
  few as (
    select place, source from found group by 1, 2 having count(*) <= greatest(3, 0.01 *
      (select count(*) from ${i.fY}.needle where needle.source = found.source)))
  delete from ${i.fY}.hit where needle in (select needle from found join few using (place, source))
  returning needle`,Lt=`
  select place, sum(times)::float8 as times, count(distinct hit.needle)::int as originals, array_agg(distinct source) as from, bool_and(is_schema) as "isSchema"
  from ${i.fY}.hit join ${i.fY}.needle on needle.id = hit.needle group by place order by place`,Rt=[`values that hold no text, like numbers and times`,`originals that are part of a longer word, or encoded`,`names of tables, columns, roles and jobs`,`what follows the first ${Y} characters of a value`,`comments and definitions that PostgreSQL and extensions bring`,`ordinary words in comments, functions and definitions`,`deleted row versions in the data files`,`earlier snapshots, the write-ahead log and the server log`],zt=({derived:e})=>[...e.flatMap(({name:e,isAggregate:t})=>t?[]:[`materialized view ${e}`]),`statistics`,`indexes`];async function Bt(e,t,{sessions:n,...a}){let c={searched:[],notSearched:[...Rt],rebuilt:zt(t),common:0,hits:[]};for(let e of t.tables)e.kind===`foreign table`&&c.notSearched.push(`${(0,r.Cm)(e)}: a foreign table`),e.elsewhere.length>0&&c.notSearched.push(`${e.elsewhere.join(`, `)}: foreign parts of ${(0,r.Cm)(e)}`);let l=t.tables.toSorted((e,t)=>t.rows-e.rows),d=[...l.flatMap(Dt),...Ot(t)];await e(e=>(0,_.iW)(`the originals`,()=>e.query(`create index on ${i.fY}.needle (source); analyze ${i.fY}.needle`))),await u(e,{stage:`searching`,allRows:l.reduce((e,{rows:t})=>e+t,0),...a},()=>(0,_.HN)(e,t,{sessions:n,tasks:d},(e,t)=>Pt(e,t,c)));let f=kt(t);return await e(async e=>{let n=t.tables.flatMap(e=>e.columns.filter(({rule:e})=>e!==void 0&&(0,o.wf)(e)===`chance`).map(t=>Q(e,t))),r=await e.query(It,[Ft(t),n]);c.common=new Set(r.rows.map(({needle:e})=>e)).size;let i=await(0,s.Ym)(e,Lt);c.hits=i.map(e=>({...e,from:e.from.flatMap(e=>f[e]??[]).map(({table:e,column:t})=>Q(e,t))}))}),c}var Vt=n(9668);async function Ht(e,t){await e.query(`savepoint trial`);try{let n=await e.query(`select`);for(let r of t)n=await e.query(r);return n}catch(e){if(!(e instanceof s.Mp))throw e;return(0,_.a2)(e)}finally{await e.attempt(`rollback to savepoint trial`)}}function Ut({notValid:e},t,n,a){let s=t.columns.filter(({isGenerated:e})=>!e),c=s.map(({name:e})=>(0,i.AB)(e)).join(),l=s.map(e=>(0,o.pM)(e,a(e)&&e.rule||{kind:`keep`},m(s)));return[`create temp table tried (like ${(0,i.AB)(t.schema)}.${(0,i.AB)(t.name)}
       including constraints including defaults including generated including indexes) on commit drop`,...e.filter(e=>e.table===t.id).map(({name:e})=>`alter table pg_temp.tried drop constraint if exists ${(0,i.AB)(e)}`),`insert into pg_temp.tried (${c}) select ${l.join()} from ${(0,r.RO)(t)} as target
       ${n===void 0?``:`limit ${n}`}`]}async function Wt(e,t,n,i){let a=r=>Ht(e,Ut(t,n,i,r)),o=await a(()=>!0);if(typeof o!=`string`)return[];let s=[];for(let{name:e,place:t}of d(n)){let i=await a(t=>t.name===e);typeof i==`string`&&s.push({place:t,what:`the rule for ${(0,r.Cm)(n)}.${e} fails: ${i}`})}return s.length>0?s:[{place:n.place,what:`the rules for ${(0,r.Cm)(n)} fail together: ${o}`}]}async function Gt(e,t,n){let i=new Map(t.tables.map(e=>[e.id,e])),a=[];for(let s of E(t)){let[t,c]=[i.get(s.table),i.get(s.target)];if(!t||!c||t.dropRows||c.dropRows||/ NOT (?:VALID|ENFORCED)$/.test(s.definition)||n.has(t.id)||n.has(c.id))continue;let l=(e,t)=>t.flatMap((t,n)=>{let r=e.columns.find(e=>e.name===t),i=r?.rule?.kind===`sql`||r?.rule?.kind===`null`;return r?[`${(0,o.pM)(r,i&&r.rule||{kind:`keep`})} as key_${n}`]:[]}),u=(e,t)=>s.columns.map((t,n)=>e(n)).join(t),d=s.definition.includes(` MATCH FULL`)?` or `:` and `,f=await Ht(e,[`select count(*)::int as rows from (select ${l(t,s.columns).join()}
        from ${t.isPlain?`only `:``}${s.relation} as target) as child
      where (${u(e=>`child.key_${e} is not null`,d)})
        and not exists (select from (select ${l(c,s.targetColumns).join()} from ${(0,r.RO)(c)} as target) as parent
          where ${u(e=>`parent.key_${e} = child.key_${e}`,` and `)})`]),p=typeof f==`string`?0:Number(f.rows[0]?.rows),m=typeof f==`string`?f:p>0?`${p} ${p===1?`row has`:`rows have`} no match there`:void 0;m!==void 0&&a.push({place:t.columns.find(({name:e})=>e===s.columns[0])?.place??t.place,what:`${(0,r.Cm)(t)}.${s.columns.join(`, `)} refers to ${(0,r.Cm)(c)} (${s.name}): ${m}`})}return a}async function Kt(e,t,{rows:n,without:r}){await e.query(`begin`);try{for(let{lift:n}of t.policies)await(0,_.iW)(`a policy that hides rows`,()=>e.query(n));await(0,_.XT)(e);let i=[];for(let a of f(t))r.has(a.id)||i.push(...await Wt(e,t,a,n));return[...i,...await Gt(e,t,r)]}finally{await e.attempt(`rollback`)}}let qt=`correct these rules, or the parent; the copy is not to be used`,Jt=({place:e})=>e?.line??0;function Yt(e,t,n){if(t.length===0)return;let r=t.toSorted((e,t)=>Jt(e)-Jt(t));throw new MaskFileError(e.file,r,n)}async function Xt(e,t,n){let{plan:i,problems:a}=V(t,await(0,r.uM)(e));await(0,_.iA)(e,i);let o=await Kt(e,i,{rows:n,without:new Set(a.flatMap(({table:e=[]})=>e))});return Yt(t,[...a,...o],a.length>0?B:qt),i}async function Zt(e,t){let{mayTry:n}=await(0,s.zZ)(e,`select has_database_privilege(current_database(), 'create')
  and has_database_privilege(current_database(), 'temporary') and not pg_is_in_recovery() as "mayTry"`),{plan:i,problems:a}=V(t,await(0,r.uM)(e)),o=new Set([...a.flatMap(({table:e=[]})=>e),...i.policies.map(({table:e})=>e)]);await(0,_.iA)(e,i);let c=n?await Kt(e,{...i,policies:[]},{without:o}):[];Yt(t,[...a,...c],a.length>0?B:qt);let l=f(i),u=l.reduce((e,t)=>e+d(t).length,0),p=i.tables.filter(({id:e})=>!n||o.has(e));return{columns:u,tables:l.length,untried:p.filter(e=>l.includes(e)).length}}async function Qt(e,t){return rt(t,await(0,r.uM)(e))}let $t=`reset search_path`;async function en(e){return await e.query($t),dt(await(0,r.uM)(e))}async function tn(e,t){let n=R(t);return await e.query($t),await Zt(e,n)}async function nn(e,{tables:t}){let n=t.filter(a.bf).map(e=>[(0,r.Cm)(e),e.columns.map(({name:e,type:t})=>[e,t])]),{rows:i}=await e.query(`select encode(sha256(convert_to($1, 'UTF8')), 'hex') as hash`,[JSON.stringify(n)]);return String(i[0]?.hash)}async function rn(e,{file:t,sessions:n=4,...r}){let i=t=>e(async e=>(await e.query($t),await t(e))),a=R(t),{plan:o,catalog:s}=await i(async e=>{let t=await Xt(e,a,1e3);for(let{lift:n}of t.policies)await(0,_.iW)(`a policy that hides rows`,()=>e.query(n));return await(0,_.XT)(e),{plan:t,catalog:await nn(e,t)}}),c=await Mt(i,o,n),l=await Me(i,o,{sessions:n,...r}),u=await Bt(i,await i(async e=>(o.statements!==null&&await e.attempt(`select ${o.statements}.pg_stat_statements_reset()`),await Qt(e,a))),{sessions:n,...r});return await i(async e=>{await(0,_.ml)(e);for(let{restore:t}of o.policies)await(0,_.iW)(`a policy, put back after masking`,()=>e.query(t))}),{...(0,Vt.Ue)(o),catalog:s,rows:l,samples:c,proof:u}}}),7996:((e,t,n)=>{n.d(t,{C:()=>g,x:()=>o});let r=({version:e})=>`
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
      where typtype = 'd')`,i=({timescaledb:e})=>`
  hypertable(id, is_compressed) as (${e===null?`select null::oid, false where false`:`select to_regclass(format('%I.%I', schema_name, table_name))::oid, exists (select from timescaledb_information.chunks
           where hypertable_schema = schema_name and hypertable_name = table_name and is_compressed)
         from _timescaledb_catalog.hypertable`}),
  covered(id, parent) as (
    select inhrelid, inhparent from pg_inherits join pg_class on pg_class.oid = inhrelid
    where relispartition or inhparent in (select id from hypertable)),
  tree(root, id) as (
    select oid, oid from pg_class where relkind in ('r', 'p', 'm', 'f') and oid not in (select id from covered)
    union all select root, covered.id from tree join covered on covered.parent = tree.id)`,a=({workSchema:e})=>`(nspname in ('pg_catalog', 'information_schema', '${e}') or nspname ~ '^pg_(toast|temp)')`,o=`pg_largeobject_metadata as object
  where not exists (select from pg_description where classoid = 'pg_largeobject'::regclass and objoid = object.oid
    and description like 'managed-database-action: %')`,s=e=>`with recursive ${i(e)},
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
    pg_get_userbyid(relowner)::text as owner, pg_has_role(relowner, 'usage') as "isOurs",
    case when nspname ~ '^_timescaledb_' then 'timescaledb' else
      (select extname::text from pg_depend join pg_extension on pg_extension.oid = refobjid
        where classid = 'pg_class'::regclass and objid = class.oid and deptype = 'e' limit 1) end as keeper,
    class.oid in (select id from hypertable) as "isHypertable",
    coalesce((select is_compressed from hypertable where id = class.oid), false) as "isCompressed",
    relkind = 'r' and class.oid not in (select id from hypertable) as "isPlain",
    exists (select from pg_rewrite where ev_class = class.oid and ev_type = '2') as "hasRewriteRule",
    (select inhparent::text from pg_inherits where inhrelid = class.oid order by inhseqno limit 1) as parent,
    elsewhere, parts
  from pg_class as class join pg_namespace on pg_namespace.oid = relnamespace join whole on root = class.oid
  where relkind in ('r', 'p', 'm', 'f') and class.oid not in (select id from covered) and not ${a(e)}
  union all
  select 'pg_largeobject', 'pg_catalog', 'pg_largeobject', 'large objects', count(*), current_user::text,
    coalesce(bool_and(pg_has_role(lomowner, 'usage')), true), null, false, false, true, false, null, '{}', '{}'
  from ${o}
  order by 2, 3`,c=e=>`with recursive ${r(e)}, ${i(e)},
  divided(root, name) as (
    select root, attname from tree join pg_partitioned_table on partrelid = tree.id join pg_attribute on attrelid = tree.id
    where partstrat <> 'h' and (attnum = any (partattrs) or 0 = any (partattrs))
    ${e.timescaledb===null?``:`union all select to_regclass(format('%I.%I', schema_name, table_name))::oid, column_name
             from _timescaledb_catalog.dimension join _timescaledb_catalog.hypertable as whole on whole.id = hypertable_id`}),
  shape as (
    select schemaname, tablename, attname, max(-n_distinct) filter (where n_distinct < 0) as share,
      max(n_distinct) filter (where n_distinct >= 0) as count, max(avg_width) as width
    from pg_stats group by 1, 2, 3)
  select * from (select attrelid::text as table, pg_attribute.attname::text as name, format_type(atttypid, atttypmod) as type,
    case when type.typcategory = 'S' then 'text'
      when type.typcategory = 'A' and element.typcategory = 'S' then 'texts'
      when type.typname in ('json', 'jsonb') then 'json' when type.typname = 'bytea' then 'bytes'
      when type.typname in ('inet', 'cidr') then 'ip' when element.typname in ('inet', 'cidr') then 'ips'
      when type.typname in ('date', 'timestamp', 'timestamptz') then 'date' when type.typcategory = 'N' then 'number'
      when type.typname in ('point', 'geometry', 'geography') then type.typname else 'other' end as family,
    atttypid in (select id from texts) and not (atttypid = 'name'::regtype and exists (select from pg_depend
  where classid = 'pg_class'::regclass and objid = attrelid and deptype = 'e')) as "holdsText",
    case when type.typname in ('varchar', 'bpchar') and greatest(atttypmod, modifier) > 4
      then greatest(atttypmod, modifier) - 4 when type.typname = 'name' then 63 end as length,
    attnotnull or declared.typnotnull as "notNull", attgenerated <> '' as "isGenerated", attidentity = 'a' as "isAlwaysIdentity",
    type.typname = 'citext' as "ignoresCase",
    (attrelid, pg_attribute.attname) in (select root, name from divided) as "decidesPart",
    greatest(share * greatest(class.reltuples, 0), count)::float8 as distinct, shape.width, attnum as position
  from pg_attribute join pg_class as class on class.oid = attrelid join pg_namespace on pg_namespace.oid = relnamespace
    join pg_type as declared on declared.oid = atttypid
    join base on base.id = atttypid join pg_type as type on type.oid = base.type
    left join pg_type as element on element.oid = type.typelem
    left join shape on schemaname = nspname and tablename = relname and shape.attname = pg_attribute.attname
  where attnum > 0 and not attisdropped and relkind in ('r', 'p', 'm', 'f')
    and attrelid not in (select id from covered) and not ${a(e)}
  union all
  select 'pg_largeobject', 'data', 'bytea', 'bytes', true, null, true, false, false, false, false, null, null, 1
  from ${o}) as found order by position`,l=e=>`with recursive ${i(e)}
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
  where (indisunique or indisexclusion) and not ${a(e)}`,u=e=>`with recursive ${i(e)}
  select conname::text as name, conrelid::regclass::text as relation, one.root::text as table,
    array(select attname::text from unnest(conkey) with ordinality as key(number, position)
      join pg_attribute on attrelid = conrelid and attnum = number order by position) as columns,
    other.root::text as target,
    array(select attname::text from unnest(confkey) with ordinality as key(number, position)
      join pg_attribute on attrelid = confrelid and attnum = number order by position) as "targetColumns",
    pg_get_constraintdef(key.oid) as definition
  from pg_constraint as key join tree as one on one.id = conrelid join tree as other on other.id = confrelid
  where contype = 'f' and conparentid = 0
    and not exists (select from covered join hypertable on hypertable.id = parent where covered.id in (conrelid, confrelid))`,d=e=>`not exists (select from covered join hypertable on hypertable.id = parent where covered.id = ${e})`,f=e=>`with recursive ${i(e)}
  select root::text as table, format('alter table %s disable trigger %I', tgrelid::regclass, tgname) as lift,
    format('alter table %s enable %s trigger %I', tgrelid::regclass,
      case tgenabled when 'A' then 'always' when 'R' then 'replica' else '' end, tgname) as restore
  from pg_trigger join tree on tree.id = tgrelid join pg_proc on pg_proc.oid = tgfoid
    join pg_namespace on pg_namespace.oid = pronamespace
  where not tgisinternal and tgenabled in ('O', 'A') ${e.version>=13e4?`and tgparentid = 0`:``}
    and nspname !~ '^_timescaledb_' and ${d(`tgrelid`)}`,p=e=>`with recursive ${i(e)}
  select root::text as table, format('alter table %s no force row level security', class.oid::regclass) as lift,
    format('alter table %s force row level security', class.oid::regclass) as restore
  from pg_class as class join tree on tree.id = class.oid where relforcerowsecurity and pg_has_role(relowner, 'usage')`,m=e=>`with recursive ${i(e)}
  select root::text as table, conname::text as name,
    format('alter table %s drop constraint %I', conrelid::regclass, conname) as lift,
    format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(pg_constraint.oid)) as restore
  from pg_constraint join tree on tree.id = conrelid
  where contype = 'c' and not convalidated and coninhcount = 0 and ${d(`conrelid`)}`,h=({timescaledb:e})=>`with recursive
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
           from _timescaledb_catalog.continuous_agg join _timescaledb_catalog.hypertable on hypertable.id = mat_hypertable_id`}) as found order by position`,g=e=>({tables:s(e),columns:c(e),uniques:l(e),foreignKeys:u(e),obstacles:f(e),policies:p(e),notValid:m(e),derived:h(e)})}),5809:((e,t,n)=>{n.d(t,{Cm:()=>o,RO:()=>s,uM:()=>c});var r=n(6238),i=n(7996),a=n(4109);let o=({schema:e,name:t})=>{let n=e=>/[".]/.test(e)?`"${e.replaceAll(`"`,`""`)}"`:e;return`${n(e)}.${n(t)}`};function s({schema:e,name:t,isPlain:n,elsewhere:r,parts:i,columns:o}){let s=`${(0,a.AB)(e)}.${(0,a.AB)(t)}`;if(r.length===0)return n?`only ${s}`:s;let c=o.map(e=>(0,a.AB)(e.name)).join();return`(${[`select ${c} from only ${s} where false`,...i.map(e=>`select ${c} from ${e}`)].join(` union all `)})`}async function c(e){let[t]=await(0,r.Ym)(e,`select current_setting('server_version_num')::int as version, current_database()::text as database,
       current_user::text as user,
       case when to_regclass('_timescaledb_catalog.continuous_agg') is not null then
         (select quote_ident(nspname) from pg_extension join pg_namespace on pg_namespace.oid = extnamespace
           where extname = 'timescaledb') end as timescaledb,
       case when current_setting('pg_stat_statements.max', true) is not null then
         (select quote_ident(nspname) from pg_extension join pg_namespace on pg_namespace.oid = extnamespace
           where extname = 'pg_stat_statements') end as statements`);if(t===void 0)throw Error(`the database says nothing of itself`);let n=(0,i.C)({...t,workSchema:a.fY}),o=await(0,r.Ym)(e,n.tables),s=await(0,r.Ym)(e,n.columns),c=Map.groupBy(s,({table:e})=>e);return{...t,tables:o.map(e=>({...e,columns:c.get(e.id)??[]})),uniques:await(0,r.Ym)(e,n.uniques),foreignKeys:await(0,r.Ym)(e,n.foreignKeys),obstacles:await(0,r.Ym)(e,n.obstacles),policies:await(0,r.Ym)(e,n.policies),notValid:await(0,r.Ym)(e,n.notValid),derived:await(0,r.Ym)(e,n.derived)}}}),4109:((e,t,n)=>{n.d(t,{AB:()=>a,UU:()=>u,br:()=>s,fY:()=>r,ol:()=>o,uh:()=>c,vm:()=>d});let r=`managed_database_action_masking`,i=`(select key from ${r}.secret)`,a=e=>`"${e.replaceAll(`"`,`""`)}"`,o=e=>`'${e.replaceAll(`'`,`''`)}'`,s=e=>`sha256(${i} || convert_to(${e}, (select current_setting('server_encoding'))))`,c=e=>`encode(${s(e)}, 'hex')`,l=[`ba`,`do`,`fe`,`gu`,`ka`,`li`,`mo`,`nu`,`pe`,`ra`,`so`,`ti`,`ve`,`wi`,`xa`,`zo`];function u(e){let t=e=>`(array[${l.map(o).join()}])[1 + get_byte(digest, ${e}) % ${l.length}]`,n=e=>[0,1,2].map(n=>t(e+n)).join(` || `);return`(select initcap(${n(0)} || ' ' || ${n(3)}) from (select ${s(e)} offset 0) as made(digest))`}let d=e=>`(select coalesce(string_agg(case
    when letter between '0' and '9' then chr(48 + byte % 10)
    when letter between 'A' and 'Z' then chr(65 + byte % 26)
    when letter between 'a' and 'z' or ascii(letter) > 127 then chr(97 + byte % 26)
    else letter end, ''), ${e})
  from (select ${s(e)} offset 0) as made(digest),
    unnest(string_to_array(${e}, null)) with ordinality as part(one, place),
    lateral (select one collate "C", get_byte(digest, (place % 32)::int)) as now(letter, byte))`}),9578:((e,t,n)=>{n.d(t,{HN:()=>o,Sq:()=>d,Vh:()=>c,az:()=>u,mo:()=>f});var r=n(4109),i=n(3718);let a=[`*`,`**`];function o(e){return e.map(({path:e,...t})=>{let n=a.includes(e)?[]:e.split(`.`),r=n.filter(e=>!a.includes(e)).length,i=n.filter(e=>e!==`**`).length,o=n.map(e=>e===`**`?`([^.]*[.])*`:`${e===`*`?`[^.]*`:e.replace(/[^\p{L}\p{N}_ -]/gu,`\\$&`)}[.]`);return{exact:r,fixed:i,rule:{...t,pattern:`^${o.join(``)}`}}}).sort((e,t)=>t.exact-e.exact||t.fixed-e.fixed).map(({rule:e})=>e)}let s=String.raw`(?<!\\)((?:\\\\)*)\\u(?:0000|d[89ab]..(?!\\ud[c-f])|(?<!\\ud[89ab]..\\u)d[c-f]..)`,c=e=>`case when strpos(${e}::text, '\\u') > 0 then regexp_replace(${e}::text, '${s}', '\\1 ', 'gi')::jsonb else ${e}::jsonb end`,l=e=>`${(0,r.ol)(JSON.stringify(e))}::jsonb`,u=(e,t,n)=>`${r.fY}.masked_json(${t===`jsonb`?e:c(e)}, '', ${l(n)})`,d=(e,t)=>`select ${r.fY}.masked_texts(${e}, ${l(t)})`,f=e=>`
  create function ${r.fY}.rule_of(path text, rules jsonb) returns jsonb language sql immutable as
    $$ select rule from jsonb_array_elements(rules) with ordinality as one(rule, place)
      where path ~ (rule ->> 'pattern') order by place limit 1 $$;
  create function ${r.fY}.masked_text(original text, rule_kind text) returns text language plpgsql as
    $$ begin return case rule_kind ${e.map(([e,t])=>`when '${e}' then ${t}`).join(` `)} end; end $$;
  create function ${r.fY}.masked_json(node jsonb, path text, rules jsonb) returns jsonb language plpgsql as $$
    declare
      rule jsonb;
    begin
      if jsonb_typeof(node) = 'object' then
        return (select coalesce(jsonb_object_agg(entry.k, ${r.fY}.masked_json(entry.v, path || entry.k || '.', rules)), '{}')
          from jsonb_each(node) as entry(k, v));
      elsif jsonb_typeof(node) = 'array' then
        return (select coalesce(jsonb_agg(${r.fY}.masked_json(entry.v, path, rules) order by entry.n), '[]')
          from jsonb_array_elements(node) with ordinality as entry(v, n));
      end if;
      rule := ${r.fY}.rule_of(path, rules);
      return case
        when rule ->> 'kind' = 'keep' then node
        when rule ->> 'kind' = 'null' then 'null'
        when rule ->> 'kind' = 'fixed' then rule -> 'argument'
        when jsonb_typeof(node) = 'string' then to_jsonb(${r.fY}.masked_text(node #>> '{}', rule ->> 'kind'))
        when jsonb_typeof(node) = 'number' and rule ->> 'kind' = 'location' then to_jsonb(${(0,i.uj)(`(node #>> '{}')::numeric`)})
        when jsonb_typeof(node) = 'number' then to_jsonb(${(0,r.vm)(`(node #>> '{}')`)}::numeric)
        else node end;
    end $$;
  create function ${r.fY}.masked_texts(whole jsonb, rules jsonb) returns setof text language sql as $$
    with recursive leaf(path, node) as (
      select '', whole
      union all
      select leaf.path || below.path, below.node from leaf, lateral (
        select entry.k || '.', entry.v from jsonb_each(case jsonb_typeof(leaf.node) when 'object' then leaf.node else '{}' end) as entry(k, v)
        union all
        select '', entry from jsonb_array_elements(case jsonb_typeof(leaf.node) when 'array' then leaf.node else '[]' end) as entry
      ) as below(path, node))
    select node #>> '{}' from leaf, lateral (select ${r.fY}.rule_of(path, rules)) as found(rule)
    where jsonb_typeof(node) = 'string' and rule ->> 'kind' <> 'keep' and rule -> 'argument' is distinct from node $$;`}),3924:((e,t,n)=>{n.d(t,{So:()=>r,Ve:()=>a,Wd:()=>i,bf:()=>o});let r=({rule:e})=>e!==void 0&&e.kind!==`keep`,i=({kind:e,keeper:t})=>t!==`timescaledb`&&(e===`table`||e===`large objects`),a=e=>i(e)&&e.keeper===null,o=e=>a(e)||i(e)&&e.place!==void 0}),3229:((e,t,n)=>{n.d(t,{EC:()=>p,p6:()=>h,WM:()=>w,ep:()=>ee,te:()=>ne,rB:()=>E,Mh:()=>b,wf:()=>x,Y5:()=>T,pM:()=>y,Ck:()=>C,ZE:()=>O,$F:()=>D,fD:()=>te,sm:()=>S,YI:()=>f,aL:()=>d});var r=n(8772),i=n(4109),a=n(9578),o=n(3718);let s=e=>`left(repeat(${(0,i.uh)(e)}, length(${e}) / 64 + 1), length(${e}))`,c={email:{value:{text:e=>`left(${(0,i.uh)(e)}, 20) || '@masked.invalid'`},keepsNull:!0,keepsDistinct:!0,neededRoom:()=>35,leaves:`nothing`,meetsOthers:!1,proposedFor:/e_?mail/i},phone:{value:{text:e=>`'+999' || lpad((('x' || left(${(0,i.uh)(e)}, 11))::bit(44)::bigint % 100000000000)::text, 11, '0')`},keepsNull:!0,keepsDistinct:!1,neededRoom:null,leaves:`nothing`,meetsOthers:!1,proposedFor:/phone|mobile|fax|^tel$/i},name:{value:{text:e=>`case when ${e} is not null then ${(0,i.UU)(e)} end`},keepsNull:!0,keepsDistinct:!1,neededRoom:null,leaves:`nothing`,meetsOthers:!1,proposedFor:/(?:first|last|full|given|family|sur|middle|maiden|nick|user|display|contact)_?name|^name$/i},hash:{value:{text:e=>`left(${(0,i.uh)(e)}, 32)`},keepsNull:!0,keepsDistinct:{leastRoom:16},neededRoom:null,leaves:`nothing`,meetsOthers:!1,proposedFor:/password|secret|token|api_?key|hash|salt|digest|session|fingerprint/i},digits:{value:{text:e=>`case when ${e} is not null then ${(0,i.vm)(e)} end`},keepsNull:!0,keepsDistinct:!1,neededRoom:null,leaves:`chance`,meetsOthers:!1,proposedFor:/iban|bic|ssn|passport|licen[cs]e|card|account|post_?code|zip|vat|tax/i},keep:{value:{any:e=>e},keepsNull:!0,keepsDistinct:!0,neededRoom:null,leaves:`all`,meetsOthers:!1,proposedFor:/(?:^|_)(?:status|state|kind|type|category|locale|lang|language|currency|country|unit|time_?zone)$/i},text:{value:{text:e=>s(e)},keepsNull:!0,keepsDistinct:!1,neededRoom:null,leaves:`nothing`,meetsOthers:!1,proposedFor:null},token:{value:{text:o.Sh,bytes:o.en},keepsNull:!0,keepsDistinct:!0,neededRoom:null,leaves:`chance`,meetsOthers:!0,proposedFor:null},ip:{value:{text:o.ip,ip:(e,{type:t})=>(0,o.zP)(e,t)},keepsNull:!0,keepsDistinct:!1,neededRoom:null,leaves:`nothing`,meetsOthers:!1,proposedFor:null},location:{value:{text:e=>(0,o.Ir)(e,s(e)),number:(e,{type:t})=>(0,o.Ym)(e,t),point:o.ik,geometry:(e,{type:t})=>(0,o.cW)(e,t),geography:(e,{type:t})=>(0,o.cW)(e,t)},keepsNull:!0,keepsDistinct:!1,neededRoom:null,leaves:`chance`,meetsOthers:!1,proposedFor:null},date:{value:{date:(e,{dates:t})=>(0,o.OE)(e,t)},keepsNull:!0,keepsDistinct:!1,neededRoom:null,leaves:`nothing`,meetsOthers:!1,proposedFor:null},null:{value:{any:()=>`null`},keepsNull:!0,keepsDistinct:!1,neededRoom:null,leaves:`nothing`,meetsOthers:!1,proposedFor:null},shuffle:{value:{any:e=>e},keepsNull:!0,keepsDistinct:!1,neededRoom:null,leaves:`all`,meetsOthers:!1,proposedFor:null},fixed:{value:{any:(e,{argument:t,type:n})=>`${(0,i.ol)(t)}::${n}`},argument:`text`,keepsNull:!1,keepsDistinct:!1,neededRoom:e=>[...e].length,leaves:{values:e=>[e]},meetsOthers:!1,proposedFor:null},json:{value:{json:(e,{type:t,paths:n})=>(0,a.az)(e,t,n)},argument:`mapping`,keepsNull:!0,keepsDistinct:!1,neededRoom:null,leaves:`chance`,meetsOthers:!1,proposedFor:null},sql:{value:{any:(e,{argument:t})=>`(${t}\n)`},argument:`expression`,keepsNull:!1,keepsDistinct:!0,neededRoom:null,leaves:`nothing`,meetsOthers:!0,proposedFor:null}},l=e=>c[e],u=(0,r.Y)(c),d=u.filter(e=>l(e).argument===void 0),f=u.filter(e=>l(e).argument!==void 0);function p(e){let{argument:t=``}=l(e);return`${e} needs ${/^[aeiou]/.test(t)?`an`:`a`} ${t}: write { ${e}: ${t} }`}function m(e){let t=e.map(e=>f.includes(e)?`{ ${e}: \u2026 }`:e);return`${t.slice(0,-1).join(`, `)} or ${t.at(-1)}`}let h=m([...d,...f]),g={text:`texts`,json:`JSON`,bytes:`bytes`,ip:`IP addresses`,number:`numbers`,date:`dates`,point:`points`,geometry:`geometries`,geography:`geographies`},_=e=>e===`texts`?`text`:e===`ips`?`ip`:e;function v(e,t){let{value:n}=l(e);if(`any`in n)return n.any;let r=_(t);return r===`other`?void 0:n[r]}let ee=u.filter(e=>[`keep`,`null`,`fixed`].includes(e)||`text`in l(e).value),te=e=>u.flatMap(t=>{let n=v(t,`text`);return n===void 0||`any`in l(t).value?[]:[[t,n(e,{argument:``,paths:[],type:`text`,dates:[]})]]});function y(e,t,n=[]){let{type:r,family:a,ignoresCase:o}=e,s=`target.${(0,i.AB)(e.name)}`,{argument:c=``,paths:u=[]}=t,d={argument:c,paths:u,type:r,dates:n.map(e=>`target.${(0,i.AB)(e)}`)},f=v(t.kind,a);if(f===void 0)throw Error(`${t.kind} is not for ${r}`);if(`any`in l(t.kind).value)return f(s,d);if(a===`texts`||a===`ips`)return`case when ${s} is not null then array(select ${f(`element`,d)} from unnest(${s}::text[]) as part(element)) end::${r}`;let p=o?`lower(${s}::text)`:`${s}::text`;return`(${f(a===`text`?p:s,d)})::${r}`}let b=({kind:e})=>l(e).keepsNull,x=({kind:e})=>l(e).leaves;function S(e){let t=x(e);return typeof t==`object`?t.values(e.argument??``):[]}let C=({kind:e})=>l(e).meetsOthers;function w({family:e,type:t,length:n},{kind:i,argument:a=``}){let{value:o,neededRoom:s}=l(i);if(v(i,e)===void 0){let n=(0,r.Y)(g).filter(e=>e in o),a=[...d,...f].filter(t=>v(t,e)!==void 0);return`is ${t}, and ${i} is for ${n.map(e=>g[e]).join(`, `)}: use ${m(a)}`}let c=s?.(a);if(!(c===void 0||n===null||n>=c))return f.includes(i)?`has room for ${n} characters, and the ${i} text is longer`:`has room for ${n} characters, and ${i} needs ${c}`}function ne(e,t){let{keepsDistinct:n}=l(e);return typeof n==`boolean`?n:(t??32)>=n.leastRoom}let T=(e,t)=>typeof l(e).keepsDistinct==`boolean`?0:Math.min(t??32,32),E=e=>l(e).keepsDistinct!==!1,D=e=>u.find(t=>l(t).proposedFor?.test(e));function O({name:e,family:t,length:n}){if(t!==`text`||n!==null&&n<32)return`keep`;let r=D(e);return r===`email`&&w({name:e,family:t,length:n,type:``,ignoresCase:!1},{kind:r})===void 0?`email`:`hash`}}),3718:((e,t,n)=>{n.d(t,{Ir:()=>m,OE:()=>v,Sh:()=>c,Ym:()=>p,cW:()=>_,en:()=>l,ik:()=>g,ip:()=>u,uj:()=>f,zP:()=>d});var r=n(4109);let i=e=>`('x' || left(${(0,r.uh)(e)}, 8))::bit(32)::bigint`,a=[[`0`,`9`],[`a`,`f`],[`g`,`z`],[`A`,`F`],[`G`,`Z`]];function o(e,t){let[n,r]=[e.charCodeAt(0),t.charCodeAt(0)-e.charCodeAt(0)+1];return`when letter between '${e}' and '${t}' then chr(${n} + (ascii(letter) - ${n} + byte) % ${r})`}function s(e,t){let n=`regexp_replace(${e}, '(.)(.?)', '${t%2==0?String.raw`\2`:String.raw`\1`}', 'g')`,i=`(select string_agg(${(0,r.br)(`'token ${t} ' || piece || ' ' || ${n}`)}, '' order by piece)
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
    from (select ${e} offset 0) as round_0(token_0) offset 0) as round_1(token_1) offset 0) as round_2(token_2))`,l=e=>`decode(${c(`encode(${e}, 'hex')`)}, 'hex')`,u=e=>`(select case when strpos(${e}, ':') > 0
      then host(('2001:db8:' || regexp_replace(left(encode(digest, 'hex'), 24), '(....)(?=.)', '\\1:', 'g'))::inet)
      else concat_ws('.', 240 + get_byte(digest, 0) % 15, get_byte(digest, 1), get_byte(digest, 2), get_byte(digest, 3)) end
    || coalesce(substring(${e} from '/[0-9]+$'), '')
  from (select ${(0,r.br)(`lower(split_part(${e}, '/', 1))`)} offset 0) as made(digest) where ${e} is not null)`,d=(e,t)=>t.startsWith(`cidr`)?`network((${u(`${e}::text`)})::inet)`:u(`${e}::text`),f=e=>`round(${i(`'degrees ' || round(${e}, 6)`)} / 4294967296.0 * 170 - 85, 6)`,p=(e,t)=>/^(?:integer|bigint)/.test(t)?`${f(`${e}::numeric / 10000000`)} * 10000000`:f(`${e}::numeric`),m=(e,t)=>`case when ${e} ~ '^\\s*[-+]?[0-9]{1,3}([.][0-9]+)?\\s*$' then ${f(`${e}::numeric`)}::text else ${t} end`,h=e=>`${f(`(${e})::numeric`)}::float8`,g=e=>`point(${h(`${e}[0]`)}, ${h(`${e}[1]`)})`;function _(e,t){let n=/^(.*\.)geo(?:metry|graphy)\b/.exec(t)?.[1]??``,[r,i]=[`st_x`,`st_y`].map(e=>`${n}${e}(centre)`);return`(select coalesce(${n}st_translate(shape, ${h(`${r}`)} - ${r}, ${h(`${i}`)} - ${i}), shape)
    from (select shape, ${n}st_centroid(shape) from (select ${e}::${n}geometry offset 0) as found(shape) offset 0)
      as made(shape, centre))`}let v=(e,t)=>`(${e} - (1 + ${i(`concat_ws(' ', 'date', ${t.map(e=>`${e}::text`).join()})`)} % 365) * interval '24 hours')`}),9668:((e,t,n)=>{n.d(t,{$s:()=>_,Ue:()=>c,mQ:()=>p});var r=n(5145),i=n(2784),a=n(5809),o=n(3924);class OriginalsFoundError extends r.lZ{}let s=(e,t)=>t.map(({name:t})=>`${(0,a.Cm)(e)}.${t}`);function c(e){let t=e.tables.filter(o.bf),n=t.filter(({dropRows:e})=>!e),r=e=>n.flatMap(t=>s(t,t.columns.filter(e)));return{masked:n.flatMap(e=>e.columns.filter(o.So).map(({name:t,rule:n})=>({column:`${(0,a.Cm)(e)}.${t}`,rule:n?.kind??``}))),droppedTables:t.filter(({dropRows:e})=>e).map(a.Cm),keptByRule:r(({rule:e})=>e?.kind===`keep`),keptByType:r(({rule:e,isGenerated:t})=>e===void 0&&!t),keptByExtension:e.tables.filter(e=>(0,o.Wd)(e)&&!(0,o.bf)(e)).flatMap(e=>s(e,e.columns.filter(({holdsText:e})=>e))),computed:r(({isGenerated:e})=>e)}}let l=({place:e,times:t,originals:n,from:r})=>`${e}: ${n} ${n===1?`original`:`originals`} of ${r.join(`, `)}, in ${t} ${t===1?`value`:`values`}`,u=(e,t)=>e.reduce((e,n)=>e+t(n),0);function d({samples:e,proof:t}){let n=u(e,({taken:e})=>e),r=u(e,({tooShort:e})=>e),i=u(e,({notUnique:e})=>e),a=t.hits.reduce((e,{originals:t})=>e+t,0),o=e.filter(({taken:e})=>e===0).length,s=e.length-o,c=o===0?``:`; ${o} more without an original to look for`;return`${a===0?`none`:a} of ${n} originals of ${s} ${s===1?`column`:`columns`} found in ${t.searched.length} places${c}; left out: ${r} shorter than 8 characters, ${i} not unique, ${t.common} common in columns that are kept`}function f(e){let{masked:t,proof:n,samples:r}=e,i=r.filter(({taken:e})=>e===0).map(({column:e})=>e);return[{title:`Masked by rule`,names:t.map(({column:e,rule:t})=>`${e}: ${t}`)},{title:`Rows dropped`,names:e.droppedTables},{title:`Kept by rule`,names:e.keptByRule},{title:`Kept by type`,names:e.keptByType},{title:`Kept, as a table of an extension`,names:e.keptByExtension},{title:`Computed from other columns`,names:e.computed},{title:`Searched`,names:n.searched},{title:`Computed again from masked rows`,names:n.rebuilt},{title:`Not searched`,names:n.notSearched},{title:`Masked, but without an original to look for`,names:i}].filter(({names:e})=>e.length>0)}function p(e){let{masked:t,rows:n}=e,r=`${t.length} ${t.length===1?`column`:`columns`}, ${n} rows`,a=`${r}; ${d(e)}`,o=f(e).map(({title:e,names:t})=>(0,i.zH)(`${e}: ${t.length}`,(0,i.p_)(t)));return{summary:a,report:[(0,i.n8)({strong:`\u2705 No original was found.`},` Masked: ${r}.`),(0,i.n8)(`Proof: ${d(e)}.`),...o]}}let m=({place:e})=>/^_timescaledb_/.test(e);function h(e){let t=e.toSorted((e,t)=>Number(m(e))-Number(m(t))),n=e.length-20;return[...t.slice(0,20).map(l),...n>0?[`and ${n} more`]:[]].join(`; `)}function g(e){let t=e.filter(({isSchema:e})=>e),n=[...new Set(t.flatMap(({from:e})=>e))].slice(0,20);return[...e.length>t.length?[`give these columns a rule that masks them, or drop_rows for their table`]:[],...t.length>0?[`change functions, comments and definitions in the parent; or use keep for ${n.join(`, `)}, if the values are terms of the application, not personal data`]:[],`the copy is not to be used`].join(`; `)}function _({proof:{hits:e}}){if(e.length!==0)throw new OriginalsFoundError(`originals were found after masking: ${h(e)}`,g(e))}})};