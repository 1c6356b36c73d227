/** Tests when a database gets a masking stamp. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { maskAndStamp } from '#contents/masking/masking'
import { readMaskingStamp } from '#contents/notes/masking-stamp'
import { makeService, type Outputs, run } from '../../support/fork.ts'
import { openWorkbench, type Workbench } from '../../support/workbench.ts'
import { opener } from './support/database.ts'

let bench: Workbench
let service: Outputs
beforeAll(async () => {
  bench = await openWorkbench()
  service = await makeService(bench)
  await run(service, "CREATE TABLE people (email text); INSERT INTO people VALUES ('canary@example.com')")
})
afterAll(() => bench.stop())

const mask = (rules: string) =>
  maskAndStamp(opener(service), {
    ...{ source: 'production', at: 5, run: 'https://example.com/run', onProgress: () => {} },
    rules: { name: 'masking.yml', path: 'masking.yml', text: rules },
  })

const note = (id: number, kind: string, text: string) =>
  `SELECT lo_from_bytea(${id}, '${text}'); COMMENT ON LARGE OBJECT ${id} IS 'managed-database-action: ${kind}'`

const notes = () =>
  run(service, "SELECT description FROM pg_description WHERE description ~ '^managed-database-action'")

it('deletes the notes and the masking stamp of the parent before it masks', async () => {
  const mark = { source: 'production', at: 1, run: '', file: '', catalog: '' }
  await run(
    service,
    `${note(71, 'masked', JSON.stringify(mark))}; ${note(72, 'migrations', 'canary@example.com')}`,
  )
  await expect(mask('public.people: { name: name }')).rejects.toThrow('has no column name')
  expect(await notes()).toEqual([])
  expect(await opener(service)(readMaskingStamp)).toBeUndefined()
})

it('writes no masking stamp if the search finds an original', async () => {
  await expect(mask('public.people: { email: { sql: "lower(email)" } }')).rejects.toThrow('original')
  expect(await notes()).toEqual([])
})

it.each(['{}', '{"source": "production", "at": "5"}', 'no JSON'])(
  'does not accept %s as a masking stamp',
  async text => {
    await run(service, note(73, 'masked', text))
    expect(await opener(service)(readMaskingStamp)).toBeUndefined()
    await run(service, 'SELECT lo_unlink(73)')
  },
)

it('writes a masking stamp if the search finds no original', async () => {
  await mask('public.people: { email: email }')
  expect(await opener(service)(readMaskingStamp)).toMatchObject({ source: 'production', at: 5 })
  expect(await notes()).toHaveLength(1)
})
