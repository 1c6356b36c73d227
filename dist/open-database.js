"use strict";exports.id=875,exports.ids=[875],exports.modules={7719:((e,t,n)=>{n.d(t,{_:()=>c,d:()=>l});var r=n(4343),i=n(2385),a=n(6238),o=n(1732);let s=(0,i.j1)({source:r.YjP(),at:r.aig(),file:r.YjP(),catalog:r.YjP(),run:r.YjP()});async function c(e){let{text:t}=await(0,o.VC)(e,`masked`);return t===void 0?void 0:(0,i.G5)((0,i.Tw)(t,s))}let l=(e,t)=>(0,a.sA)(e,()=>(0,o.IP)(e,`masked`,JSON.stringify(t)))}),1732:((e,t,n)=>{n.d(t,{B$:()=>a,IP:()=>u,Iy:()=>l,KK:()=>p,VC:()=>c,WT:()=>d,vm:()=>o,xP:()=>f});var r=n(6238),i=n(977);let a=[`preview`,`masked`,`schema`,`migrations`],o=e=>`managed-database-action: ${e}`,s=e=>(0,i.Iz)(o(e));async function c(e,t){let{bytes:n,startedAt:i}=await(0,r.zZ)(e,`select pg_postmaster_start_time()::text as "startedAt", (select lo_get(id) from ${s(t)} limit 1) as bytes`);return{bytes:n??void 0,text:n?.toString(`utf8`),startedAt:i}}let l=(e,t)=>e.query(`select lo_unlink(id) from ${s(t)}`);async function u(e,t,n){await l(e,t);let i=Buffer.from(n),a=await(0,r.cL)(e,`select lo_from_bytea(0, $1)`,[i]);await e.query(`comment on large object ${Number(a)} is '${o(t)}'`)}async function d(e){let t=new Map;for(let n of a){let{bytes:r}=await c(e,n);r!==void 0&&t.set(n,r)}return t}async function f(e){await e.query(`select lo_unlink(objoid) from pg_description
    where classoid = 'pg_largeobject'::regclass and description like 'managed-database-action: %'`)}let p=e=>(0,r.cL)(e,`select pg_try_advisory_lock(hashtext('managed-database-action: preparing'))`)}),9030:((e,t,n)=>{n.d(t,{openDatabase:()=>Q});var r=n(5145),i=n(6238),a=n(7719),o=n(1732),s=n(5494),c=n(977);let l=`
  select current_setting('server_version_num')::int as version, current_database()::text as database,
    (extract(epoch from clock_timestamp()) * 1000)::float8 as at, current_user::text as user,
    array(select datname::text from pg_database join pg_roles as owner on owner.oid = datdba
      where datallowconn and datname <> current_database()
        and (not rolsuper or not datistemplate and has_database_privilege(pg_database.oid, 'connect'))
      order by datname) as others,
    ${c.DG} as timescaledb,
    to_regclass('timescaledb_information.job_history') is not null
      and current_setting('timescaledb.enable_job_execution_logging', true) is not distinct from 'on' as "hasHistory",
    exists (select from pg_extension where extname = 'pg_cron') as "hasCron",
    ${c.J9} as "pgStatStatements"`;async function u(e){return await(0,i.zZ)(e,`
  set lock_timeout = '2s';
  set statement_timeout = '15s';
  set client_min_messages = error;${l}`)}async function d({session:e,failures:t},n,r){let a=await e.attempt(r);return a instanceof i.Mp?(t.push({what:n,reason:a.message,next:`search for them by hand in the preview`}),[]):(0,i.gN)(a.rows)}let f=`(select oid from pg_roles where rolname = current_user)`;function p(e,t,n=`inherit`){let r=e>=16e4,i=e=>`array[format('${e}', pg_get_userbyid(${t}))]`,a=e=>i(`grant %I to current_user${r?` with ${n} ${e}`:``}`),o=`not pg_has_role(${t}, '${r?n===`set`?`set`:`usage`:`member`}')`,s=`${r} and exists (select from pg_auth_members where roleid = ${t}
    and member = ${f} and grantor = ${f})`;return`case when ${o} then ${a(!0)} else '{}' end as "grantRights",
    case when not ${o} then '{}' when ${s} then ${a(!1)}
      else ${i(`revoke %I from current_user`)} end as "revokeRights"`}let m=`(select oid from pg_database where datname = current_database())`,h=`proc_name || coalesce(' on ' || jobs.hypertable_name, '')`,g=({timescaledb:e,version:t})=>`
  select 'job' as kind, format('job %s timescaledb %s', ${m}, job_id) as id,
    ${h} as name, current_database()::text as database,
    array[job_id::text, proc_name::text, format('%s.%s', proc_schema, proc_name), application_name::text,
      regexp_replace(application_name, ' \\[\\d+\\]$', '')] as names,
    scheduled as "isActive", pg_get_userbyid(owner)::text as owner,
    array[format('select from %s.alter_job(%s, scheduled => false)', ${(0,c.ol)(e??``)}, job_id)] as statements,
    format('datname = current_database() and application_name = %L', application_name) as sessions,
    ${p(t,`owner::oid`)}
  from timescaledb_information.jobs where job_id >= ${c.vf} order by job_id`,_=`
  select 'job' as kind, format('job %s pg_cron %s', ${m}, jobid) as id,
    coalesce(jobname, 'job ' || jobid) as name, database, array_remove(array[jobid::text, jobname], null) as names,
    active as "isActive", username as owner, array[format('select cron.unschedule(%s)', jobid)] as statements,
    format('pid in (select job_pid from cron.job_run_details where jobid = %s and end_time is null)', jobid) as sessions,
    '{}'::text[] as "grantRights", '{}'::text[] as "revokeRights"
  from cron.job order by jobid`,v=({version:e})=>`
  select format('login %s', oid) as id, rolname::text as name, format('set local role %I', rolname) as "setRole",
    rolcanlogin as "canLogin", can_read as "canRead", can_read or can_grant as "canReadAfterGrant",
    case when can_read then '{}' else array[format('grant usage on schema cron to %I', rolname)] end || "grantRights" as "grantRights",
    "revokeRights" || case when can_read then '{}' else array[format('revoke usage on schema cron from %I', rolname)] end as "revokeRights"
  from (select oid, rolname, rolcanlogin, ${p(e,`oid`,`set`)},
      has_schema_privilege(oid, 'cron', 'usage') and has_table_privilege(oid, 'cron.job', 'select') as can_read,
      has_schema_privilege('cron', 'usage with grant option') and has_table_privilege(oid, 'cron.job', 'select') as can_grant
    from pg_roles where rolname <> session_user and not rolsuper and rolname !~ '^pg_') as role
  where can_read or not has_sequence_privilege('cron.jobid_seq', 'select') or (select is_called from cron.jobid_seq)`,y=({hasHistory:e})=>`
  select ${h} as job, current_database()::text as database,
    (extract(epoch from clock_timestamp() - last_run_started_at) * 1000)::float8 as before,
    ${e?`(select count(*) from timescaledb_information.job_history as history
          where history.job_id = jobs.job_id and history.start_time >= pg_postmaster_start_time())::int`:`null::int`} as times
  from timescaledb_information.jobs join timescaledb_information.job_stats as stats using (job_id)
  where job_id >= ${c.vf} and last_run_started_at >= pg_postmaster_start_time() order by job_id`,b=`
  select coalesce(jobname, 'job ' || jobid) as job, details.database, count(*)::int as times,
    min(extract(epoch from clock_timestamp() - start_time) * 1000)::float8 as before
  from cron.job_run_details as details left join cron.job using (jobid)
  where start_time >= pg_postmaster_start_time() group by 1, 2 order by 1`,x=({version:e})=>`
  select 'login' as kind, format('login %s', oid) as id, rolname::text as name, '' as database, array[rolname::text] as names,
    rolcanlogin as "isActive", '' as owner, array[format('alter role %I nologin', rolname)] as statements,
    format('usesysid = %s', oid) as sessions, ${p(e,`oid`)}
  from pg_roles where not rolsuper and (not rolreplication or pg_has_role(oid, 'member with admin option')) and rolname !~ '^pg_' and rolname <> session_user order by rolname`,S=({version:e})=>`
  select 'subscription' as kind, format('subscription %s', subscription.oid) as id, subname::text as name,
    current_database()::text as database, array[subname::text] as names, true as "isActive",
    pg_get_userbyid(subowner)::text as owner,
    array[format('alter subscription %I disable', subname), format('alter subscription %I connection %L', subname, 'host=127.0.0.1 port=1 dbname=none user=none password=none'),
      format('alter subscription %I set (slot_name = none)', subname), format('drop subscription %I', subname)] as statements,
    ${p(e,`subowner`)}
  from pg_subscription as subscription join pg_database on pg_database.oid = subdbid
  where datname = current_database() order by subname`,C=({version:e})=>`
  select 'foreign-server' as kind, format('user mapping %s %s', datid, umid) as id,
    format('%s for %s', server.srvname, usename) as name, current_database()::text as database, array[server.srvname::text] as names,
    true as "isActive", pg_get_userbyid(srvowner)::text as owner,
    array[format('drop user mapping for %s server %I', quote_ident(usename), server.srvname)]
      as statements, ${p(e,`mapping_owner`)}
  from pg_user_mappings join pg_foreign_server as server on server.oid = srvid,
    -- A user may drop its own mapping. Other mappings belong to the owner of the server.
    lateral (select case umuser when ${f} then umuser else srvowner end as mapping_owner) as rights,
    lateral (select oid as datid from pg_database where datname = current_database()) as here
  order by server.srvname, usename`,w=`\\mdblink(_\\w+)?\\s*\\(|\\mhttp(_\\w+)?\\s*\\(|\\mnet\\.http_|\\maws_(s3|lambda)\\.|\\mcopy\\M.*\\mprogram\\M`,T=`
  (select current_database()::text as database, 'extension ' || extname as name from pg_extension as extension
    where extname = any ('{ai, aws_lambda, aws_s3, azure_storage, http, pg_background, pg_curl, pg_net, pglogical, plrust}') or exists (select from pg_depend
      where refclassid = 'pg_extension'::regclass and refobjid = extension.oid and deptype = 'e'
        and (classid = 'pg_foreign_data_wrapper'::regclass
          or classid = 'pg_language'::regclass and objid in (select oid from pg_language where not lanpltrusted)))
    order by extname)
  union all
  (select current_database()::text, format('function %s', object.oid::regprocedure)
    from pg_proc as object join pg_language on pg_language.oid = prolang
    where pronamespace not in ${c.Ah} and not ${(0,c.Fi)(`'pg_proc'::regclass`,`object.oid`)}
      and (not lanpltrusted and lanname not in ('internal', 'c') or prosrc ~* '${w}'
        -- The body of a function with BEGIN ATOMIC is stored parsed.
        or prosqlbody is not null and pg_get_function_sqlbody(object.oid) ~* '${w}')
    order by 2 limit 50)
  union all
  (select current_database()::text, format('view %s', object.oid::regclass) from pg_class as object
    where relkind in ('v', 'm') and relnamespace not in ${c.Ah} and not ${(0,c.Fi)(`'pg_class'::regclass`,`object.oid`)}
      -- There may be thousands of views, and few that call more than PostgreSQL's own functions.
      and case when exists (select from pg_rewrite join pg_depend on classid = 'pg_rewrite'::regclass and objid = pg_rewrite.oid
          where ev_class = object.oid and refclassid = 'pg_proc'::regclass)
        then pg_get_viewdef(object.oid) ~* '${w}' else false end
    order by 2 limit 50)`;async function E(e,{setRole:t,grantRights:n,revokeRights:r}){let a=[...n,t],o=[`set local role none`,...r];return await(0,i.sA)(e,async()=>{await e.query(a.join(`;
`));let t=await(0,i.Ym)(e,_),n=await(0,i.Ym)(e,b);return await e.query(o.join(`;
`)),{jobs:t.map(e=>({...e,grantRights:a,revokeRights:o})),runs:n}})}async function D(e,t){let{session:n,facts:r,failures:a}=e,o=`the jobs of pg_cron in ${r.database}`,s={jobs:await d(e,o,_),runs:await d(e,o,b)};for(let c of await d(e,o,v(r))){let{name:e,canRead:r,canLogin:o,canReadAfterGrant:l}=c,u=`the jobs of pg_cron that ${e} may have`;if(!r&&!(o&&t(c)))continue;if(!l){let t=`grant ${e} usage on schema cron in the parent, or remove login:${e} from keep_active`;a.push({what:u,reason:`${e} may not use the schema cron, but its jobs run`,next:t});continue}let d=await(0,i.kr)(E(n,c));d instanceof i.Mp?a.push({what:u,reason:d.message,next:`log in as ${e} and read cron.job`}):(s.jobs.push(...d.jobs),s.runs.push(...d.runs))}return s}async function O(e,t){let{facts:n}=e,r=n.hasCron?await D(e,t):{jobs:[],runs:[]};if(n.timescaledb===null)return r;let i=await d(e,`the jobs of TimescaleDB in ${n.database}`,g(n));return{...r,jobs:[...i,...r.jobs]}}async function k(e,t){let{facts:n}=e,r=(t,n)=>d(e,t,n);return[...t?await r(`the logins`,x(n)):[],...await r(`the subscriptions of ${n.database}`,S(n)),...await r(`the user mappings of ${n.database}`,C(n))]}var A=n(2910),j=n(2916);let M=({id:e,kind:t,name:n,database:r})=>({id:e,kind:t,name:n,database:r}),N=(e,t=e.statements)=>({target:e,statements:[...e.grantRights,...t,...e.revokeRights]});async function P(e,t){let[n,...r]=t;if(n===void 0)return[];let a=await e.attempt(t.flatMap(({statements:e})=>e).join(`;
`));if(!(a instanceof i.Mp))return[];if(r.length===0)return[{target:n.target,code:a.code,reason:a.message}];let o=[];for(let n of t)o.push(...await P(e,[n]));return o}let F=({sessions:e})=>`pid <> pg_backend_pid() and ${e}`,I=2e3;async function L(e,t){let n=await d(e,`sessions that are still open`,`with open as materialized (select * from pg_stat_activity) ${t.map((e,t)=>`select ${t} as index from open where ${F(e)}`).join(` union `)}`);return t.filter((e,t)=>n.some(e=>e.index===t))}async function R(e,t){let n=t.filter(({sessions:e})=>e),r=n.length>0?await L(e,n):[];if(r.length===0)return;let i=e=>`select pg_terminate_backend(pid, ${I}) from pg_stat_activity where ${F(e)}`,a=r.map(e=>N(e,[i(e)])),o=await P(e.session,a);for(let t of await L(e,r)){let n=o.find(({target:e})=>e.id===t.id)?.reason;e.failures.push({item:M(t),what:`the open session of ${t.kind} ${t.name}`,reason:n??`it did not end within ${I/1e3} s`,next:`restart the preview (stop-service, start-service), which ends all sessions`})}}function z({code:e,target:{kind:t,names:n,owner:r}},i){let a=`${t}:${n[0]}`;return e===`55P03`?`run the step again: another session holds a lock`:e===`42501`?`have ${t===`login`?n[0]:r} granted to ${i} with ADMIN OPTION in the parent, or accept it by keep_active: ${a}`:`disable it by hand in the preview, or accept it by keep_active: ${a}`}function B(e,t){let{target:n,reason:r}=e,{kind:i,name:a,database:o}=n,s=`${(0,j.a2)(i)} ${a}${o&&` in ${o}`}`;return{item:M(n),what:s,reason:r,next:z(e,t)}}let V=({quarantined:e,kept:t,undone:n})=>[...e,...t,...n.flatMap(({item:e=[]})=>e)].map(({id:e})=>e);async function H({session:e,facts:t},n,r){let{report:i,earlierIds:a,keepActive:o}=n;n.found.push(...r);let s=r.filter(({isActive:e,id:t})=>e&&(a?.has(t)??!0));i.kept.push(...s.filter(e=>(0,A.t8)(o,e)).map(M));let c=s.filter(e=>!(0,A.t8)(o,e)),l=await P(e,c.map(e=>e.kind===`login`?{target:e,statements:e.statements}:N(e)));i.undone.push(...l.map(e=>B(e,t.user)));let u=new Set(l.map(({target:e})=>e)),d=c.filter(e=>!u.has(e));i.quarantined.push(...d.map(M));let f=r.filter(({isActive:e,id:t})=>!e&&a?.has(t));return[...d,...f]}function U({keepActive:e,earlierIds:t},{id:n,name:r}){return(t?.has(n)??!0)&&!e.kinds.includes(`job`)&&(0,A.t8)(e,{kind:`login`,names:[r]})}async function W(e,t,n){let{report:r}=t,i=await u(e),{database:a}=i,o={session:e,facts:i,failures:r.undone},{jobs:s,runs:c}=await O(o,e=>U(t,e)),l=await H(o,t,s),f=await k(o,n);for(let e of Map.groupBy(f,({kind:e})=>e).values())l.push(...await H(o,t,e));await R(o,l),i.pgStatStatements!==null&&!t.earlier&&await e.attempt(`select ${i.pgStatStatements}.pg_stat_statements_reset()`);let p=`the earlier runs of TimescaleDB's jobs in ${a}`;i.timescaledb!==null&&c.push(...await d(o,p,y(i)));let m=t.earlier?i.at-t.earlier.at:1/0;r.ran.push(...c.filter(({before:e})=>e<m));let h=`functions of ${a} that call out`;return r.callers.push(...await d(o,h,T)),i}async function G(e,t,n){try{await e(e=>W(e,n,!1),t)}catch(e){if(!(0,s.rp)(e))throw e;let r=`let the owner of the service log in to ${t}`;n.report.undone.push({what:`the database ${t}`,reason:e.message,next:r})}}function K({report:{kept:e,quarantined:t},found:n}){let r=new Set(t.filter(({kind:e})=>e===`login`).map(({name:e})=>e)),i=new Set(e.map(({id:e})=>e));return n.filter(({kind:e,id:t,owner:n})=>e===`job`&&i.has(t)&&r.has(n)).map(({name:e,owner:t})=>`keep_active: job ${e} cannot run without its owner: add login:${t}`)}function q(e,t){let n=new Set([...t.kept,...t.quarantined].map(({id:e})=>e));return{...t,quarantined:[...e.quarantined.filter(({id:e})=>!n.has(e)),...t.quarantined],ran:[...e.ran,...t.ran]}}async function J(e,t){let n={at:0,quarantined:[],kept:[],undone:[],ran:[],callers:[],remarks:[]},r=t.earlier&&new Set(V(t.earlier)),i={...t,earlierIds:r,found:[],report:n},{at:a,others:o}=await e(e=>W(e,i,!0));for(let t of o)await G(e,t,i);let s=[...(0,A.Ko)(t.keepActive,i.found),...K(i)],c={...i.report,at:a,remarks:s};return t.earlier?q(t.earlier,c):c}var Y=n(4656);async function X(e,t){let n=await(0,i.kr)(t());if(!(n instanceof i.Mp))return n;let{message:a,code:o,hint:s=`check that database_user owns the database`}=n;throw new r.lZ(`the database refuses ${e}: ${a} (SQLSTATE ${o})`,s,{cause:a})}function Z(e,t,r){let s=(e,n=t.database)=>(0,i.fQ)({...t,database:n},r,e),c=(t,n)=>n===void 0?t(e):s(t,n);return{tryLock:()=>(0,o.KK)(e),readNote:()=>X(`to be read`,()=>(0,o.VC)(e,`preview`)),writeNote:t=>X(`to store a note`,()=>(0,i.sA)(e,()=>(0,o.IP)(e,`preview`,t))),quarantine:(e,t)=>X(`the quarantine`,()=>J(c,{keepActive:e,earlier:t})),async proposeRules(){let{proposeFile:t}=await Promise.all([n.e(996),n.e(669)]).then(n.bind(n,5258));return await X(`to be read`,()=>t(e))},async checkMaskFile(t){let{checkMaskFile:r}=await Promise.all([n.e(996),n.e(965)]).then(n.bind(n,4356));return await X(`to be checked`,()=>r(e,t))},async storeSchema(e){let{storeSchemaBaseline:a}=await n.e(698).then(n.bind(n,8268)),o=Math.min(r.timeout,9e4),s={...r,timeout:o,mostBytes:Y.Id};await(0,i.fQ)(t,s,t=>a(t,e))},readMaskingStamp:()=>X(`to be read`,()=>(0,a._)(e)),async mask(e){let{maskAndStamp:t}=await Promise.all([n.e(996),n.e(965)]).then(n.bind(n,4356));return await t(s,e)},async seed(t,r,i){let{runSeed:a}=await Promise.all([n.e(56),n.e(415)]).then(n.bind(n,5574));await a(e,t,i,()=>(0,o.IP)(e,`preview`,r))}}}let Q=(e,t,n)=>(0,i.fQ)(e,t,r=>n(Z(r,e,t)))}),4656:((e,t,n)=>{n.d(t,{Id:()=>l,Wy:()=>c,zx:()=>s});var r=n(4343),i=n(2385);let a=(0,i.j1)({kind:r.YjP(),id:r.YjP(),of:r.lqM(r.YjP()),name:r.YjP(),has:r.g1P(r.YjP(),r.YjP())});function o(e){let t=new Map(e.map(({id:e,of:t})=>[e,t]));return e.every(({of:e})=>{let n=e;for(let e=0;n!==void 0;e++){if(e>4)return!1;n=t.get(n)}return!0})}let s=(0,i.j1)({grants:r.zMY(),objects:r.YOg(a).check(r.YPB(o))}),c=`schema of an extension`,l=67108864})};