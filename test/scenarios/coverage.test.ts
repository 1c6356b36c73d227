/** Tests that scenarios set every input and send every field of the API; outputs.test.ts runs every operation. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it, vi } from 'vitest'
import { type Endpoint, parameterNames, pathParameters } from '#api/endpoint'
import { endpoints } from '#api/endpoints'
import { limits } from '#contents/rehearsal/result/limits'
import { contentsInputs, rehearsalInputs } from '#database/inputs'
import type { InputRow } from '#operations/base/input-row'
import { isOptionalField } from '#operations/base/operation'
import { previewInputs } from '#preview/base/inputs'
import { validText } from '../../tools/reference/example-values.ts'
import { type Inputs, useWorkbench } from '../support/workbench.ts'

const files = readdirSync(import.meta.dirname).filter(name => name.endsWith('.test.ts'))
const text = files.map(name => readFileSync(join(import.meta.dirname, name), 'utf8')).join('\n')

it('sets every input of previews and databases in a scenario, to another value than its default', () => {
  const rows: [string, InputRow][] = Object.entries({
    ...previewInputs,
    ...contentsInputs,
    ...rehearsalInputs,
  })
  // Each limit has a case in test/contents/rehearsal/cases.test.ts.
  const others = rows.filter(([name]) => !(name in limits))
  const missing = others.filter(([name, row]) => !new RegExp(`\\b${name}: (?!'${row.default}')`).test(text))
  expect(
    missing.map(([name]) => name),
    'an input needs a scenario in this folder, in which it has an effect',
  ).toEqual([])
})

const bench = useWorkbench({ databases: 'invented' })
let service_id: string
beforeAll(async () => {
  service_id =
    (await bench.runSuccessfully({ operation: 'create-service', name: 'shop' })).outputs.service_id ?? ''
})

/** Values instead of examples that exclude each other. */
const asked = (): Record<string, Inputs> => ({
  'fork-service': { fork_strategy: 'PITR', target_time: new Date(bench.now()).toISOString() },
})

const withOptional = Object.entries<Endpoint>(endpoints).filter(([, { query, body }]) =>
  Object.entries({ ...query?.shape, ...body?.shape }).some(([name, schema]) => isOptionalField(name, schema)),
)

it.each(withOptional)(
  '%s sends its optional fields, and the emulator accepts them',
  async (operation, row) => {
    const fields = parameterNames(row).filter(name => !pathParameters(row.path).includes(name))
    const given = Object.fromEntries(fields.map(name => [name, validText(name)]))
    const call = vi.spyOn(bench.emulator.store, 'call')
    const ids = row.path.includes('{service_id}') ? { service_id } : {}
    await bench.runSuccessfully({ operation, ...ids, ...given, ...asked()[operation] })
    const sent = call.mock.calls.find(([name]) => name === operation)?.[1]
    call.mockRestore()
    expect(fields.filter(name => !Object.hasOwn(sent ?? {}, name))).toEqual([])
  },
)
