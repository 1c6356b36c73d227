/** Tests which locks are added by the changes that they left in the catalog. */
import { expect, test } from 'vitest'
import type { Relation } from '#contents/rehearsal/measure/catalog'
import { Recorder } from '#contents/rehearsal/measure/recorder'
import { addShortLocks } from '#contents/rehearsal/measure/short-locks'
import { catalog, table } from './rehearsals.ts'

/** The locks that are added to a statement by itself, of which no sample saw a lock. */
function locksOf(sql: string, was: Partial<Relation>, now: Partial<Relation>[]) {
  const before = catalog(table(was))
  const recorder = new Recorder(before, { since: () => [], waiting: () => 0 }, 0)
  recorder.ran(1, [{ sql, sentAt: 0, startedAt: 0, endedAt: 1 }], 'I')
  recorder.ended(1, 1)
  addShortLocks(before, catalog(...now.map(table)), recorder)
  return recorder.statements[0]?.locks.map(({ mode }) => mode)
}

const change = 'alter table orders change'

test.each<[string, Partial<Relation>, Partial<Relation>[], string[]]>([
  [change, {}, [{}], []],
  [change, {}, [], ['ACCESS EXCLUSIVE']],
  [change, {}, [{ shape: 'b' }], ['ACCESS EXCLUSIVE']],
  [change, {}, [{ file: 2 }], ['ACCESS EXCLUSIVE']],
  [change, {}, [{ dependents: { 'trigger 1': 'a' } }], ['SHARE ROW EXCLUSIVE']],
  [
    change,
    { dependents: { 'trigger 1': 'a' } },
    [{ dependents: { 'trigger 1': 'b' } }],
    ['SHARE ROW EXCLUSIVE'],
  ],
  [change, { dependents: { 'trigger 1': 'a' } }, [{ dependents: {} }], ['ACCESS EXCLUSIVE']],
  [change, {}, [{ dependents: { 'reference 1': 'a' } }], ['SHARE ROW EXCLUSIVE']],
  [change, {}, [{ dependents: { 'index 1': 't', 'constraint 1': 'a' } }], ['ACCESS EXCLUSIVE']],
  [
    change,
    { dependents: { 'constraint 1': 'f' } },
    [{ dependents: { 'constraint 1': 't' } }],
    ['SHARE UPDATE EXCLUSIVE'],
  ],
  [change, {}, [{ dependents: { 'policy 1': 'a' } }], ['ACCESS EXCLUSIVE']],
  [change, {}, [{ dependents: { 'rule 1': 'a' } }], ['ACCESS EXCLUSIVE']],
  ['create index on orders (a)', {}, [{ dependents: { 'index 1': 't' } }], ['SHARE']],
  [
    'create index concurrently on orders (a)',
    {},
    [{ dependents: { 'index 1': 't' } }],
    ['SHARE UPDATE EXCLUSIVE'],
  ],
  ['alter table others change', {}, [{ shape: 'b' }], []],
])('%s: %j becomes %j', (sql, was, now, modes) => {
  expect(locksOf(sql, was, now)).toEqual(modes)
})
