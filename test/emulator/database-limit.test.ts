/** Tests the limit on databases. */
import { expect, test } from 'vitest'
import { databaseLimit } from '../../emulator/database-limit.ts'

const mebibyte = 2 ** 20

test.each([
  ['a large machine', 64 * 1024 * mebibyte, 100],
  ['4 GB free', 4096 * mebibyte, 51],
  ['800 MB free', 800 * mebibyte, 10],
  ['next to nothing free', 20 * mebibyte, 1],
])('%s', (_, available, limit) => {
  expect(databaseLimit(available)).toBe(limit)
})
