/** Tests the tables of the quickstart. */
import { expect, test } from 'vitest'
import { renderTable } from '../../tools/quickstart/screen.ts'

test('a table has columns as wide as their widest cell, and numbers to the right', () => {
  const lines = renderTable([
    ['', 'customers', 'orders', 'city'],
    ['parent', 500, 12345, 'Accra'],
    ['fork', 1, 7, ''],
  ])
  expect(lines).toEqual([
    '        customers  orders  city',
    'parent        500  12,345  Accra',
    'fork            1       7',
  ])
})
