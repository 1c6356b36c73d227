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
        hash bytea not null, words int not null, first int not null, word bigint not null);
      -- A session takes a hundred numbers at once: each is written to disk.
      create sequence ${a.fY}.done cache 100;
      -- Relations whose statistics are renewed, each with the table at its top, and the statistics that are older.
      create unlogged table ${a.fY}.renewed (relation oid primary key, root oid not null);
      create unlogged table ${a.fY}.stale (relation oid not null, attname name not null, inherited boolean not null);
      create unlogged table ${a.fY}.blank (relation oid not null, place tid not null);
      create unlogged table ${a.fY}.hit (place text not null, needle bigint not null, times bigint not null);
      ${(0,o.mo)((0,s.fD)(`original`))}`))}async function m(e){await d(`the schema for masking`,()=>e.query(`drop schema if exists ${a.fY} cascade`))}async function h(e,t,{sessions:n,tasks:r},i){let a=[...r],o=async e=>{await f(e,t);for(let t=a.shift();t!==void 0;t=a.shift())await i(e,t)},s=Array.from({length:Math.min(n,r.length)},async()=>{try{await e(o)}catch(e){throw a.length=0,e}}),c=(await Promise.allSettled(s)).find(({status:e})=>e===`rejected`);if(c?.status===`rejected`)throw c.reason}}),8002:((e,t,n)=>{n.d(t,{i:()=>Rt,parseMaskFile:()=>y,proposeFile:()=>It});var r=n(5809),i=n(4109),a=n(3229),o=n(6238),s=n(5145),c=n(4526),l=n(9578),u=n(3804);class YamlError extends Error{place;constructor(e,t){super(e),this.place=t}}let d={line:1,column:1};function f(e,t){let n=e.slice(0,t).split(`
`);return{line:n.length,column:[...n.at(-1)??``].length+1}}function p(e,t,n){if(e===null)return{kind:`scalar`,place:n,text:``,isPlain:!0};let[r,i]=e.range,a=r<i?f(t,r):n;if(e.tag!==void 0)return{kind:`other`,place:a};if((0,u.isScalar)(e))return{kind:`scalar`,place:a,text:`${e.value}`,isPlain:e.type===`PLAIN`};if(!(0,u.isMap)(e))return{kind:`other`,place:a};let o=[];for(let n of e.items){let e=p(n.key,t,a);if(e.kind!==`scalar`)throw new YamlError(`a key must be a name`,e.place);if(o.some(t=>t.key.text===e.text))throw new YamlError(`${e.text} stands here a second time`,e.place);o.push({key:e,value:p(n.value,t,e.place)})}return{kind:`mapping`,place:a,entries:o}}let m={schema:`failsafe`,resolveKnownTags:!1,uniqueKeys:!1,prettyErrors:!1};function h(e){let t=(0,u.parseAllDocuments)(e,m);if(`empty`in t)throw new YamlError(`the file has no rules`,d);let[n,...r]=t,[i]=t.flatMap(({errors:e})=>e);if(i)throw new YamlError(i.message,f(e,i.pos[0]));if(n===void 0||r.length>0)throw new YamlError(`there must be one document`,d);return p(n.contents,e,d)}class MaskFileError extends s.lZ{constructor({name:e,path:t},n,r){let i=n.slice(0,20).map(({place:t,what:n})=>t?`${e}:${t.line}:${t.column}: ${n}`:n),a=n.length>20?`; and ${n.length-20} more`:``;super(`${i.join(`; `)}${a}`,r);let o=n[0]?.place;t!==void 0&&o&&(this.place={file:t,...o})}}function g(e){let[,t,n]=/^("(?:[^"]|"")+"|[^".]+)\.("(?:[^"]|"")+"|[^".]+)$/.exec(e)??[];if(t===void 0||n===void 0)return;let r=e=>e.startsWith(`"`)?e.slice(1,-1).replaceAll(`""`,`"`):e;return[r(t),r(n)]}function _(e){if(e.kind===`scalar`){let t=e.text===`~`&&e.isPlain?`null`:e.text,n=a.aL.find(e=>e===t);if(n!==void 0)return{kind:n};if(t===`drop_rows`)return`drop_rows is a rule for a table, not for a column`;let r=a.YI.find(e=>e===t);return r===void 0?t===``?`no rule; expected ${a.p6}`:`${t} is no rule${(0,c.C_)(t,[...a.aL,...a.YI])}; expected ${a.p6}`:(0,a.EC)(r)}let[t,...n]=e.kind===`mapping`?e.entries:[],{key:r,value:i}=t??{},o=a.YI.find(e=>e===r?.text);return n.length>0||i?.kind!==`scalar`||o===void 0?`expected ${a.p6}`:o===`json`||o===`sql`&&i.text.trim()===``?(0,a.EC)(o):{kind:o,argument:i.text}}function v({entries:e}){let t=[];for(let{key:n,value:r}of e){let e=_(r);if(typeof e==`string`)return`${n.text}: ${e}`;if(!a.ep.includes(e.kind))return`${n.text}: ${e.kind} is no rule for a part of JSON; expected one of ${a.ep.join(`, `)}`;t.push({path:n.text,...e})}return t.some(({path:e})=>e===`*`||e===`**`)?{kind:`json`,paths:(0,l.HN)(t)}:`json needs a rule for all other paths: add "*": text`}function ee(e){let[t,...n]=e.kind===`mapping`?e.entries:[];return t?.key.text===`json`&&t.value.kind===`mapping`&&n.length===0?v(t.value):_(e)}function te(e,t,n){let{place:r}=e,[i,a]=g(e.text)??[];if(i===void 0||a===void 0)return n.push({place:r,what:`${e.text} is no table; expected schema.table, like public.people`}),[];let o={schema:i,table:a,place:r,dropRows:!1,columns:[]};if(t.kind===`scalar`&&t.text===`drop_rows`)return[{...o,dropRows:!0}];if(t.kind!==`mapping`)return n.push({place:r,what:`${e.text}: expected drop_rows, or a rule for each column`}),[];for(let{key:r,value:i}of t.entries){let t=ee(i);typeof t==`string`?n.push({place:i.place,what:`${e.text}.${r.text}: ${t}`}):o.columns.push({column:r.text,rule:t,place:r.place})}return[o]}function ne(e,t){return e.kind===`mapping`?e.entries.flatMap(({key:e,value:n})=>te(e,n,t)):(t.push({place:e.place,what:"expected a mapping of tables to rules, like `public.people: { email: email }`"}),[])}function y(e){let t=[],n=[];try{n=ne(h(e.text),t)}catch(e){if(!(e instanceof YamlError))throw e;t.push({place:e.place,what:e.message})}if(t.length>0)throw new MaskFileError(e,t,`correct the file; docs/masking.md has all rules`);return{file:e,tables:n}}var b=n(3924);let x=`nextval('${i.fY}.done') > 0`,S=`select case when is_called then last_value else 0 end::float8 as rows,
  extract(epoch from clock_timestamp())::float8 as now from ${i.fY}.done`;async function C(e,{stage:t,allRows:n,onProgress:r,every:i=30},a){if(r===void 0)return await a();let s=!1,{promise:c,resolve:l}=Promise.withResolvers(),u=e(async e=>{let a=()=>(0,o.zZ)(e,S),c=await a();l();let u=c.now;for(;!s;){await e.query(`select pg_sleep(0.25)`);let o=await a();if(s||o.now<u+i)continue;u=o.now;let l=Math.min(o.rows-c.rows,n);r({stage:t,rows:l,allRows:n,left:l>0?(o.now-c.now)/l*(n-l):void 0})}}).catch(()=>{}).finally(l);try{return await c,await a()}finally{s=!0,await u}}var w=n(5112);let T=e=>e.columns.flatMap(e=>e.rule&&(0,b.So)(e)?[{...e,rule:e.rule}]:[]),E=({tables:e})=>e.filter(e=>!e.dropRows&&e.kind===`table`&&T(e).length>0),D=({tables:e})=>e.filter(({dropRows:e,kind:t})=>e&&t===`table`),O=e=>e.flatMap(({name:e,rule:t})=>t?.kind===`date`?[e]:[]);function re(e,t){let n=(0,r.RO)(e),a=t.map(({name:e},t)=>`, (select ${(0,i.AB)(e)} as shuffled_value_${t},
      row_number() over (order by random()) as shuffled_number_${t} from ${n}) as shuffled_${t}`),o=t.map((e,t)=>` and shuffled_number_${t} = own_number`);return`from (select tableoid as own_table, ctid as own_row, row_number() over () as own_number from ${n}) as numbered
    ${a.join(``)} where target.tableoid = own_table and target.ctid = own_row${o.join(``)}`}function ie(e){let t=T(e),n=t.filter(({rule:e})=>e.kind===`shuffle`),o=O(t),s=t.map(e=>{let t=n.indexOf(e);return`${(0,i.AB)(e.name)} = ${t<0?(0,a.pM)(e,e.rule,o):`shuffled_value_${t}`}`}),c=t.map(({name:e})=>`${(0,i.AB)(e)} is not null`).join(` or `),l=n.length>0?re(e,n):`where ${t.every(({rule:e})=>(0,a.Mh)(e))?`(${c})`:`true`}`;return`update ${(0,r.RO)(e)} as target set ${s.join(`, `)} ${l} and ${x}`}async function k(e,t,n){let s=t.columns.filter(({isGenerated:e})=>!e),c=s.map(({name:e})=>(0,i.AB)(e)).join(),l=s.map(e=>(0,a.pM)(e,n(e)&&e.rule||{kind:`keep`},O(s)));try{await e.query(`begin`),await e.query(`create temp table tried (like ${(0,i.AB)(t.schema)}.${(0,i.AB)(t.name)}
         including constraints including defaults including generated including indexes) on commit drop`),await e.query(`insert into pg_temp.tried (${c}) select ${l.join()} from ${(0,r.RO)(t)} as target limit 1000`);return}catch(e){if(!(e instanceof o.Mp))throw e;return(0,w.a2)(e)}finally{await e.attempt(`rollback`)}}async function ae(e,t){let n=await k(e,t,()=>!0);if(n===void 0)return[];let i=[];for(let{name:n,place:a}of T(t)){let o=await k(e,t,e=>e.name===n);o!==void 0&&i.push({place:a,what:`the rule for ${(0,r.Cm)(t)}.${n} fails: ${o}`})}return i.length>0?i:[{place:t.place,what:`the rules for ${(0,r.Cm)(t)} fail together: ${n}`}]}async function oe(e,t,n){let r=[];for(let n of E(t))r.push(...await ae(e,n));let i=({place:e})=>e?.line??0,a=r.toSorted((e,t)=>i(e)-i(t));if(r.length>0)throw new MaskFileError(n,a,`correct these rules, or the parent; the copy is not to be used`)}async function se(e,{schema:t,name:n}){await e.query(`vacuum ${(0,i.AB)(t)}.${(0,i.AB)(n)}`)}async function ce(e,t,n){let{rows:r}=await e.query(`
  select format('%I.%I', chunk_schema, chunk_name) as chunk from timescaledb_information.chunks
  where is_compressed and hypertable_schema = $1 and hypertable_name = $2`,[n.schema,n.name]);for(let{chunk:n}of r)await e.query(`select ${t.timescaledb}.compress_chunk($1::regclass, if_not_compressed => true)`,[n]);await se(e,n)}async function le(e,t){let{derived:n,timescaledb:r}=t;if(E(t).some(({isCompressed:e})=>e))for(let{name:t}of(await e.query(`
  select attrelid::regclass::text as name from pg_attribute join pg_class on pg_class.oid = attrelid
  where attname = '_ts_meta_count' and relkind = 'r' and relnamespace = '_timescaledb_internal'::regnamespace
    and pg_has_role(relowner, 'usage')`)).rows)await e.query(`vacuum ${t}`);let{argument:i=``}=(await e.query(`
  select case when 'force' = any (proargnames) then ', force => true' else '' end as argument
  from pg_proc where proname = 'refresh_continuous_aggregate'`)).rows[0]??{};for(let{name:t,stored:a,isAggregate:o}of n)await(0,w.iW)(`refreshing ${t}`,async()=>{o?await e.query(`call ${r}.refresh_continuous_aggregate('${t.replaceAll(`'`,`''`)}', null, null${i})`):await e.query(`refresh materialized view ${t}`),await e.query(`vacuum ${a}`)})}var A=n(7996);let j=18e4,ue=e=>D(e).map(({schema:e,name:t})=>`${(0,i.AB)(e)}.${(0,i.AB)(t)}`);async function M(e,t){let n=D(t);for(let t of n.flatMap(({elsewhere:e})=>e))await e.query(`drop foreign table if exists ${t}`);if(n.length>0&&await e.query(`truncate ${ue(t).join(`, `)}`),t.timescaledb!==null)for(let{name:t}of(await e.query(`
  with recursive stored(id) as (
    select id from _timescaledb_catalog.hypertable
      where to_regclass(format('%I.%I', schema_name, table_name))::oid::text = any ($1)
    union
    select mat_hypertable_id from stored join _timescaledb_catalog.continuous_agg on raw_hypertable_id = stored.id)
  select format('%I.%I', user_view_schema, user_view_name) as name
  from _timescaledb_catalog.continuous_agg join stored on stored.id = mat_hypertable_id`,[n.map(({id:e})=>e)])).rows)await e.query(`truncate ${t}`);t.tables.some(e=>e.kind===`large objects`&&e.dropRows)&&await e.query(`select lo_unlink(object.oid) from ${A.xc}`)}let N=(e,t={column:`null::name`,value:`null`})=>`(
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
    union all select ${t.column}, ${t.value} where ${t.column} is not null) as entry(name, value))`;async function de(e,t){if(!(t.version>=j))for(let n of ue(t)){let{rows:t}=await e.query(`select ${N(`$1::regclass`)} as row`,[n]);await e.attempt(`insert into ${n} ${t[0]?.row}`)}}async function fe(e,t){if(!(t.version>=j||D(t).length===0)){await M(e,t);for(let{name:n,isAggregate:r}of t.derived)r||await e.query(`refresh materialized view ${n}`)}}let P=`${i.fY}.stale`;async function F(e,t){let n=[];for(let r of await(0,o.Ym)(e,t))!(await e.attempt(r.act)instanceof o.Mp)&&r.undo!==null&&n.unshift(r.undo);return n}let pe=`
  select command || ' -1' as act, command || ' 0' as undo from ${P} join pg_class on oid = relation
    join pg_attribute on attrelid = relation and pg_attribute.attname = stale.attname,
    lateral (select case relkind when 'i' then format('alter index %s alter column %s set statistics', relation::regclass, attnum)
      else format('alter table only %s alter column %I set statistics', relation::regclass, pg_attribute.attname) end) as made(command)
  where attstattarget = 0`,me=`
  select distinct format('create statistics if not exists ${i.fY}.%I on (1) from %s', 'probe_' || relation, relation::regclass)
    as act, null as undo
  from ${P} where inherited`,he=()=>`
  select distinct format('vacuum (full) %s', oid::regclass) as act, null as undo
  from ${P} join pg_class on oid = relation where not inherited and relkind in ('r', 'm')`,ge=`(select string_agg(format('alter statistics %I.%I set statistics %s', nspname, stxname, stxstattarget), '; ')
  from pg_statistic_ext join ${i.fY}.renewed as other on other.relation = stxrelid
    join pg_namespace on pg_namespace.oid = stxnamespace
  where other.root = renewed.root and stxstattarget >= 0)`,_e=()=>`
  select distinct format('alter table %s ', case attinhcount when 0 then relation else root end::regclass) || format('alter column %1$I type %2$s %3$s, alter column %1$I set storage %4$s', pg_attribute.attname,
    format_type(atttypid, atttypmod), case when attcollation <> 0 then 'collate ' || attcollation::regcollation end,
    case attstorage when 'p' then 'plain' when 'e' then 'external' when 'm' then 'main' else 'extended' end)
  || case attcompression when 'p' then format(', alter column %I set compression pglz', pg_attribute.attname)
    when 'l' then format(', alter column %I set compression lz4', pg_attribute.attname) else '' end as act,
    ${ge} as undo
  from ${P} join ${i.fY}.renewed using (relation) join pg_class on oid = relation
    join pg_attribute on attrelid = relation and pg_attribute.attname = stale.attname where relkind in ('r', 'p', 'f')`,ve=()=>`
  select distinct format('drop index %s; %s', oid::regclass, pg_get_indexdef(oid)) as act, null as undo
  from ${P} join pg_class on oid = relation where relkind = 'i' and not relispartition`,I=`format('${i.fY}.%I', 'blank_' || oid)`,ye=()=>`
  select distinct format('create table %1$s %2$s; alter table %1$s disable trigger user; insert into %1$s %3$s', ${I},
      format(case relkind when 'p' then 'partition of %s default' else '() inherits (%s)' end, oid::regclass), ${N(`oid`)})
      as act, 'drop table ' || ${I} as undo
  from ${P} join pg_class on oid = relation where inherited`,be=e=>`format('select 1 / (not exists (select from %s))::int', ${e})`,xe=[he,_e,ve,({timescaledb:e})=>e===null?`select where false`:`select distinct format('with blank as (insert into %1$s %2$s returning ctid)
             insert into ${i.fY}.blank select %3$s, ctid from blank', relation::regclass,
           ${N(`relation`,{column:`primary_dimension`,value:`coalesce(range_start_integer::text, range_start at time zone 'UTC' || '+00')`})}, relation) as act,
         format('delete from only %s where ctid = (select place from ${i.fY}.blank where relation = %s)', relation::regclass,
           relation) as undo
       from ${P} join pg_class on pg_class.oid = relation join pg_namespace on pg_namespace.oid = relnamespace
         join timescaledb_information.chunks on chunk_schema = nspname and chunk_name = relname`,ye,({timescaledb:e})=>`
  select concat_ws('; ', ${be(`named`)}, detach, lifts, format('insert into %s %s', class.oid::regclass, ${N(`class.oid`)})) as act,
    concat_ws('; ', case when is_hypertable then 'truncate ' else 'delete from ' end || named, restores, attach) as undo
  from (select distinct relation from ${P}) as old join pg_class as class on class.oid = relation
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
  where relkind = 'r'`],L=`
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
    order by class.oid, root)`,R=({version:e})=>`${L},
  holding as (
    select relation, attname, inherited, schema, name from pg_stats join relation on schema = schemaname and name = tablename
    where most_common_vals is not null or histogram_bounds is not null or most_common_elems is not null
      or ${e>=17e4?`range_bounds_histogram is not null`:`exists (select from pg_attribute join pg_type on pg_type.oid = atttypid
  where attrelid = relation and pg_attribute.attname = pg_stats.attname and typanalyze::text ~ 'range_typanalyze')`})`,Se=`${L}
  insert into ${i.fY}.renewed select relation, root from relation
  where is_ours and ($1::text[] is null or root::text = any ($1)) and relation not in (select relation from ${i.fY}.renewed)
  returning relation::text as id`,Ce=`${L}
  select distinct root::text as root from relation where relation::text = any ($1)
    and (root::text = any ($2) or root in (select to_regclass(name) from unnest($3::text[]) as stored(name))
      or (schema, name) in (select schemaname, tablename from pg_stats))`;async function we(e,t){let n=await(0,o.Ym)(e,`
  select format('drop statistics %I.%I', nspname, stxname) as drop, pg_get_statisticsobjdef(stat.oid) as make,
    format('alter statistics %I.%I set statistics %s', nspname, stxname, coalesce(stxstattarget, -1)) as target,
    format('comment on statistics %I.%I is %L', nspname, stxname, obj_description(stat.oid, 'pg_statistic_ext')) as comment
  from pg_statistic_ext as stat join pg_namespace on pg_namespace.oid = stxnamespace where stxrelid::text = any ($1)`,[t]);for(let{drop:t,make:r,target:i,comment:a}of n)await e.query([t,r,i,a].join(`;
`))}let Te=`${L}
  select pg_clear_attribute_stats(schemaname, tablename, attname, inherited)
  from pg_stats join relation on schema = schemaname and name = tablename where relation::text = any ($1)`,Ee=e=>`${R(e)}
  insert into ${i.fY}.stale select relation, attname, inherited from holding where relation::text = any ($1)`,De=e=>`${R(e)}
  delete from ${i.fY}.stale as old where not exists (select from holding
    where relation = old.relation and attname = old.attname and inherited = old.inherited)`,z=`
  with recursive above(id) as (
    select oid from pg_class where relkind = 'f' union select inhparent from above join pg_inherits on inhrelid = id)
  select id from above`,Oe=({version:e})=>`
  delete from ${i.fY}.stale using pg_class left join pg_index on indexrelid = pg_class.oid
    where pg_class.oid = relation and not inherited and relkind in ('r', 'm', 'i') and reltuples > 0
      and coalesce(indrelid, relation) not in (${z});
  ${e>=15e4?`delete from ${i.fY}.stale using pg_stats_ext_exprs as probe where stale.inherited and probe.inherited
           and statistics_schemaname = '${i.fY}' and statistics_name = 'probe_' || relation`:``}`,ke=`
  select format('%I.%I', nspname, relname) as name from ${i.fY}.renewed join pg_class as class on class.oid = relation
    join pg_namespace on pg_namespace.oid = relnamespace
  where root = $1::oid and relkind in ('r', 'p', 'm') and relation not in (${z})
    and (relation = root or not $2::boolean and not relispartition or root in (${z}))`;async function Ae(e,t,n){let r=t.tables.some(({id:e,isHypertable:t,keeper:r})=>e===n&&t&&!r),i=(await e.query(ke,[n,r])).rows.map(({name:e})=>e);i.length>0&&await e.query(`analyze ${i.join(`, `)}`)}let je=`select distinct root::text as root from ${i.fY}.stale join ${i.fY}.renewed using (relation)`;async function B({open:e,plan:t},n){let r;if(await(0,w.HN)(e,t,{sessions:1,tasks:[n]},async(e,t)=>{r={value:await(0,w.iW)(`the statistics of masked tables`,()=>t(e))}}),r===void 0)throw Error(`the database was not asked`);return r.value}async function Me({open:e,plan:t,sessions:n},r){let i=await B({open:e,plan:t},async e=>(await e.query(De(t)),await F(e,me),await F(e,pe)));return await(0,w.HN)(e,t,{sessions:n,tasks:r},(e,n)=>(0,w.iW)(`the statistics of masked tables`,()=>Ae(e,t,n))),await B({open:e,plan:t},async e=>{await e.query(Oe(t));for(let t of i)await e.query(t);return(await e.query(je)).rows.map(({root:e})=>String(e))})}async function Ne(e,t){let{plan:n}=e,r=await B(e,async e=>{let r=(await e.query(Se,[t??null])).rows.map(({id:e})=>String(e)),i=[...E(n),...D(n)].map(({id:e})=>e),a=n.derived.map(({stored:e})=>e),o=(await e.query(Ce,[r,i,a])).rows;return await we(e,r),n.version>=j&&await e.query(Te,[r]),await e.query(Ee(n),[r]),o.map(({root:e})=>String(e))});r=await Me(e,r);for(let t of xe){if(r.length===0)return;let i=await B(e,e=>F(e,t(n)));r=await Me(e,r),await B(e,async e=>{for(let t of i)await e.query(t)})}}let Pe=e=>`${R(e)}
  select distinct format('%s.%s.%s', schema, name, attname) as place from holding
  where relation not in (select relation from ${i.fY}.renewed)
    or exists (select from ${i.fY}.stale as old
      where old.relation = holding.relation and old.attname = holding.attname and old.inherited = holding.inherited)
  union select format('%s.%s', statistics_schemaname, statistics_name) from pg_stats_ext
    join relation on schema = schemaname and name = tablename
  where relation not in (select relation from ${i.fY}.renewed)
  order by place`;async function Fe(e){let t=await B(e,async t=>(await t.query(Pe(e.plan))).rows.map(({place:e})=>String(e)));if(t.length===0)return;let n=t.length>20?`, and ${t.length-20} more`:``;throw new w.HU(`statistics from before the masking can neither be replaced nor deleted: ${t.slice(0,20).join(`, `)}${n}`,`in the parent, insert a row into the table, analyze it, and delete the row; or drop the table. The login also needs the rights of its owner`)}function Ie(e){let t=D(e).map(({id:e})=>e),n=E(e),r=new Set([...t,...n.map(({id:e})=>e)]),o=(e,r)=>t.includes(e)||n.some(t=>t.id===e&&T(t).some(({name:e})=>r.includes(e))),s=(e,t)=>n.some(n=>n.id===e&&T(n).some(({name:e,rule:n})=>(0,a.Ck)(n)&&t.includes(e))),c=e.foreignKeys.filter(e=>o(e.table,e.columns)||o(e.target,e.targetColumns)).map(({relation:e,name:t,definition:n})=>({lift:`alter table ${e} drop constraint ${(0,i.AB)(t)}`,restore:`alter table ${e} add constraint ${(0,i.AB)(t)} ${n}`})),l=e.uniques.flatMap(({table:e,columns:t,lift:n,restore:r})=>n!==null&&r!==null&&s(e,t)?[{lift:n,restore:r}]:[]);return[...c,...l,...e.obstacles.filter(({table:e,isPolicy:t})=>!t&&r.has(e))]}async function Le(e,t,{sessions:n,...i}){let a=E(t).toSorted((e,t)=>t.rows-e.rows),o=a.reduce((e,{rows:t})=>e+t,0),s=0;return await C(e,{stage:`masking`,allRows:o,...i},()=>(0,w.HN)(e,t,{sessions:n,tasks:a},async(e,t)=>{let{rowCount:n}=await(0,w.iW)(`masking ${(0,r.Cm)(t)}`,()=>e.query(ie(t)));s+=n})),s}async function Re(e,t,n){let i=Ie(t),a=(n,r)=>(0,w.HN)(e,t,{sessions:1,tasks:[n]},e=>(0,w.iW)(n,()=>r(e)));await a(`what stands in the way of masking`,async e=>{for(let{lift:t}of i)await e.query(t)}),await a(`dropping rows`,async e=>{await M(e,t),await de(e,t)});let o=await Le(e,t,n),s=(i,a)=>(0,w.HN)(e,t,{sessions:n.sessions,tasks:i},(e,t)=>(0,w.iW)(`cleaning up ${(0,r.Cm)(t)}`,()=>a(e,t)));await s([...E(t),...D(t)],se);let c={open:e,plan:t,sessions:n.sessions},l=E(t).filter(({isCompressed:e})=>e);return l.length>0&&await Ne(c,l.map(({id:e})=>e)),await s(l,(e,n)=>ce(e,t,n)),await a(`what is computed from the masked rows`,e=>le(e,t)),await Ne(c),await Fe(c),await a(`dropping rows`,e=>fe(e,t)),await a(`a constraint or trigger, put back after masking`,async e=>{for(let{restore:t}of i.toReversed())await e.query(t)}),o}let ze=[...a.aL,...a.YI].filter(a.rB),V=e=>e?.rule?.kind??`keep`;function Be(e,t){let{rule:n}=t;if(n!==void 0&&n.kind!==`keep`)return t.isGenerated?`is computed from other columns: mask those`:e.kind===`large objects`?`can only be kept, or dropped with drop_rows`:t.isAlwaysIdentity?`is an identity that the database gives: keep it`:t.decidesPart?`decides in which partition or chunk a row is: keep it`:n.kind===`null`&&t.notNull?`is NOT NULL: use another rule than null`:n.kind===`shuffle`&&e.isHypertable?`is in a hypertable, whose rows cannot change places: take another rule than shuffle`:(0,a.WM)(t,n)}function Ve(e){if(e.dropRows||e.columns.some(b.So)){if(!e.isOurs)return`belongs to ${e.owner}, whose rights this login does not have`;if(e.elsewhere.length>0&&!e.dropRows)return`has rows that cannot be changed, in ${e.elsewhere.join(`, `)}: only drop_rows is possible`;if(e.hasRewriteRule)return`has a rewrite rule for updates: drop it from the parent, or use a trigger`}}function He(e,t){let n=t=>e.columns.find(e=>e.name===t),i=(e,{isExclusion:t,nullsEqual:r})=>{let i=n(e),o=V(i);return t?o===`keep`:(0,a.te)(o,i?.length??null)||o===`null`&&!r},o=t.filter(t=>t.table===e.id),s=o.filter(e=>e.columns.every(t=>i(t,e)));return o.filter(e=>!s.some(({columns:t})=>t.every(t=>e.columns.includes(t)))).flatMap(t=>t.columns.filter(e=>!i(e,t)).map(i=>({place:n(i)?.place,what:`${(0,r.Cm)(e)}.${i} must stay ${t.isExclusion?`as it is`:`unique`} (${t.name}): ${V(n(i))} does not keep it so`})))}function Ue(e,t){let[n,r]=[V(e),V(t)];return n!==r||!(0,a.rB)(n)?!1:n===`keep`?!0:n===`sql`?e.rule?.argument===t.rule?.argument:e.ignoresCase===t.ignoresCase&&(0,a.Y5)(n,e.length)===(0,a.Y5)(n,t.length)}function We(e,t){let[n,i]=[t.table,t.target].map(t=>e.tables.find(e=>e.id===t));if(n===void 0||i===void 0||n.dropRows)return[];let a=t.columns.map((e,r)=>({from:n.columns.find(t=>t.name===e),to:i.columns.find(e=>e.name===t.targetColumns[r])}));if(a.some(({from:e})=>V(e)===`null`))return[];let o=`${(0,r.Cm)(n)}.${t.columns.join(`, `)} refers to ${(0,r.Cm)(i)} (${t.name})`,{place:s}=a[0]?.from??{};return i.dropRows?[{place:s??n.place,what:`${o}, whose rows are dropped: take null or drop_rows for it as well`}]:a.every(({from:e,to:t})=>e&&t&&Ue(e,t))?[]:[{place:s,what:`${o}: both ends need the same rule, one of ${ze.join(`, `)}`}]}function Ge(e){let t=e.tables.filter(b.bf);return[...t.flatMap(e=>{let t=Ve(e);return t===void 0?[]:[{place:e.place,what:`${(0,r.Cm)(e)} ${t}`}]}),...t.filter(({dropRows:e})=>!e).flatMap(t=>[...t.columns.flatMap(e=>{let n=Be(t,e);return n===void 0?[]:[{place:e.place,what:`${(0,r.Cm)(t)}.${e.name} ${n}`}]}),...He(t,e.uniques)]),...e.foreignKeys.flatMap(t=>We(e,t))]}let Ke=(e,t)=>RegExp(`^${e.split(`*`).map(e=>e.replace(/[\\^$.*+?()[\]{}|]/g,`\\$&`)).join(`.*`)}$`,`s`).test(t);function qe({tables:e},{schema:t,name:n}){return e.filter(e=>e.table===n&&Ke(e.schema,t)).sort((e,t)=>Number(e.schema.includes(`*`))-Number(t.schema.includes(`*`)))}function Je(e,t,n){let r=t.tables.find(({id:e})=>e===n.parent);return[...qe(e,n),...r?Je(e,t,r):[]]}function Ye(e,t,n){let r=(0,b.Wd)(n)?Je(e,t,n):[],i=n.columns.map(e=>{let t=r.flatMap(({columns:t})=>t.filter(t=>t.column===e.name))[0];return{...e,rule:t?.rule,place:t?.place}});return{...n,columns:i,dropRows:r[0]?.dropRows===!0,place:r[0]?.place}}function Xe(e,{tables:t}){let n=[],i=t.filter(b.Wd);for(let a of e.tables){let o=(0,r.Cm)({schema:a.schema,name:a.table}),s=t.filter(t=>qe(e,t).includes(a)),l=s.filter(b.Wd);for(let e of s.filter(e=>!(0,b.Wd)(e))){let t=e.keeper?`belongs to ${e.keeper}`:`is a ${e.kind}`;a.schema.includes(`*`)||n.push({place:a.place,what:`${o} ${t}, and takes no rules`})}if(s.length===0){let e=i.map(r.Cm),t=(0,c.C_)(o,e),s=new Set((0,c.ZA)(o,e));n.push({place:a.place,what:`there is no table ${o}${t||`: remove its rules`}`,meant:i.filter(e=>s.has((0,r.Cm)(e))).flatMap(e=>e.columns.map(({name:t})=>`${(0,r.Cm)(e)}.${t}`))})}for(let{column:e,place:t}of l.length>0?a.columns:[]){let i=l.flatMap(({columns:e})=>e.map(({name:e})=>e));if(i.includes(e))continue;let a=(0,c.C_)(e,i);n.push({place:t,what:`${o} has no column ${e}${a||`: remove the rule`}`,meant:l.flatMap(t=>(0,c.ZA)(e,i).map(e=>`${(0,r.Cm)(t)}.${e}`))})}}return n}let Ze=(e,t)=>e.filter(e=>(0,b.Ve)(e)&&!e.dropRows).filter(({kind:e,rows:t})=>e!==`large objects`||t>0).flatMap(e=>e.columns.filter(({rule:e,holdsText:t,isGenerated:n})=>e===void 0&&t&&!n).filter(({name:n})=>!t.has(`${(0,r.Cm)(e)}.${n}`)).map(({name:t,type:n})=>({what:`${(0,r.Cm)(e)}.${t} (${n}) has no rule`})));function Qe(e,t){let n=t.tables.map(n=>Ye(e,t,n)),r={...t,tables:n},i=Xe(e,t),a=new Set(i.flatMap(({meant:e=[]})=>e)),o=[...i,...Ze(n,a),...Ge(r)];if(o.length>0)throw new MaskFileError(e.file,o,`correct these rules. Run dry_run: true with database_url and without mask_file to print a complete file`);return r}let $e=[[`Rails`,`schema_migrations`,[`version`]],[`Rails`,`ar_internal_metadata`,[`key`,`value`,`created_at`,`updated_at`]],[`Django`,`django_migrations`,[`app`,`name`,`applied`]],[`Django`,`django_content_type`,[`app_label`,`model`]],[`Django`,`auth_permission`,[`name`,`content_type_id`,`codename`]],[`Alembic`,`alembic_version`,[`version_num`]],[`Flyway`,`flyway_schema_history`,[`installed_rank`,`version`,`description`,`type`,`script`,`checksum`,`installed_by`,`success`]],[`Liquibase`,`databasechangelog`,[`id`,`author`,`filename`,`orderexecuted`,`exectype`,`md5sum`,`description`,`comments`,`tag`,`liquibase`,`contexts`,`labels`,`deployment_id`]],[`Prisma`,`_prisma_migrations`,[`id`,`checksum`,`migration_name`,`applied_steps_count`]],[`Drizzle`,`__drizzle_migrations`,[`hash`,`created_at`]],[`Diesel`,`__diesel_schema_migrations`,[`version`,`run_on`]],[`sqlx`,`_sqlx_migrations`,[`version`,`description`,`checksum`,`execution_time`]],[`Knex`,`knex_migrations`,[`name`,`batch`,`migration_time`]],[`TypeORM`,`migrations`,[`timestamp`,`name`]],[`TypeORM`,`typeorm_metadata`,[`type`,`database`,`schema`,`table`,`name`,`value`]],[`Sequelize`,`SequelizeMeta`,[`name`]]];function et({name:e,columns:t},n){let r=new Set(t.map(e=>e.name));return $e.find(([,t,i])=>t===e&&i.includes(n)&&i.every(e=>r.has(e)))?.[0]}function tt({rows:e},t){let{name:n,family:r,distinct:i,notNull:o}=t;if(r===`json`)return o?`{ fixed: '{}' }`:`null`;if(r===`bytes`)return o?`{ fixed: '' }`:`null`;if(r===`ip`||r===`ips`)return`ip`;if(r===`geometry`||r===`geography`)return`location`;if(r!==`text`&&r!==`texts`)return o?`keep`:`null`;let s=(0,a.$F)(n);if(s!==void 0&&(0,a.WM)(t,{kind:s})!==void 0)return`hash`;let c=i!==null&&i>0&&i<Math.min(20,e/5);return s??(c?`keep`:`text`)}let H=(e,t)=>`${e} ${t}`;function nt({tables:e,uniques:t}){let n=new Map;for(let r of e.filter(b.Ve))for(let e of r.columns.filter(({holdsText:e,isGenerated:t})=>e&&!t)){let i=t.some(t=>t.table===r.id&&t.columns.includes(e.name)),o=t.some(t=>t.isExclusion&&t.table===r.id&&t.columns.includes(e.name)),s=e.decidesPart||o||r.elsewhere.length>0||!r.isOurs,c=et(r,e.name),l=s||c!==void 0,u=l?`keep`:i?(0,a.ZE)(e):tt(r,e),d=s?`cannot be changed`:c===void 0?i?`must stay unique`:``:`${c} needs it`;n.set(H(r.id,e.name),{column:e,rule:u,remark:d,isKept:l})}return n}function rt({foreignKeys:e},t){for(let n of e)for(let n of e)n.columns.forEach((e,r)=>{let i=t.get(H(n.table,e)),o=t.get(H(n.target,n.targetColumns[r]??``));if(i===void 0||o===void 0)return;let s=[i,o].map(({column:e})=>(0,a.ZE)(e)).includes(`keep`)||i.column.ignoresCase!==o.column.ignoresCase||i.isKept||o.isKept||o.rule===`keep`?`keep`:o.rule===`email`?`email`:`hash`;Object.assign(i,{rule:s,remark:i.remark||`refers to another table (${n.name})`}),o.rule=s})}let U=e=>/^[A-Za-z_][\w.]*$/.test(e)?e:JSON.stringify(e);function it({column:e,rule:t,remark:n}){let{name:r,type:i,distinct:a,width:o}=e,s=a!==null&&o!==null?`, ${Math.round(a)} distinct, ${o} bytes`:``;return`  ${U(r)}: ${t} # ${i}${s}${n&&`; ${n}`}`}function at(e,t){let n=U((0,r.Cm)(e));if(e.kind===`large objects`)return e.rows===0?[]:[`${n}: drop_rows # about ${e.rows} large objects`];let i=e.columns.flatMap(({name:n})=>t.get(H(e.id,n))??[]);if(i.length===0)return[];let a=e.columns.filter(({holdsText:e,isGenerated:t})=>!e&&!t);return[`${n}:`,...i.map(it),...a.length>0?[`  # kept without a rule: ${a.map(({name:e})=>U(e)).join(`, `)}`]:[]]}function ot(e){let t=nt(e);return rt(e,t),`${[`# Guessed by names and statistics: look at every line.`,...e.tables.filter(b.Ve).flatMap(e=>at(e,t))].join(`
`)}\n`}let W=`('pg_catalog'::regnamespace, 'information_schema'::regnamespace)`,G=(e,t)=>`not exists (select from pg_depend where classid = ${e} and objid = ${t} and deptype = 'e')`,K=`'pg_class'::regclass`,q=`'pg_type'::regclass`,J=`pronamespace not in ${W} and ${G(`'pg_proc'::regclass`,`oid`)}`,st=`classoid <> 'pg_extension'::regclass and ${G(`classoid`,`objoid`)}
  and (objoid >= 16384 or classoid = 'pg_largeobject'::regclass
    or classoid = 'pg_namespace'::regclass and objoid = 2200 and description <> 'standard public schema')`,ct=[[`'view ' || oid::regclass`,`pg_get_viewdef(oid)`,`pg_class where relkind in ('v', 'm') and relnamespace not in ${W} and ${G(K,`oid`)}`],[`'default of ' || adrelid::regclass`,`pg_get_expr(adbin, adrelid)`,`pg_attrdef where ${G(K,`adrelid`)}`],[`'default of ' || attrelid::regclass`,`quote_literal(attmissingval::text)`,`pg_attribute where atthasmissing`],[`'constraint ' || conname`,`pg_get_constraintdef(oid)`,`pg_constraint where connamespace not in ${W} and connamespace::regnamespace::text !~ '^_timescaledb_'
      and ${G(K,`conrelid`)} and ${G(q,`contypid`)}`],[`'index ' || indexrelid::regclass`,`pg_get_indexdef(indexrelid)`,`pg_index where indpred is not null or indexprs is not null`],[`'partition ' || oid::regclass`,`pg_get_expr(relpartbound, oid)`,`pg_class as part where relpartbound is not null and exists (select from pg_inherits join pg_partitioned_table on partrelid = inhparent
  left join pg_attribute on attrelid = partrelid and attnum = any (partattrs) left join pg_type on pg_type.oid = atttypid
  where inhrelid = part.oid and (typcategory = 'S' or 0 = any (partattrs)))`],[`'policy ' || polname`,`pg_get_expr(polqual, polrelid)`,`pg_policy`],[`'policy ' || polname`,`pg_get_expr(polwithcheck, polrelid)`,`pg_policy`],[`'rule ' || rulename`,`pg_get_ruledef(oid)`,`pg_rewrite where rulename <> '_RETURN'`],[`'trigger ' || tgname`,`pg_get_triggerdef(oid)`,`pg_trigger where not tgisinternal`],[`'function ' || oid::regproc`,`pg_get_function_arguments(oid)`,`pg_proc where proargdefaults is not null and ${J}`],[`'function ' || oid::regproc`,`pg_get_function_sqlbody(oid)`,`pg_proc where prosqlbody is not null and ${J}`,14e4],[`'publication of ' || prrelid::regclass`,`pg_get_expr(prqual, prrelid)`,`pg_publication_rel where prqual is not null`,15e4],[`'type ' || enumtypid::regtype`,`quote_literal(enumlabel)`,`pg_enum where ${G(q,`enumtypid`)}`],[`'type ' || oid::regtype`,`quote_literal(typdefault)`,`pg_type where typdefault is not null and typnamespace not in ${W} and ${G(q,`oid`)}`],[`'foreign server ' || srvname`,`quote_literal(array_to_string(srvoptions, ' '))`,`pg_foreign_server`],[`'foreign table ' || ftrelid::regclass`,`quote_literal(array_to_string(ftoptions, ' '))`,`pg_foreign_table`],[`'settings of roles and databases'`,`quote_literal(array_to_string(setconfig, ' '))`,`pg_db_role_setting`],[`'comments of roles and databases'`,`quote_literal(description)`,`pg_shdescription where objoid >= 16384`]];function lt(e){return`select place, found[1] from (${ct.filter(([,,,t=0])=>e>=t).map(([e,t,n])=>`select ${e}, ${t} from ${n}`).join(` union all `)}) as definition(place, text),
    regexp_matches(text, '"(?:[^"]|"")*"|(''(?:[^'']|'''')*'')', 'g') as found where found[1] is not null`}let Y=1e6,ut=String.raw`[\x01-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]`,dt=(e,t)=>`regexp_replace(${e}, E'${t.replaceAll(`\\`,`\\\\`)}+', ' ', 'g')`,ft=e=>`case when strpos(${e}, '\\') > 0 then ${dt(e,String.raw`(?:\\[nrtfb]|${ut})`)} else ${dt(e,ut)} end`,pt=`${i.fY}.folding`,X=(e,t=pt)=>`string_to_array(lower((${ft(`${e} collate "C"`)}) collate ${t}), ' ')`,mt=e=>`array_remove(${X(e)}, '')`,ht=e=>`array_remove(${X(e,`"C"`)}, '')`,gt=e=>`substring(${(0,i.br)(`array_to_string(${e}, ' ')`)}, 1, 16)`,_t=e=>`hashtextextended(${e} collate "C", (select seed from ${i.fY}.secret))`,Z=e=>`encode(${e}, 'escape')`,vt=e=>`concat_ws(' ', ${e}::text, (select string_agg(lexeme, ' ' order by position)
    from unnest(${e}) as entry, unnest(positions) as position))`;function yt({name:e,family:t,type:n}){let r=(0,i.AB)(e);return n===`tsvector`?vt(r):t===`texts`?`array_to_string(${r}::text[], ' ')`:t===`bytes`?Z(`${r}::bytea`):t===`json`?`${r}::text || case when strpos(${r}::text, '\\u') > 0 then ' ' || (${(0,l.Vh)(r)})::text else '' end`:`${r}::text`}function bt({name:e,family:t,rule:n}){let r=(0,i.AB)(e);return n?.paths===void 0?t===`ip`?`select host(${r})`:t===`texts`?`select unnest(${r}::text[])`:t===`bytes`?`select ${Z(`${r}::bytea`)}`:t===`json`?`select one #>> '{}' from jsonb_path_query(${(0,l.Vh)(r)}, 'strict $.** ? (@.type() == "string")') as string(one)`:`select ${r}::text`:(0,l.Sq)((0,l.Vh)(r),n.paths)}let Q=(e,{name:t})=>`${(0,r.Cm)(e)}.${t}`;function xt(e){let t=e.columns.filter(({holdsText:e})=>e);if(t.length===0||e.kind===`foreign table`||e.kind===`large objects`)return[];let n=t.map(t=>`(${(0,i.ol)(Q(e,t))}, ${yt(t)})`);return[{places:t.map(t=>Q(e,t)),texts:`select cell.place, cell.value from ${(0,r.RO)(e)} as target, lateral (values ${n.join()}) as cell(place, value) where ${x}`}]}let St=({version:e,statements:t})=>[{places:[`large objects`],texts:`select 'large objects', ${Z(`lo_get(object.oid, start, 510000)`)}
      from ${A.xc.replace(`where`,`, generate_series(0::bigint, lo_lseek64(lo_open(object.oid, 262144), 0, 2), 500000) as start where`)}`},{places:[`statistics`],texts:`select 'statistics of ' || concat_ws('.', schemaname, tablename, attname), value from pg_stats,
        lateral (values (most_common_vals::text), (histogram_bounds::text), (most_common_elems::text)) as kept(value)
      where schemaname not in ('pg_catalog', 'information_schema') and not exists (select from pg_attribute join pg_type on pg_type.oid = atttypid
        where attrelid = format('%I.%I', schemaname, tablename)::regclass and pg_attribute.attname = pg_stats.attname
          -- A text may be a day; those of other columns are no copies of it.
          and (typcategory in ('D', 'T') or ${A.ie}))
      union all select 'statistics ' || concat_ws('.', statistics_schemaname, statistics_name), array_to_string(most_common_vals, ' ')
        from pg_stats_ext
      ${e>=14e4?`union all select 'statistics ' || concat_ws('.', statistics_schemaname, statistics_name), value from pg_stats_ext_exprs,
               lateral (values (most_common_vals::text), (histogram_bounds::text), (most_common_elems::text)) as kept(value)`:``}`},{places:[`comments`],texts:`select 'comments', description from pg_description where ${st}`},{places:[`function bodies`],texts:`select 'function bodies', prosrc from pg_proc where ${J}`},...t===null?[]:[{places:[`pg_stat_statements`],texts:`select 'pg_stat_statements', query from ${t}.pg_stat_statements`}],{places:[`definitions and settings`],texts:lt(e)}],$=4e3;function Ct({tables:e}){return e.flatMap(e=>e.columns.filter(t=>e.dropRows||(0,b.So)(t)&&t.rule?.kind!==`shuffle`).filter(({holdsText:e,type:t})=>e||/^(?:bigint|numeric)/.test(t)).filter(()=>e.kind===`table`).map(t=>({table:e,column:t}))).map((e,t)=>({number:t,...e}))}function wt({number:e,table:t,column:n}){let o=`select part.value from ${(0,r.RO)(t)} as target, lateral (${bt(n)}) as part(value)`,s=t.rows>2*$?`and random() < ${2*$/t.rows}`:``,c=n.rule===void 0?[]:(0,a.sm)(n.rule),l=c.length>0?`and value not in (${c.map(i.ol).join()})`:``;return`
    with seen as materialized (
      select distinct left(value, ${Y}) as value from (${o}) as all_parts
      where value is not null ${s} ${l} limit ${$}),
    counted as materialized (
      select left(value, ${Y}) as value, count(*) as times from (${o}) as all_parts
      where left(value, ${Y}) in (select value from seen) group by 1),
    long as materialized (
      select value, times, ${mt(`value`)} as words, ${ht(`value`)} as in_bytes from counted where length(value) >= 8),
    taken as (select words, in_bytes from long where times = 1 and words <> '{}' order by random() limit 1000),
    -- Letters beyond ASCII look otherwise in a column of bytes.
    form as (
      select words from taken
      union all
      select ${mt(`encode(convert_to(array_to_string(in_bytes, ' '), 'UTF8'), 'escape')`)} from taken
      where octet_length(array_to_string(words, '')) <> length(array_to_string(words, ''))),
    frequency as (select word, count(*) as times from form, unnest(words) as word group by word),
    made as (
      insert into ${i.fY}.needle (source, hash, words, first, word)
      select ${e}, ${gt(`words`)}, cardinality(words), place, ${_t(`word`)}
      from form, lateral (select word, place from unnest(words) with ordinality as one(word, place)
        join frequency using (word) order by times, length(word) desc, place limit 1) as rarest
      returning 1)
    select (select count(*) from taken)::int as taken, (select count(*) from made)::int as made,
      (select count(*) from counted where length(value) < 8)::int as "tooShort",
      (select count(*) from long where times > 1)::int as "notUnique"`}async function Tt(e,t,n){let i=[],a=Ct(t);return await(0,w.HN)(e,t,{sessions:n,tasks:a},async(e,t)=>{let n=`${(0,r.Cm)(t.table)}.${t.column.name}`,a=await(0,w.iW)(`the originals of ${n}`,()=>(0,o.zZ)(e,wt(t)));i[t.number]={column:n,...a}}),i}let Et=({texts:e})=>`
  insert into ${i.fY}.hit
  select place, needle.id, count(*)
  from (select place, words, unnest(words) as word, generate_subscripts(words, 1) as at
      from (select place, ${X(`value`)} as words
        from (select place, left(value, ${Y}) as value from (${e}) as cell(place, value)
          where length(value) >= 8 offset 0) as cell offset 0) as split) as one
    join ${i.fY}.needle on needle.word = ${_t(`one.word`)}
  where ${gt(`one.words[at - first + 1 : at - first + needle.words]`)} = needle.hash
  group by 1, 2`;async function Dt(e,t,n){let r=t.places.join(`, `),i=await e.attempt(Et(t));i instanceof o.Mp?i.code===`42501`?n.notSearched.push(`${r}: ${(0,w.a2)(i)}`):await(0,w.iW)(`the search in ${r}`,()=>Promise.reject(i)):n.searched.push(...t.places)}let Ot=({tables:e})=>e.filter(e=>(0,b.bf)(e)&&!e.dropRows).flatMap(e=>e.columns.filter(({rule:e})=>e!==void 0&&[`all`,`chance`].some(t=>(0,a.wf)(e)===t)).map(t=>Q(e,t))),kt=`
  with found as (
    select distinct hit.place, source, needle from ${i.fY}.hit join ${i.fY}.needle on needle.id = hit.needle
    where place = any ($1) and (times > 10 or place = any ($2))),
  few as (
    select place, source from found group by 1, 2 having count(*) <= greatest(3, 0.01 *
      (select count(*) from ${i.fY}.needle where needle.source = found.source)))
  delete from ${i.fY}.hit where needle in (select needle from found join few using (place, source))
  returning needle`,At=`
  select place, sum(times)::float8 as times, count(distinct hit.needle)::int as originals, array_agg(distinct source) as from
  from ${i.fY}.hit join ${i.fY}.needle on needle.id = hit.needle group by place order by place`,jt=[`values that hold no text, like numbers and times`,`originals that are part of a longer word, or encoded`,`names of tables, columns, roles and jobs`,`what follows the first ${Y} characters of a value`,`comments and definitions that PostgreSQL and extensions bring`,`deleted row versions in the data files`,`earlier snapshots, the write-ahead log and the server log`];async function Mt(e,t,{sessions:n,...s}){let c={searched:[],notSearched:[...jt],common:0,hits:[]};for(let e of t.tables)e.kind===`foreign table`&&c.notSearched.push(`${(0,r.Cm)(e)}: a foreign table`),e.elsewhere.length>0&&c.notSearched.push(`${e.elsewhere.join(`, `)}: foreign parts of ${(0,r.Cm)(e)}`);let l=t.tables.toSorted((e,t)=>t.rows-e.rows),u=[...l.flatMap(xt),...St(t)];await e(e=>(0,w.iW)(`the originals`,()=>e.query(`create index on ${i.fY}.needle (source); analyze ${i.fY}.needle`))),await C(e,{stage:`searching`,allRows:l.reduce((e,{rows:t})=>e+t,0),...s},()=>(0,w.HN)(e,t,{sessions:n,tasks:u},(e,t)=>Dt(e,t,c)));let d=Ct(t);return await e(async e=>{let n=t.tables.flatMap(e=>e.columns.filter(({rule:e})=>e!==void 0&&(0,a.wf)(e)===`chance`).map(t=>Q(e,t))),r=await e.query(kt,[Ot(t),n]);c.common=new Set(r.rows.map(({needle:e})=>e)).size;let i=await(0,o.Ym)(e,At);c.hits=i.map(e=>({...e,from:e.from.flatMap(e=>d[e]??[]).map(({table:e,column:t})=>Q(e,t))}))}),c}var Nt=n(9668);async function Pt(e,t){return Qe(t,await(0,r.uM)(e))}let Ft=`reset search_path`;async function It(e){return await e.query(Ft),ot(await(0,r.uM)(e))}async function Lt(e,{tables:t}){let n=t.filter(b.bf).map(e=>[(0,r.Cm)(e),e.columns.map(({name:e,type:t})=>[e,t])]),{rows:i}=await e.query(`select encode(sha256(convert_to($1, 'UTF8')), 'hex') as hash`,[JSON.stringify(n)]);return String(i[0]?.hash)}async function Rt(e,{file:t,sessions:n=4,...r}){let i=t=>e(async e=>(await e.query(Ft),await t(e))),a=y(t),{plan:o,catalog:s}=await i(async e=>{let t=await Pt(e,a);return{plan:t,catalog:await Lt(e,t)}}),c=o.obstacles.filter(({isPolicy:e,table:t})=>e&&o.tables.some(({id:e,isOurs:n})=>n&&e===t));await i(async e=>{await(0,w.iA)(e,o);for(let{lift:t}of c)await(0,w.iW)(`a policy that hides rows`,()=>e.query(t));await(0,w.XT)(e),await oe(e,o,t)});let l=await Tt(i,o,n),u=await Re(i,o,{sessions:n,...r}),d=await Mt(i,await i(async e=>(o.statements!==null&&await e.attempt(`select ${o.statements}.pg_stat_statements_reset()`),await Pt(e,a))),{sessions:n,...r});return await i(async e=>{await(0,w.ml)(e);for(let{restore:t}of c)await(0,w.iW)(`a policy, put back after masking`,()=>e.query(t))}),{...(0,Nt.Ue)(o),catalog:s,rows:u,samples:l,proof:d}}}),7996:((e,t,n)=>{n.d(t,{Cc:()=>m,ie:()=>s,xc:()=>o});let r=({version:e})=>`
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
    and description like 'managed-database-action: %')`,s=`(atttypid = 'name'::regtype and exists (select from pg_depend
  where classid = 'pg_class'::regclass and objid = attrelid and deptype = 'e'))`,c=e=>`with recursive ${i(e)},
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
      where root = class.oid and part.relkind = 'f' and class.relkind <> 'f') as elsewhere,
    array(select part.oid::regclass::text from tree join pg_class as part on part.oid = tree.id
      where root = class.oid and part.relkind = 'r' and part.oid <> class.oid) as parts
  from pg_class as class join pg_namespace on pg_namespace.oid = relnamespace
  where relkind in ('r', 'p', 'm', 'f') and class.oid not in (select id from covered) and not ${a(e)}
  union all
  select 'pg_largeobject', 'pg_catalog', 'pg_largeobject', 'large objects', count(*), current_user::text,
    coalesce(bool_and(pg_has_role(lomowner, 'usage')), true), null, false, false, true, false, null, '{}', '{}'
  from ${o}
  order by 2, 3`,l=e=>`with recursive ${r(e)}, ${i(e)}
  select * from (select attrelid::text as table, attname::text as name, format_type(atttypid, atttypmod) as type,
    case when type.typcategory = 'S' then 'text'
      when type.typcategory = 'A' and element.typcategory = 'S' then 'texts'
      when type.typname in ('json', 'jsonb') then 'json' when type.typname = 'bytea' then 'bytes'
      when type.typname in ('inet', 'cidr') then 'ip' when element.typname in ('inet', 'cidr') then 'ips'
      when type.typname in ('date', 'timestamp', 'timestamptz') then 'date' when type.typcategory = 'N' then 'number'
      when type.typname in ('point', 'geometry', 'geography') then type.typname else 'other' end as family,
    atttypid in (select id from texts) and not ${s} as "holdsText",
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
    and attrelid not in (select id from covered) and not ${a(e)}
  union all
  select 'pg_largeobject', 'data', 'bytea', 'bytes', true, null, true, false, false, false, false, null, null, 1
  from ${o}) as found order by position`,u=e=>`with recursive ${i(e)}
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
  where (indisunique or indisexclusion) and not ${a(e)}`,d=e=>`with recursive ${i(e)}
  select conname::text as name, conrelid::regclass::text as relation, one.root::text as table,
    array(select attname::text from unnest(conkey) with ordinality as key(number, position)
      join pg_attribute on attrelid = conrelid and attnum = number order by position) as columns,
    other.root::text as target,
    array(select attname::text from unnest(confkey) with ordinality as key(number, position)
      join pg_attribute on attrelid = confrelid and attnum = number order by position) as "targetColumns",
    pg_get_constraintdef(key.oid) as definition
  from pg_constraint as key join tree as one on one.id = conrelid join tree as other on other.id = confrelid
  where contype = 'f' and conparentid = 0
    and not exists (select from covered join hypertable on hypertable.id = parent where covered.id in (conrelid, confrelid))`,f=e=>`with recursive ${i(e)}
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
  from pg_class as class join tree on tree.id = class.oid where relforcerowsecurity`,p=({timescaledb:e})=>`with recursive
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
           from _timescaledb_catalog.continuous_agg join _timescaledb_catalog.hypertable on hypertable.id = mat_hypertable_id`}) as found order by position`,m=e=>({tables:c(e),columns:l(e),uniques:u(e),foreignKeys:d(e),obstacles:f(e),derived:p(e)})}),5809:((e,t,n)=>{n.d(t,{Cm:()=>o,RO:()=>s,uM:()=>c});var r=n(6238),i=n(7996),a=n(4109);let o=({schema:e,name:t})=>{let n=e=>/[".]/.test(e)?`"${e.replaceAll(`"`,`""`)}"`:e;return`${n(e)}.${n(t)}`};function s({schema:e,name:t,isPlain:n,elsewhere:r,parts:i,columns:o}){let s=`${(0,a.AB)(e)}.${(0,a.AB)(t)}`;if(r.length===0)return n?`only ${s}`:s;let c=o.map(e=>(0,a.AB)(e.name)).join();return`(${[`select ${c} from only ${s} where false`,...i.map(e=>`select ${c} from ${e}`)].join(` union all `)})`}async function c(e){let[t]=await(0,r.Ym)(e,`select current_setting('server_version_num')::int as version, current_database()::text as database,
       current_user::text as user,
       case when to_regclass('_timescaledb_catalog.continuous_agg') is not null then
         (select quote_ident(nspname) from pg_extension join pg_namespace on pg_namespace.oid = extnamespace
           where extname = 'timescaledb') end as timescaledb,
       case when current_setting('pg_stat_statements.max', true) is not null then
         (select quote_ident(nspname) from pg_extension join pg_namespace on pg_namespace.oid = extnamespace
           where extname = 'pg_stat_statements') end as statements`);if(t===void 0)throw Error(`the database says nothing of itself`);let n=(0,i.Cc)({...t,workSchema:a.fY}),o=await(0,r.Ym)(e,n.tables),s=await(0,r.Ym)(e,n.columns),c=Map.groupBy(s,({table:e})=>e);return{...t,tables:o.map(e=>({...e,columns:c.get(e.id)??[]})),uniques:await(0,r.Ym)(e,n.uniques),foreignKeys:await(0,r.Ym)(e,n.foreignKeys),obstacles:await(0,r.Ym)(e,n.obstacles),derived:await(0,r.Ym)(e,n.derived)}}}),4109:((e,t,n)=>{n.d(t,{AB:()=>a,UU:()=>u,br:()=>s,fY:()=>r,ol:()=>o,uh:()=>c,vm:()=>d});let r=`managed_database_action_masking`,i=`(select key from ${r}.secret)`,a=e=>`"${e.replaceAll(`"`,`""`)}"`,o=e=>`'${e.replaceAll(`'`,`''`)}'`,s=e=>`sha256(${i} || convert_to(${e}, current_setting('server_encoding')))`,c=e=>`encode(${s(e)}, 'hex')`,l=[`ba`,`do`,`fe`,`gu`,`ka`,`li`,`mo`,`nu`,`pe`,`ra`,`so`,`ti`,`ve`,`wi`,`xa`,`zo`];function u(e){let t=e=>`(array[${l.map(o).join()}])[1 + get_byte(digest, ${e}) % ${l.length}]`,n=e=>[0,1,2].map(n=>t(e+n)).join(` || `);return`(select initcap(${n(0)} || ' ' || ${n(3)}) from (select ${s(e)} offset 0) as made(digest))`}let d=e=>`(select coalesce(string_agg(case
    when letter between '0' and '9' then chr(48 + byte % 10)
    when letter between 'A' and 'Z' then chr(65 + byte % 26)
    when letter between 'a' and 'z' or ascii(letter) > 127 then chr(97 + byte % 26)
    else letter end, '' order by place), ${e})
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
    where jsonb_typeof(node) = 'string' and rule ->> 'kind' <> 'keep' and rule -> 'argument' is distinct from node $$;`}),3924:((e,t,n)=>{n.d(t,{So:()=>r,Ve:()=>a,Wd:()=>i,bf:()=>o});let r=({rule:e})=>e!==void 0&&e.kind!==`keep`,i=({kind:e,keeper:t})=>t!==`timescaledb`&&(e===`table`||e===`large objects`),a=e=>i(e)&&e.keeper===null,o=e=>a(e)||i(e)&&e.place!==void 0}),3229:((e,t,n)=>{n.d(t,{EC:()=>p,p6:()=>h,WM:()=>C,ep:()=>ee,te:()=>w,rB:()=>E,Mh:()=>y,wf:()=>b,Y5:()=>T,pM:()=>ne,Ck:()=>S,ZE:()=>O,$F:()=>D,fD:()=>te,sm:()=>x,YI:()=>f,aL:()=>d});var r=n(8772),i=n(4109),a=n(9578),o=n(3718);let s=e=>`left(repeat(${(0,i.uh)(e)}, length(${e}) / 64 + 1), length(${e}))`,c={email:{value:{text:e=>`left(${(0,i.uh)(e)}, 20) || '@masked.invalid'`},keepsNull:!0,keepsDistinct:!0,neededRoom:()=>35,leaves:`nothing`,meetsOthers:!1,proposedFor:/e_?mail/i},phone:{value:{text:e=>`'+999' || lpad((('x' || left(${(0,i.uh)(e)}, 11))::bit(44)::bigint % 100000000000)::text, 11, '0')`},keepsNull:!0,keepsDistinct:!1,neededRoom:null,leaves:`nothing`,meetsOthers:!1,proposedFor:/phone|mobile|fax|^tel$/i},name:{value:{text:e=>`case when ${e} is not null then ${(0,i.UU)(e)} end`},keepsNull:!0,keepsDistinct:!1,neededRoom:null,leaves:`nothing`,meetsOthers:!1,proposedFor:/(?:first|last|full|given|family|sur|middle|maiden|nick|user|display|contact)_?name|^name$/i},hash:{value:{text:e=>`left(${(0,i.uh)(e)}, 32)`},keepsNull:!0,keepsDistinct:{leastRoom:16},neededRoom:null,leaves:`nothing`,meetsOthers:!1,proposedFor:/password|secret|token|api_?key|hash|salt|digest|session|fingerprint/i},digits:{value:{text:e=>`case when ${e} is not null then ${(0,i.vm)(e)} end`},keepsNull:!0,keepsDistinct:!1,neededRoom:null,leaves:`chance`,meetsOthers:!1,proposedFor:/iban|bic|ssn|passport|licen[cs]e|card|account|post_?code|zip|vat|tax/i},keep:{value:{any:e=>e},keepsNull:!0,keepsDistinct:!0,neededRoom:null,leaves:`all`,meetsOthers:!1,proposedFor:/(?:^|_)(?:status|state|kind|type|category|locale|lang|language|currency|country|unit|time_?zone)$/i},text:{value:{text:e=>s(e)},keepsNull:!0,keepsDistinct:!1,neededRoom:null,leaves:`nothing`,meetsOthers:!1,proposedFor:null},token:{value:{text:o.Sh,bytes:o.en},keepsNull:!0,keepsDistinct:!0,neededRoom:null,leaves:`chance`,meetsOthers:!0,proposedFor:null},ip:{value:{text:o.ip,ip:(e,{type:t})=>(0,o.zP)(e,t)},keepsNull:!0,keepsDistinct:!1,neededRoom:null,leaves:`nothing`,meetsOthers:!1,proposedFor:null},location:{value:{text:e=>(0,o.Ir)(e,s(e)),number:(e,{type:t})=>(0,o.Ym)(e,t),point:o.ik,geometry:(e,{type:t})=>(0,o.cW)(e,t),geography:(e,{type:t})=>(0,o.cW)(e,t)},keepsNull:!0,keepsDistinct:!1,neededRoom:null,leaves:`chance`,meetsOthers:!1,proposedFor:null},date:{value:{date:(e,{dates:t})=>(0,o.OE)(e,t)},keepsNull:!0,keepsDistinct:!1,neededRoom:null,leaves:`nothing`,meetsOthers:!1,proposedFor:null},null:{value:{any:()=>`null`},keepsNull:!0,keepsDistinct:!1,neededRoom:null,leaves:`nothing`,meetsOthers:!1,proposedFor:null},shuffle:{value:{any:e=>e},keepsNull:!0,keepsDistinct:!1,neededRoom:null,leaves:`all`,meetsOthers:!1,proposedFor:null},fixed:{value:{any:(e,{argument:t,type:n})=>`${(0,i.ol)(t)}::${n}`},argument:`text`,keepsNull:!1,keepsDistinct:!1,neededRoom:e=>[...e].length,leaves:{values:e=>[e]},meetsOthers:!1,proposedFor:null},json:{value:{json:(e,{type:t,paths:n})=>(0,a.az)(e,t,n)},argument:`mapping`,keepsNull:!0,keepsDistinct:!1,neededRoom:null,leaves:`chance`,meetsOthers:!1,proposedFor:null},sql:{value:{any:(e,{argument:t})=>`(${t}\n)`},argument:`expression`,keepsNull:!1,keepsDistinct:!0,neededRoom:null,leaves:`nothing`,meetsOthers:!0,proposedFor:null}},l=e=>c[e],u=(0,r.Y)(c),d=u.filter(e=>l(e).argument===void 0),f=u.filter(e=>l(e).argument!==void 0);function p(e){let{argument:t=``}=l(e);return`${e} needs ${/^[aeiou]/.test(t)?`an`:`a`} ${t}: write { ${e}: ${t} }`}function m(e){let t=e.map(e=>f.includes(e)?`{ ${e}: \u2026 }`:e);return`${t.slice(0,-1).join(`, `)} or ${t.at(-1)}`}let h=m([...d,...f]),g={text:`texts`,json:`JSON`,bytes:`bytes`,ip:`IP addresses`,number:`numbers`,date:`dates`,point:`points`,geometry:`geometries`,geography:`geographies`},_=e=>e===`texts`?`text`:e===`ips`?`ip`:e;function v(e,t){let{value:n}=l(e);if(`any`in n)return n.any;let r=_(t);return r===`other`?void 0:n[r]}let ee=u.filter(e=>[`keep`,`null`,`fixed`].includes(e)||`text`in l(e).value),te=e=>u.flatMap(t=>{let n=v(t,`text`);return n===void 0||`any`in l(t).value?[]:[[t,n(e,{argument:``,paths:[],type:`text`,dates:[]})]]});function ne(e,t,n=[]){let{type:r,family:a,ignoresCase:o}=e,s=`target.${(0,i.AB)(e.name)}`,{argument:c=``,paths:u=[]}=t,d={argument:c,paths:u,type:r,dates:n.map(e=>`target.${(0,i.AB)(e)}`)},f=v(t.kind,a);if(f===void 0)throw Error(`${t.kind} is not for ${r}`);if(`any`in l(t.kind).value)return f(s,d);if(a===`texts`||a===`ips`)return`case when ${s} is not null then array(select ${f(`element`,d)} from unnest(${s}::text[]) as part(element)) end::${r}`;let p=o?`lower(${s}::text)`:`${s}::text`;return`(${f(a===`text`?p:s,d)})::${r}`}let y=({kind:e})=>l(e).keepsNull,b=({kind:e})=>l(e).leaves;function x(e){let t=b(e);return typeof t==`object`?t.values(e.argument??``):[]}let S=({kind:e})=>l(e).meetsOthers;function C({family:e,type:t,length:n},{kind:i,argument:a=``}){let{value:o,neededRoom:s}=l(i);if(v(i,e)===void 0){let n=(0,r.Y)(g).filter(e=>e in o),a=[...d,...f].filter(t=>v(t,e)!==void 0);return`is ${t}, and ${i} is for ${n.map(e=>g[e]).join(`, `)}: use ${m(a)}`}let c=s?.(a);if(!(c===void 0||n===null||n>=c))return f.includes(i)?`has room for ${n} characters, and the ${i} text is longer`:`has room for ${n} characters, and ${i} needs ${c}`}function w(e,t){let{keepsDistinct:n}=l(e);return typeof n==`boolean`?n:(t??32)>=n.leastRoom}let T=(e,t)=>typeof l(e).keepsDistinct==`boolean`?0:Math.min(t??32,32),E=e=>l(e).keepsDistinct!==!1,D=e=>u.find(t=>l(t).proposedFor?.test(e));function O({name:e,family:t,length:n}){if(t!==`text`||n!==null&&n<32)return`keep`;let r=D(e);return r===`email`&&C({name:e,family:t,length:n,type:``,ignoresCase:!1},{kind:r})===void 0?`email`:`hash`}}),3718:((e,t,n)=>{n.d(t,{Ir:()=>m,OE:()=>v,Sh:()=>c,Ym:()=>p,cW:()=>_,en:()=>l,ik:()=>g,ip:()=>u,uj:()=>f,zP:()=>d});var r=n(4109);let i=e=>`('x' || left(${(0,r.uh)(e)}, 8))::bit(32)::bigint`,a=[[`0`,`9`],[`a`,`f`],[`g`,`z`],[`A`,`F`],[`G`,`Z`]];function o(e,t){let[n,r]=[e.charCodeAt(0),t.charCodeAt(0)-e.charCodeAt(0)+1];return`when letter between '${e}' and '${t}' then chr(${n} + (ascii(letter) - ${n} + byte) % ${r})`}function s(e,t){let n=`regexp_replace(${e}, '(.)(.?)', '${t%2==0?String.raw`\2`:String.raw`\1`}', 'g')`,i=`(select string_agg(${(0,r.br)(`'token ${t} ' || piece || ' ' || ${n}`)}, '' order by piece)
    from generate_series(0, length(${e}) / 64) as series(piece))`;return`(select coalesce(string_agg(case
      when place % 2 = ${t%2} then letter
      when is_base32 and letter between '2' and '7' then chr(50 + (ascii(letter) - 50 + byte) % 6)
      ${a.map(([e,t])=>o(e,t)).join(`
      `)}
      when ascii(letter) > 127 then chr(97 + byte % 26)
      else letter end, '' order by place), ${e})
    from (select ${i}, ${e} ~ '^[A-Z2-7]{16,}=*$' offset 0) as made(stream, is_base32),
      unnest(string_to_array(${e}, null)) with ordinality as part(one, place),
      lateral (select one collate "C", get_byte(stream, (place - 1)::int / 2)) as now(letter, byte))`}let c=e=>`(select ${s(`token_2`,2)} from (select ${s(`token_1`,1)} from (select ${s(`token_0`,0)}
    from (select ${e} offset 0) as round_0(token_0) offset 0) as round_1(token_1) offset 0) as round_2(token_2))`,l=e=>`decode(${c(`encode(${e}, 'hex')`)}, 'hex')`,u=e=>`(select case when strpos(${e}, ':') > 0
      then host(('2001:db8:' || regexp_replace(left(encode(digest, 'hex'), 24), '(....)(?=.)', '\\1:', 'g'))::inet)
      else concat_ws('.', 240 + get_byte(digest, 0) % 15, get_byte(digest, 1), get_byte(digest, 2), get_byte(digest, 3)) end
    || coalesce(substring(${e} from '/[0-9]+$'), '')
  from (select ${(0,r.br)(`lower(split_part(${e}, '/', 1))`)} offset 0) as made(digest) where ${e} is not null)`,d=(e,t)=>t.startsWith(`cidr`)?`network((${u(`${e}::text`)})::inet)`:u(`${e}::text`),f=e=>`round(${i(`'degrees ' || round(${e}, 6)`)} / 4294967296.0 * 170 - 85, 6)`,p=(e,t)=>/^(?:integer|bigint)/.test(t)?`${f(`${e}::numeric / 10000000`)} * 10000000`:f(`${e}::numeric`),m=(e,t)=>`case when ${e} ~ '^\\s*[-+]?[0-9]{1,3}([.][0-9]+)?\\s*$' then ${f(`${e}::numeric`)}::text else ${t} end`,h=e=>`${f(`(${e})::numeric`)}::float8`,g=e=>`point(${h(`${e}[0]`)}, ${h(`${e}[1]`)})`;function _(e,t){let n=/^(.*\.)geo(?:metry|graphy)\b/.exec(t)?.[1]??``,[r,i]=[`st_x`,`st_y`].map(e=>`${n}${e}(centre)`);return`(select coalesce(${n}st_translate(shape, ${h(`${r}`)} - ${r}, ${h(`${i}`)} - ${i}), shape)
    from (select shape, ${n}st_centroid(shape) from (select ${e}::${n}geometry offset 0) as found(shape) offset 0)
      as made(shape, centre))`}let v=(e,t)=>`(${e} - (1 + ${i(`concat_ws(' ', 'date', ${t.map(e=>`${e}::text`).join()})`)} % 365) * interval '24 hours')`}),9668:((e,t,n)=>{n.d(t,{$s:()=>g,Ue:()=>c,mQ:()=>p});var r=n(5145),i=n(2784),a=n(5809),o=n(3924);class OriginalsFoundError extends r.lZ{}let s=(e,t)=>t.map(({name:t})=>`${(0,a.Cm)(e)}.${t}`);function c(e){let t=e.tables.filter(o.bf),n=t.filter(({dropRows:e})=>!e),r=e=>n.flatMap(t=>s(t,t.columns.filter(e)));return{masked:n.flatMap(e=>e.columns.filter(o.So).map(({name:t,rule:n})=>({column:`${(0,a.Cm)(e)}.${t}`,rule:n?.kind??``}))),droppedTables:t.filter(({dropRows:e})=>e).map(a.Cm),keptByRule:r(({rule:e})=>e?.kind===`keep`),keptByType:r(({rule:e,isGenerated:t})=>e===void 0&&!t),keptByExtension:e.tables.filter(e=>(0,o.Wd)(e)&&!(0,o.bf)(e)).flatMap(e=>s(e,e.columns.filter(({holdsText:e})=>e))),computed:r(({isGenerated:e})=>e)}}let l=({place:e,times:t,originals:n,from:r})=>`${e}: ${n} ${n===1?`original`:`originals`} of ${r.join(`, `)}, in ${t} ${t===1?`value`:`values`}`,u=(e,t)=>e.reduce((e,n)=>e+t(n),0);function d({samples:e,proof:t}){let n=u(e,({taken:e})=>e),r=u(e,({tooShort:e})=>e),i=u(e,({notUnique:e})=>e),a=t.hits.reduce((e,{originals:t})=>e+t,0),o=e.filter(({taken:e})=>e===0).length,s=e.length-o,c=o===0?``:`; ${o} more without an original to look for`;return`${a===0?`none`:a} of ${n} originals of ${s} ${s===1?`column`:`columns`} found in ${t.searched.length} places${c}; left out: ${r} shorter than 8 characters, ${i} not unique, ${t.common} common in columns that are kept`}function f(e){let{masked:t,proof:n,samples:r}=e,i=r.filter(({taken:e})=>e===0).map(({column:e})=>e);return[{title:`Masked by rule`,names:t.map(({column:e,rule:t})=>`${e}: ${t}`)},{title:`Rows dropped`,names:e.droppedTables},{title:`Kept by rule`,names:e.keptByRule},{title:`Kept by type`,names:e.keptByType},{title:`Kept, as a table of an extension`,names:e.keptByExtension},{title:`Computed from other columns`,names:e.computed},{title:`Searched`,names:n.searched},{title:`Not searched`,names:n.notSearched},{title:`Masked, but without an original to look for`,names:i}].filter(({names:e})=>e.length>0)}function p(e){let{masked:t,rows:n}=e,r=`${t.length} ${t.length===1?`column`:`columns`}, ${n} rows; ${d(e)}`,a=f(e).map(({title:e,names:t})=>(0,i.zH)(`${e}: ${t.length}`,(0,i.p_)(t)));return{summary:r,report:[(0,i.n8)(`Masked: ${r}`),...a]}}let m=({place:e})=>/^(?:statistics of )?_timescaledb_/.test(e);function h(e){let t=e.toSorted((e,t)=>Number(m(e))-Number(m(t))),n=e.length-20;return[...t.slice(0,20).map(l),...n>0?[`and ${n} more`]:[]].join(`; `)}function g({proof:{hits:e}}){if(e.length!==0)throw new OriginalsFoundError(`originals were found after masking: ${h(e)}`,`give these columns a rule that masks them, or drop_rows for their table, and change in the parent what can have no rule, like a definition or the config of a job; the copy is not to be used`)}})};