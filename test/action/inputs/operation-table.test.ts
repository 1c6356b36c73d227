import { describe, expect, test } from 'vitest'
import { operations } from '../../../src/action/inputs/operation-table.ts'
import { contract, inputsOf } from '../../support/contract.ts'

describe('the inputs', () => {
  test.each(contract.map(row => [row.operation, row] as const))('of %s', (name, row) => {
    const used = operations.get(name)?.inputs ?? []
    expect([...used].sort()).toEqual([...new Set(inputsOf(row))].sort())
    expect(new Set(used).size).toBe(used.length)
  })
})

test('an operation has the name that it is found by', () => {
  for (const [name, operation] of operations) expect(operation.name).toBe(name)
})
