/** Tests the messages about typing mistakes. */
import { expect, test } from 'vitest'
import { access, readTestInputs, refusalOf, type Texts } from '../../support/test-inputs.ts'

const fork = { operation: 'fork-service', service_id: 'd1k5vk7hf2', fork_strategy: 'NOW' }
const resize = { operation: 'resize-service', service_id: 'd1k5vk7hf2', cpu_millis: '500', memory_gbs: '2' }
const create = { operation: 'create-service', name: 'shop' }
const preview = { operation: 'create-preview', service_id: 'd1k5vk7hf2' }
const prune = { operation: 'prune-previews' }
const keys = (public_key: string, secret_key: string) => ({ ...fork, public_key, secret_key })
const run = (database_url: string) => ({ operation: 'run-sql', sql: 'select 1', database_url })
const filledIn = `\${{ … }}`

/** Typing mistakes and the error message for each. */
const mistakes: [Texts, string | RegExp][] = [
  // Operations.
  [{ operation: 'fork' }, 'got "fork" (did you mean fork-service?)'],
  [{ operation: 'forkService' }, 'did you mean fork-service?'],
  [{ operation: 'Fork Service' }, 'did you mean fork-service?'],
  [{ operation: 'fork_service' }, 'did you mean fork-service?'],
  [{ operation: 'clone-service' }, 'did you mean fork-service?'],
  [{ operation: 'prune' }, 'did you mean prune-previews?'],
  [{ operation: 'connect' }, 'did you mean get-connection?'],
  [{ operation: 'preview-create' }, 'did you mean create-preview?'],
  [{ operation: 'remove-preview' }, 'did you mean delete-preview?'],
  [{ operation: '"preview"' }, 'did you mean preview?'],
  [{ operation: 'deploy' }, 'got "deploy"; see the list in docs/reference.md of the action'],
  // Names of inputs.
  [{ ...fork, 'service-id': 'abc' }, 'unknown input "service-id" (did you mean service_id?)'],
  [
    { operation: 'get-service', 'service-id': 'abc' },
    /^unknown input "service-id" \(did you mean service_id\?\)$/,
  ],
  [{ ...fork, serviceId: 'abc' }, 'unknown input "serviceid" (did you mean service_id?)'],
  [{ ...prune, 'dry-run': 'true' }, 'unknown input "dry-run" (did you mean dry_run?)'],
  [{ ...prune, dry: 'true' }, 'unknown input "dry" (did you mean dry_run?)'],
  [
    { ...fork, timeout: '1h' },
    'unknown input "timeout" (did you mean statement_timeout, lock_timeout, wait_timeout or request_timeout?)',
  ],
  [{ ...create, region: 'us-east-1' }, '(did you mean region_code'],
  [{ ...create, environment: 'PROD' }, 'environment: not used by create-service'],
  [{ ...preview, parent_id: 'abc', service_id: '' }, 'service_id: expected the id of the parent'],
  // Ids.
  [
    { ...fork, service_id: 'https://console.cloud.tigerdata.com/dashboard/services/d1k5' },
    'expected an id of',
  ],
  [{ ...fork, service_id: 'd1k5 vk7hf2' }, 'expected an id of'],
  [{ ...fork, service_id: '"d1k5vk7hf2"' }, 'in quotes, which become part of the value: remove them'],
  [
    { ...fork, service_id: '$SERVICE_ID' },
    `a shell variable, which GitHub does not expand: write ${filledIn}`,
  ],
  [{ ...fork, service_id: '{{ vars.SERVICE_ID }}' }, `an expression that GitHub did not evaluate`],
  [{ ...fork, project_id: 'my project' }, 'project_id: expected an id'],
  [
    { ...fork, service_id: `\${ vars.SERVICE_ID }` },
    'an expression with one brace, which GitHub does not evaluate',
  ],
  // Flags.
  [{ ...fork, wait: 'yes' }, 'wait: expected true or false, got "yes"'],
  [{ ...fork, wait: "'true'" }, 'wait: expected true or false, got "\'true\'", in quotes'],
  // Times.
  [{ ...fork, wait_timeout: '30 minutes' }, 'a duration like 500ms, 90s, 30m or 1h, got "30 minutes"'],
  [{ ...fork, fork_strategy: 'PITR', target_time: '2026-01-31 12:00' }, 'a date and time with a zone'],
  // Choices.
  [{ ...fork, fork_strategy: 'latest' }, 'expected NOW, LAST_SNAPSHOT or PITR, got "latest"'],
  [{ ...fork, fork_strategy: 'last-snapshot' }, 'expected NOW, LAST_SNAPSHOT or PITR, got "last-snapshot"'],
  [{ ...create, environment_tag: 'prod' }, 'expected DEV or PROD, got "prod"'],
  [{ ...create, environment_tag: 'production' }, 'expected DEV or PROD, got "production"'],
  [{ ...create, addons: 'timescaledb' }, 'addons: expected a list of time-series and ai, got "timescaledb"'],
  [{ ...fork, cleanup: 'true' }, 'expected never, always or on-failure, got "true"'],
  [{ ...fork, sslmode: 'required' }, 'sslmode: expected require, verify-full'],
  // Numbers and JSON.
  [{ ...resize, cpu_millis: '500m' }, 'expected a whole number in digits, like 500, got "500m"'],
  [{ ...resize, memory_gbs: '2GB' }, 'memory_gbs: expected a whole number in digits'],
  [{ ...preview, pull_request: '#12' }, 'pull_request: expected the number of a pull request, got "#12"'],
  [{ ...preview, name_prefix: 'My_App' }, 'name_prefix: expected up to 33 lower case letters'],
  [
    { operation: 'track-event', event: 'e', properties: '\'{"a":1}\'' },
    'in quotes, which become part of the value',
  ],
  [{ operation: 'track-event', event: 'e', properties: '{a: 1}' }, 'properties: expected a JSON object'],
  [
    { operation: 'create-vpc', name: 'v', region_code: 'r', cidr: '10.0.0.0' },
    'an IPv4 range like 10.0.0.0/16',
  ],
  // URLs of databases.
  [run('mysql://app:hush@db.example/shop'), 'sslmode=require, got one that begins with mysql://'],
  [run('"postgresql://app:hush@db.example/shop"'), 'got a value in quotes, which become part of the value'],
  [run('postgresql://app:hush@db.example/shop?sslmode=required'), 'verify-full, got sslmode=required'],
  [run('postgresql://app:hush@/shop'), 'got one without a host'],
  [run('postgresql://app:p@ss/w#rd@db.example/shop'), 'with @ / ? and # in the password written as %40'],
  // SQL.
  [
    {
      operation: 'rehearse-migration',
      database_url: 'postgresql://app:hush@db.example/shop',
      sql: 'select 1',
    },
    /^sql: not for rehearse-migration; write the SQL into a file, and name the file in sql_file$/,
  ],
  [
    { operation: 'run-sql', database_url: 'postgresql://app:hush@db.example/shop', command: 'make' },
    /^command: not used by run-sql, [^;]*$/,
  ],
  // Lengths.
  [
    { ...create, name: 'n'.repeat(130) },
    `name: expected a name of 1 to 128 characters, got 130 characters that start with "${'n'.repeat(40)}"`,
  ],
  // The address.
  [{ ...fork, base_url: 'console.example/public/api/v1' }, 'base_url: expected an https address'],
  [{ ...fork, base_url: 'htps://console.example/public/api/v1' }, 'base_url: expected an https address'],
  [{ ...fork, base_url: 'https://console.example/public/api/v1?project=1' }, 'without query and fragment'],
  [{ ...fork, base_url: '$BASE_URL' }, 'a shell variable'],
  // Keys.
  [keys('pub:sec', 'secret'), 'both keys in one go into api_key'],
  [
    keys('pub\nsec', 'secret'),
    'public_key: expected visible ASCII characters in one line, without ":", got 7 characters in several',
  ],
  [keys('pub', 'sec ret'), 'got 7 characters with a blank'],
  [keys('pub', 'sec\u200bret'), 'got 7 characters with an invisible one'],
  [keys('pub', '“secret”'), 'got 8 characters with one that is not ASCII'],
  [keys('pub', '{{ secrets.KEY }}'), 'visible ASCII characters in one line, got an expression'],
  [keys('pub', `\${ secrets.KEY }`), 'got an expression with one brace'],
  [{ ...fork, base_url: '' }, 'got nothing: check the name of its variable'],
  [{ ...fork, api_key: 'secret-alone' }, 'got 12 characters without a ":"'],
]

test.each(mistakes)('%j is rejected with an explanation', (texts, message) => {
  const { base_url, ...ours } = access
  const ownKeys = 'public_key' in texts || 'api_key' in texts
  expect(refusalOf({ base_url, ...(!ownKeys && ours), ...texts })).toMatch(message)
})

test.each<[string, Texts]>([
  ['blanks around a flag', { ...fork, wait: ' true ' }],
  ['a line break behind an id', { ...fork, service_id: 'd1k5vk7hf2\n' }],
  ['a line break behind a key', { ...fork, secret_key: `${access.secret_key}\n` }],
  ['a capital letter in a flag', { ...fork, wait: 'True' }],
  ['a slash behind the address', { ...fork, base_url: `${access.base_url}/` }],
  ['an empty input', { ...fork, name: '' }],
])('%s is accepted', (_, texts) => {
  expect(readTestInputs({ ...access, ...texts }).parameters.service_id).toBe('d1k5vk7hf2')
})

test.each<[string, Texts, string]>([
  [
    'an unknown operation',
    { operation: 'rehearse-migrations' },
    'operation: expected the name of an operation, got "rehearse-migrations" (did you mean rehearse-migration?)',
  ],
  [
    'a mistyped input, and not the one that is missing because of it',
    { ...run('postgresql://app:hush@db.example/shop'), sql: '', sql_flie: 'a.sql' },
    'unknown input "sql_flie" (did you mean sql_file?)',
  ],
])('without keys, %s is reported first', (_, given, message) => {
  expect(refusalOf(given)).toBe(message)
})
