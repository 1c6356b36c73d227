/** SQL for the top-level objects of a database, and for roles and default privileges. */
import { commentOn, fact, firstOfUsers, grantsOf, isOwn, ofCatalog, type Part } from './part.ts'
import { schemaOfExtension } from './schema.ts'

const schemas: Part = {
  kind: `case when ${isOwn('pg_namespace', 'n.oid')} then 'schema' else '${schemaOfExtension}' end`,
  id: "'n' || n.oid",
  name: 'quote_ident(n.nspname)',
  has: {},
  from: 'pg_namespace n join kept_schema using (oid)',
  comment: commentOn('pg_namespace', 'n.oid'),
  owner: 'nspowner',
  grants: grantsOf('nspacl', 'n', 'nspowner'),
}

const extensions: Part = {
  kind: "'extension'",
  id: "'e' || oid",
  name: 'quote_ident(extname)',
  has: { version: 'extversion', schema: 'extnamespace::regnamespace::text' },
  from: 'pg_extension',
  owner: 'extowner',
}

const languages: Part = {
  ...ofCatalog({ catalog: 'pg_language', alias: 'q', prefix: 'lan', acl: 'l' }),
  kind: "'language'",
  has: {
    trusted: fact('lanpltrusted'),
    handler: 'nullif(lanplcallfoid, 0)::regproc::text',
  },
}

const accessMethods: Part = {
  kind: "'access method'",
  id: "'am' || m.oid",
  name: 'quote_ident(amname)',
  has: { handler: 'amhandler::regproc::text' },
  comment: commentOn('pg_am', 'm.oid'),
  from: `pg_am m where oid >= ${firstOfUsers} and ${isOwn('pg_am', 'm.oid')}`,
}

export const databaseParts: Part[] = [schemas, extensions, languages, accessMethods]

const roles: Part = {
  kind: "'role'",
  id: "'ro' || oid",
  name: 'quote_ident(rolname)',
  has: {
    login: fact('rolcanlogin'),
    superuser: fact('rolsuper'),
    'may create databases': fact('rolcreatedb'),
    'may create roles': fact('rolcreaterole'),
    replication: fact('rolreplication'),
    'bypasses row level security': fact('rolbypassrls'),
    'does not inherit': fact('not rolinherit'),
    'connection limit': 'nullif(rolconnlimit, -1)::text',
    'valid until': 'rolvaliduntil::text',
    'member of':
      "(select string_agg(distinct quote_ident(pg_get_userbyid(roleid)), ', ') from pg_auth_members where member = pg_roles.oid)",
  },
  from: "pg_roles where rolname !~ '^pg_'",
}

const defaultPrivileges: Part = {
  kind: "'default privileges'",
  id: "'da' || oid",
  name: `concat_ws(' ', 'of', quote_ident(pg_get_userbyid(defaclrole)), 'on', case defaclobjtype when 'r' then 'tables' when 'S' then 'sequences'
    when 'f' then 'functions' when 'T' then 'types' when 'n' then 'schemas' when 'L' then 'large objects' end,
    case when defaclnamespace <> 0 then 'in ' || defaclnamespace::regnamespace end)`,
  has: { grants: grantsOf('defaclacl', 'r', 'defaclrole') },
  from: 'pg_default_acl',
}

/** Read only on request. */
export const rightsParts: Part[] = [roles, defaultPrivileges]
