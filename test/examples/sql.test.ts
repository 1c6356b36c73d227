/** Tests the example that runs SQL. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openStage, type Stage } from './support/setting.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage?.stop())

it('examples/sql-in-ten-lines.yml: SQL on a database, with nothing but its URL', async () => {
  const mark = stage.bench.emulator.requests.length
  const job = (await stage.run('examples/sql-in-ten-lines.yml', { name: 'push', payload: {} })).count
  expect(job?.result, job?.log.join('\n')).toBe('success')
  expect(job?.steps[0]?.outputs).toMatchObject({ result: '[{"orders":3}]', count: '1' })
  expect(stage.bench.operationsSince(mark)).toEqual([])
})
