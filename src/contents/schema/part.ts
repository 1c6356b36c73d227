/** Builds the catalog query for one kind of object. */

/** One kind of object of the catalog: each value is an SQL expression. */
export interface Part {
  /** If it is not the name of the part. */
  kind?: string
  id: string
  of?: string
  name: string
  /** The properties of an object; null for an absent one. */
  has: Record<string, string>
  from: string
  comment?: string
  /** The owner and the grants, read only on request. */
  owner?: string
  grants?: string
}

/** Objects with smaller ids belong to the server (PostgreSQL documentation, "FirstNormalObjectId" in transam.h). */
export const firstOfUsers = 16384

/** A property without a value. */
export const fact = (condition: string) => `case when ${condition} then '' end`

/** When a trigger or a rule fires, unless as usual. */
export const firing = (letter: string) =>
  `case ${letter} when 'D' then 'never' when 'R' then 'on replicas only' when 'A' then 'always' end`

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`

export const isOwn = (catalog: string, id: string) =>
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

/** Options of foreign objects. Options that may be secret are shown without their value. */
export const optionsOf = (options: string) =>
  `(select string_agg(case when option ~* '^[^=]*(pass|secret|key|token|credential|auth)' then split_part(option, '=', 1) || '=(not shown)'
      else option end, ', ' order by option) from unnest(${options}) as option)`

export const tablespace = (id: string) =>
  `case when ${id} <> 0 then (select quote_ident(spcname) from pg_tablespace where oid = ${id}) end`

/** From 17.12 on, PostgreSQL stores a counter of changes among the options of a column. pg_dump omits it too. */
export const storageOptions = (options: string) =>
  `(select string_agg(one, ', ') from unnest(${options}) as one where one !~ '^pg_attver=')`

interface Cataloged {
  catalog: string
  /** The name of the catalog in the query, and the start of the id of its objects. */
  alias: string
  /** The start of the catalog's column names, such as `opr` of `oprname` and `oprowner`. */
  prefix: string
  /** As for `grantsOf`; undefined for objects without grants. */
  acl?: string
}

const fromCatalog = ({ catalog, alias }: Cataloged, join = '') =>
  `${catalog} ${alias} ${join} where ${alias}.oid >= ${firstOfUsers} and ${isOwn(catalog, `${alias}.oid`)}`

/** As `ofCatalog`, for objects without an owner. */
export const withoutOwner = (given: Cataloged) => ({
  id: `'${given.alias}' || ${given.alias}.oid`,
  name: `quote_ident(${given.prefix}name)`,
  from: fromCatalog(given),
  comment: commentOn(given.catalog, `${given.alias}.oid`),
})

/** The common properties of objects with a catalog of their own. */
export function ofCatalog(given: Cataloged) {
  const { prefix, acl } = given
  return {
    ...withoutOwner(given),
    owner: `${prefix}owner`,
    ...(acl !== undefined && { grants: grantsOf(`${prefix}acl`, acl, `${prefix}owner`) }),
  }
}

/** As `ofCatalog`, for objects in a schema. */
export const inSchema = (given: Cataloged) => ({
  ...ofCatalog(given),
  of: `'n' || ${given.prefix}namespace`,
  from: fromCatalog(given, `join kept_schema on kept_schema.oid = ${given.prefix}namespace`),
})

/** The common properties of the objects of a table. `table` is the column with its id. */
export const onTable = (catalog: string, alias: string, prefix: string, table: string) => ({
  ...withoutOwner({ catalog, alias, prefix }),
  of: `'r' || ${table}`,
  from: `${catalog} ${alias} join rel on rel.oid = ${table}`,
})

export function renderPart(kindName: string, part: Part, withGrants: boolean): string {
  const { kind = quoted(kindName), id, of, name, has, from, comment, owner, grants } = part
  const rights = {
    ...(owner && { owner: `quote_ident(pg_get_userbyid(${owner}))` }),
    ...(grants && { grants }),
  }
  const all = Object.entries({ ...has, ...(comment && { comment }), ...(withGrants && rights) })
  // JSON by concatenation, which for thousands of columns takes half the time of json_strip_nulls(json_build_object(…)).
  const pairs = all.map(([key, value]) => `${quoted(`${JSON.stringify(key)}:`)} || to_json((${value})::text)`)
  return `select ${kind} as kind, ${id} as id, ${of ?? 'null'} as of, (${name})::text as name,
    concat_ws(',', ${pairs.join(', ')}) as has from ${from}`
}
