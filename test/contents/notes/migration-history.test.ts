/** Tests how runs store their measurements in the migration note. */
import { beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { readHistory, storeRun } from '#contents/notes/migration-history'
import { type Session, withSession } from '#postgres/session'
import { connectionOf, noteOfPreview, type Outputs, runSql } from '../../support/fork.ts'
import { addDatabase, shareServer } from '../../support/shared-server.ts'
import { harmful, rehearsal, run, statement } from '../rehearsal/rehearsals.ts'

let service: Outputs
beforeAll(async () => {
  service = await addDatabase(await shareServer(), 'history')
})
beforeEach(async () => {
  await runSql(service, `select lo_unlink(oid) from pg_largeobject_metadata; ${noteOfPreview('parent')}`)
})

const readRuns = async (session: Session, serviceId?: string) => (await readHistory(session, serviceId)).runs

const signal = new AbortController().signal

const within = <Result>(outputs: Outputs, use: (session: Session) => Promise<Result>): Promise<Result> =>
  withSession(connectionOf(outputs), { timeout: 30_000, signal, mostBytes: 2 ** 20 }, use)

/** Replaces the note, as a user with the password can. */
const forge = (outputs: Outputs, text: string) =>
  runSql(
    outputs,
    `do $$ declare id oid := lo_from_bytea(0, convert_to('${text.replaceAll("'", "''")}', 'utf8'));
     begin execute format('comment on large object %s is %L', id, 'managed-database-action: migrations'); end $$`,
  )

const other = 'b'.repeat(64)

async function readStored(): Promise<string> {
  const sql = `select convert_from(lo_get(objoid), 'utf8') as text from pg_description
    where description = 'managed-database-action: migrations'`
  return (await runSql(service, sql))[0]?.text
}

describe('the history of migrations', () => {
  it('is stored in the database, with the worst statements of earlier runs', async () => {
    const first = run(harmful(), { commit: 'f'.repeat(40) })
    await within(service, session => storeRun(session, first))
    await within(service, session => storeRun(session, run({ migrationHash: other })))
    const runs = await within(service, readRuns)
    expect(runs).toEqual([
      expect.objectContaining({ commit: 'f'.repeat(40), omitted: 2 }),
      run({ migrationHash: other, statements: [] }),
    ])
    expect(runs[0]?.rehearsal.effects).toEqual(first.rehearsal.effects)
  })

  it('contains the files of all runs', async () => {
    const keep = (files: Record<string, string>) =>
      within(service, session => storeRun(session, run(), { files }))
    await keep({ 'm/1.sql': 'aa', 'm/2.sql': 'bb' })
    await keep({ 'm/2.sql': 'cc', [`m/${'x'.repeat(301)}`]: 'dd' })
    const { files } = await within(service, readHistory)
    expect(files).toEqual({ 'm/1.sql': 'aa', 'm/2.sql': 'cc' })
    expect((await within(service, session => readHistory(session, 'another'))).files).toEqual({})
  })

  it('contains two runs that end at the same moment', async () => {
    const keep = (hash: string) => within(service, session => storeRun(session, run({ migrationHash: hash })))
    await Promise.all([keep('a'.repeat(64)), keep(other)])
    const hashes = (await within(service, readRuns)).map(one => one.rehearsal.migrationHash)
    expect(hashes.sort()).toEqual(['a'.repeat(64), other])
  })

  it('is empty in a fork that is another preview', async () => {
    await within(service, session => storeRun(session, run()))
    const fork = await addDatabase(await shareServer(), 'fork_of_history', 'template history')
    expect(await within(fork, readRuns)).toHaveLength(1)
    expect(await within(fork, session => readRuns(session, 'fork'))).toEqual([])
    await runSql(fork, noteOfPreview('fork'))
    expect(await within(fork, readRuns)).toEqual([])
    expect(await within(service, readRuns)).toHaveLength(1)
  })

  const kept = (change: object) =>
    JSON.stringify({ service_id: 'parent', runs: [{ ...run(), rehearsal: { ...rehearsal(), ...change } }] })

  test.each([
    ['no JSON', '{'],
    ['an empty text', ''],
    ['a longer text than the action writes', `${' '.repeat(300_001)}${kept({})}`],
    ['a format of a later version', JSON.stringify({ service_id: 'parent', version: 2, runs: [] })],
  ])('is unreadable, not absent, if its note is %s, and stays unchanged', async (_, text) => {
    await forge(service, text)
    expect(await within(service, readHistory)).toMatchObject({ runs: [], unreadable: expect.any(String) })
    const kept = await within(service, session => storeRun(session, run()))
    expect(kept).toMatchObject({ runs: [run({ statements: [] })], unreadable: expect.any(String) })
    expect(await within(service, readHistory)).toMatchObject({ runs: [], unreadable: expect.any(String) })
  })

  it('keeps kinds and fields that this release does not know', async () => {
    const lock = { table: 'a', mode: 'NEW', held: 1, blocks: ['vacuum'], newer: 1 }
    const newer = {
      ...rehearsal({ destructive: true }),
      effects: [{ kind: 'view dropped', object: 'v', message: 'v dropped', destructive: true, newer: 2 }],
      violations: [{ limit: 'max_new', measured: 2, allowed: 1, message: 'm', advice: 'a', newer: 3 }],
      statements: [{ ...statement(), locks: [lock], failure: 'no', newer: 4 }],
      measuredOn: { serverVersion: '19', at: '', fork: { data: 'tomorrow', newer: 5 }, newer: 6 },
      newer: 7,
    }
    const one = { ...run(), rehearsal: newer, newer: 8 }
    await forge(service, JSON.stringify({ service_id: 'parent', runs: [one], newer: 9 }))
    await within(service, session => storeRun(session, run({ migrationHash: other })))
    expect(JSON.parse(await readStored())).toMatchObject({ version: 1, newer: 9, runs: [one, {}] })
  })

  it('comes from the newest of several notes', async () => {
    await forge(service, kept({ duration: 1 }))
    await forge(service, kept({ duration: 2 }))
    expect((await within(service, readRuns)).map(one => one.rehearsal.duration)).toEqual([2])
  })

  it('is read in the format that the action writes', async () => {
    await forge(service, kept({}))
    expect(await within(service, readRuns)).toEqual([run()])
  })
})
