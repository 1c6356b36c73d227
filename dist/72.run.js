"use strict";exports.id=72,exports.ids=[72],exports.modules={7072:((e,t,n)=>{n.d(t,{quarantine:()=>quarantine});var r=n(5494),i=n(6238);async function askEach(e,t,n){let r=[];for(let{about:a,sql:o}of t){let t=await e.attempt(o);t instanceof i.M?(r.push([]),n.push({what:a,reason:t.message,next:`look for them by hand in the preview`})):r.push(t.rows)}return r}async function askAll(e,t,n){if(t.length===0)return[];try{return(await e.queryAll(t.map(({sql:e})=>e).join(`;
`))).map(({rows:e})=>e)}catch(r){if(!(r instanceof i.M))throw r;return await askEach(e,t,n)}}let a=`(select oid from pg_roles where rolname = current_user)`;function lending(e,t,n=`inherit`){let statement=e=>`array[format('${e}', pg_get_userbyid(${t}))]`,r=n===`set`?`set`:`usage`;if(e<16e4){let e=`not pg_has_role(${t}, 'member')`;return`case when ${e} then ${statement(`grant %I to current_user`)} else '{}' end as borrow,
      case when ${e} then ${statement(`revoke %I from current_user`)} else '{}' end as "giveBack"`}let i=`not pg_has_role(${t}, '${r}')`,o=`exists (select from pg_auth_members where roleid = ${t}
    and member = ${a} and grantor = ${a})`;return`case when ${i} then ${statement(`grant %I to current_user with ${n} true`)} else '{}' end as borrow,
    case when not ${i} then '{}' when ${o}
      then ${statement(`grant %I to current_user with ${n} false`)}
      else ${statement(`revoke %I from current_user`)} end as "giveBack"`}let o=1e3,s=`(select oid from pg_database where datname = current_database())`,c=`proc_name || coalesce(' on ' || jobs.hypertable_name, '')`,timescaledbJobs=({timescaledb:e,version:t})=>`
  select 'job' as kind, format('job %s timescaledb %s', ${s}, job_id) as id,
    ${c} as name, current_database()::text as database,
    array[job_id::text, proc_name::text, format('%s.%s', proc_schema, proc_name), application_name::text,
      regexp_replace(application_name, ' \\[\\d+\\]$', '')] as names,
    scheduled as "isActive", pg_get_userbyid(owner)::text as owner,
    array[format('select from %s.alter_job(%s, scheduled => false)', '${e?.replaceAll(`'`,`''`)}', job_id)] as statements,
    format('datname = current_database() and application_name = %L', application_name) as sessions,
    ${lending(t,`owner::oid`)}
  from timescaledb_information.jobs where job_id >= ${o} order by job_id`,l=`
  select 'job' as kind, format('job %s pg_cron %s', ${s}, jobid) as id,
    coalesce(jobname, 'job ' || jobid) as name, database, array_remove(array[jobid::text, jobname], null) as names,
    active as "isActive", username as owner, array[format('select cron.unschedule(%s)', jobid)] as statements,
    format('pid in (select job_pid from cron.job_run_details where jobid = %s and end_time is null)', jobid) as sessions,
    '{}'::text[] as borrow, '{}'::text[] as "giveBack"
  from cron.job order by jobid`,cronRoles=({version:e})=>`
  select rolname::text as name, format('set local role %I', rolname) as become, ${lending(e,`oid`,`set`)}
  from pg_roles where rolname <> current_user and not rolsuper and rolname !~ '^pg_' and has_schema_privilege(oid, 'cron', 'usage')
    and has_table_privilege(oid, 'cron.job', 'select')`,timescaledbRuns=({hasHistory:e})=>`
  select ${c} as job, current_database()::text as database,
    (extract(epoch from clock_timestamp() - last_run_started_at) * 1000)::float8 as before,
    ${e?`(select count(*) from timescaledb_information.job_history as history
          where history.job_id = jobs.job_id and history.start_time >= pg_postmaster_start_time())::int`:`null::int`} as times
  from timescaledb_information.jobs join timescaledb_information.job_stats as stats using (job_id)
  where job_id >= ${o} and last_run_started_at >= pg_postmaster_start_time() order by job_id`,u=`
  select coalesce(jobname, 'job ' || jobid) as job, details.database, count(*)::int as times,
    min(extract(epoch from clock_timestamp() - start_time) * 1000)::float8 as before
  from cron.job_run_details as details left join cron.job using (jobid)
  where start_time >= pg_postmaster_start_time() group by 1, 2 order by 1`,logins=({version:e})=>`
  select 'login' as kind, format('login %s', oid) as id, rolname::text as name, '' as database, array[rolname::text] as names,
    rolcanlogin as "isActive", '' as owner, array[format('alter role %I nologin', rolname)] as statements,
    format('usesysid = %s', oid) as sessions, ${lending(e,`oid`)}
  from pg_roles where not rolsuper and (not rolreplication or pg_has_role(oid, 'member with admin option')) and rolname !~ '^pg_' and rolname <> current_user order by rolname`,subscriptions=({version:e})=>`
  select 'subscription' as kind, format('subscription %s', subscription.oid) as id, subname::text as name,
    current_database()::text as database, array[subname::text] as names, true as "isActive",
    pg_get_userbyid(subowner)::text as owner,
    array[format('alter subscription %I disable', subname), format('alter subscription %I connection %L', subname, 'host=127.0.0.1 port=1 dbname=none user=none password=none'),
      format('alter subscription %I set (slot_name = none)', subname), format('drop subscription %I', subname)] as statements,
    ${lending(e,`subowner`)}
  from pg_subscription as subscription join pg_database on pg_database.oid = subdbid
  where datname = current_database() order by subname`,userMappings=({version:e})=>`
  select 'foreign-server' as kind, format('user mapping %s %s', datid, umid) as id,
    format('%s for %s', server.srvname, usename) as name, current_database()::text as database, array[server.srvname::text] as names,
    true as "isActive", pg_get_userbyid(srvowner)::text as owner,
    array[format('drop user mapping for %s server %I', case umuser when 0 then 'public' else quote_ident(usename) end, server.srvname)]
      as statements, ${lending(e,`lender`)}
  from pg_user_mappings join pg_foreign_server as server on server.oid = srvid,
    -- Everybody may drop his own.
    lateral (select case umuser when ${a} then umuser else srvowner end as lender) as rights,
    lateral (select oid as datid from pg_database where datname = current_database()) as here
  order by server.srvname, usename`,toTargets=e=>e,toRuns=e=>e;async function findCronJobsOf(e,t){let{become:n,borrow:r,giveBack:i}=t,a=[...r,n],o=[`set local role none`,...i],[s,c]=(await e.queryAll([...a,l,u,...o].join(`;
`))).filter(({command:e})=>e===`SELECT`).map(({rows:e})=>e);return{jobs:toTargets(s??[]).map(e=>({...e,borrow:a,giveBack:o})),runs:toRuns(c??[])}}async function findCronJobs(e,t,n){let r=`the jobs of pg_cron in ${t.database}`,[a=[],o=[],s=[]]=await askAll(e,[l,u,cronRoles(t)].map(e=>({about:r,sql:e})),n),c={jobs:toTargets(a),runs:toRuns(o)};for(let t of s)try{let n=await findCronJobsOf(e,t);c.jobs.push(...n.jobs),c.runs.push(...n.runs)}catch(e){if(!(e instanceof i.M))throw e;let r=`the jobs of pg_cron that ${t.name} may have`;n.push({what:r,reason:e.message,next:`log in as ${t.name} and look at cron.job`})}return c}async function findJobs(e,t,n){let r=t.hasCron?await findCronJobs(e,t,n):{jobs:[],runs:[]};if(t.timescaledb===null)return r;let[i=[]]=await askAll(e,[{about:`the jobs of TimescaleDB in ${t.database}`,sql:timescaledbJobs(t)}],n);return{...r,jobs:[...toTargets(i),...r.jobs]}}async function findObjects(e,t,n,r){let{database:i}=t,a=[{about:`the subscriptions of ${i}`,sql:subscriptions(t)},{about:`the user mappings of ${i}`,sql:userMappings(t)}];return n&&a.unshift({about:`the logins`,sql:logins(t)}),(await askAll(e,a,r)).flatMap(toTargets)}async function findTimescaledbRuns(e,t,n){if(t.timescaledb===null)return[];let r=`the earlier runs of TimescaleDB's jobs in ${t.database}`;return toRuns((await askAll(e,[{about:r,sql:timescaledbRuns(t)}],n)).flat())}async function findCallers(e,{database:t},n){return(await askAll(e,[{about:`functions of ${t} that call out`,sql:`
  (select current_database()::text as database, 'extension ' || extname as name from pg_extension
    where extname = any ('{ai,aws_lambda,aws_s3,dblink,file_fdw,http,mongo_fdw,multicorn,mysql_fdw,oracle_fdw,pg_background,pg_curl,pg_net,plperlu,plpython3u,plrust,plsh,pltclu,postgres_fdw,redis_fdw,tds_fdw,wrappers}') order by extname)
  union all
  (select current_database()::text, format('function %s', procedure.oid::regprocedure)
    from pg_proc as procedure join pg_language on pg_language.oid = prolang
    where pronamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
      and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = procedure.oid and deptype = 'e')
      and (not lanpltrusted and lanname not in ('internal', 'c') or prosrc ~* '\\mdblink(_\\w+)?\\s*\\(|\\mhttp(_\\w+)?\\s*\\(|\\mnet\\.http_|\\maws_(s3|lambda)\\.|\\mcopy\\M.*\\mprogram\\M')
    order by 2 limit 50)`}],n)).flat()}async function prepare(e){let{rows:t}=await e.query(`
  set search_path = pg_catalog, pg_temp;
  set lock_timeout = '2s';
  set statement_timeout = '15s';
  set default_transaction_read_only = off;
  set client_min_messages = error;
  set standard_conforming_strings = on;
  select current_setting('server_version_num')::int as version, current_database()::text as database,
    (extract(epoch from clock_timestamp()) * 1000)::float8 as at, current_user::text as user,
    array(select datname::text from pg_database
      where datallowconn and not datistemplate and datname <> current_database() and has_database_privilege(oid, 'connect')
      order by datname) as others,
    (select quote_ident(nspname) from pg_extension join pg_namespace on pg_namespace.oid = extnamespace
      where extname = 'timescaledb') as timescaledb,
    to_regclass('timescaledb_information.job_history') is not null
      and current_setting('timescaledb.enable_job_execution_logging', true) is not distinct from 'on' as "hasHistory",
    exists (select from pg_extension where extname = 'pg_cron') as "hasCron"`);return t[0]}var d=n(4526);let isKept=(e,{kind:t,names:n})=>e.kinds.includes(t)||e.names.some(e=>e.kind===t&&n.includes(e.name));function findUnknown(e,t){return e.names.flatMap(({kind:e,name:n})=>{let r=t.filter(t=>t.kind===e).flatMap(({names:e})=>e);if(r.includes(n))return[];let i=(0,d.o2)(n,r)||`.`;return[`keep_active: there is no ${e.replace(`-`,` `)} ${n}${i}`]})}let withRights=(e,t)=>({subject:e,statements:[...e.borrow,...t,...e.giveBack]});async function carryOut(e,t){if(t.length===0)return[];let n=await e.attempt(t.flatMap(({statements:e})=>e).join(`;
`));if(!(n instanceof Error))return[];let[r,...i]=t;if(r&&i.length===0)return[{subject:r.subject,code:n.code,reason:n.message}];let a=[];for(let n of t)a.push(...await carryOut(e,[n]));return a}let conditionOf=({sessions:e})=>`pid <> pg_backend_pid() and ${e}`,f=2e3;async function withSessions(e,t,n){let[r=[]]=await askAll(e,[{about:`sessions that are still open`,sql:`with open as materialized (select * from pg_stat_activity) ${t.map((e,t)=>`select ${t} as index from open where ${conditionOf(e)}`).join(` union `)}`}],n),i=new Set(r.map(({index:e})=>e));return t.filter((e,t)=>i.has(t))}async function endSessions(e,t){let n=[],r=t.filter(({sessions:e})=>e);if(r.length===0)return n;let i=await withSessions(e,r,n);if(i.length===0)return n;let a=await carryOut(e,i.map(e=>{let t=`select pg_terminate_backend(pid, ${f}) from pg_stat_activity where ${conditionOf(e)}`;return withRights(e,[t])}));for(let{id:t,kind:r,name:o,database:s}of await withSessions(e,i,n)){let e=a.find(({subject:e})=>e.id===t)?.reason;n.push({item:{id:t,kind:r,name:o,database:s},what:`the open session of ${r} ${o}`,reason:e??`it did not end within ${f/1e3} s`,next:`restart the preview (stop-service, start-service), which ends all sessions`})}return n}let toItem=({id:e,kind:t,name:n,database:r})=>({id:e,kind:t,name:n,database:r}),describe=({kind:e,name:t,database:n})=>`${e===`foreign-server`?`user mapping`:e} ${t}${n&&` in ${n}`}`;function adviseOn({code:e,subject:t},n){let{kind:r,names:i,owner:a}=t,o=`${r}:${i[0]}`;return e===`55P03`?`run the step again: another session holds a lock`:e===`42501`?`have ${r===`login`?i[0]:a} granted to ${n} with ADMIN OPTION in the parent, or accept it by keep_active: ${o}`:`end it by hand in the preview, or accept it by keep_active: ${o}`}let toUndone=(e,t)=>({item:toItem(e.subject),what:describe(e.subject),reason:e.reason,next:adviseOn(e,t)}),idsOf=({quarantined:e,kept:t,undone:n})=>[...e,...t,...n.flatMap(({item:e=[]})=>e)].map(({id:e})=>e);async function end(e,t,n,{user:r}){let{report:i,again:a,keepActive:o}=t;t.found.push(...n);let s=a&&new Set(idsOf(a)),c=n.filter(({isActive:e,id:t})=>e&&(s?.has(t)??!0));i.kept.push(...c.filter(e=>isKept(o,e)).map(toItem));let l=c.filter(e=>!isKept(o,e)),u=await carryOut(e,l.map(e=>e.kind===`login`?{subject:e,...e}:withRights(e,e.statements)));i.undone.push(...u.map(e=>toUndone(e,r)));let d=new Set(u.map(({subject:e})=>e)),f=l.filter(e=>!d.has(e));return i.quarantined.push(...f.map(toItem)),[...f,...n.filter(({isActive:e,id:t})=>!e&&s?.has(t))]}async function quarantineDatabase(e,t,n){let{report:r}=t,i=await prepare(e),{jobs:a,runs:o}=await findJobs(e,i,r.undone),s=await end(e,t,a,i),c=await findObjects(e,i,n,r.undone);for(let n of[`login`,`subscription`,`foreign-server`])s.push(...await end(e,t,c.filter(e=>e.kind===n),i));r.undone.push(...await endSessions(e,s)),o.push(...await findTimescaledbRuns(e,i,r.undone));let l=t.again?i.at-t.again.at:1/0;return r.ran.push(...o.filter(({before:e})=>e<l)),r.callers.push(...await findCallers(e,i,r.undone)),i}let isRefused=e=>e instanceof r.Q||e instanceof Error&&`severity`in e;async function quarantineOther(e,t,n){try{await e(e=>quarantineDatabase(e,n,!1),t)}catch(e){if(!isRefused(e))throw e;let r=`let the owner of the service log in to ${t}`;n.report.undone.push({what:`the database ${t}`,reason:e.message,next:r})}}function findStranded({report:{kept:e,quarantined:t},found:n}){let r=new Set(t.filter(({kind:e})=>e===`login`).map(({name:e})=>e)),i=new Set(e.map(({id:e})=>e));return n.filter(({kind:e,id:t,owner:n})=>e===`job`&&i.has(t)&&r.has(n)).map(({name:e,owner:t})=>`keep_active: job ${e} cannot run without its owner: add login:${t}`)}function merge(e,t){let n=new Set([...t.kept,...t.quarantined].map(({id:e})=>e));return{...t,quarantined:[...e.quarantined.filter(({id:e})=>!n.has(e)),...t.quarantined],ran:[...e.ran,...t.ran]}}async function quarantine(e,t){let n={at:0,quarantined:[],kept:[],undone:[],ran:[],callers:[],remarks:[]},r={...t,found:[],report:n},{at:i,others:a}=await e(e=>quarantineDatabase(e,r,!0));for(let t of a)await quarantineOther(e,t,r);let o=[...findUnknown(t.keepActive,r.found),...findStranded(r)],s={...r.report,at:i,remarks:o};return t.again?merge(t.again,s):s}})};