import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { operations } from '#action/inputs/operation-table'

it('runs every operation in a scenario', () => {
  const files = readdirSync(import.meta.dirname).filter(name => name.endsWith('.test.ts'))
  const text = files.map(name => readFileSync(join(import.meta.dirname, name), 'utf8')).join('\n')
  const missing = [...operations.keys()].filter(name => !text.includes(`operation: '${name}'`))
  expect(missing, 'every operation needs a scenario in this folder').toEqual([])
})
