"use strict";exports.id=870,exports.ids=[870],exports.modules={7870:((e,t,n)=>{n.d(t,{i:()=>Xe,parseMaskFile:()=>i.qn,proposeFile:()=>Je});var r=n(5809),i=n(2048),a=n(7996);let o=`(select key from ${r.fY}.secret)`,s=e=>`'${e.replaceAll(`'`,`''`)}'`,c=e=>`sha256(${o} || convert_to(${e}, current_setting('server_encoding')))`,l=e=>`encode(${c(e)}, 'hex')`,u=[`ba`,`do`,`fe`,`gu`,`ka`,`li`,`mo`,`nu`,`pe`,`ra`,`so`,`ti`,`ve`,`wi`,`xa`,`zo`];function d(e){let t=e=>`(array[${u.map(s).join()}])[1 + get_byte(digest, ${e}) % ${u.length}]`,n=e=>[0,1,2].map(n=>t(e+n)).join(` || `);return`(select initcap(${n(0)} || ' ' || ${n(3)}) from (select ${c(e)} offset 0) as made(digest))`}let f=e=>`(select coalesce(string_agg(case
    when letter between '0' and '9' then chr(48 + byte % 10)
    when letter between 'A' and 'Z' then chr(65 + byte % 26)
    when letter between 'a' and 'z' or ascii(letter) > 127 then chr(97 + byte % 26)
    else letter end, '' order by place), ${e})
  from (select ${c(e)} offset 0) as made(digest),
    unnest(string_to_array(${e}, null)) with ordinality as part(one, place),
    lateral (select one collate "C", get_byte(digest, (place % 32)::int)) as now(letter, byte))`,p={hash:e=>`left(${l(e)}, 32)`,email:e=>`left(${l(e)}, 20) || '@masked.invalid'`,phone:e=>`'+999' || lpad((('x' || left(${l(e)}, 11))::bit(44)::bigint % 100000000000)::text, 11, '0')`,text:e=>`left(repeat(${l(e)}, length(${e}) / 64 + 1), length(${e}))`,name:e=>`case when ${e} is not null then ${d(e)} end`,digits:e=>`case when ${e} is not null then ${f(e)} end`};function m(e,t){let n=`target.${(0,i.AB)(e.name)}`;if(t.kind===`keep`||t.kind===`shuffle`)return n;if(t.kind===`null`)return`null`;if(t.kind===`fixed`)return`${s(t.text)}::${e.type}`;if(t.kind===`sql`)return`(${t.text}\n)`;let r=p[t.kind];if(r===void 0)throw Error(`no expression for ${t.kind}`);return e.family===`texts`?`case when ${n} is not null then array(select ${r(`element`)} from unnest(${n}::text[]) as part(element)) end::${e.type}`:`(${r(e.ignoresCase?`lower(${n}::text)`:`${n}::text`)})::${e.type}`}let h=({kind:e})=>e!==`fixed`&&e!==`sql`;var g=n(3924);let _=`nextval('${r.fY}.done') > 0`,ee=`select case when is_called then last_value else 0 end::float8 as rows,
  extract(epoch from clock_timestamp())::float8 as now from ${r.fY}.done`;async function v(e,{stage:t,allRows:n,onProgress:r,every:i=30},a){if(r===void 0)return await a();let o=!1,{promise:s,resolve:c}=Promise.withResolvers(),l=e(async e=>{let a=async()=>(await e.query(ee)).rows[0],s=await a();c();let l=s.now;for(;!o;){await e.query(`select pg_sleep(0.25)`);let c=await a();if(o||c.now<l+i)continue;l=c.now;let u=Math.min(c.rows-s.rows,n);r({stage:t,rows:u,allRows:n,left:u>0?(c.now-s.now)/u*(n-u):void 0})}}).catch(()=>{}).finally(c);try{return await s,await a()}finally{o=!0,await l}}var te=n(5145),y=n(6238);class MaskingError extends te.lZ{}let ne=/^(?:0A|23|25|40|42|53|54|55|57)/;function b({code:e,message:t,where:n}){return ne.test(e)&&n===void 0?`${t} (SQLSTATE ${e})`:`SQLSTATE ${e} (its message may hold values, and is not shown)`}async function x(e,t){try{return await t()}catch(t){throw t instanceof y.Mp?new MaskingError(`${e}: ${b(t)}`,`correct the rule that it is about, or the parent; the copy is not to be used`):t}}async function S(e,{timescaledb:t}){await x(`a session for masking`,()=>e.query(`
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
  set maintenance_work_mem = '256MB';${t===null?``:`set timescaledb.max_tuples_decompressed_per_dml_transaction = 0;`}`))}async function re(e){await x(`a schema for masking`,()=>e.query(`
      drop schema if exists ${r.fY} cascade;
      create schema ${r.fY};
      revoke all on schema ${r.fY} from public;
      create unlogged table ${r.fY}.secret as
        select sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')) as key,
          ('x' || left(encode(sha256(convert_to(gen_random_uuid()::text, 'UTF8')), 'hex'), 16))::bit(64)::bigint as seed;
      create unlogged table ${r.fY}.needle (id bigint generated always as identity, source int not null,
        hash bytea not null, words int not null, first int not null, word bigint not null);
      -- A session takes a hundred numbers at once: each is written to disk.
      create sequence ${r.fY}.done cache 100;
      create unlogged table ${r.fY}.hit (place text not null, needle bigint not null, times bigint not null)`))}async function ie(e){await x(`the schema for masking`,()=>e.query(`drop schema if exists ${r.fY} cascade`))}async function C(e,t,{sessions:n,tasks:r},i){let a=[...r],o=async e=>{await S(e,t);for(let t=a.shift();t!==void 0;t=a.shift())await i(e,t)},s=Array.from({length:Math.min(n,r.length)},async()=>{try{await e(o)}catch(e){throw a.length=0,e}}),c=(await Promise.allSettled(s)).find(({status:e})=>e===`rejected`);if(c?.status===`rejected`)throw c.reason}let w=e=>e.columns.flatMap(e=>e.rule&&(0,g.S)(e)?[{...e,rule:e.rule}]:[]),T=({tables:e})=>e.filter(e=>!e.dropRows&&e.kind===`table`&&w(e).length>0),E=({tables:e})=>e.filter(({dropRows:e,kind:t})=>e&&t===`table`);function ae(e,t){let n=(0,r.RO)(e),a=t.map(({name:e},t)=>`, (select ${(0,i.AB)(e)} as shuffled_value_${t},
      row_number() over (order by random()) as shuffled_number_${t} from ${n}) as shuffled_${t}`),o=t.map((e,t)=>` and shuffled_number_${t} = own_number`);return`from (select tableoid as own_table, ctid as own_row, row_number() over () as own_number from ${n}) as numbered
    ${a.join(``)} where target.tableoid = own_table and target.ctid = own_row${o.join(``)}`}function oe(e){let t=w(e),n=t.filter(({rule:e})=>e.kind===`shuffle`),a=t.map(e=>{let t=n.indexOf(e);return`${(0,i.AB)(e.name)} = ${t<0?m(e,e.rule):`shuffled_value_${t}`}`}),o=t.map(({name:e})=>`${(0,i.AB)(e)} is not null`).join(` or `),s=n.length>0?ae(e,n):`where ${t.every(({rule:e})=>h(e))?`(${o})`:`true`}`;return`update ${(0,r.RO)(e)} as target set ${a.join(`, `)} ${s} and ${_}`}async function se(e,t){for(let n of T(t)){let t=n.columns.filter(({isGenerated:e})=>!e),a=t.map(({name:e})=>(0,i.AB)(e)).join(),o=t.map(e=>m(e,e.rule??{kind:`keep`})).join();await x(`the rules for ${(0,r.Cm)(n)}, tried on some rows`,async()=>{await e.query(`begin`);try{await e.query(`create temp table tried (like ${(0,i.AB)(n.schema)}.${(0,i.AB)(n.name)}
             including constraints including defaults including generated including indexes) on commit drop`),await e.query(`insert into pg_temp.tried (${a}) select ${o} from ${(0,r.RO)(n)} as target limit 1000`)}finally{await e.attempt(`rollback`)}})}}let D=18e4,O=e=>E(e).map(({schema:e,name:t})=>`${(0,i.AB)(e)}.${(0,i.AB)(t)}`);async function k(e,t){let n=E(t);for(let t of n.flatMap(({elsewhere:e})=>e))await e.query(`drop foreign table if exists ${t}`);if(n.length>0&&await e.query(`truncate ${O(t).join(`, `)}`),t.timescaledb!==null)for(let{name:t}of(await e.query(`
  with recursive stored(id) as (
    select id from _timescaledb_catalog.hypertable
      where to_regclass(format('%I.%I', schema_name, table_name))::oid::text = any ($1)
    union
    select mat_hypertable_id from stored join _timescaledb_catalog.continuous_agg on raw_hypertable_id = stored.id)
  select format('%I.%I', user_view_schema, user_view_name) as name
  from _timescaledb_catalog.continuous_agg join stored on stored.id = mat_hypertable_id`,[n.map(({id:e})=>e)])).rows)await e.query(`truncate ${t}`);t.tables.some(e=>e.kind===`large objects`&&e.dropRows)&&await e.query(`select lo_unlink(object.oid) from ${a.x}`)}async function ce(e,t){if(!(t.version>=D))for(let n of O(t)){let{rows:t}=await e.query(`
  select case when count(*) = 0 then 'default values'
    else format('(%s) values (%s)', string_agg(quote_ident(attname), ', '), string_agg(quote_literal(value), ', ')) end as row
  from pg_attribute join pg_type as type on type.oid = atttypid, lateral (select case
      when typname in ('json', 'jsonb') then 'null' when typname = 'uuid' then repeat('0', 32) when typname = 'xml' then '<a/>'
      when typcategory in ('N', 'T') then '0' when typcategory = 'B' then 'false' when typcategory = 'D' then 'epoch'
      when typcategory = 'A' then '{}' when typcategory = 'R' then 'empty' else '' end) as made(value)
  where attrelid = $1::regclass and attnum > 0 and not attisdropped and attnotnull and not atthasdef and attidentity = ''`,[n]);await e.attempt(`insert into ${n} ${t[0]?.row}`)}}async function le(e,t){if(!(t.version>=D||E(t).length===0)){await k(e,t);for(let{name:n,isAggregate:r}of t.derived)r||await e.query(`refresh materialized view ${n}`)}}async function A(e,{version:t},n,r){if(t>=D)await e.query(`
  with recursive part(id) as (
    select $1::regclass::oid union select inhrelid from part join pg_inherits on inhparent = part.id)
  select pg_clear_attribute_stats(schemaname, tablename, attname, inherited)
  from pg_stats join pg_class on pg_class.oid = format('%I.%I', schemaname, tablename)::regclass
  where reltuples = 0 and (pg_class.oid in (select id from part)
    or pg_class.oid in (select indexrelid from pg_index where indrelid in (select id from part)))`,[n]);else for(let{name:t,type:a,holdsText:o}of r?.dropRows?r.columns:[])o&&await e.attempt(`alter table ${n} alter column ${(0,i.AB)(t)} type ${a}`)}async function ue(e,t,n){let r=`${(0,i.AB)(n.schema)}.${(0,i.AB)(n.name)}`;if(!n.isCompressed){await e.query(`vacuum (analyze) ${r}`),await A(e,t,r,n);return}let{rows:a}=await e.query(`
  select format('%I.%I', chunk_schema, chunk_name) as chunk from timescaledb_information.chunks
  where is_compressed and hypertable_schema = $1 and hypertable_name = $2`,[n.schema,n.name]);await e.query(`analyze ${r}`);for(let{chunk:n}of a)await e.query(`select ${t.timescaledb}.compress_chunk($1::regclass, if_not_compressed => true)`,[n]);await e.query(`vacuum ${r}`)}async function de(e,t){let{derived:n,timescaledb:r}=t;if(T(t).some(({isCompressed:e})=>e))for(let{name:t}of(await e.query(`
  select attrelid::regclass::text as name from pg_attribute join pg_class on pg_class.oid = attrelid
  where attname = '_ts_meta_count' and relkind = 'r' and relnamespace = '_timescaledb_internal'::regnamespace
    and pg_has_role(relowner, 'usage')`)).rows)await e.query(`vacuum (analyze) ${t}`);let{argument:i=``}=(await e.query(`
  select case when 'force' = any (proargnames) then ', force => true' else '' end as argument
  from pg_proc where proname = 'refresh_continuous_aggregate'`)).rows[0]??{};for(let{name:a,stored:o,isAggregate:s}of n)await x(`refreshing ${a}`,async()=>{s?await e.query(`call ${r}.refresh_continuous_aggregate('${a.replaceAll(`'`,`''`)}', null, null${i})`):await e.query(`refresh materialized view ${a}`),await e.query(`vacuum (analyze) ${o}`),await A(e,t,o)})}function fe(e){let t=E(e).map(({id:e})=>e),n=T(e),r=new Set([...t,...n.map(({id:e})=>e)]),a=(e,r)=>t.includes(e)||n.some(t=>t.id===e&&w(t).some(({name:e})=>r.includes(e)));return[...e.foreignKeys.filter(e=>a(e.table,e.columns)||a(e.target,e.targetColumns)).map(({relation:e,name:t,definition:n})=>({lift:`alter table ${e} drop constraint ${(0,i.AB)(t)}`,restore:`alter table ${e} add constraint ${(0,i.AB)(t)} ${n}`})),...e.obstacles.filter(({table:e,isPolicy:t})=>!t&&r.has(e))]}async function pe(e,t,{sessions:n,...i}){let a=T(t).toSorted((e,t)=>t.rows-e.rows),o=a.reduce((e,{rows:t})=>e+t,0),s=0;return await v(e,{stage:`masking`,allRows:o,...i},()=>C(e,t,{sessions:n,tasks:a},async(e,t)=>{s+=(await x(`masking ${(0,r.Cm)(t)}`,()=>e.query(oe(t)))).rowCount})),s}async function me(e,t,n){let i=fe(t),a=(n,r)=>C(e,t,{sessions:1,tasks:[n]},e=>x(n,()=>r(e)));await a(`what stands in the way of masking`,async e=>{for(let{lift:t}of i)await e.query(t)}),await a(`dropping rows`,async e=>{await k(e,t),await ce(e,t)});let o=await pe(e,t,n);return await C(e,t,{sessions:n.sessions,tasks:[...T(t),...E(t)]},(e,n)=>x(`cleaning up ${(0,r.Cm)(n)}`,()=>ue(e,t,n))),await a(`what is computed from the masked rows`,e=>de(e,t)),await a(`dropping rows`,e=>le(e,t)),await a(`a constraint or trigger, put back after masking`,async e=>{for(let{restore:t}of i)await e.query(t)}),o}var j=n(4526);let M=new Set([`keep`,`hash`,`email`,`sql`]),he=new Set([`hash`,`email`,`name`,`phone`,`text`,`digits`]),N=e=>e?.rule?.kind??`keep`;function ge(e,t){let{rule:n,length:r}=t;if(n!==void 0&&n.kind!==`keep`){if(t.isGenerated)return`is computed from other columns: mask those`;if(e.kind===`large objects`)return`can only be kept, or dropped with drop_rows`;if(t.isAlwaysIdentity)return`is an identity that the database gives: keep it`;if(t.decidesPart)return`decides in which partition or chunk a row is: keep it`;if(n.kind===`null`&&t.notNull)return`must not be null`;if(he.has(n.kind)&&t.family!==`text`&&t.family!==`texts`)return`is ${t.type}, and ${n.kind} is for texts`;if(n.kind===`email`&&r!==null&&r<35)return`has room for ${r} characters, and email needs 35`;if(n.kind===`fixed`&&r!==null&&[...n.text].length>r)return`has room for ${r} characters, and the fixed text is longer`;if(n.kind===`shuffle`&&e.isHypertable)return`is in a hypertable, whose rows cannot change places: take another rule than shuffle`}}function _e(e){if(e.dropRows||e.columns.some(g.S)){if(!e.isOurs)return`belongs to ${e.owner}, whose rights this login does not have`;if(e.elsewhere.length>0&&!e.dropRows)return`has rows that cannot be changed, in ${e.elsewhere.join(`, `)}: only drop_rows is possible`;if(e.hasRewriteRule)return`has a rewrite rule for updates: drop it from the parent, or use a trigger`}}function ve(e,t){let n=t=>e.columns.find(e=>e.name===t),i=(e,{isExclusion:t,nullsEqual:r})=>{let i=n(e),a=N(i);if(t)return a===`keep`;let o=a===`hash`&&(i?.length??16)<16;return M.has(a)&&!o||a===`null`&&!r},a=t.filter(t=>t.table===e.id),o=a.filter(e=>e.columns.every(t=>i(t,e)));return a.filter(e=>!o.some(({columns:t})=>t.every(t=>e.columns.includes(t)))).flatMap(t=>t.columns.filter(e=>!i(e,t)).map(i=>({place:n(i)?.place,what:`${(0,r.Cm)(e)}.${i} must stay ${t.isExclusion?`as it is`:`unique`} (${t.name}): ${N(n(i))} does not keep it so`})))}function ye(e,t){let[n,r]=[N(e),N(t)];if(n!==r||!M.has(n))return!1;if(n===`keep`)return!0;if(n===`sql`)return e.rule?.kind===`sql`&&t.rule?.kind===`sql`&&e.rule.text===t.rule.text;let i=e=>Math.min(e.length??32,32);return e.ignoresCase===t.ignoresCase&&(n===`email`||i(e)===i(t))}function P(e,t){let[n,i]=[t.table,t.target].map(t=>e.tables.find(e=>e.id===t));if(n===void 0||i===void 0||n.dropRows)return[];let a=t.columns.map((e,r)=>({from:n.columns.find(t=>t.name===e),to:i.columns.find(e=>e.name===t.targetColumns[r])}));if(a.some(({from:e})=>N(e)===`null`))return[];let o=`${(0,r.Cm)(n)}.${t.columns.join(`, `)} refers to ${(0,r.Cm)(i)} (${t.name})`,{place:s}=a[0]?.from??{};return i.dropRows?[{place:s??n.place,what:`${o}, whose rows are dropped: take null or drop_rows for it as well`}]:a.every(({from:e,to:t})=>e&&t&&ye(e,t))?[]:[{place:s,what:`${o}: both ends need the same rule, one of keep, hash, email and sql`}]}function be(e){let t=e.tables.filter(g.W);return[...t.flatMap(e=>{let t=_e(e);return t===void 0?[]:[{place:e.place,what:`${(0,r.Cm)(e)} ${t}`}]}),...t.filter(({dropRows:e})=>!e).flatMap(t=>[...t.columns.flatMap(e=>{let n=ge(t,e);return n===void 0?[]:[{place:e.place,what:`${(0,r.Cm)(t)}.${e.name} ${n}`}]}),...ve(t,e.uniques)]),...e.foreignKeys.flatMap(t=>P(e,t))]}let xe=(e,t)=>RegExp(`^${e.split(`*`).map(e=>e.replace(/[\\^$.*+?()[\]{}|]/g,`\\$&`)).join(`.*`)}$`,`s`).test(t);function F({tables:e},{schema:t,name:n}){return e.filter(e=>e.table===n&&xe(e.schema,t)).sort((e,t)=>Number(e.schema.includes(`*`))-Number(t.schema.includes(`*`)))}function I(e,t,n){let r=t.tables.find(({id:e})=>e===n.parent);return[...F(e,n),...r?I(e,t,r):[]]}function Se(e,t,n){let r=(0,g.W)(n)?I(e,t,n):[],i=n.columns.map(e=>{let t=r.flatMap(({columns:t})=>t.filter(t=>t.column===e.name))[0];return{...e,rule:t?.rule,place:t?.place}});return{...n,columns:i,dropRows:r[0]?.dropRows===!0,place:r[0]?.place}}function Ce(e,{tables:t}){let n=[],i=t.filter(g.W);for(let a of e.tables){let o=(0,r.Cm)({schema:a.schema,name:a.table}),s=t.filter(t=>F(e,t).includes(a)),c=s.filter(g.W);for(let e of s.filter(e=>!(0,g.W)(e))){let t=e.keeper?`belongs to the extension ${e.keeper}`:`is a ${e.kind}`;a.schema.includes(`*`)||n.push({place:a.place,what:`${o} ${t}, and takes no rules`})}s.length===0&&n.push({place:a.place,what:`there is no table ${o}${(0,j.o2)(o,i.map(r.Cm))}`});for(let{column:e,place:t}of c.length>0?a.columns:[]){let r=c.flatMap(({columns:e})=>e.map(({name:e})=>e));r.includes(e)||n.push({place:t,what:`${o} has no column ${e}${(0,j.o2)(e,r)}`})}}return n}let we=e=>e.filter(e=>(0,g.W)(e)&&!e.dropRows).filter(({kind:e,rows:t})=>e!==`large objects`||t>0).flatMap(e=>e.columns.filter(({rule:e,holdsText:t,isGenerated:n})=>e===void 0&&t&&!n).map(({name:t,type:n})=>({what:`${(0,r.Cm)(e)}.${t} (${n}) has no rule`})));function Te(e,t){let n=t.tables.map(n=>Se(e,t,n)),r={...t,tables:n},a=[...Ce(e,t),...we(n),...be(r)];if(a.length>0)throw new i.ll(e.file,a,`give each column a rule that its table can take; dry_run prints a complete file to compare with`);return r}let Ee=[[/e_?mail/i,`email`],[/phone|mobile|fax|^tel$/i,`phone`],[/(?:first|last|full|given|family|sur|middle|maiden|nick|user|display|contact)_?name|^name$/i,`name`],[/password|secret|token|api_?key|hash|salt|digest|session|fingerprint/i,`hash`],[/iban|bic|ssn|passport|licen[cs]e|card|account|post_?code|zip|vat|tax/i,`digits`],[/(?:^|_)(?:status|state|kind|type|category|locale|lang|language|currency|country|unit|time_?zone)$/i,`keep`]];function L({name:e,family:t,length:n}){return t!==`text`||n!==null&&n<32?`keep`:/e_?mail/i.test(e)&&(n===null||n>=35)?`email`:`hash`}function De({rows:e},{name:t,family:n,distinct:r,notNull:i,length:a}){if(n===`json`)return i?`{ fixed: '{}' }`:`null`;if(n===`bytes`)return i?`{ fixed: '' }`:`null`;if(n===`other`)return i?`keep`:`null`;let o=Ee.find(([e])=>e.test(t))?.[1];if(o===`email`&&a!==null&&a<35)return`hash`;let s=r!==null&&r>0&&r<Math.min(20,e/5);return o??(s?`keep`:`text`)}let R=(e,t)=>`${e} ${t}`;function Oe({tables:e,uniques:t}){let n=new Map;for(let r of e.filter(g.W))for(let e of r.columns.filter(({holdsText:e,isGenerated:t})=>e&&!t)){let i=t.some(t=>t.table===r.id&&t.columns.includes(e.name)),a=t.some(t=>t.isExclusion&&t.table===r.id&&t.columns.includes(e.name)),o=e.decidesPart||a||r.elsewhere.length>0||!r.isOurs,s=o?`keep`:i?L(e):De(r,e),c=o?`cannot be changed`:i?`must stay unique`:``;n.set(R(r.id,e.name),{column:e,rule:s,remark:c})}return n}function ke({foreignKeys:e},t){for(let n of e)for(let n of e)n.columns.forEach((e,r)=>{let i=t.get(R(n.table,e)),a=t.get(R(n.target,n.targetColumns[r]??``));if(i===void 0||a===void 0)return;let o=[i,a].map(({column:e})=>L(e)).includes(`keep`)||i.column.ignoresCase!==a.column.ignoresCase||[i,a].some(({remark:e})=>e===`cannot be changed`)||a.rule===`keep`?`keep`:a.rule===`email`?`email`:`hash`;Object.assign(i,{rule:o,remark:i.remark||`refers to another table (${n.name})`}),a.rule=o})}let z=e=>/^[A-Za-z_][\w.]*$/.test(e)?e:JSON.stringify(e);function Ae({column:e,rule:t,remark:n}){let{name:r,type:i,distinct:a,width:o}=e,s=a!==null&&o!==null?`, ${Math.round(a)} distinct, ${o} bytes`:``;return`  ${z(r)}: ${t} # ${i}${s}${n&&`; ${n}`}`}function je(e,t){let n=z((0,r.Cm)(e));if(e.kind===`large objects`)return e.rows===0?[]:[`${n}: drop_rows # about ${e.rows} large objects`];let i=e.columns.flatMap(({name:n})=>t.get(R(e.id,n))??[]);if(i.length===0)return[];let a=e.columns.filter(({holdsText:e,isGenerated:t})=>!e&&!t);return[`${n}:`,...i.map(Ae),...a.length>0?[`  # kept without a rule: ${a.map(({name:e})=>z(e)).join(`, `)}`]:[]]}function Me(e){let t=Oe(e);return ke(e,t),`${[`# Guessed by names and statistics: look at every line.`,...e.tables.filter(g.W).flatMap(e=>je(e,t))].join(`
`)}\n`}let B=1e6,V=String.raw`[\x01-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]`,H=(e,t)=>`regexp_replace(${e}, E'${t.replaceAll(`\\`,`\\\\`)}+', ' ', 'g')`,Ne=e=>`case when strpos(${e}, '\\') > 0 then ${H(e,String.raw`(?:\\[nrtfb]|${V})`)} else ${H(e,V)} end`,U=e=>`string_to_array(lower(${Ne(`${e} collate "C"`)}), ' ')`,W=e=>`array_remove(${U(e)}, '')`,G=e=>`substring(${c(`array_to_string(${e}, ' ')`)}, 1, 16)`,K=e=>`hashtextextended(${e} collate "C", (select seed from ${r.fY}.secret))`,q=e=>`encode(${e}, 'escape')`,Pe=String.raw`(?<!\\)((?:\\\\)*)\\u(?:0000|d[89ab]..(?!\\ud[c-f])|(?<!\\ud[89ab]..\\u)d[c-f]..)`,J=e=>`case when strpos(${e}::text, '\\u') > 0 then regexp_replace(${e}::text, '${Pe}', '\\1 ', 'gi')::jsonb else ${e}::jsonb end`;function Fe({name:e,family:t}){let n=(0,i.AB)(e);return t===`texts`?`array_to_string(${n}::text[], ' ')`:t===`bytes`?q(`${n}::bytea`):t===`json`?`${n}::text || case when strpos(${n}::text, '\\u') > 0 then ' ' || (${J(n)})::text else '' end`:`${n}::text`}function Ie({name:e,family:t}){let n=(0,i.AB)(e);return t===`texts`?`select unnest(${n}::text[])`:t===`bytes`?`select ${q(`${n}::bytea`)}`:t===`json`?`select one #>> '{}' from jsonb_path_query(${J(n)}, 'strict $.** ? (@.type() == "string")') as string(one)`:`select ${n}::text`}let Y=4e3;function X({tables:e}){return e.flatMap(e=>e.columns.filter(t=>e.dropRows||(0,g.S)(t)&&t.rule?.kind!==`shuffle`).filter(({holdsText:e,type:t})=>e||/^(?:bigint|numeric)/.test(t)).filter(()=>e.kind===`table`).map(t=>({table:e,column:t}))).map((e,t)=>({number:t,...e}))}function Le({number:e,table:t,column:n}){let i=`select part.value from ${(0,r.RO)(t)} as target, lateral (${Ie(n)}) as part(value)`,a=t.rows>2*Y?`and random() < ${2*Y/t.rows}`:``,o=n.rule?.kind===`fixed`?`and value <> ${s(n.rule.text)}`:``;return`
    with seen as materialized (
      select distinct left(value, ${B}) as value from (${i}) as all_parts
      where value is not null ${a} ${o} limit ${Y}),
    counted as materialized (
      select left(value, ${B}) as value, count(*) as times from (${i}) as all_parts
      where left(value, ${B}) in (select value from seen) group by 1),
    long as materialized (
      select value, times, ${W(`value`)} as words from counted where length(value) >= 8),
    taken as (select words from long where times = 1 and words <> '{}' order by random() limit 1000),
    -- Letters beyond ASCII look otherwise in a column of bytes.
    form as (
      select words from taken
      union all
      select ${W(`encode(convert_to(array_to_string(words, ' '), 'UTF8'), 'escape')`)} from taken
      where octet_length(array_to_string(words, '')) <> length(array_to_string(words, ''))),
    frequency as (select word, count(*) as times from form, unnest(words) as word group by word),
    made as (
      insert into ${r.fY}.needle (source, hash, words, first, word)
      select ${e}, ${G(`words`)}, cardinality(words), place, ${K(`word`)}
      from form, lateral (select word, place from unnest(words) with ordinality as one(word, place)
        join frequency using (word) order by times, length(word) desc, place limit 1) as rarest
      returning 1)
    select (select count(*) from taken)::int as taken, (select count(*) from made)::int as made,
      (select count(*) from counted where length(value) < 8)::int as "tooShort",
      (select count(*) from long where times > 1)::int as "notUnique"`}async function Re(e,t,n){let i=[];return await C(e,t,{sessions:n,tasks:X(t)},async(e,t)=>{let n=`${(0,r.Cm)(t.table)}.${t.column.name}`,{rows:a}=await x(`the originals of ${n}`,()=>e.query(Le(t)));i[t.number]={column:n,...a[0]}}),i}let Z=(e,{name:t})=>`${(0,r.Cm)(e)}.${t}`;function ze(e){let t=e.columns.filter(({holdsText:e})=>e);if(t.length===0||e.kind===`foreign table`||e.kind===`large objects`)return[];let n=t.map(t=>`(${s(Z(e,t))}, ${Fe(t)})`);return[{places:t.map(t=>Z(e,t)),texts:`select cell.place, cell.value from ${(0,r.RO)(e)} as target, lateral (values ${n.join()}) as cell(place, value) where ${_}`}]}let Be=({version:e})=>[{places:[`large objects`],texts:`select 'large objects', ${q(`lo_get(object.oid, start, 510000)`)}
      from ${a.x.replace(`where`,`, generate_series(0::bigint, lo_lseek64(lo_open(object.oid, 262144), 0, 2), 500000) as start where`)}`},{places:[`statistics`],texts:`select 'statistics of ' || concat_ws('.', schemaname, tablename, attname), value from pg_stats,
        lateral (values (most_common_vals::text), (histogram_bounds::text), (most_common_elems::text)) as kept(value)
      where schemaname <> 'pg_catalog'
      union all select 'statistics ' || concat_ws('.', statistics_schemaname, statistics_name), array_to_string(most_common_vals, ' ')
        from pg_stats_ext
      ${e>=14e4?`union all select 'statistics ' || concat_ws('.', statistics_schemaname, statistics_name), value from pg_stats_ext_exprs,
               lateral (values (most_common_vals::text), (histogram_bounds::text), (most_common_elems::text)) as kept(value)`:``}`},{places:[`comments`],texts:`select 'comments', description from pg_description`},{places:[`function bodies`],texts:`select 'function bodies', prosrc from pg_proc where pronamespace <> 'pg_catalog'::regnamespace`}],Ve=({texts:e})=>`
  insert into ${r.fY}.hit
  select place, needle.id, count(*)
  from (select place, words, unnest(words) as word, generate_subscripts(words, 1) as at
      from (select place, ${U(`value`)} as words
        from (select place, left(value, ${B}) as value from (${e}) as cell(place, value)
          where length(value) >= 8 offset 0) as cell offset 0) as split) as one
    join ${r.fY}.needle on needle.word = ${K(`one.word`)}
  where ${G(`one.words[at - first + 1 : at - first + needle.words]`)} = needle.hash
  group by 1, 2`;async function He(e,t,n){let r=t.places.join(`, `),i=await e.attempt(Ve(t));i instanceof y.Mp?i.code===`42501`?n.notSearched.push(`${r}: ${b(i)}`):await x(`the search in ${r}`,()=>Promise.reject(i)):n.searched.push(...t.places)}let Q=({tables:e})=>e.filter(e=>(0,g.W)(e)&&!e.dropRows).flatMap(e=>e.columns.filter(({rule:e})=>e?.kind===`keep`||e?.kind===`shuffle`||e?.kind===`digits`).map(t=>Z(e,t))),Ue=`
  with found as (
    select distinct hit.place, source, needle from ${r.fY}.hit join ${r.fY}.needle on needle.id = hit.needle
    where place = any ($1) and (times > 10 or place = any ($2))),
  few as (
    select place, source from found group by 1, 2 having count(*) <= greatest(3, 0.01 *
      (select count(*) from ${r.fY}.needle where needle.source = found.source)))
  delete from ${r.fY}.hit where needle in (select needle from found join few using (place, source))
  returning needle`,We=`
  select place, sum(times)::float8 as times, count(distinct hit.needle)::int as originals, array_agg(distinct source) as from
  from ${r.fY}.hit join ${r.fY}.needle on needle.id = hit.needle group by place order by place`,Ge=[`values that hold no text, like numbers and times`,`originals that are part of a longer word, or encoded`,`what follows the first ${B} characters of a value`,`earlier snapshots, the write-ahead log and the server log`];async function Ke(e,t,{sessions:n,...i}){let a={searched:[],notSearched:[...Ge],common:0,hits:[]};for(let e of t.tables)e.kind===`foreign table`&&a.notSearched.push(`${(0,r.Cm)(e)}: a foreign table`),e.elsewhere.length>0&&a.notSearched.push(`${e.elsewhere.join(`, `)}: foreign parts of ${(0,r.Cm)(e)}`);let o=t.tables.toSorted((e,t)=>t.rows-e.rows),s=[...o.flatMap(ze),...Be(t)];await e(e=>x(`the originals`,()=>e.query(`create index on ${r.fY}.needle (source); analyze ${r.fY}.needle`))),await v(e,{stage:`searching`,allRows:o.reduce((e,{rows:t})=>e+t,0),...i},()=>C(e,t,{sessions:n,tasks:s},(e,t)=>He(e,t,a)));let c=X(t);return await e(async e=>{let n=t.tables.flatMap(e=>e.columns.filter(({rule:e})=>e?.kind===`digits`).map(t=>Z(e,t))),r=await e.query(Ue,[Q(t),n]);a.common=new Set(r.rows.map(({needle:e})=>e)).size;let{rows:i}=await e.query(We);a.hits=i.map(e=>({...e,from:e.from.flatMap(e=>c[e]??[]).map(({table:e,column:t})=>Z(e,t))}))}),a}var qe=n(9668);async function $(e,t){return Te(t,await(0,r.uM)(e))}let Je=async e=>Me(await(0,r.uM)(e));async function Ye(e,{tables:t}){let n=t.filter(g.W).map(e=>[(0,r.Cm)(e),e.columns.map(({name:e,type:t})=>[e,t])]),{rows:i}=await e.query(`select encode(sha256(convert_to($1, 'UTF8')), 'hex') as hash`,[JSON.stringify(n)]);return String(i[0]?.hash)}async function Xe(e,{file:t,sessions:n=4,...r}){let a=(0,i.qn)(t),{plan:o,catalog:s}=await e(async e=>{let t=await $(e,a);return{plan:t,catalog:await Ye(e,t)}}),c=o.obstacles.filter(({isPolicy:e,table:t})=>e&&o.tables.some(({id:e,isOurs:n})=>n&&e===t));await e(async e=>{await S(e,o);for(let{lift:t}of c)await x(`a policy that hides rows`,()=>e.query(t));await re(e),await se(e,o)});let l=await Re(e,o,n),u=await me(e,o,{sessions:n,...r}),d=await Ke(e,await e(e=>$(e,a)),{sessions:n,...r});return await e(async e=>{await ie(e);for(let{restore:t}of c)await x(`a policy, put back after masking`,()=>e.query(t))}),{...(0,qe.Ue)(o),catalog:s,rows:u,samples:l,proof:d}}}),7996:((e,t,n)=>{n.d(t,{C:()=>p,x:()=>o});let r=({version:e})=>`
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
  order by 2, 3`,c=e=>`with recursive ${r(e)}, ${i(e)}
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
    and attrelid not in (select id from covered) and not ${a(e)}
  union all
  select 'pg_largeobject', 'data', 'bytea', 'bytes', true, null, true, false, false, false, false, null, null, 1
  from ${o}) as found order by position`,l=e=>`with recursive ${i(e)}
  select root::text as table, index.relname::text as name,
    array(select distinct attname::text from pg_attribute where attrelid = indrelid and attnum > 0
      and (attnum = any (indkey[0:indnkeyatts - 1]) or 0 = any (indkey) and exists (select from pg_depend
        where classid = 'pg_class'::regclass and objid = indexrelid and refobjid = indrelid and refobjsubid = attnum))) as columns,
    ${e.version>=15e4?`indnullsnotdistinct`:`false`} as "nullsEqual", indisexclusion as "isExclusion"
  from pg_index join tree on tree.id = indrelid join pg_class as index on index.oid = indexrelid
    join pg_class as class on class.oid = indrelid join pg_namespace on pg_namespace.oid = class.relnamespace
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
    and not exists (select from covered join hypertable on hypertable.id = parent where covered.id in (conrelid, confrelid))`,d=e=>`with recursive ${i(e)}
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
  from pg_class as class join tree on tree.id = class.oid where relforcerowsecurity`,f=({timescaledb:e})=>`with recursive
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
           from _timescaledb_catalog.continuous_agg join _timescaledb_catalog.hypertable on hypertable.id = mat_hypertable_id`}) as found order by position`,p=e=>({tables:s(e),columns:c(e),uniques:l(e),foreignKeys:u(e),obstacles:d(e),derived:f(e)})}),5809:((e,t,n)=>{n.d(t,{Cm:()=>o,RO:()=>s,fY:()=>a,uM:()=>l});var r=n(7996),i=n(2048);let a=`managed_database_action_masking`,o=({schema:e,name:t})=>{let n=e=>/[".]/.test(e)?`"${e.replaceAll(`"`,`""`)}"`:e;return`${n(e)}.${n(t)}`};function s({schema:e,name:t,isPlain:n,elsewhere:r,parts:a,columns:o}){let s=`${(0,i.AB)(e)}.${(0,i.AB)(t)}`;if(r.length===0)return n?`only ${s}`:s;let c=o.map(e=>(0,i.AB)(e.name)).join();return`(${[`select ${c} from only ${s} where false`,...a.map(e=>`select ${c} from ${e}`)].join(` union all `)})`}async function c(e,t){return(await e.query(t)).rows}async function l(e){let[t]=await c(e,`select current_setting('server_version_num')::int as version, current_database()::text as database,
       current_user::text as user,
       case when to_regclass('_timescaledb_catalog.continuous_agg') is not null then
         (select quote_ident(nspname) from pg_extension join pg_namespace on pg_namespace.oid = extnamespace
           where extname = 'timescaledb') end as timescaledb`);if(t===void 0)throw Error(`the database says nothing of itself`);let n=(0,r.C)({...t,workSchema:a}),i=await c(e,n.tables),o=await c(e,n.columns),s=Map.groupBy(o,({table:e})=>e);return{...t,tables:i.map(e=>({...e,columns:s.get(e.id)??[]})),uniques:await c(e,n.uniques),foreignKeys:await c(e,n.foreignKeys),obstacles:await c(e,n.obstacles),derived:await c(e,n.derived)}}}),2048:((e,t,n)=>{n.d(t,{ll:()=>MaskFileError,qn:()=>h,AB:()=>c});var r=n(5145),i=n(4526),a=n(3804);class YamlError extends Error{place;constructor(e,t){super(e),this.place=t}}class Reader{#e;#t;#n=0;#r=0;constructor(e,t){this.#t=e,this.#e=t}#i(e){e>=0&&(this.#r=e);let t=this.#t.slice(0,this.#r).split(`
`);return{line:t.length,column:[...t.at(-1)??``].length+1}}#a(e){let t=[];for(;this.#e[this.#n]?.type!==a.EVENT_POP;){let e=this.read();if(e.kind!==`scalar`)throw new YamlError(`a key must be a name`,e.place);if(t.some(t=>t.key.text===e.text))throw new YamlError(`${e.text} stands here a second time`,e.place);t.push({key:e,value:this.read()})}return this.#n++,{kind:`mapping`,place:e,entries:t}}#o(e){for(let t=e;t>0;this.#n++){let e=this.#e[this.#n]?.type;e===a.EVENT_POP?t--:e!==a.EVENT_SCALAR&&e!==a.EVENT_ALIAS&&t++}}read(){let e=this.#e[this.#n++];return e?.type===a.EVENT_SCALAR&&e.tagStart<0?{kind:`scalar`,place:this.#i(e.valueStart),text:(0,a.getScalarValue)(this.#t,e),isPlain:e.style===a.SCALAR_STYLE.PLAIN}:e?.type===a.EVENT_MAPPING&&e.tagStart<0?this.#a(this.#i(e.start)):(e!==void 0&&e.type!==a.EVENT_SCALAR&&e.type!==a.EVENT_ALIAS&&this.#o(1),{kind:`other`,place:this.#i(-1)})}}function o(e){try{let t=(0,a.parseEvents)(e,{maxDepth:5});if(t.filter(({type:e})=>e===a.EVENT_DOCUMENT).length!==1)throw new YamlError(`there must be one document`,{line:1,column:1});return new Reader(e,t.slice(1)).read()}catch(e){if(!(e instanceof a.YAMLException))throw e;let{line:t,column:n}=e.mark??{line:0,column:0};throw new YamlError(e.reason,{line:t+1,column:n+1})}}let s=[`keep`,`null`,`hash`,`email`,`name`,`phone`,`text`,`digits`,`shuffle`];class MaskFileError extends r.lZ{constructor({name:e,path:t},n,r){let i=n.slice(0,20).map(({place:t,what:n})=>t?`${e}:${t.line}:${t.column}: ${n}`:n),a=n.length>20?`; and ${n.length-20} more`:``;super(`${i.join(`; `)}${a}`,r);let o=n[0]?.place;t!==void 0&&o&&(this.place={file:t,...o})}}let c=e=>`"${e.replaceAll(`"`,`""`)}"`;function l(e){let[,t,n]=/^("(?:[^"]|"")+"|[^".]+)\.("(?:[^"]|"")+"|[^".]+)$/.exec(e)??[];if(t===void 0||n===void 0)return;let r=e=>e.startsWith(`"`)?e.slice(1,-1).replaceAll(`""`,`"`):e;return[r(t),r(n)]}let u=e=>s.some(t=>t===e),d=`${s.join(`, `)}, { fixed: \u2026 } or { sql: \u2026 }`;function f(e){if(e.kind===`scalar`){let t=e.text===`~`&&e.isPlain?`null`:e.text;return u(t)?{kind:t}:t===`drop_rows`?`drop_rows is a rule for a table, not for a column`:t===``?`no rule; expected ${d}`:`${t} is no rule${(0,i.o2)(t,[...s,`fixed`,`sql`])}; expected ${d}`}let[t,...n]=e.kind===`mapping`?e.entries:[],{key:r,value:a}=t??{};return n.length>0||a?.kind!==`scalar`||r?.text!==`fixed`&&r?.text!==`sql`?`expected ${d}`:r.text===`sql`&&a.text.trim()===``?`sql: an expression is expected`:{kind:r.text,text:a.text}}function p(e,t,n){let{place:r}=e,[i,a]=l(e.text)??[];if(i===void 0||a===void 0)return n.push({place:r,what:`${e.text} is no table; expected schema.table, like public.people`}),[];let o={schema:i,table:a,place:r,dropRows:!1,columns:[]};if(t.kind===`scalar`&&t.text===`drop_rows`)return[{...o,dropRows:!0}];if(t.kind!==`mapping`)return n.push({place:r,what:`${e.text}: expected drop_rows, or a rule for each column`}),[];for(let{key:r,value:i}of t.entries){let t=f(i);typeof t==`string`?n.push({place:i.place,what:`${e.text}.${r.text}: ${t}`}):o.columns.push({column:r.text,rule:t,place:r.place})}return[o]}function m(e,t){return e.kind===`mapping`?e.entries.flatMap(({key:e,value:n})=>p(e,n,t)):(t.push({place:e.place,what:`expected tables with their rules, like public.people:`}),[])}function h(e){let t=[],n=[];try{n=m(o(e.text),t)}catch(e){if(!(e instanceof YamlError))throw e;t.push({place:e.place,what:e.message})}if(t.length>0)throw new MaskFileError(e,t,`correct the file; docs/masking.md has all rules`);return{file:e,tables:n}}}),3924:((e,t,n)=>{n.d(t,{S:()=>r,W:()=>i});let r=({rule:e})=>e!==void 0&&e.kind!==`keep`,i=({kind:e,keeper:t})=>t===null&&(e===`table`||e===`large objects`)}),9668:((e,t,n)=>{n.d(t,{$s:()=>f,LC:()=>d,Ue:()=>s,zV:()=>u});var r=n(5145),i=n(5809),a=n(3924);class OriginalsFoundError extends r.lZ{}let o=(e,t)=>t.map(({name:t})=>`${(0,i.Cm)(e)}.${t}`);function s(e){let t=e.tables.filter(a.W),n=t.filter(({dropRows:e})=>!e),r=e=>n.flatMap(t=>o(t,t.columns.filter(e)));return{masked:n.flatMap(e=>e.columns.filter(a.S).map(({name:t,rule:n})=>({column:`${(0,i.Cm)(e)}.${t}`,rule:n?.kind??``}))),droppedTables:t.filter(({dropRows:e})=>e).map(i.Cm),keptByRule:r(({rule:e})=>e?.kind===`keep`),keptByType:r(({rule:e,isGenerated:t})=>e===void 0&&!t),computed:r(({isGenerated:e})=>e)}}let c=({place:e,times:t,originals:n,from:r})=>`${e}: ${n} ${n===1?`original`:`originals`} of ${r.join(`, `)}, in ${t} ${t===1?`value`:`values`}`,l=(e,t)=>e.reduce((e,n)=>e+t(n),0);function u({samples:e,proof:t}){let n=l(e,({taken:e})=>e),r=l(e,({tooShort:e})=>e),i=l(e,({notUnique:e})=>e),a=t.hits.reduce((e,{originals:t})=>e+t,0);return`${a===0?`none`:a} of ${n} originals of ${e.length} columns found in ${t.searched.length} places; left out: ${r} shorter than 8 characters, ${i} not unique, ${t.common} common in columns that are kept`}function d(e){let{masked:t,proof:n,samples:r}=e,i=r.filter(({taken:e})=>e===0).map(({column:e})=>e);return[{title:`Masked by rule`,names:t.map(({column:e,rule:t})=>`${e}: ${t}`)},{title:`Rows dropped`,names:e.droppedTables},{title:`Kept by rule`,names:e.keptByRule},{title:`Kept by type`,names:e.keptByType},{title:`Computed from other columns`,names:e.computed},{title:`Searched`,names:n.searched},{title:`Not searched`,names:n.notSearched},{title:`Masked, but without an original to look for`,names:i}].filter(({names:e})=>e.length>0)}function f({proof:{hits:e}}){if(e.length!==0)throw new OriginalsFoundError(`originals were found after masking: ${e.map(c).join(`; `)}`,`give these columns a rule that masks them, or drop_rows for their table; the copy is not to be used`)}})};