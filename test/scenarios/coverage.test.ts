/** Tests that scenarios set every input and send every field of the API; outputs.test.ts runs every operation. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it, vi } from 'vitest'
import { type Endpoint, parameterNames, pathParameters } from '#api/endpoint'
import { endpoints } from '#api/endpoints'
import { limits } from '#contents/rehearsal/result/limits'
import { contentsInputs, rehearsalInputs } from '#database/inputs'
import { isOptionalField } from '#operations/base/operation'
import { previewInputs } from '#preview/base/inputs'
import { validText } from '../../tools/reference/example-values.ts'
import { type Inputs, useWorkbench } from '../support/workbench.ts'

const files = readdirSync(import.meta.dirname).filter(name => name.endsWith('.test.ts'))
const text = files.map(name => readFileSync(join(import.meta.dirname, name), 'utf8')).join('\n')

it('sets every input of previews and databases in a scenario', () => {
  const names = Object.keys({ ...previewInputs, ...contentsInputs, ...rehearsalInputs })
  // Each limit has a case in test/contents/rehearsal/cases.test.ts.
  const others = names.filter(name => !(name in limits))
  const missing = others.filter(name => !new RegExp(`\\b${name}:`).test(text))
  expect(missing, 'every input of previews and databases needs a scenario in this folder').toEqual([])
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
