/** Builds the catalog query for one kind of object. */
import { firstUserId, quoteText } from '#postgres/sql'

/** The SQL expressions of the query for one kind of object. Their meaning is that of the fields of `SchemaObject`. */
export interface ObjectQuery {
  /** If it is not the name of the query. */
  kind?: string
  id: string
  of?: string
  name: string
  /** The properties of an object. A property that is null is omitted. */
  has: Record<string, string>
  from: string
  comment?: string
  /** The owner and the grants, read only on request. */
  owner?: string
  grants?: string
}

/** A property without a value, such as `unlogged`. */
export const flag = (condition: string) => `case when ${condition} then '' end`

/** When a trigger or a rule fires; null for the default. */
export const firingMode = (letter: string) =>
  `case ${letter} when 'D' then 'never' when 'R' then 'on replicas only' when 'A' then 'always' end`

/** False for objects that an extension or a type created (the common table `member`). */
export const isNoMember = (catalog: string, id: string) =>
  `not exists (select from member where classid = '${catalog}'::regclass and objid = ${id})`

/** The comment on an object. Most objects have none: `described`, which is in memory, avoids the lookup. */
export const commentOn = (catalog: string, id: string, part = '0') =>
  `case when ${id} in (select objoid from described) then
    (select quote_literal(description) from pg_description where objoid = ${id} and classoid = '${catalog}'::regclass and objsubid = ${part}) end`

/** The name of a relation without the schema `public`. */
export const relationName = (id: string) =>
  `(select case when n.nspname = 'public' then '' else quote_ident(n.nspname) || '.' end || quote_ident(c.relname)
    from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.oid = ${id})`

/** The grants to other roles than the owner, by `aclexplode`. `kind` is the letter of the kind of object for `acldefault`. */
export const grantsOf = (acl: string, kind: string, owner: string) =>
  `(select string_agg(who || ': ' || rights, '; ' order by who) from (
      select case when grantee = 0 then 'public' else quote_ident(pg_get_userbyid(grantee)) end as who,
        string_agg(privilege_type || case when is_grantable then ' with grant option' else '' end, ', ' order by privilege_type) as rights
      from aclexplode(coalesce(${acl}, acldefault('${kind}', ${owner}))) where grantee <> ${owner} group by 1) as given)`

/** The options of a foreign object. Options that may be secret are shown without their value. */
export const optionsOf = (options: string) =>
  `(select string_agg(case when option ~* '^[^=]*(pass|secret|key|token|credential|auth)' then split_part(option, '=', 1) || '=(not shown)'
      else option end, ', ' order by option) from unnest(${options}) as option)`

export const tablespace = (id: string) =>
  `case when ${id} <> 0 then (select quote_ident(spcname) from pg_tablespace where oid = ${id}) end`

/** From 17.12 on, PostgreSQL stores a counter of changes among the options of a column. pg_dump omits it too. */
export const storageOptions = (options: string) =>
  `(select string_agg(option, ', ') from unnest(${options}) as option where option !~ '^pg_attver=')`

/** The names by which the queries of this file read a catalog. */
interface CatalogNames {
  catalog: string
  /** The name of the catalog in the query, and the start of the id of its objects. */
  alias: string
  /** The start of the catalog's column names, such as `opr` of `oprname` and `oprowner`. */
  prefix: string
  /** As for `grantsOf`; undefined for objects without grants. */
  acl?: string
}

const fromCatalog = ({ catalog, alias }: CatalogNames, join = '') =>
  `${catalog} ${alias} ${join} where ${alias}.oid >= ${firstUserId} and ${isNoMember(catalog, `${alias}.oid`)}`

/** As `ofCatalog`, for objects without an owner. */
export const withoutOwner = (names: CatalogNames) => ({
  id: `'${names.alias}' || ${names.alias}.oid`,
  name: `quote_ident(${names.prefix}name)`,
  from: fromCatalog(names),
  comment: commentOn(names.catalog, `${names.alias}.oid`),
})

/** The common part of the queries for objects that have a catalog, an owner and perhaps grants. */
export function ofCatalog(names: CatalogNames) {
  const { prefix, acl } = names
  return {
    ...withoutOwner(names),
    owner: `${prefix}owner`,
    ...(acl !== undefined && { grants: grantsOf(`${prefix}acl`, acl, `${prefix}owner`) }),
  }
}

/** As `ofCatalog`, for objects in a schema. */
export const inSchema = (names: CatalogNames) => ({
  ...ofCatalog(names),
  of: `'n' || ${names.prefix}namespace`,
  from: fromCatalog(names, `join kept_schema on kept_schema.oid = ${names.prefix}namespace`),
})

/** As `withoutOwner`, for the objects of a table. `table` is the column with the id of the table. */
export const onTable = (names: CatalogNames, table: string) => ({
  ...withoutOwner(names),
  of: `'r' || ${table}`,
  from: `${names.catalog} ${names.alias} join rel on rel.oid = ${table}`,
})

export function renderQuery(kindName: string, query: ObjectQuery, withGrants: boolean): string {
  const { kind = quoteText(kindName), id, of, name, from, comment, owner, grants } = query
  const properties = Object.entries(query.has)
  if (comment !== undefined) properties.push(['comment', comment])
  if (withGrants && owner !== undefined) properties.push(['owner', `quote_ident(pg_get_userbyid(${owner}))`])
  if (withGrants && grants !== undefined) properties.push(['grants', grants])
  // JSON by concatenation, which for thousands of columns takes half the time of json_strip_nulls(json_build_object(…)).
  const pairs = properties.map(
    ([key, value]) => `${quoteText(`${JSON.stringify(key)}:`)} || to_json((${value})::text)`,
  )
  return `select ${kind} as kind, ${id} as id, ${of ?? 'null'} as of, (${name})::text as name,
    concat_ws(',', ${pairs.join(', ')}) as has from ${from}`
}
