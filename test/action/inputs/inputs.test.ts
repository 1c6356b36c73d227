/** Tests reading of inputs. */
import { describe, expect, it, test } from 'vitest'
import type { StepInputs } from '#action/inputs/read-inputs'
import { access, readTestInputs, type Texts, warningsOf } from '../../support/test-inputs.ts'

const read = (texts: Texts): StepInputs => readTestInputs({ ...access, ...texts })

describe('the parameters of an operation', () => {
  test.each<[string, Texts, Record<string, unknown>]>([
    ['are none where it takes none', { operation: 'get-auth-info' }, {}],
    ['leave out what is not given', { operation: 'create-service', name: 'shop' }, { name: 'shop' }],
    ['omit the empty', { operation: 'create-service', name: 'shop', region_code: '' }, { name: 'shop' }],
    ['omit the blank', { operation: 'create-service', name: 'shop', addons: ' \n' }, { name: 'shop' }],
    ['are trimmed', { operation: 'get-service', service_id: ' s1\n' }, { service_id: 's1' }],
    [
      'have sizes of a service as text',
      { operation: 'resize-service', service_id: 's1', cpu_millis: '500', memory_gbs: '2' },
      { service_id: 's1', cpu_millis: '500', memory_gbs: '2' },
    ],
    [
      'have sizes of a replica set as numbers',
      {
        operation: 'create-replica',
        service_id: 's1',
        name: 'r',
        nodes: '1',
        cpu_millis: '500',
        memory_gbs: '2',
      },
      { service_id: 's1', name: 'r', nodes: 1, cpu_millis: 500, memory_gbs: 2 },
    ],
    [
      'have lists and counts in their types',
      { operation: 'create-service', name: 'shop', addons: 'time-series, ai', replica_count: '0' },
      { name: 'shop', addons: ['time-series', 'ai'], replica_count: 0 },
    ],
    [
      'have JSON as an object',
      { operation: 'track-event', event: 'deployed', properties: '{"by": {"who": [1]}}' },
      { event: 'deployed', properties: { by: { who: [1] } } },
    ],
    ['have the named project', { operation: 'list-services', project_id: 'p1' }, { project_id: 'p1' }],
    [
      'have a moment for a fork to a point in time',
      {
        operation: 'fork-service',
        service_id: 's1',
        fork_strategy: 'PITR',
        target_time: '2026-01-31T12:00:00Z',
      },
      { service_id: 's1', fork_strategy: 'PITR', target_time: '2026-01-31T12:00:00Z' },
    ],
    [
      'keep a password as it is',
      { operation: 'update-password', service_id: 's1', password: '[1, 2] true 007' },
      { service_id: 's1', password: '[1, 2] true 007' },
    ],
  ])('%s', (_, texts, expected) => {
    expect(read(texts).parameters).toEqual(expected)
  })
})

describe('a missing input', () => {
  it.each<[Texts, number, boolean]>([
    [{ operation: 'get-connection' }, 30, true],
    [{ operation: 'create-service' }, 30, false],
    [{ operation: 'start-service', service_id: 's1' }, 10, false],
  ])('has the default of its operation: %j takes up to %d min', (texts, minutes, connects) => {
    const { waitTimeout, settings } = read(texts)
    expect(waitTimeout).toBe(minutes * 60_000)
    expect(settings.waitForConnection).toBe(connects)
  })

  it('has its default', () => {
    const { settings, exportEnv, waitTimeout, requestTimeout, maxAttempts, jobStatus, warnings } = read({
      operation: 'list-services',
    })
    expect({
      settings,
      exportEnv,
      waitTimeout,
      requestTimeout,
      maxAttempts,
      jobStatus,
      warnings,
    }).toMatchObject({
      settings: {
        projectId: undefined,
        wait: true,
        waitForConnection: false,
        cleanup: 'never',
        login: { user: 'tsdbadmin', database: 'tsdb', sslmode: 'require' },
      },
      exportEnv: false,
      waitTimeout: 600_000,
      requestTimeout: undefined,
      maxAttempts: 5,
      jobStatus: undefined,
      warnings: [],
    })
  })

  it('has the given value if it is set', () => {
    const inputs = read({
      operation: 'create-service',
      name: 'shop',
      project_id: 'p1',
      wait: 'False',
      wait_timeout: '1h30m',
      wait_for_connection: 'TRUE',
      cleanup: 'on-failure',
      database_name: 'shop',
      database_user: 'owner',
      sslmode: 'verify-full',
      export_env: 'true',
      request_timeout: '5s',
      max_attempts: '9',
      job_status: 'success',
    })
    expect(inputs).toMatchObject({
      settings: {
        projectId: 'p1',
        wait: false,
        waitForConnection: true,
        cleanup: 'on-failure',
        login: { user: 'owner', database: 'shop', sslmode: 'verify-full' },
      },
      exportEnv: true,
      waitTimeout: 5_400_000,
      requestTimeout: 5000,
      maxAttempts: 9,
      jobStatus: 'success',
      warnings: [],
    })
  })
})

describe('a warning', () => {
  test.each<[string, Texts, string[]]>([
    [
      'names an input that the operation does not use',
      { operation: 'get-service', service_id: 's1', fork_strategy: 'NOW' },
      ['the input fork_strategy is not used by get-service: remove it'],
    ],
    [
      'names a setting that the operation does not use',
      { operation: 'get-auth-info', sslmode: 'disable', wait_for_connection: 'true' },
      [
        'the input sslmode is not used by get-auth-info: remove it',
        'the input wait_for_connection is not used by get-auth-info: remove it',
      ],
    ],
    [
      'names an input that is like no other',
      { operation: 'get-service', service_id: 's1', abracadabra: 'x' },
      ['unknown input "abracadabra": remove it'],
    ],
    [
      'is not given for an empty input',
      { operation: 'get-service', service_id: 's1', fork_strategy: '', abracadabra: ' ' },
      [],
    ],
  ])('%s', (_, texts, warnings) => {
    expect(warningsOf(read(texts))).toEqual(warnings)
  })
})
