/** SQL for functions, types, operators and other objects with a definition, except tables. */
import { commentOn, fact, firstOfUsers, grantsOf, isOwn, type Part } from './part.ts'

const inSchema = (column: string) => `'n' || ${column}`

const named = (column: string, type = 'regproc') => `nullif(${column}, 0)::${type}::text`

const anyType = {
  id: "'t' || t.oid",
  of: inSchema('typnamespace'),
  name: 'quote_ident(typname)',
  owner: 'typowner',
  grants: grantsOf('typacl', 'T', 'typowner'),
} as const

const types: Part = {
  ...anyType,
  kind: "'type'",
  has: {
    enum: `case when typtype = 'e' then
      (select string_agg(quote_literal(enumlabel), ', ' order by enumsortorder) from pg_enum where enumtypid = t.oid) end`,
    composite: fact("typtype = 'c'"),
    base: "case when typtype = 'b' then concat_ws(', ', typinput::regproc, typoutput::regproc, 'length ' || typlen, 'align ' || typalign::text, 'storage ' || typstorage::text) end",
    'range of': `(select concat_ws(', ', format_type(rngsubtype, null), case when rngcollation <> 0 then 'collation ' || rngcollation::regcollation end,
        'operator class ' || quote_ident(opcname), case when rngcanonical <> 0 then 'canonical ' || rngcanonical::regproc end,
        case when rngsubdiff <> 0 then 'difference ' || rngsubdiff::regproc end, 'multirange ' || rngmultitypid::regtype)
      from pg_range join pg_opclass o on o.oid = rngsubopc where rngtypid = t.oid)`,
    shell: fact('not typisdefined'),
    comment: commentOn('pg_type', 't.oid'),
  },
  from: "pg_type t where oid in (select oid from kept_type) and typtype in ('e', 'c', 'b', 'r', 'p')",
}

const domains: Part = {
  ...anyType,
  kind: "'domain'",
  has: {
    type: 'format_type(typbasetype, typtypmod)',
    collation: `(select nullif(t.typcollation, 0)::regcollation::text from pg_type b
      where b.oid = t.typbasetype and b.typcollation <> t.typcollation)`,
    'not null': fact('typnotnull'),
    default: 'typdefault',
    comment: commentOn('pg_type', 't.oid'),
  },
  from: "pg_type t where oid in (select oid from kept_type) and typtype = 'd'",
}

const routine = {
  id: "'p' || p.oid",
  of: inSchema('pronamespace'),
  name: "quote_ident(proname) || '(' || pg_get_function_identity_arguments(p.oid) || ')'",
  owner: 'proowner',
  grants: grantsOf('proacl', 'f', 'proowner'),
} as const

const kept = (catalog: string, alias: string, schema: string) =>
  `join kept_schema on kept_schema.oid = ${schema} where ${alias}.oid >= ${firstOfUsers} and ${isOwn(catalog, `${alias}.oid`)}`

const routines: Part = {
  ...routine,
  kind: "case prokind when 'p' then 'procedure' else 'function' end",
  has: { definition: 'pg_get_functiondef(p.oid)', comment: commentOn('pg_proc', 'p.oid') },
  from: `pg_proc p ${kept('pg_proc', 'p', 'pronamespace')} and prokind <> 'a'`,
}

const aggregates: Part = {
  ...routine,
  kind: "'aggregate'",
  has: {
    returns: 'format_type(prorettype, null)',
    state: `concat_ws(' ', aggtransfn::regproc, format_type(aggtranstype, null), case when aggtransspace > 0 then 'space ' || aggtransspace end)`,
    initially: 'quote_literal(agginitval)',
    finally: `case when aggfinalfn <> 0 then concat_ws(' ', aggfinalfn::regproc, case when aggfinalextra then 'extra' end, aggfinalmodify) end`,
    combining: `case when aggcombinefn <> 0 then concat_ws(' ', aggcombinefn::regproc, nullif(aggserialfn, 0)::regproc, nullif(aggdeserialfn, 0)::regproc) end`,
    moving: `case when aggmtransfn <> 0 then concat_ws(' ', aggmtransfn::regproc, aggminvtransfn::regproc, nullif(aggmfinalfn, 0)::regproc,
      format_type(aggmtranstype, null), quote_literal(aggminitval)) end`,
    'sorted by': named('aggsortop', 'regoperator'),
    ordered: "case when aggkind <> 'n' then aggkind::text end",
    parallel: "case proparallel when 's' then 'safe' when 'r' then 'restricted' end",
    comment: commentOn('pg_proc', 'p.oid'),
  },
  from: `pg_proc p join pg_aggregate on aggfnoid = p.oid ${kept('pg_proc', 'p', 'pronamespace')}`,
}

const eventTriggers: Part = {
  kind: "'event trigger'",
  id: "'v' || v.oid",
  name: 'quote_ident(evtname)',
  has: {
    on: 'evtevent',
    when: "array_to_string(evttags, ', ')",
    execute: 'evtfoid::regproc::text',
    fires:
      "case evtenabled when 'D' then 'never' when 'R' then 'on replicas only' when 'A' then 'always' end",
    comment: commentOn('pg_event_trigger', 'v.oid'),
  },
  from: `pg_event_trigger v where ${isOwn('pg_event_trigger', 'v.oid')}`,
  owner: 'evtowner',
}

const operators: Part = {
  kind: "'operator'",
  id: "'o' || o.oid",
  of: inSchema('oprnamespace'),
  name: "oprname || ' (' || concat_ws(', ', case when oprleft <> 0 then format_type(oprleft, null) end, format_type(oprright, null)) || ')'",
  has: {
    function: 'oprcode::regproc::text',
    commutator: named('oprcom', 'regoperator'),
    negator: named('oprnegate', 'regoperator'),
    restrict: named('oprrest'),
    join: named('oprjoin'),
    hashes: fact('oprcanhash'),
    merges: fact('oprcanmerge'),
    comment: commentOn('pg_operator', 'o.oid'),
  },
  from: `pg_operator o ${kept('pg_operator', 'o', 'oprnamespace')}`,
  owner: 'oprowner',
}

const accessMethod = (column: string) => `(select quote_ident(amname) from pg_am where pg_am.oid = ${column})`

const operatorFamilies: Part = {
  kind: "'operator family'",
  id: "'of' || f.oid",
  of: inSchema('opfnamespace'),
  name: `quote_ident(opfname) || ' using ' || ${accessMethod('opfmethod')}`,
  has: {
    operators:
      "(select string_agg(amopstrategy || ' ' || amopopr::regoperator, ', ' order by amopstrategy, amopopr::regoperator::text) from pg_amop where amopfamily = f.oid)",
    functions:
      "(select string_agg(amprocnum || ' ' || amproc::regprocedure, ', ' order by amprocnum, amproc::regprocedure::text) from pg_amproc where amprocfamily = f.oid)",
    comment: commentOn('pg_opfamily', 'f.oid'),
  },
  from: `pg_opfamily f ${kept('pg_opfamily', 'f', 'opfnamespace')}`,
  owner: 'opfowner',
}

const operatorClasses: Part = {
  kind: "'operator class'",
  id: "'oc' || o.oid",
  of: inSchema('opcnamespace'),
  name: `quote_ident(opcname) || ' using ' || ${accessMethod('opcmethod')}`,
  has: {
    for: 'format_type(opcintype, null)',
    default: fact('opcdefault'),
    family: '(select quote_ident(opfname) from pg_opfamily where pg_opfamily.oid = opcfamily)',
    storage: 'case when opckeytype <> 0 then format_type(opckeytype, null) end',
    comment: commentOn('pg_opclass', 'o.oid'),
  },
  from: `pg_opclass o ${kept('pg_opclass', 'o', 'opcnamespace')}`,
  owner: 'opcowner',
}

const casts: Part = {
  kind: "'cast'",
  id: "'k' || k.oid",
  name: "format_type(castsource, null) || ' as ' || format_type(casttarget, null)",
  has: {
    with: "case castmethod when 'f' then castfunc::regprocedure::text when 'i' then 'inout' else 'no function' end",
    as: "case castcontext when 'a' then 'assignment' when 'i' then 'implicit' end",
    comment: commentOn('pg_cast', 'k.oid'),
  },
  from: `pg_cast k where oid >= ${firstOfUsers} and ${isOwn('pg_cast', 'k.oid')}`,
}

const collations: Part = {
  kind: "'collation'",
  id: "'l' || l.oid",
  of: inSchema('collnamespace'),
  name: 'quote_ident(collname)',
  has: {
    provider: "case collprovider when 'c' then 'libc' when 'i' then 'icu' when 'b' then 'builtin' end",
    // The name of the column depends on the version of the server.
    locale:
      "coalesce(to_jsonb(l)->>'colllocale', to_jsonb(l)->>'colliculocale', concat_ws('/', collcollate, collctype))",
    rules: "to_jsonb(l)->>'collicurules'",
    'not deterministic': fact('not collisdeterministic'),
    comment: commentOn('pg_collation', 'l.oid'),
  },
  from: `pg_collation l ${kept('pg_collation', 'l', 'collnamespace')}`,
  owner: 'collowner',
}

const dictionaries: Part = {
  kind: "'text search dictionary'",
  id: "'d' || d.oid",
  of: inSchema('dictnamespace'),
  name: 'quote_ident(dictname)',
  has: {
    template: '(select quote_ident(tmplname) from pg_ts_template t where t.oid = dicttemplate)',
    options: 'dictinitoption',
    comment: commentOn('pg_ts_dict', 'd.oid'),
  },
  from: `pg_ts_dict d ${kept('pg_ts_dict', 'd', 'dictnamespace')}`,
  owner: 'dictowner',
}

const configurations: Part = {
  kind: "'text search configuration'",
  id: "'s' || s.oid",
  of: inSchema('cfgnamespace'),
  name: 'quote_ident(cfgname)',
  has: {
    parser: '(select quote_ident(prsname) from pg_ts_parser p where p.oid = cfgparser)',
    mappings: `(select string_agg((select alias from ts_token_type(cfgparser) where tokid = maptokentype) || ': ' || mapdict::regdictionary, ', ' order by maptokentype, mapseqno)
      from pg_ts_config_map where mapcfg = s.oid)`,
    comment: commentOn('pg_ts_config', 's.oid'),
  },
  from: `pg_ts_config s ${kept('pg_ts_config', 's', 'cfgnamespace')}`,
  owner: 'cfgowner',
}

export const definitionParts: Part[] = [
  ...[types, domains, routines, aggregates, eventTriggers],
  ...[operators, operatorFamilies, operatorClasses, casts, collations, dictionaries, configurations],
]
