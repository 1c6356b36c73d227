import { expect, test, vi } from 'vitest'
import { endpoints } from '../../src/api/endpoints.ts'
import { lazily } from '../../src/api/fields/lazily.ts'

test('a property is made when it is first read, and once', () => {
  const make = vi.fn(() => ({}))
  const row = lazily({ name: 'row' }, { schema: make })
  expect(make).not.toHaveBeenCalled()
  expect(row.schema).toBe(row.schema)
  expect(make).toHaveBeenCalledOnce()
})

test('a copy of the properties as they stand makes its own, once', () => {
  const make = vi.fn(() => ({}))
  const row = lazily({}, { schema: make })
  const copy = Object.defineProperties({} as typeof row, Object.getOwnPropertyDescriptors(row))
  expect(copy.schema).toBe(copy.schema)
  expect(make).toHaveBeenCalledOnce()
})

test('the schemas of a row are the same each time, and there only where the row has some', () => {
  expect(endpoints['fork-service'].body).toBe(endpoints['fork-service'].body)
  expect(Object.keys(endpoints['get-service'])).not.toContain('body')
})
