/** Tests that scenarios set every input and send every field of the API; outputs.test.ts runs every operation. */
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, it, vi } from 'vitest'
import { type Endpoint, parameterNames, pathParameters } from '#api/endpoint'
import { endpoints } from '#api/endpoints'
import { limits } from '#contents/rehearsal/result/limits'
import { contentsInputs, rehearsalInputs } from '#database/inputs'
import type { InputRow } from '#operations/base/input-row'
import { isOptionalField } from '#operations/base/operation'
import { previewInputs } from '#preview/base/inputs'
import { validText } from '../../tools/reference/example-values.ts'
import { thoroughness } from '../support/thoroughness.ts'
import { type Inputs, useWorkbench } from '../support/workbench.ts'

const files = readdirSync(import.meta.dirname)
  .filter(name => name.endsWith('.test.ts'))
  .map(name => join(import.meta.dirname, name))
const texts = new Map(files.map(file => [file, readFileSync(file, 'utf8')]))

/** The inputs of previews and databases. Each limit has a case in test/contents/rehearsal/cases.test.ts. */
const inputs = Object.entries<InputRow>({ ...previewInputs, ...contentsInputs, ...rehearsalInputs }).filter(
  ([name]) => !(name in limits),
)

/** The files of scenarios that set an input to another value than its default. */
const findScenarios = (name: string, row: InputRow) =>
  files.filter(file => new RegExp(`\\b${name}: (?!'${row.default}')`).test(texts.get(file) ?? ''))

it('sets every input of previews and databases in a scenario, to another value than its default', () => {
  const missing = inputs.filter(([name, row]) => findScenarios(name, row).length === 0)
  expect(
    missing.map(([name]) => name),
    'an input needs a scenario in this folder, in which it has an effect',
  ).toEqual([])
})

// Without its input, a scenario may wait to the end of its own time limit.
it.runIf(thoroughness > 1).each(inputs)(
  'a scenario fails without the input %s',
  { timeout: 600_000 },
  async (name, row) => {
    const env = { ...process.env, WITHHELD_INPUT: name, THOROUGH: '' }
    const run = promisify(execFile)(
      'npx',
      ['--no', 'vitest', 'run', '--bail', '1', ...findScenarios(name, row)],
      { env },
    )
    await expect(run).rejects.toThrow()
  },
)

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
