/** Tests the locks that the recorder adds from changes in the catalog. */
import { expect, test } from 'vitest'
import type { Relation } from '#contents/rehearsal/measure/catalog'
import { Recorder } from '#contents/rehearsal/measure/recorder'
import { addShortLocks } from '#contents/rehearsal/measure/short-locks'
import { catalog, table } from './rehearsals.ts'

/** A statement whose locks no sample contains, with the locks added to it. */
function addLocks(sql: string, was: Partial<Relation>, now: Partial<Relation>[]) {
  const before = catalog(table(was), table({ id: 20_001, name: 'payments' }))
  const recorder = new Recorder(before, { since: () => [] }, 0)
  recorder.recordStatements(1, [{ sql, sentAt: 0, startedAt: 0, endedAt: 1 }], 'I')
  recorder.endTransaction(1, 1)
  addShortLocks(before, catalog(...now.map(table), table({ id: 20_001, name: 'payments' })), recorder)
  return recorder.statements[0]
}

const locksOf = (...given: Parameters<typeof addLocks>) => addLocks(...given)?.locks.map(({ mode }) => mode)

const change = 'alter table orders change'

test.each<[string, Partial<Relation>[], string[]]>([
  ['a table as it was', [{}], []],
  ['a dropped table', [], ['ACCESS EXCLUSIVE']],
  ['another definition', [{ shape: 'b' }], ['ACCESS EXCLUSIVE']],
  ['another file', [{ file: 2 }], ['ACCESS EXCLUSIVE']],
])('adds the lock of %s', (_, now, modes) => {
  expect(locksOf(change, {}, now)).toEqual(modes)
})

test('adds the lock of a replaced view', () => {
  const view = (state: string) => ({
    kind: 'v',
    dependents: { 'rule 1': { name: '_RETURN', state, tables: [] } },
  })
  expect(locksOf('create or replace view orders as select 1', view('a'), [view('b')])).toEqual([
    'ACCESS EXCLUSIVE',
  ])
})

test('adds the lock of a sequence that was dropped with its table', () => {
  expect(locksOf('drop table others', { kind: 'S' }, [])).toEqual(['ACCESS EXCLUSIVE'])
})

test('adds the lock of a restarted sequence, and no rewrite', () => {
  const changed = addLocks('alter sequence orders restart', { kind: 'S' }, [{ kind: 'S', file: 2 }])
  expect(changed).toMatchObject({ locks: [{ mode: 'SHARE ROW EXCLUSIVE' }], rewrites: [] })
})

test('reports no rewrite of a sequence that TRUNCATE restarted', () => {
  const recorder = new Recorder(catalog(table({ kind: 'S' })), { since: () => [] }, 0)
  const sql = 'truncate customers restart identity'
  recorder.recordStatements(1, [{ sql, sentAt: 0, startedAt: 0, endedAt: 1 }], 'T')
  const files = [{ id: 20_000, file: 2, ownBytes: 8192, bytes: 8192 }]
  recorder.rewrites.record(files, new Map([[20_000, new Set(recorder.statements)]]))
  expect(recorder.statements).toMatchObject([{ rewrites: [] }])
})

test('adds no lock to a statement that does not name the table', () => {
  expect(locksOf('alter table others change', {}, [{ shape: 'b' }])).toEqual([])
})

const dependentsOf = (states: Record<string, string>): Partial<Relation> => ({
  dependents: Object.fromEntries(
    Object.entries(states).map(([key, state]) => [key, { name: 'own_name', state, tables: [20_001] }]),
  ),
})

test.each<[string, Record<string, string>, Record<string, string>, string[]]>([
  [change, { 'trigger 1': 'O' }, { 'trigger 1': 'O' }, []],
  [change, {}, { 'trigger 1': 'O' }, ['SHARE ROW EXCLUSIVE']],
  [change, { 'trigger 1': 'O' }, { 'trigger 1': 'D' }, ['SHARE ROW EXCLUSIVE']],
  [change, { 'trigger 1': 'O' }, {}, ['ACCESS EXCLUSIVE']],
  [change, {}, { 'reference 1': 'f' }, ['SHARE ROW EXCLUSIVE']],
  [change, { 'referenced 1': 'f' }, { 'referenced 1': 't' }, []],
  [change, {}, { 'index 1': 't', 'constraint 1': 't' }, ['ACCESS EXCLUSIVE']],
  [change, { 'constraint 1': 'f' }, { 'constraint 1': 't' }, ['SHARE UPDATE EXCLUSIVE']],
  [change, {}, { 'policy 1': 'a' }, ['ACCESS EXCLUSIVE']],
  [change, {}, { 'rule 1': 'O' }, ['ACCESS EXCLUSIVE']],
  [change, { options: '' }, { options: 'a' }, ['SHARE UPDATE EXCLUSIVE']],
  ['create index on orders (a)', {}, { 'index 1': 't' }, ['SHARE']],
  ['create index concurrently on orders (a)', {}, { 'index 1': 't' }, ['SHARE UPDATE EXCLUSIVE']],
  ['drop index own_name', { 'index 1': 't' }, {}, ['ACCESS EXCLUSIVE']],
  ['drop index concurrently own_name', { 'index 1': 't' }, {}, ['SHARE UPDATE EXCLUSIVE']],
  ['drop table payments', { 'referenced 1': 't' }, {}, ['ACCESS EXCLUSIVE']],
])('%s: adds the lock for %j that becomes %j', (sql, was, now, modes) => {
  expect(locksOf(sql, dependentsOf(was), [dependentsOf(now)])).toEqual(modes)
})

test('adds the lock of a dropped column to its statement, not to an earlier index of the table', () => {
  const before = catalog(table({}))
  const recorder = new Recorder(before, { since: () => [] }, 0)
  const ran = ['create index on orders (id)', 'alter table orders drop column note']
  recorder.recordStatements(
    1,
    ran.map(sql => ({ sql, sentAt: 0, startedAt: 0, endedAt: 1 })),
    'I',
  )
  recorder.endTransaction(1, 1)
  addShortLocks(before, catalog(table({ shape: 'b' })), recorder)
  expect(recorder.statements.map(({ locks }) => locks.map(({ mode }) => mode))).toEqual([
    [],
    ['ACCESS EXCLUSIVE'],
  ])
})
