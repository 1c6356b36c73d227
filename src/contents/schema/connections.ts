/** SQL for the objects that connect a database with others: publications, subscriptions, foreign servers. */
import { fact, ofCatalog, optionsOf, type Part } from './part.ts'

const publications: Part = {
  ...ofCatalog({ catalog: 'pg_publication', alias: 'u', prefix: 'pub' }),
  kind: "'publication'",
  has: {
    'all tables': fact('puballtables'),
    tables: `(select string_agg(prrelid::regclass || coalesce(' (' || (select string_agg(quote_ident(attname), ', ' order by attnum)
        from pg_attribute where attrelid = prrelid and attnum = any (prattrs)) || ')', '')
        || coalesce(' where ' || pg_get_expr(prqual, prrelid), ''), ', ' order by prrelid::regclass::text)
      from pg_publication_rel where prpubid = u.oid)`,
    schemas: `(select string_agg(pnnspid::regnamespace::text, ', ' order by pnnspid::regnamespace::text)
      from pg_publication_namespace where pnpubid = u.oid)`,
    publish:
      "concat_ws(', ', case when pubinsert then 'insert' end, case when pubupdate then 'update' end, case when pubdelete then 'delete' end, case when pubtruncate then 'truncate' end)",
    'via partition root': fact('pubviaroot'),
    // Since version 18.
    'generated columns': "nullif(to_jsonb(u)->>'pubgencols', 'n')",
  },
}

/** The connection string is omitted, because it may contain a password. */
const subscriptions: Part = {
  kind: "'subscription'",
  id: "'b' || oid",
  name: 'quote_ident(subname)',
  has: {
    publications: "array_to_string(subpublications, ', ')",
    slot: 'subslotname::text',
    disabled: fact('not subenabled'),
  },
  from: 'pg_subscription where subdbid = (select oid from pg_database where datname = current_database())',
  owner: 'subowner',
}

const wrappers: Part = {
  ...ofCatalog({ catalog: 'pg_foreign_data_wrapper', alias: 'fw', prefix: 'fdw', acl: 'F' }),
  kind: "'foreign data wrapper'",
  has: {
    handler: 'nullif(fdwhandler, 0)::regproc::text',
    validator: 'nullif(fdwvalidator, 0)::regproc::text',
    options: optionsOf('fdwoptions'),
  },
}

const servers: Part = {
  ...ofCatalog({ catalog: 'pg_foreign_server', alias: 'fs', prefix: 'srv', acl: 'S' }),
  kind: "'server'",
  has: {
    wrapper: '(select quote_ident(fdwname) from pg_foreign_data_wrapper w where w.oid = srvfdw)',
    type: 'srvtype',
    version: 'srvversion',
    options: optionsOf('srvoptions'),
  },
}

const userMappings: Part = {
  kind: "'user mapping'",
  id: "'um' || umid",
  of: "'fs' || srvid",
  name: "case umuser when 0 then 'public' else quote_ident(usename) end",
  // The view shows options only to roles with the right to see them.
  has: {
    options:
      "(select string_agg(split_part(option, '=', 1), ', ' order by option) from unnest(umoptions) as option)",
  },
  from: 'pg_user_mappings',
}

export const connectionParts: Part[] = [publications, subscriptions, wrappers, servers, userMappings]
