/** Queries for the objects of a database that are in no schema, and for roles and default privileges. */
import {
  commentOn,
  flag,
  grantsOf,
  isNoMember,
  type ObjectQuery,
  ofCatalog,
  optionsOf,
  withoutOwner,
} from './object-query.ts'
import { schemaOfExtension } from './schema.ts'

/** Before version 15, a publication has whole tables, and no schemas. */
const publishedTables = {
  tables: `(select string_agg(prrelid::regclass::text, ', ' order by prrelid::regclass::text)
    from pg_publication_rel where prpubid = u.oid)`,
}

const publishedParts = {
  tables: `(select string_agg(prrelid::regclass || coalesce(' (' || (select string_agg(quote_ident(attname), ', ' order by attnum)
      from pg_attribute where attrelid = prrelid and attnum = any (prattrs)) || ')', '')
      || coalesce(' where ' || pg_get_expr(prqual, prrelid), ''), ', ' order by prrelid::regclass::text)
    from pg_publication_rel where prpubid = u.oid)`,
  schemas: `(select string_agg(pnnspid::regnamespace::text, ', ' order by pnnspid::regnamespace::text)
    from pg_publication_namespace where pnpubid = u.oid)`,
}

/** @param version the version of the server: 170004 is 17.4 */
export const databaseQueries = (version: number): Record<string, ObjectQuery> => ({
  schema: {
    kind: `case when ${isNoMember('pg_namespace', 'n.oid')} then 'schema' else '${schemaOfExtension}' end`,
    id: "'n' || n.oid",
    name: 'quote_ident(n.nspname)',
    has: {},
    from: 'pg_namespace n join kept_schema using (oid)',
    comment: commentOn('pg_namespace', 'n.oid'),
    owner: 'nspowner',
    grants: grantsOf('nspacl', 'n', 'nspowner'),
  },
  extension: {
    id: "'e' || oid",
    name: 'quote_ident(extname)',
    has: { version: 'extversion', schema: 'extnamespace::regnamespace::text' },
    from: 'pg_extension',
    owner: 'extowner',
  },
  language: {
    ...ofCatalog({ catalog: 'pg_language', alias: 'q', prefix: 'lan', acl: 'l' }),
    has: {
      trusted: flag('lanpltrusted'),
      handler: 'nullif(lanplcallfoid, 0)::regproc::text',
    },
  },
  'access method': {
    ...withoutOwner({ catalog: 'pg_am', alias: 'am', prefix: 'am' }),
    has: { handler: 'amhandler::regproc::text' },
  },
  publication: {
    ...ofCatalog({ catalog: 'pg_publication', alias: 'u', prefix: 'pub' }),
    has: {
      'all tables': flag('puballtables'),
      ...(version < 150_000 ? publishedTables : publishedParts),
      publish:
        "concat_ws(', ', case when pubinsert then 'insert' end, case when pubupdate then 'update' end, case when pubdelete then 'delete' end, case when pubtruncate then 'truncate' end)",
      'via partition root': flag('pubviaroot'),
      // Since version 18.
      'generated columns': "nullif(to_jsonb(u)->>'pubgencols', 'n')",
    },
  },
  // The connection string is omitted, because it may contain a password.
  subscription: {
    id: "'b' || oid",
    name: 'quote_ident(subname)',
    has: {
      publications: "array_to_string(subpublications, ', ')",
      slot: 'subslotname::text',
      disabled: flag('not subenabled'),
    },
    from: 'pg_subscription where subdbid = (select oid from pg_database where datname = current_database())',
    owner: 'subowner',
  },
  'foreign data wrapper': {
    ...ofCatalog({ catalog: 'pg_foreign_data_wrapper', alias: 'fw', prefix: 'fdw', acl: 'F' }),
    has: {
      handler: 'nullif(fdwhandler, 0)::regproc::text',
      validator: 'nullif(fdwvalidator, 0)::regproc::text',
      options: optionsOf('fdwoptions'),
    },
  },
  server: {
    ...ofCatalog({ catalog: 'pg_foreign_server', alias: 'fs', prefix: 'srv', acl: 'S' }),
    has: {
      wrapper: '(select quote_ident(fdwname) from pg_foreign_data_wrapper w where w.oid = srvfdw)',
      type: 'srvtype',
      version: 'srvversion',
      options: optionsOf('srvoptions'),
    },
  },
  'user mapping': {
    id: "'um' || umid",
    of: "'fs' || srvid",
    name: "case umuser when 0 then 'public' else quote_ident(usename) end",
    // The view shows options only to roles with the right to see them.
    has: {
      options:
        "(select string_agg(split_part(option, '=', 1), ', ' order by option) from unnest(umoptions) as option)",
    },
    from: 'pg_user_mappings',
  },
})

/** Read only on request. */
export const rightsQueries: Record<string, ObjectQuery> = {
  role: {
    id: "'ro' || oid",
    name: 'quote_ident(rolname)',
    has: {
      login: flag('rolcanlogin'),
      superuser: flag('rolsuper'),
      'may create databases': flag('rolcreatedb'),
      'may create roles': flag('rolcreaterole'),
      replication: flag('rolreplication'),
      'bypasses row level security': flag('rolbypassrls'),
      'does not inherit': flag('not rolinherit'),
      'connection limit': 'nullif(rolconnlimit, -1)::text',
      'valid until': 'rolvaliduntil::text',
      'member of':
        "(select string_agg(distinct quote_ident(pg_get_userbyid(roleid)), ', ') from pg_auth_members where member = pg_roles.oid)",
    },
    from: "pg_roles where rolname !~ '^pg_'",
  },
  'default privileges': {
    id: "'da' || oid",
    name: `concat_ws(' ', 'of', quote_ident(pg_get_userbyid(defaclrole)), 'on', case defaclobjtype when 'r' then 'tables' when 'S' then 'sequences'
      when 'f' then 'functions' when 'T' then 'types' when 'n' then 'schemas' when 'L' then 'large objects' end,
      case when defaclnamespace <> 0 then 'in ' || defaclnamespace::regnamespace end)`,
    has: { grants: grantsOf('defaclacl', 'r', 'defaclrole') },
    from: 'pg_default_acl',
  },
}
