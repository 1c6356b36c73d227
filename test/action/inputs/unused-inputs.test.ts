/** Tests errors and warnings about unused inputs. */
import { describe, expect, it, test } from 'vitest'
import { inputTable } from '#action/inputs/input-table'
import { operations } from '#action/inputs/operation-table'
import { type Endpoint, isRead } from '#api/endpoint'
import { endpoints } from '#api/endpoints'
import type { Harm } from '#api/fields/input'
import { isOptionalField, type Operation } from '#operations/base/operation'
import { previewInputs } from '#preview/base/inputs'
import { validText } from '../../../tools/reference/example-values.ts'
import { access, readTestInputs, refusalOf, type Texts, warningsOf } from '../../support/test-inputs.ts'

const every = [...operations.values()]

/** The least that an operation runs with. */
function required({ name, fields }: Operation): Texts {
  const needed = Object.entries(fields).filter(([field, schema]) => !isOptionalField(field, schema))
  const more =
    {
      'set-ha': ['replica_count'],
      'create-preview': ['service_id'],
      'run-sql': ['sql'],
      'rehearse-migration': ['sql_file'],
    }[name] ?? []
  return {
    ...access,
    operation: name,
    ...Object.fromEntries(
      [...needed.map(([field]) => field), ...more].map(field => [field, validText(field)]),
    ),
  }
}

const guarding = Object.entries(inputTable).flatMap(([name, { ignored }]): [string, Harm][] =>
  typeof ignored === 'object' && ignored.by !== 'nothing' ? [[name, ignored]] : [],
)

describe.each(guarding)('%s', (name, { by, what }) => {
  const text = validText(name)
  const strangers = every.filter(one => !one.inputs.includes(name) && one.refused?.[name] === undefined)
  const isHarmed = ({ effect }: Operation) => effect === 'creates' || effect === by

  it('is an error if ignoring it could do harm, with the harm and the operations that use it', () => {
    const takers = every.filter(one => one.inputs.includes(name))
    for (const operation of strangers.filter(isHarmed))
      expect(refusalOf({ ...required(operation), [name]: text }, { name: 'schedule' })).toContain(
        `${name}: not used by ${operation.name}, and ${what}: use it with ${takers[0]?.name}`,
      )
  })

  it('is a warning otherwise', () => {
    for (const operation of strangers.filter(one => !isHarmed(one)))
      expect(
        warningsOf(readTestInputs({ ...required(operation), [name]: text }, { name: 'schedule' })),
      ).toEqual([expect.stringMatching(`^the input ${name} is not used by ${operation.name}`)])
  })

  it('could do harm with at least one operation', () => {
    expect(strangers.some(isHarmed)).toBe(true)
  })
})

it('every input of previews, and every field of a changing call, states the consequence of ignoring it', () => {
  const changing = Object.values<Endpoint>(endpoints).filter(row => !isRead(row))
  const fields = changing.flatMap(row => Object.keys(row.body?.shape ?? {}))
  const names = [...new Set([...Object.keys(previewInputs), ...fields])]
  expect(names.filter(name => inputTable[name]?.ignored === 'harmless')).toEqual([])
})

describe('the error', () => {
  test.each<[string, Texts, string]>([
    [
      'names all operations that take it, where they are few',
      { operation: 'delete-preview', max_deletions: '2' },
      'max_deletions: not used by delete-preview, and more previews could be deleted than it allows: use it with preview, prune-previews',
    ],
    [
      'keeps a service from being deleted in place of its replica set',
      { operation: 'delete-service', service_id: 's1', replica_set_id: 'r1' },
      'replica_set_id: not used by delete-service, and the step would change another record than the named one: use it with delete-replica, resize-replica, set-replica-environment, enable-replica-pooler, and 1 more',
    ],
    [
      'tells that a fork is in the region of its parent',
      { operation: 'create-preview', service_id: 's1', region_code: 'eu-central-1' },
      'region_code: expected nothing, because the fork of service_id is in the region of its parent, got "eu-central-1"',
    ],
  ])('%s', (_, given, message) => {
    expect(refusalOf({ ...access, ...given })).toBe(message)
  })

  it('names some of many operations', () => {
    const given = { ...access, operation: 'delete-vpc', vpc_id: '7', service_id: 's1' }
    expect(refusalOf(given)).toMatch(/: use it with (?:[a-z-]+, ){3}[a-z-]+, and \d\d more$/)
  })

  it('is absent for a value without effect', () => {
    const given = { ...access, operation: 'stop-service', service_id: 's1', cleanup: 'never' }
    expect(warningsOf(readTestInputs(given))).toEqual([
      'the input cleanup is not used by stop-service: remove it',
    ])
  })

  it('is absent for the region of a preview without a parent', () => {
    const given = { ...access, operation: 'create-preview', empty: 'true', region_code: 'eu-central-1' }
    expect(readTestInputs(given).parameters).toEqual({ region_code: 'eu-central-1' })
  })
})

it("an input for the preview's name causes a warning only with the id of a service", () => {
  const given = { ...access, operation: 'get-connection', name_prefix: 'orders', pull_request: '7' }
  expect(warningsOf(readTestInputs({ ...given, service_id: 's1' }))).toEqual([
    'the input name_prefix is not used by get-connection with service_id: remove one of them',
    'the input pull_request is not used by get-connection with service_id: remove one of them',
  ])
  expect(warningsOf(readTestInputs(given))).toEqual([])
})

it.each(['service_id', 'database_url'])(
  "an input for the preview's name causes a warning with %s, for SQL",
  other => {
    const target = { service_id: 's1', database_url: 'postgres://me:secret@db.example/shop' }[other] as string
    const given = { operation: 'run-sql', sql: 'select 1', name_prefix: 'orders', pull_request: '7' }
    const keys = other === 'service_id' ? access : {}
    expect(warningsOf(readTestInputs({ ...keys, ...given, [other]: target }))).toEqual([
      `the input name_prefix is not used by run-sql with ${other}: remove one of them`,
      `the input pull_request is not used by run-sql with ${other}: remove one of them`,
    ])
  },
)

it('a command causes a warning only in a step with keys', () => {
  const given = { operation: 'rehearse-migration', command: 'npm run migrate' }
  expect(warningsOf(readTestInputs({ ...access, ...given }))).toEqual([
    expect.stringMatching(/^command: its processes can read the keys/),
  ])
  expect(
    warningsOf(readTestInputs({ ...given, database_url: 'postgresql://u:password@db.example/d' })),
  ).toEqual([])
})

it.each([
  [
    'renamed input',
    { operation: 'get-metric-series', service_id: 's1', name: 'timescale_cloud_database_qps' },
    { from: '2026-11-24T00:00:00Z', to: '2026-11-24T01:00:00Z' },
  ],
  ['unused input', { operation: 'get-service', service_id: 's1', fork_strategy: 'NOW' }, {}],
  ['value without effect', { operation: 'create-service', name: 'vectors', addons: 'ai' }, {}],
  ['keys beside a command', { operation: 'rehearse-migration', command: 'npm run migrate' }, {}],
])('a warning has the title %s', (title, given, times) => {
  expect(readTestInputs({ ...access, ...given, ...times }).warnings).toEqual([
    { title, message: expect.any(String) },
  ])
})
