/** Tests the order of test files. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { longest } from './longest-first.ts'

it('names files that are there', () => {
  const missing = longest.filter(name => !existsSync(resolve(import.meta.dirname, `../${name}.test.ts`)))
  expect(missing).toEqual([])
})
