/** Tests the report of an outcome. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest'
import { openEdge } from '#action/host/edge'
import { openHost } from '#action/host/host'
import { RunnerFileError } from '#action/host/runner-files'
import type { OutputSource } from '#action/outputs/output-source'
import { writeOutputs } from '#action/outputs/write-outputs'
import { skipStep } from '#action/skip'
import { reportFailure, reportOutcome } from '#action/step'
import { Service } from '#api/records'
import { ActionError } from '#base/errors'
import { parseFileCommands } from '../../tools/runner/file-command.ts'
import { captureOutput } from '../support/hostile-text.ts'
import { unwritable } from '../support/unwritable.ts'
import { useWorkspace } from '../support/workspace.ts'

const names = ['GITHUB_OUTPUT', 'GITHUB_ENV', 'GITHUB_STEP_SUMMARY'] as const
const outer = { ...process.env }

const { path: folder, write } = useWorkspace()
beforeEach(() => {
  for (const name of names) {
    write({ [name]: '' })
    vi.stubEnv(name, join(folder, name))
  }
})
afterEach(() => {
  vi.unstubAllEnvs()
  // The toolkit exports into its own process as well.
  for (const name of Object.keys(process.env)) if (!(name in outer)) delete process.env[name]
  process.exitCode = undefined
})

const record = Service.parse({
  service_id: 's1',
  status: 'READY',
  endpoint: { host: 'db.example', port: 5432 },
})
const source: OutputSource = {
  login: { user: 'tsdbadmin', database: 'tsdb', sslmode: 'require' },
  outcome: {
    operation: 'create-service',
    resource: 'service',
    ids: { service_id: 's1' },
    record,
    result: record,
    password: 'hush-hush',
  },
}
const done = 'create-service: done; service s1 is READY at db.example:5432'

function report(given = source) {
  let thrown: unknown
  const printed = captureOutput(() => {
    try {
      reportOutcome(openEdge('get-service', openHost()), given, true)
    } catch (failure) {
      thrown = failure
    }
  })
  const written = (name: (typeof names)[number]) => readFileSync(join(folder, name), 'utf8')
  return { printed, thrown, written }
}

const unmasked = (printed: string) =>
  printed
    .split('\n')
    .filter(line => !line.startsWith('::add-mask::'))
    .join('\n')

describe.each(unwritable)('a file that is %s', (_, pathIn, reason) => {
  const breakFile = (name: string) => vi.stubEnv(name, pathIn(folder))

  it.each(['GITHUB_OUTPUT', 'GITHUB_ENV'] as const)(
    'does not affect the others, and fails the step: %s',
    broken => {
      breakFile(broken)
      const { printed, thrown, written } = report()
      expect(thrown).toBeInstanceOf(RunnerFileError)
      expect(thrown).toMatchObject({ message: expect.stringContaining(`${done}, but ${broken} cannot`) })
      expect(thrown).toMatchObject({ message: expect.stringMatching(reason) })
      expect(unmasked(printed)).toContain(done)
      expect(unmasked(printed)).not.toContain('hush')
      expect(written('GITHUB_STEP_SUMMARY')).toContain('s1')
      for (const name of ['GITHUB_OUTPUT', 'GITHUB_ENV'] as const)
        expect(written(name).includes('hush-hush'), name).toBe(name !== broken)
    },
  )

  it('is a warning for the summary, unless the runner has none', () => {
    breakFile('GITHUB_STEP_SUMMARY')
    const { printed, thrown, written } = report()
    expect(thrown).toBeUndefined()
    expect(written('GITHUB_OUTPUT')).toContain('s1')
    const hasSummaries = process.env.GITHUB_STEP_SUMMARY !== undefined
    expect(/^::warning title=[^:]*::GITHUB_STEP_SUMMARY cannot be written/m.test(printed)).toBe(hasSummaries)
  })

  it('fails a skipped step, since later steps check its outputs', () => {
    breakFile('GITHUB_OUTPUT')
    const event = { actor: 'dependabot[bot]' } as Parameters<typeof skipStep>[1]
    const printed = captureOutput(() =>
      expect(() => skipStep(openEdge('get-service', openHost()), event)).toThrow(RunnerFileError),
    )
    expect(printed).not.toContain('::set-output')
  })
})

test('an announced output becomes empty if its record is gone', () => {
  const edge = openEdge('create-preview', openHost())
  const outcome = { operation: 'create-preview', ids: {}, skipped: 'pull request 7 is closed' }
  captureOutput(() => {
    writeOutputs(source, edge)
    writeOutputs({ ...source, outcome }, edge)
  })
  const outputs = parseFileCommands(readFileSync(join(folder, 'GITHUB_OUTPUT'), 'utf8'))
  expect(outputs).toMatchObject({ service_id: '', host: '', port: '', password: '', database_url: '' })
  expect(outputs.skipped).toBe('true')
})

test('both unwritable files are in one error', () => {
  vi.stubEnv('GITHUB_OUTPUT', '/dev/full')
  vi.stubEnv('GITHUB_ENV', '/dev/full')
  expect(String(report().thrown)).toMatch(/GITHUB_OUTPUT cannot .* and GITHUB_ENV cannot/)
})

test('a problem of the operation is the error, and an unwritable file a warning', () => {
  vi.stubEnv('GITHUB_OUTPUT', '/dev/full')
  const problem = new ActionError('1 of 2 previews could not be deleted', 'look')
  const { thrown, printed } = report({ ...source, outcome: { ...source.outcome, problem } })
  expect(thrown).toBe(problem)
  expect(printed).toMatch(/^::warning title=[^:]*::.*GITHUB_OUTPUT cannot be written/m)
})

test('a failure is reported even if the summary cannot be written', () => {
  vi.stubEnv('GITHUB_STEP_SUMMARY', '/dev/full')
  class Failure extends ActionError {}
  const printed = captureOutput(() =>
    reportFailure(openEdge('get-service', openHost()), 'get-service', new Failure('no', 'look')),
  )
  expect(printed).toMatch(/^::error title=[^:]*::no — look$/m)
  expect(printed).toMatch(/^::warning title=[^:]*::GITHUB_STEP_SUMMARY cannot be written \(ENOSPC/m)
  expect(process.exitCode).toBe(1)
})

test('an error links to a document of the action, in the log and in the summary', () => {
  vi.stubEnv('GITHUB_SERVER_URL', 'https://github.com')
  vi.stubEnv('GITHUB_ACTION_REPOSITORY', 'acme/managed-database-action')
  vi.stubEnv('GITHUB_ACTION_REF', 'v1')
  const error = new ActionError('no', 'look at docs/masking.md')
  const printed = captureOutput(() => reportFailure(openEdge('preview', openHost()), 'preview', error))
  const address = 'https://github.com/acme/managed-database-action/blob/v1/docs/masking.md'
  expect(printed).toContain(`no — look at ${address}`)
  expect(readFileSync(join(folder, 'GITHUB_STEP_SUMMARY'), 'utf8')).toContain('/blob/v1/docs/masking')
})
