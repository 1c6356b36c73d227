/** Runs the fault matrix. */
import { resolve } from 'node:path'
import { afterAll, describe, it } from 'vitest'
import { check } from '../support/fault-matrix/expectations.ts'
import { Matrix } from '../support/fault-matrix/matrix.ts'
import { renderReliability } from '../support/fault-matrix/render.ts'
import { matrixRows, titleOf } from '../support/fault-matrix/rows.ts'

const document = resolve(import.meta.dirname, '../../docs/internals/reliability.md')

const matrix = new Matrix()
afterAll(() => matrix.close())

// The documentation's test lasts as long as all the others.
describe.concurrent('the fault matrix', { timeout: 600_000 }, () => {
  it('matches the documentation', async ({ expect }) => {
    const results = await Promise.all(
      matrixRows.map(async row => ({ row, observed: await matrix.observe(row) })),
    )
    await expect(renderReliability(results)).toMatchFileSnapshot(document)
  })

  it.for(matrixRows.map(row => ({ row, title: titleOf(row), operation: row.subject.operation })))(
    '$operation: $title',
    async ({ row }, { expect }) => check(row, await matrix.observe(row), expect),
  )
})
