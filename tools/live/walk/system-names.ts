// Tries the names of the system catalogs.

import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Session, StatementError } from '#postgres/session'
import type { TriedRight } from '../report/findings.ts'

const source = resolve(import.meta.dirname, '../../../src')

/** The folders in which a part of the action queries a database. */
const parts: Record<string, string[]> = {
  previews: ['postgres', 'contents/notes', 'contents/sql'],
  'schema-diff': ['contents/schema'],
  quarantine: ['contents/quarantine'],
  masking: ['contents/masking'],
  rehearsal: ['contents/rehearsal', 'database'],
}

/** Only their oid is needed: only a superuser may read them. */
const onlyNamed = ['pg_largeobject']

/** Names of the system's catalogs, views and functions, and of those of TimescaleDB and pg_cron. */
const systemName = /\b(?:pg_[a-z_]+|lo_[a-z0-9_]+|cron\.[a-z_]+|_?timescaledb_[a-z_]+\.[a-z_]+)\b/g

const withoutComments = (text: string) => text.replace(/^\s*(?:\/\*|\*|\/\/).*/gm, '')

/** The names in each part's source; some may not be objects of the database. */
export function readSystemNames(): Map<string, string[]> {
  const namesIn = (folder: string) =>
    globSync('**/*.ts', { cwd: join(source, folder) }).flatMap(
      file => withoutComments(readFileSync(join(source, folder, file), 'utf8')).match(systemName) ?? [],
    )
  return new Map(
    Object.entries(parts).map(([part, folders]) => [
      part,
      [...new Set(folders.flatMap(namesIn))].filter(name => !onlyNamed.includes(name)).sort(),
    ]),
  )
}

/** The relations among these names; and the functions, with the right to call each of their forms. */
const lookUp = `with named as (select unnest(string_to_array($1, ' ')) as name)
  select name, quote_ident(nspname) || '.' || quote_ident(relname) as relation, null::boolean as may_call
  from named join pg_class on relname = split_part('pg_catalog.' || name, '.', -1)
  join pg_namespace on pg_namespace.oid = relnamespace and (name = relname or name = nspname || '.' || relname)
  where relkind in ('r', 'v')
  union all
  select name, null, bool_and(has_function_privilege(pg_proc.oid, 'execute'))
  from named join pg_proc on proname = split_part('pg_catalog.' || name, '.', -1)
  join pg_namespace on pg_namespace.oid = pronamespace and (name = proname or name = nspname || '.' || proname)
  group by name`

type Found = { name: string; relation: string | null; may_call: boolean | null }

async function refusalOf(session: Session, { name, relation, may_call }: Found): Promise<string | undefined> {
  if (relation === null)
    return may_call ? undefined : `permission denied for function ${name} (SQLSTATE 42501)`
  const answer = await session.attempt(`select from ${relation} limit 0`)
  return answer instanceof StatementError ? `${answer.message} (SQLSTATE ${answer.code})` : undefined
}

/** Tries whether the owner of a database may read and call the names in the action's queries, by part. */
export async function tryNames(session: Session): Promise<TriedRight[]> {
  const tried: TriedRight[] = []
  for (const [needed, names] of readSystemNames()) {
    const { rows } = await session.query(lookUp, [names.join(' ')])
    const refused: TriedRight[] = []
    for (const found of rows as Found[]) {
      const refusal = await refusalOf(session, found)
      const what = `${found.relation === null ? 'call' : 'read'} ${found.name}`
      if (refusal !== undefined) refused.push({ needed, what, refusal })
    }
    const rest = rows.length - refused.length
    tried.push(
      { needed, what: `read or call ${rest} objects of the system that its source names` },
      ...refused,
    )
  }
  return tried
}
