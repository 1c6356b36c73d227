"use strict";exports.id=576,exports.ids=[576],exports.modules={7996:((e,t,n)=>{n.d(t,{Cc:()=>h,hv:()=>o,pN:()=>m,qO:()=>s});var r=n(977),i=n(4109);let a=({timescaledb:e})=>`
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
    and description like 'managed-database-action: %')`,c=`(atttypid = 'name'::regtype and ${(0,r.Fi)(`'pg_class'::regclass`,`attrelid`)})`,l=e=>`with recursive ${a(e)},
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
  order by 2, 3`,u=e=>`with recursive 
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
  from ${s} order by position`,d=e=>`with recursive ${a(e)}
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
  where (indisunique or indisexclusion) and not ${o}`,f=e=>`with recursive ${a(e)}
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
    and not exists (select from covered join hypertable on hypertable.id = covered.parent where covered.id in (conrelid, confrelid))`,p=e=>`not exists (select from covered join hypertable on hypertable.id = parent where covered.id = ${e})`,m=`format('alter table %s disable trigger %I', tgrelid::regclass, tgname) as lift,
  format('alter table %s enable %s trigger %I', tgrelid::regclass,
    case tgenabled when 'A' then 'always' when 'R' then 'replica' else '' end, tgname) as restore`,h={tables:l,columns:u,uniques:d,foreignKeys:f,triggers:e=>`with recursive ${a(e)}
  select root::text as table, ${m}
  from pg_trigger join tree on tree.id = tgrelid join pg_proc on pg_proc.oid = tgfoid
    join pg_namespace on pg_namespace.oid = pronamespace
  where not tgisinternal and tgenabled in ('O', 'A') and tgparentid = 0
    and nspname !~ '^_timescaledb_' and ${p(`tgrelid`)}`,policies:e=>`with recursive ${a(e)}
  select root::text as table, format('alter table %s no force row level security', class.oid::regclass) as lift,
    format('alter table %s force row level security', class.oid::regclass) as restore
  from pg_class as class join tree on tree.id = class.oid where relforcerowsecurity and pg_has_role(relowner, 'usage')`,notValid:e=>`with recursive ${a(e)}
  select root::text as table, conname::text as name,
    format('alter table %s drop constraint %I', conrelid::regclass, conname) as lift,
    format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(pg_constraint.oid)) as restore
  from pg_constraint join tree on tree.id = conrelid
  where contype = 'c' and not convalidated and coninhcount = 0 and ${p(`conrelid`)}`,derived:({timescaledb:e})=>`with recursive
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
           from _timescaledb_catalog.continuous_agg join _timescaledb_catalog.hypertable on hypertable.id = mat_hypertable_id`}) as found order by position`}}),5809:((e,t,n)=>{n.d(t,{Cm:()=>s,RO:()=>u,Yt:()=>o,aH:()=>l,uM:()=>d,uS:()=>c});var r=n(6238),i=n(977),a=n(7996);let o={text:`texts`,json:`JSON`,bytes:`bytes`,ip:`IP addresses`,uuid:`UUIDs`,number:`numbers`,date:`dates`,point:`points`,geometry:`geometries`,geography:`geographies`},s=({schema:e,name:t})=>{let n=e=>/[".]/.test(e)?`"${e.replaceAll(`"`,`""`)}"`:e;return`${n(e)}.${n(t)}`},c=(e,t)=>`${s(e)}.${t.name}`,l=({schema:e,name:t})=>`${(0,i.AB)(e)}.${(0,i.AB)(t)}`;function u(e){let{isPlain:t,elsewhere:n,parts:r,columns:a}=e,o=l(e);if(n.length===0)return t?`only ${o}`:o;let s=a.map(e=>(0,i.AB)(e.name)).join();return`(${[`select ${s} from only ${o} where false`,...r.map(e=>`select ${s} from ${e}`)].join(` union all `)})`}async function d(e){let t=await(0,r.zZ)(e,`select current_setting('server_version_num')::int as version,
       case when to_regclass('_timescaledb_catalog.continuous_agg') is not null then ${i.DG} end as timescaledb,
       ${i.J9} as "pgStatStatements"`),n=n=>(0,r.Ym)(e,a.Cc[n](t)),o=await n(`tables`),s=await n(`columns`),c=Map.groupBy(s,({table:e})=>e);return{...t,tables:o.map(e=>({...e,columns:c.get(e.id)??[]})),uniques:await n(`uniques`),foreignKeys:await n(`foreignKeys`),triggers:await n(`triggers`),policies:await n(`policies`),notValid:await n(`notValid`),derived:await n(`derived`)}}}),4109:((e,t,n)=>{n.d(t,{OR:()=>d,Ue:()=>o,br:()=>s,fY:()=>i,uh:()=>c,vm:()=>p});var r=n(977);let i=`managed_database_action_masking`,a=`(select key from ${i}.secret)`,o=`collate "default"`,s=e=>`sha256(${a} || convert_to(${e}, (select current_setting('server_encoding'))))`,c=e=>`encode(${s(e)}, 'hex')`,l=`ba do fe gu ka li mo nu pe ra so ti ve wi xa zo`.split(` `),u=l.map(e=>e.charAt(0).toUpperCase()+e.slice(1));function d(e){let t=(e,t)=>`(array[${e.map(r.ol).join()}])[1 + get_byte(digest, ${t}) % ${e.length}]`,n=e=>`${t(u,e)} || ${t(l,e+1)} || ${t(l,e+2)}`;return`(select ${n(0)} || case when strpos(${e}, ' ') > 0 then ' ' || ${n(3)} else '' end from (select ${s(e)} offset 0) as made(digest))`}let f=e=>e.charCodeAt(0),p=e=>`(select coalesce(string_agg(case
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
    where jsonb_typeof(node) = 'string' and rule ->> 'kind' <> 'keep' and rule -> 'argument' is distinct from node $$;`}),5155:((e,t,n)=>{n.d(t,{Bn:()=>c,So:()=>r,Ve:()=>a,Wd:()=>i,bf:()=>o,hV:()=>s,u8:()=>l});let r=({rule:e})=>e!==void 0&&e.kind!==`keep`,i=({kind:e,extension:t})=>t!==`timescaledb`&&(e===`table`||e===`large objects`),a=e=>i(e)&&e.extension===null,o=e=>a(e)||i(e)&&e.place!==void 0,s=e=>e.columns.flatMap(e=>e.rule&&r(e)?[{...e,rule:e.rule}]:[]),c=({tables:e})=>e.filter(e=>!e.dropRows&&e.kind===`table`&&s(e).length>0),l=({tables:e})=>e.filter(({dropRows:e,kind:t})=>e&&t===`table`)}),1822:((e,t,n)=>{n.d(t,{Iz:()=>i,aW:()=>s,gM:()=>c});var r=n(3804);class i extends Error{place;constructor(e,t){super(e),this.place=t}}let a={line:1,column:1};function o(e,t,n){if(e===null)return{place:n,text:``,isPlain:!0};let[a,s]=e.range,c=a<s?t(a):n;if(e.tag!==void 0)return{place:c};if((0,r.isScalar)(e))return{place:c,text:`${e.value}`,isPlain:e.type===`PLAIN`};if(!(0,r.isMap)(e))return{place:c};let l=new Map;for(let n of e.items){let{text:e,place:r,isPlain:a}=o(n.key,t,c);if(e===void 0)throw new i(`a key must be a name`,r);if(l.has(e))throw new i(`${e} is a duplicate`,r);l.set(e,{key:{text:e,place:r,isPlain:a},value:o(n.value,t,r)})}return{place:c,entries:[...l.values()]}}let s={schema:`failsafe`,resolveKnownTags:!1,uniqueKeys:!1,prettyErrors:!1};function c(e){let t=new r.LineCounter,n=(0,r.parseAllDocuments)(e,{...s,lineCounter:t}),c=n=>{let{line:r,col:i}=t.linePos(n);return{line:r,column:[...e.slice(n-i+1,n)].length+1}};if(`empty`in n)throw new i(`the file has no rules`,a);let[l,...u]=n,[d]=n.flatMap(({errors:e})=>e);if(d)throw new i(d.message,c(d.pos[0]));if(l===void 0||u.length>0)throw new i(`there must be one document`,a);return o(l.contents,c,a)}}),3229:((e,t,n)=>{n.d(t,{EC:()=>y,wj:()=>x,WM:()=>A,yV:()=>v,ep:()=>E,te:()=>j,rB:()=>N,EZ:()=>h,RN:()=>_,P0:()=>g,Ez:()=>M,pM:()=>k,OB:()=>m,fD:()=>O});var r=n(8772),i=n(977),a=n(5809),o=n(4109),s=n(9578),c=n(3718);let l=`masked.example`,u={keepsNull:!0,keepsDistinct:!1,canCollide:!1},d=e=>`left(repeat(${(0,o.uh)(e)}, length(${e}) / 64 + 1), length(${e}))`,f=`another value, the same for equal values in the whole database`,p={email:{about:f,value:{text:e=>`left(${(0,o.uh)(e)}, 20) || '@${l}'`},keepsDistinct:!0,neededRoom:()=>20+`@${l}`.length,keepsNull:!0,leaves:`nothing`,canCollide:!1},url:{value:{text:e=>`'https://${l}/' || left(${(0,o.uh)(e)}, 20)`},keepsDistinct:!0,neededRoom:()=>`https://${l}/`.length+20,keepsNull:!0,leaves:`nothing`,canCollide:!1},phone:{about:f,value:{text:e=>`'+999' || lpad((('x' || left(${(0,o.uh)(e)}, 11))::bit(44)::bigint % 100000000000)::text, 11, '0')`},neededRoom:null,leaves:`nothing`,...u},name:{about:f,value:{text:o.OR},neededRoom:null,leaves:`nothing`,...u},hash:{about:f,value:{text:e=>`left(${(0,o.uh)(e)}, 32)`},keepsDistinct:{leastRoom:16},keepsNull:!0,neededRoom:null,leaves:`nothing`,canCollide:!1},digits:{value:{text:o.vm},leaves:`chance`,neededRoom:null,...u},keep:{value:{any:e=>e},keepsDistinct:!0,leaves:`all`,keepsNull:!0,neededRoom:null,canCollide:!1},text:{value:{text:d},neededRoom:null,leaves:`nothing`,...u},token:{value:{text:c.Sh,bytes:c.en,uuid:e=>c.Sh(`${e}::text`)},keepsDistinct:!0,leaves:`chance`,canCollide:!0,keepsNull:!0,neededRoom:null},ip:{value:{text:c.ip,ip:(e,{type:t})=>c.zP(c.ip(`${e}::text`),t)},neededRoom:null,leaves:`nothing`,...u},ip6:{value:{text:c.Y0,ip:(e,{type:t})=>c.zP(c.Y0(`${e}::text`),t)},keepsDistinct:!0,neededRoom:()=>43,keepsNull:!0,leaves:`nothing`,canCollide:!1},location:{value:{text:e=>c.Ir(e,d(e)),number:(e,{type:t})=>c.Ym(e,t),point:c.Rg,geometry:(e,{type:t})=>c.Pr(e,t),geography:(e,{type:t})=>c.Pr(e,t)},leaves:`chance`,neededRoom:null,...u},date:{value:{date:(e,{dates:t})=>c.n6(e,t)},neededRoom:null,leaves:`nothing`,...u},null:{value:{any:()=>`null`},neededRoom:null,leaves:`nothing`,...u},shuffle:{value:{any:e=>e},leaves:`all`,neededRoom:null,...u},fixed:{value:{any:(e,{argument:t,type:n})=>`${(0,i.ol)(t)}::${n}`},argument:{name:`text`,examples:[`Ada`,`''`],form:`any text`},keepsNull:!1,neededRoom:e=>[...e].length,leaves:{values:e=>[e]},keepsDistinct:!1,canCollide:!1},json:{value:{json:(e,{type:t,paths:n})=>(0,s.az)((0,s.o_)(e,{family:`json`,type:t}),n),text:(e,{type:t,paths:n})=>`coalesce(${(0,s.az)((0,s.o_)(e,{family:`text`,type:t}),n)}::text, ${d(e)})`},argument:{name:`mapping`,examples:[`{ "*": text }`],form:`mapping`},leaves:`chance`,neededRoom:null,...u},sql:{value:{any:(e,{argument:t})=>`(${t}\n)`},argument:{name:`expression`,examples:[`"upper('other')"`,`"NULL"`],form:/\S/},keepsNull:!1,keepsDistinct:!0,canCollide:!0,neededRoom:null,leaves:`nothing`}},m=e=>p[e],h=(0,r.YD)(p),g=h.filter(e=>m(e).argument===void 0),_=h.filter(e=>!g.includes(e));function v(e,t){let n=m(e).argument?.form;return n===`any text`||n instanceof RegExp&&n.test(t)}function y(e){let{name:t=``}=m(e).argument??{};return`${e} needs ${/^[aeiou]/.test(t)?`an`:`a`} ${t}: write { ${e}: ${t} }`}function b(e){let t=e.map(e=>g.includes(e)?e:`{ ${e}: \u2026 }`);return`${t.slice(0,-1).join(`, `)} or ${t.at(-1)}`}let x=b(h);function S(e){return e===`texts`?`text`:e===`ips`?`ip`:e}function C(e,t){let{value:n}=m(e);if(`any`in n)return n.any;let r=S(t);return r===`other`?void 0:n[r]}let w=e=>`any`in m(e).value,T=g.flatMap(e=>{let t=C(e,`text`);return t===void 0||w(e)?[]:[{kind:e,maskValue:t}]}),E=h.filter(e=>[`keep`,`null`,`fixed`].includes(e)||T.some(t=>t.kind===e)),D=(e,t)=>`case when ${e} <> '' then ${t} else ${e} end`,O=e=>T.map(({kind:t,maskValue:n})=>({kind:t,sql:D(e,n(e,{argument:``,paths:[],type:`text`,dates:[]}))}));function k(e,t,n=[]){let{type:r,family:a,ignoresCase:s}=e,c=`target.${(0,i.AB)(e.name)}`,{argument:l=``,paths:u=[]}=t,d={argument:l,paths:u,type:r,dates:n.map(e=>`target.${(0,i.AB)(e)}`)},f=C(t.kind,a);if(f===void 0)throw Error(`${t.kind} is not for ${r}`);if(w(t.kind))return f(c,d);let p=e=>S(a)===`text`?D(e,f(e,d)):f(e,d);if(a===`texts`||a===`ips`)return`case when ${c} is not null then array(select ${p(`element`)} from unnest(${c}::text[] ${o.Ue}) as part(element)) end::${r}`;let m=s&&t.paths===void 0?`lower(${c}::text)`:`${c}::text ${o.Ue}`;return`(${p(a===`text`?m:c)})::${r}`}function A({family:e,type:t,length:n},{kind:i,argument:o=``}){let{value:s,neededRoom:c}=m(i);if(C(i,e)===void 0){let n=(0,r.YD)(a.Yt).filter(e=>e in s),o=h.filter(t=>C(t,e)!==void 0);return`is ${t}, and ${i} is for ${n.map(e=>a.Yt[e]).join(`, `)}: use ${b(o)}`}let l=c?.(o);if(!(l===void 0||n===null||n>=l))return g.includes(i)?`has room for ${n} characters, and ${i} needs ${l}`:`has room for ${n} characters, and the ${i} text is longer`}function j(e,t){let n=m(e).keepsDistinct;return typeof n==`boolean`?n:(t??32)>=n.leastRoom}let M=(e,t)=>typeof m(e).keepsDistinct==`boolean`?0:Math.min(t??32,32),N=e=>m(e).keepsDistinct!==!1}),3718:((e,t,n)=>{n.d(t,{Ir:()=>y,Pr:()=>S,Rg:()=>x,Sh:()=>d,Y0:()=>h,Ym:()=>v,en:()=>f,ip:()=>m,n6:()=>C,uj:()=>_,zP:()=>g});var r=n(4109);let i=e=>`('x' || left(${(0,r.uh)(e)}, 8))::bit(32)::bigint`,a=[[`0`,`9`],[`a`,`f`],[`g`,`z`],[`A`,`F`],[`G`,`Z`]];function o(e,t){let n=e.charCodeAt(0);return`when letter between '${e}' and '${t}' then chr(${n} + (ascii(letter) - ${n} + byte) % ${t.charCodeAt(0)-n+1})`}function s(e,t){let n=`regexp_replace(${e}, '(.)(.?)', '${t%2==0?String.raw`\2`:String.raw`\1`}', 'g')`,i=`(select string_agg(${(0,r.br)(`'token ${t} ' || piece || ' ' || ${n}`)}, '' order by piece)
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
  from (select ${(0,r.br)(`lower(split_part(${e}, '/', 1))`)} offset 0) as made(digest) where ${e} is not null)`,m=e=>p(e,`strpos(${e}, ':') > 0`),h=e=>p(e,`true`),g=(e,t)=>t.startsWith(`cidr`)?`network((${e})::inet)`:e,_=e=>`round(${i(`'degrees ' || round(${e}, 6)`)} / 4294967296.0 * 170 - 85, 6)`,v=(e,t)=>/^(?:integer|bigint)/.test(t)?`${_(`${e}::numeric / 10000000`)} * 10000000`:_(`${e}::numeric`),y=(e,t)=>`case when ${e} ~ '^\\s*[-+]?[0-9]{1,3}([.][0-9]+)?\\s*$' then ${_(`${e}::numeric`)}::text else ${t} end`,b=e=>`${_(`(${e})::numeric`)}::float8`,x=e=>`point(${b(`${e}[0]`)}, ${b(`${e}[1]`)})`;function S(e,t){let n=/^(.*\.)geo(?:metry|graphy)\b/.exec(t)?.[1]??``,r=`${n}st_x(center)`,i=`${n}st_y(center)`;return`(select coalesce(${n}st_translate(shape, ${b(r)} - ${r}, ${b(i)} - ${i}), shape)
    from (select shape, ${n}st_centroid(shape) from (select ${e}::${n}geometry offset 0) as found(shape) offset 0)
      as made(shape, center))`}let C=(e,t)=>`(${e} - (1 + ${i(`concat_ws(' ', 'date', ${t.map(e=>`${e}::text`).join()})`)} % 365) * interval '24 hours')`})};