/** Tests the verdicts on migrations that were not fully measured. */
import { expect, test } from 'vitest'
import { findUnseen } from '#contents/rehearsal/measure/unseen'
import { rehearse } from '#contents/rehearsal/rehearse'
import { catalog, table } from './rehearsals.ts'

test('counts as destructive if nothing could be measured', async () => {
  const fail = () => Promise.reject(new Error('no connection'))
  const session = { query: fail, attempt: fail }
  const clock = { now: () => 0, sleep: async () => undefined }
  const task = { limits: {}, files: [], run: async () => undefined }
  const { rehearsal } = await rehearse(session, clock, task)
  expect(rehearsal).toMatchObject({ verdict: 'not measured', destructive: true, problem: 'no connection' })
})

test('names a changed table that no statement touched, even if a statement touched another table', () => {
  const [orders, payments] = [table({}), table({ id: 20_001, name: 'payments' })]
  const after = catalog({ ...orders, file: 2 }, { ...payments, file: 2 })
  const unseen = (touched: number[]) =>
    findUnseen(catalog(orders, payments), after, { touched: new Set(touched) } as never)
  expect(unseen([orders.id])).toMatch('payments was changed')
  expect(unseen([orders.id, payments.id])).toBeUndefined()
})
