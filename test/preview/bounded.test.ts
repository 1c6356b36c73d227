import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { forEachBounded } from '../../src/preview/bounded.ts'

it('does each item once, in order of results, never more at a time than the limit', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(fc.integer(), { maxLength: 20 }),
      fc.integer({ min: 1, max: 5 }),
      async (scheduler, items, limit) => {
        let running = 0
        let most = 0
        const work = async (item: number) => {
          most = Math.max(most, ++running)
          await scheduler.schedule(Promise.resolve())
          running--
          return item * 2
        }
        const results = await scheduler.waitFor(forEachBounded(items, limit, work))
        expect(results).toEqual(items.map(item => item * 2))
        expect(most).toBe(Math.min(limit, items.length))
      },
    ),
  )
})
