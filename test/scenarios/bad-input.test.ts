import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Payload } from '../../emulator/http/payload.ts'
import { errorOf, type Inputs, openWorkbench, type Workbench } from '../support/workbench.ts'

let bench: Workbench
beforeAll(async () => {
  bench = await openWorkbench({ databases: 'invented' })
})
afterAll(() => bench.stop())

const fork = { operation: 'fork-service', service_id: 'd1k5vk7hf2', fork_strategy: 'NOW' }

const cases: [string, Inputs, string[]][] = [
  ['no operation', {}, ['operation: expected the name of an operation, got nothing']],
  ['an unknown operation', { operation: 'fork-servce' }, ['got "fork-servce" (did you mean fork-service?)']],
  ['a missing id', { operation: 'get-service' }, ['service_id: expected an id', 'got nothing']],
  ['an id with a slash', { ...fork, service_id: 'a/b' }, ['service_id', 'got "a/b"']],
  ['an id that climbs', { ...fork, service_id: '../projects' }, ['service_id', 'got "../projects"']],
  [
    'a size that is no number',
    { operation: 'resize-service', service_id: 'd1k5vk7hf2', cpu_millis: 'half', memory_gbs: '2' },
    ['cpu_millis: expected a whole number in digits, like 500, got "half"'],
  ],
  [
    'nodes that are no number',
    {
      operation: 'create-replica',
      service_id: 'd1k5vk7hf2',
      name: 'r',
      nodes: 'two',
      cpu_millis: '500',
      memory_gbs: '2',
    },
    ['nodes: expected a whole number of at least 1, like 1, got "two"'],
  ],
  [
    'PITR without a time',
    { ...fork, fork_strategy: 'PITR' },
    ['target_time', 'because fork_strategy is PITR'],
  ],
  [
    'a time without PITR',
    { ...fork, target_time: '2026-01-01T00:00:00Z' },
    ['target_time', 'only goes with fork_strategy PITR'],
  ],
  [
    'an unknown strategy',
    { ...fork, fork_strategy: 'now' },
    ['fork_strategy: expected NOW, LAST_SNAPSHOT or PITR, got "now"'],
  ],
  [
    'bad JSON',
    { operation: 'track-event', event: 'e', properties: '{"a":' },
    ['properties: expected a JSON object'],
  ],
  [
    'properties with a number that no double is',
    { operation: 'track-event', event: 'e', properties: '{"order": 12345678901234567891, "price": 1e400}' },
    [
      'properties: expected only numbers that can be sent exactly (as a text, "12345678901234567891" can), got',
    ],
  ],
  [
    'JSON that is no object',
    { operation: 'track-event', event: 'e', properties: '[1]' },
    ['properties: expected a JSON object'],
  ],
  [
    'a bad duration',
    { ...fork, wait_timeout: '10 minutes' },
    ['wait_timeout: expected a duration like 500ms, 90s, 30m or 1h, got "10 minutes"'],
  ],
  ['a bad flag', { ...fork, wait: 'yes' }, ['wait: expected true or false, got "yes"']],
  [
    'a quarantine of a fork that is not waited for',
    { ...fork, quarantine: 'strict', wait: 'false' },
    ['wait: expected true, because quarantine begins once the fork is READY, got "false"'],
  ],
  [
    'a quarantine that is no such word',
    { ...fork, quarantine: 'strickt' },
    ['quarantine: expected true, false or strict, got "strickt"'],
  ],
  [
    'something to keep active that is no kind',
    { ...fork, quarantine: 'true', keep_active: 'login:app, login' },
    ['keep_active: expected', '("login" is neither), got "login:app, login"'],
  ],
  [
    'http to a far host',
    { ...fork, base_url: 'http://example.com/public/api/v1' },
    ['base_url: expected an https address'],
  ],
  [
    'user-info in the address',
    { ...fork, base_url: 'https://me:pw@example.com/public/api/v1' },
    ['base_url: expected an address without user and password'],
  ],
  [
    'a key with a line break',
    { ...fork, api_key: '', public_key: 'p', secret_key: 'first\nsecond' },
    ['secret_key: expected visible ASCII'],
  ],
  ['no keys', { ...fork, api_key: '' }, ['api_key: expected public:secret', 'all arrived empty']],
  [
    'no high availability to set',
    { operation: 'set-ha', service_id: 'd1k5vk7hf2' },
    ['a number in replica_count, sync_replica_count or both'],
  ],
  [
    'a bad range',
    { operation: 'create-vpc', name: 'v', cidr: '10.0.0.0', region_code: 'r' },
    ['cidr: expected an IPv4 range'],
  ],
  [
    'several problems at once',
    { operation: 'fork-service', wait: 'maybe', cleanup: 'sometimes' },
    [
      '4 problems',
      'service_id',
      'fork_strategy',
      'wait: expected',
      'cleanup: expected never, always or on-failure',
    ],
  ],
]

describe.each(cases)('%s', (_, inputs, expected) => {
  it('is one line that says so, and no request', async () => {
    const mark = bench.emulator.requests.length
    const result = await bench.step(inputs)
    expect(result.exitCode).toBe(1)
    for (const text of expected) expect(errorOf(result)).toContain(text)
    expect(result.stdout.match(/^::error title=[^:]*::/gm)).toHaveLength(1)
    expect(bench.requested(mark)).toEqual([])
    expect(result.outputs).toEqual({})
  })
})

it('never shows a key that is wrong', async () => {
  const { stdout } = await bench.step({
    ...fork,
    api_key: '',
    public_key: 'has:colon',
    secret_key: 'with space',
  })
  expect(stdout.replace(/^::add-mask::.*$/gm, '')).not.toContain('with space')
  expect(stdout).toContain('secret_key: expected visible ASCII')
})

it('warns of an input that the operation does not use, and of one that does not exist', async () => {
  const { stdout, exitCode } = await bench.step({
    operation: 'list-services',
    service_id: 'abc',
    abracadabra: 'abc',
  })
  expect(exitCode).toBe(0)
  expect(stdout).toContain(
    '::warning title=list-services%3A unused input::the input service_id is not used by list-services: remove it',
  )
  expect(stdout).toContain('unused input::there is no input abracadabra')
})

it('refuses an input whose name is misspelt: without it, the step would do something else', async () => {
  const mark = bench.emulator.requests.length
  const result = await bench.step({ operation: 'prune-previews', dry_runn: 'true' })
  expect(result.exitCode).toBe(1)
  expect(errorOf(result)).toContain('there is no input dry_runn (did you mean dry_run?)')
  expect(bench.requested(mark)).toEqual([])
})

it('warns of an add-on that has no effect, and of a service type that is deprecated', async () => {
  const asAi = { operation: 'create-service', name: 'vectors', addons: 'ai, time-series', wait: 'false' }
  const { stdout, outputs } = await bench.done(asAi)
  expect(stdout).toContain(
    '::warning title=create-service%3A value without effect::addons: ai has no effect any more; run CREATE EXTENSION vector on the service',
  )
  expect(stdout).not.toContain('time-series has no effect')
  const vector = (intended: Payload): Payload => ({
    ...intended,
    body: JSON.stringify({ ...JSON.parse(intended.body), service_type: 'VECTOR' }),
  })
  bench.strike(({ operation }) =>
    operation === 'get-service' ? { kind: 'change', change: vector } : undefined,
  )
  const { service_id = '' } = outputs
  const read = await bench.done({ operation: 'get-service', service_id })
  expect(read.stdout).toMatch(
    /::warning title=[^:]*::service \w+ has the deprecated type VECTOR: move its data/,
  )
  bench.strike(() => undefined)
  expect((await bench.done({ operation: 'get-service', service_id })).stdout).not.toContain('VECTOR')
})
