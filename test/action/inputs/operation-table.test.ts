/** Tests the table of operations and their inputs. */
import { describe, expect, test } from 'vitest'
import { inputTable } from '#action/inputs/input-table'
import { operations } from '#action/inputs/operation-table'
import { contract, inputsOf } from '../../support/contract.ts'

describe('the inputs', () => {
  test.each(contract.map(row => [row.operation, row] as const))('of %s', (name, row) => {
    const used = operations.get(name)?.inputs ?? []
    expect([...used].sort()).toEqual([...new Set(inputsOf(row))].sort())
    expect(new Set(used).size).toBe(used.length)
  })
})

test('every input is used by an operation, or by all', () => {
  const taken = new Set([...operations.values()].flatMap(({ inputs }) => inputs))
  const nobodys = Object.entries(inputTable).filter(
    ([name, { ignored }]) => ignored !== 'never' && !taken.has(name),
  )
  expect(nobodys.map(([name]) => name)).toEqual([])
})

test('an operation has the name of its key', () => {
  for (const [name, operation] of operations) expect(operation.name).toBe(name)
})
