/** Tests the example that runs SQL. */
import { expect, it } from 'vitest'
import { useStage } from './support/setting.ts'

const stage = useStage()

it('examples/sql-in-ten-lines.yml: SQL on a database, with nothing but its URL', async () => {
  const mark = stage.bench.emulator.requests.length
  const job = (await stage.run('examples/sql-in-ten-lines.yml', { name: 'push', payload: {} })).count
  expect(job?.result, job?.log.join('\n')).toBe('success')
  expect(job?.steps[0]?.outputs).toMatchObject({ result: '[{"orders":3}]', count: '1' })
  expect(stage.bench.operationsSince(mark)).toEqual([])
})
