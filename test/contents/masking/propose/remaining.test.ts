/** Tests the search for kept columns with originals without the measurement of JSON, which a busy server may not finish. */
import { expect, it } from 'vitest'
import { readCatalogForDryRun } from '#contents/masking/plan/catalog'
import { examine } from '#contents/masking/propose/evidence'
import type { Proposed } from '#contents/masking/propose/groups'
import { renderPaths } from '#contents/masking/propose/json-paths'
import { maskRemaining } from '#contents/masking/propose/remaining'
import { createDatabase, opener } from '../support/database.ts'

it('keeps no part of JSON with originals if there is no time to measure it again', async () => {
  const outputs = await createDatabase(`
    CREATE TABLE boards (full_name text, title text, info jsonb);
    INSERT INTO boards SELECT 'Ada Canary' || n, 'Board of Ada Canary' || n,
      jsonb_build_object('title', 'Board of Ada Canary' || n, 'theme', 'wooden') FROM generate_series(1, 60) AS n`)
  const proposal = await opener(outputs)(async session => {
    const catalog = await readCatalogForDryRun(session)
    const rules = { full_name: 'name', title: 'keep', info: 'json' } as const
    const proposed = examine({ catalog, uses: [], measured: new Map() }).flatMap((one): Proposed[] => {
      const rule = Object.entries(rules).find(([name]) => name === one.column.name)?.[1]
      return rule ? [{ ...one, decision: { rule, confidence: 'likely', reason: 'an example' } }] : []
    })
    const info = proposed.find(({ decision }) => decision.rule === 'json')
    if (info) info.paths = [{ path: 'title', rule: 'keep' }]
    const render = () =>
      [
        'public.boards:',
        ...proposed.map(
          ({ column, decision, paths }) =>
            `  ${column.name}: ${decision.rule === 'json' ? renderPaths(paths) : decision.rule}`,
        ),
      ].join('\n')
    await maskRemaining(session, { catalog, proposed, render, measurePaths: async () => {} })
    return render()
  })
  expect(proposal).toBe(
    `public.boards:
  full_name: name
  title: text
  info: { json: { "**.type": keep, "**.email": email, "*": text } }`,
  )
})
