/** Tests that scenarios run every operation and input. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { operations } from '#action/inputs/operation-table'
import { previewInputs } from '#preview/base/inputs'

const files = readdirSync(import.meta.dirname).filter(name => name.endsWith('.test.ts'))
const text = files.map(name => readFileSync(join(import.meta.dirname, name), 'utf8')).join('\n')

it('runs every operation in a scenario', () => {
  const missing = [...operations.keys()].filter(name => !text.includes(`operation: '${name}'`))
  expect(missing, 'every operation needs a scenario in this folder').toEqual([])
})

it('sets every input of previews in a scenario', () => {
  const missing = Object.keys(previewInputs).filter(name => !new RegExp(`\\b${name}:`).test(text))
  expect(missing, 'every input of previews needs a scenario in this folder').toEqual([])
})
