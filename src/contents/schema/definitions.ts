/** Queries for functions, types, operators and other objects with a definition, except tables. */
import { firingMode, flag, inSchema, type ObjectQuery, ofCatalog, withoutOwner } from './object-query.ts'

/** The name of an object by its id; null for the id 0. */
const nameById = (column: string, type = 'regproc') => `nullif(${column}, 0)::${type}::text`

const anyType = inSchema({ catalog: 'pg_type', alias: 't', prefix: 'typ', acl: 'T' })

const routine = {
  ...inSchema({ catalog: 'pg_proc', alias: 'p', prefix: 'pro', acl: 'f' }),
  name: "quote_ident(proname) || '(' || pg_get_function_identity_arguments(p.oid) || ')'",
}

const accessMethod = (column: string) => `(select quote_ident(amname) from pg_am where pg_am.oid = ${column})`

export const definitionQueries: Record<string, ObjectQuery> = {
  type: {
    ...anyType,
    has: {
      enum: `case when typtype = 'e' then
        (select string_agg(quote_literal(enumlabel), ', ' order by enumsortorder) from pg_enum where enumtypid = t.oid) end`,
      composite: flag("typtype = 'c'"),
      base: "case when typtype = 'b' then concat_ws(', ', typinput::regproc, typoutput::regproc, 'length ' || typlen, 'align ' || typalign::text, 'storage ' || typstorage::text) end",
      'range of': `(select concat_ws(', ', format_type(rngsubtype, null), case when rngcollation <> 0 then 'collation ' || rngcollation::regcollation end,
          'operator class ' || quote_ident(opcname), case when rngcanonical <> 0 then 'canonical ' || rngcanonical::regproc end,
          case when rngsubdiff <> 0 then 'difference ' || rngsubdiff::regproc end, 'multirange ' || rngmultitypid::regtype)
        from pg_range join pg_opclass o on o.oid = rngsubopc where rngtypid = t.oid)`,
      shell: flag('not typisdefined'),
    },
    from: "pg_type t where oid in (select oid from kept_type) and typtype in ('e', 'c', 'b', 'r', 'p')",
  },
  domain: {
    ...anyType,
    has: {
      type: 'format_type(typbasetype, typtypmod)',
      collation: `(select nullif(t.typcollation, 0)::regcollation::text from pg_type b
        where b.oid = t.typbasetype and b.typcollation <> t.typcollation)`,
      'not null': flag('typnotnull'),
      default: 'typdefault',
    },
    from: "pg_type t where oid in (select oid from kept_type) and typtype = 'd'",
  },
  function: {
    ...routine,
    kind: "case prokind when 'p' then 'procedure' else 'function' end",
    has: { definition: 'pg_get_functiondef(p.oid)' },
    from: `${routine.from} and prokind <> 'a'`,
  },
  aggregate: {
    ...routine,
    has: {
      returns: 'format_type(prorettype, null)',
      state: `concat_ws(' ', aggtransfn::regproc, format_type(aggtranstype, null), case when aggtransspace > 0 then 'space ' || aggtransspace end)`,
      initially: 'quote_literal(agginitval)',
      finally: `case when aggfinalfn <> 0 then concat_ws(' ', aggfinalfn::regproc, case when aggfinalextra then 'extra' end, aggfinalmodify) end`,
      combining: `case when aggcombinefn <> 0 then concat_ws(' ', aggcombinefn::regproc, nullif(aggserialfn, 0)::regproc, nullif(aggdeserialfn, 0)::regproc) end`,
      moving: `case when aggmtransfn <> 0 then concat_ws(' ', aggmtransfn::regproc, aggminvtransfn::regproc, nullif(aggmfinalfn, 0)::regproc,
        format_type(aggmtranstype, null), quote_literal(aggminitval)) end`,
      'sorted by': nameById('aggsortop', 'regoperator'),
      ordered: "case when aggkind <> 'n' then aggkind::text end",
      parallel: "case proparallel when 's' then 'safe' when 'r' then 'restricted' end",
    },
    from: `pg_aggregate, ${routine.from} and aggfnoid = p.oid`,
  },
  'event trigger': {
    ...ofCatalog({ catalog: 'pg_event_trigger', alias: 'v', prefix: 'evt' }),
    has: {
      on: 'evtevent',
      when: "array_to_string(evttags, ', ')",
      execute: 'evtfoid::regproc::text',
      fires: firingMode('evtenabled'),
    },
  },
  operator: {
    ...inSchema({ catalog: 'pg_operator', alias: 'o', prefix: 'opr' }),
    name: "oprname || ' (' || concat_ws(', ', case when oprleft <> 0 then format_type(oprleft, null) end, format_type(oprright, null)) || ')'",
    has: {
      function: 'oprcode::regproc::text',
      commutator: nameById('oprcom', 'regoperator'),
      negator: nameById('oprnegate', 'regoperator'),
      restrict: nameById('oprrest'),
      join: nameById('oprjoin'),
      hashes: flag('oprcanhash'),
      merges: flag('oprcanmerge'),
    },
  },
  'operator family': {
    ...inSchema({ catalog: 'pg_opfamily', alias: 'of', prefix: 'opf' }),
    name: `quote_ident(opfname) || ' using ' || ${accessMethod('opfmethod')}`,
    has: {
      operators:
        "(select string_agg(amopstrategy || ' ' || amopopr::regoperator, ', ' order by amopstrategy, amopopr::regoperator::text) from pg_amop where amopfamily = of.oid)",
      functions:
        "(select string_agg(amprocnum || ' ' || amproc::regprocedure, ', ' order by amprocnum, amproc::regprocedure::text) from pg_amproc where amprocfamily = of.oid)",
    },
  },
  'operator class': {
    ...inSchema({ catalog: 'pg_opclass', alias: 'oc', prefix: 'opc' }),
    name: `quote_ident(opcname) || ' using ' || ${accessMethod('opcmethod')}`,
    has: {
      for: 'format_type(opcintype, null)',
      default: flag('opcdefault'),
      family: '(select quote_ident(opfname) from pg_opfamily where pg_opfamily.oid = opcfamily)',
      storage: 'case when opckeytype <> 0 then format_type(opckeytype, null) end',
    },
  },
  cast: {
    ...withoutOwner({ catalog: 'pg_cast', alias: 'k', prefix: 'cast' }),
    name: "format_type(castsource, null) || ' as ' || format_type(casttarget, null)",
    has: {
      with: "case castmethod when 'f' then castfunc::regprocedure::text when 'i' then 'inout' else 'no function' end",
      as: "case castcontext when 'a' then 'assignment' when 'i' then 'implicit' end",
    },
  },
  collation: {
    ...inSchema({ catalog: 'pg_collation', alias: 'l', prefix: 'coll' }),
    has: {
      provider: "case collprovider when 'c' then 'libc' when 'i' then 'icu' when 'b' then 'builtin' end",
      // The name of the column depends on the version of the server.
      locale:
        "coalesce(to_jsonb(l)->>'colllocale', to_jsonb(l)->>'colliculocale', concat_ws('/', collcollate, collctype))",
      rules: "to_jsonb(l)->>'collicurules'",
      'not deterministic': flag('not collisdeterministic'),
    },
  },
  'text search dictionary': {
    ...inSchema({ catalog: 'pg_ts_dict', alias: 'd', prefix: 'dict' }),
    has: {
      template: '(select quote_ident(tmplname) from pg_ts_template t where t.oid = dicttemplate)',
      options: 'dictinitoption',
    },
  },
  'text search configuration': {
    ...inSchema({ catalog: 'pg_ts_config', alias: 's', prefix: 'cfg' }),
    has: {
      parser: '(select quote_ident(prsname) from pg_ts_parser p where p.oid = cfgparser)',
      mappings: `(select string_agg((select alias from ts_token_type(cfgparser) where tokid = maptokentype) || ': ' || mapdict::regdictionary, ', ' order by maptokentype, mapseqno)
        from pg_ts_config_map where mapcfg = s.oid)`,
    },
  },
}
