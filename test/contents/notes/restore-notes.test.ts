/** Tests that notes survive SQL of a pull request that would turn a failed verdict into a passed one. */
import { beforeAll, expect, it } from 'vitest'
import { readHistory, storeRun } from '#contents/notes/migration-history'
import { readNotes, writeNote } from '#contents/notes/notes'
import { restoreNotes } from '#contents/notes/restore-notes'
import { verdictOf } from '#contents/rehearsal/result/history'
import { withSession } from '#postgres/session'
import { connectionOf, type Outputs, runSql } from '../../support/fork.ts'
import { addDatabase, shareServer } from '../../support/shared-server.ts'
import { harmful, run } from '../rehearsal/rehearsals.ts'

let service: Outputs
beforeAll(async () => {
  service = await addDatabase(await shareServer(), 'attacked')
})

const named = (kind: string) => `managed-database-action: ${kind}`
const id = (kind: string) => `(select max(objoid) from pg_description where description = '${named(kind)}')`

/** SQL that replaces a note by one that an expression on the old one, `note`, gives. */
const replace = (kind: string, expression: string, oid = '0') => `do $$
  declare id oid := ${id(kind)}; note jsonb := convert_from(lo_get(id), 'UTF8')::jsonb; forged oid; begin
  ${oid === '0' ? 'perform lo_unlink(id);' : ''}
  forged := lo_from_bytea(${oid}, convert_to((${expression})::text, 'UTF8'));
  execute format('comment on large object %s is %L', forged, '${named(kind)}'); end $$`

/** The last run, with a verdict that passed. */
const passed = `jsonb_set(jsonb_set(note->'runs'->0, '{rehearsal,verdict}', '"passed"'), '{rehearsal,violations}', '[]')`

it.each([
  ['overwrites the history', `select lo_put(${id('migrations')}, 0, '${' '.repeat(50)}')`],
  ['empties the history', replace('migrations', `note || '{"runs":[]}'`)],
  [
    'adds a run of the same migration that passed',
    replace('migrations', `jsonb_set(note, '{runs}', (note->'runs') || jsonb_set(${passed}, '{at}', '99'))`),
  ],
  [
    'adds a failed run that would count in place of the earlier one',
    replace(
      'migrations',
      `jsonb_set(note, '{runs}', (note->'runs') || jsonb_set(jsonb_set(note->'runs'->0, '{at}', '99'), '{rehearsal,problem}', '"it failed"'))`,
    ),
  ],
  ['claims the history is of another service', replace('migrations', `note || '{"service_id":"another"}'`)],
  [
    'writes a newer history beside the first one',
    replace('migrations', `note || '{"runs":[]}'`, '4294960000'),
  ],
  [
    'deletes the comment of the history',
    `do $$ begin execute format('comment on large object %s is null', ${id('migrations')}); end $$`,
  ],
  ['deletes all notes', 'select lo_unlink(oid) from pg_largeobject_metadata'],
  ['assigns the preview to another service', replace('preview', `note || '{"service_id":"another"}'`)],
  ['renames the preview in its note', replace('preview', `note || '{"preview":"other-pr-1-000000"}'`)],
  ['makes the note of the preview unreadable', replace('preview', `'[]'::jsonb`)],
])('restores a failed verdict after SQL that %s', async (_, sql) => {
  const options = { timeout: 30_000, signal: new AbortController().signal, mostBytes: 2 ** 20 }
  await withSession(connectionOf(service), options, async session => {
    await session.query('begin; select lo_unlink(oid) from pg_largeobject_metadata')
    await writeNote(session, 'preview', '{"service_id":"parent","preview":"shop-pr-1-000000"}')
    await session.query('commit')
    await storeRun(session, run(harmful()))
    const before = await readNotes(session)
    await session.query(sql)
    expect(await restoreNotes(session, before)).not.toEqual([])
    expect(await readNotes(session)).toEqual(before)
    expect(verdictOf((await readHistory(session, 'parent')).runs)).toBe('failed')
  })
})

it.each([
  ['TRUNCATE of the catalog', 'truncate pg_largeobject'],
  ['DELETE in the catalog', 'delete from pg_largeobject'],
  ['one in pg_catalog', 'create function pg_catalog.lo_get(oid, int) returns bytea return null::bytea'],
  [
    'an event trigger',
    `create function f() returns event_trigger language plpgsql as 'begin end'; create event trigger e on ddl_command_end execute function f()`,
  ],
])('relies on PostgreSQL to refuse %s', async (_, sql) => {
  await expect(runSql(service, sql)).rejects.toMatchObject({ code: '42501' })
})
