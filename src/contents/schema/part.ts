/** One kind of object of the catalog: each value is an expression of SQL. */
export interface Part {
  kind: string
  id: string
  of?: string
  name: string
  /** What is said of an object; null where there is nothing to say. */
  has: Record<string, string>
  from: string
  /** Whose it is, and who may do what: read only where that is asked for. */
  owner?: string
  grants?: string
}

/** Objects with smaller ids came with the server (PostgreSQL documentation, "FirstNormalObjectId" in transam.h). */
export const firstOfUsers = 16384

/** A fact that is there or not. */
export const fact = (condition: string) => `case when ${condition} then '' end`

/** A text in single quotes, for SQL. */
const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`

/** Whether an object of a catalog is no part of an extension. */
export const isOwn = (catalog: string, id: string) =>
  `not exists (select from member where classid = '${catalog}'::regclass and objid = ${id})`

/** The comment on an object of a catalog. Most have none: `described`, which is looked up in memory, says which have. */
export const commentOn = (catalog: string, id: string, part = '0') =>
  `case when ${id} in (select objoid from described) then
    (select quote_literal(description) from pg_description where objoid = ${id} and classoid = '${catalog}'::regclass and objsubid = ${part}) end`

/** The name of a relation for people: what is in `public` without the schema. */
export const relationName = (id: string) =>
  `(select case when n.nspname = 'public' then '' else quote_ident(n.nspname) || '.' end || quote_ident(c.relname)
    from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.oid = ${id})`

/** Who may do what beside the owner, by `aclexplode`. `kind` is the letter that `acldefault` knows the kind of object by. */
export const grantsOf = (acl: string, kind: string, owner: string) =>
  `(select string_agg(who || ': ' || rights, '; ' order by who) from (
      select case when grantee = 0 then 'public' else quote_ident(pg_get_userbyid(grantee)) end as who,
        string_agg(privilege_type || case when is_grantable then ' with grant option' else '' end, ', ' order by privilege_type) as rights
      from aclexplode(coalesce(${acl}, acldefault('${kind}', ${owner}))) where grantee <> ${owner} group by 1) as given)`

/** Options of foreign objects, where whatever may be a secret is told by its name alone. */
export const optionsOf = (options: string) =>
  `(select string_agg(case when option ~* '^[^=]*(pass|secret|key|token|credential|auth)' then split_part(option, '=', 1) || '=(not shown)'
      else option end, ', ' order by option) from unnest(${options}) as option)`

/** A space of the disk that is not the usual one. */
export const tablespace = (id: string) =>
  `case when ${id} <> 0 then (select quote_ident(spcname) from pg_tablespace where oid = ${id}) end`

/** Among those of a column PostgreSQL counts its changes, from 17.12 on; pg_dump leaves that out, too. */
export const storageOptions = (options: string) =>
  `(select string_agg(one, ', ') from unnest(${options}) as one where one !~ '^pg_attver=')`

/** The comment on a table, view, index or sequence, which the queries call `rel`. */
export const commentOfRelation = commentOn('pg_class', 'rel.oid')

/** The query of one kind of object. */
export function renderPart(
  { kind, id, of, name, has, from, owner, grants }: Part,
  withGrants: boolean,
): string {
  const rights = {
    ...(owner && { owner: `quote_ident(pg_get_userbyid(${owner}))` }),
    ...(grants && { grants }),
  }
  const all = Object.entries({ ...has, ...(withGrants && rights) })
  // JSON of what there is, which for thousands of columns takes half the time of json_strip_nulls(json_build_object(…)).
  const pairs = all.map(([key, value]) => `${quoted(`${JSON.stringify(key)}:`)} || to_json((${value})::text)`)
  return `select ${kind} as kind, ${id} as id, ${of ?? 'null'} as of, (${name})::text as name,
    concat_ws(',', ${pairs.join(', ')}) as has from ${from}`
}
