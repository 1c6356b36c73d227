/** Tests the stand-in for GitHub, and the command that runs a step with it. */
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { parseCommandLine } from '../../tools/runner/command-line.ts'
import { type LabelChange, pullRequest, startStandIn, token } from '../../tools/runner/github.ts'
import { runNode } from '../support/run-program.ts'
import { query, useWorkbench } from '../support/workbench.ts'
import { useWorkspace } from '../support/workspace.ts'

const bench = useWorkbench({ databases: 'invented' })
const withDatabases = useWorkbench()
const { path: folder, write, empty } = useWorkspace()
beforeEach(empty)

async function useStandIn() {
  const github = await startStandIn()
  onTestFinished(() => github.stop())
  return github
}

test('keeps a comment for each preview of the pull request, from the first line to "ready", and an open pull request', async () => {
  const github = await useStandIn()
  const opened = { action: 'opened', pull_request: pullRequest }
  const environment = { ...github.event(folder, 'pull_request', opened), GITHUB_RUN_ID: '20260131' }
  const inputs = { operation: 'preview', empty: 'true', wait_for_connection: 'false', github_token: token }
  for (const name_prefix of ['orders', 'billing']) {
    const { stdout } = await bench.runSuccessfully({ ...inputs, name_prefix }, { environment })
    expect(stdout.match(/^::warning.*$/gm) ?? []).toEqual([])
  }
  const schedule = { environment: github.event(folder, 'schedule') }
  const prune = { operation: 'prune-previews', min_age: '1ms', github_token: token }
  const pruned = await bench.runSuccessfully(prune, schedule)
  expect(pruned.stdout).toContain('kept, its pull request is open')
  expect(pruned.outputs).toMatchObject({ count: '2', deleted: 'false' })
  expect(github.comments()).toEqual([
    expect.stringContaining('Preview database `orders` ready'),
    expect.stringContaining('Preview database `billing` ready'),
  ])
})

test('has no pull request of another number, and names its repository', async () => {
  const github = await useStandIn()
  const environment = github.event(folder, 'push')
  const inputs = { operation: 'create-preview', empty: 'true', pull_request: '4711', github_token: token }
  const { stdout } = await bench.step(inputs, { environment })
  expect(stdout).toMatch(/^::error [^:]*::there is no pull request 4711 in acme\/shop — /m)
})

const main = resolve(import.meta.dirname, '../../tools/runner/main.ts')

/** Starts `npm run step` in the folder. */
const start = (words: string[]) =>
  runNode([main, '--memory', 'memory', ...words], { env: { ...process.env, INIT_CWD: folder } })
const step = (words: string[]) => start(words).exit

test('step: opens and closes a preview, and keeps its comment', async () => {
  const access = [
    `base_url=${withDatabases.emulator.baseUrl}`,
    ...[`public_key=public-test`, `secret_key=${withDatabases.secretKey}`, 'list_lag=100ms'],
  ]
  const comments = () => readFile(join(folder, 'memory/comments.md'), 'utf8')

  const opened = await step(['operation=preview', 'empty=true', ...access])
  expect(opened, opened.stderr).toMatchObject({ code: 0, stderr: '' })
  expect(opened.stdout).toMatch(/^output service_id: \w+$/m)
  expect(opened.stdout).toMatch(/^output password: \*\*\*$/m)
  expect(await comments()).toContain('Preview database ready')

  write({ 'closed.json': '{"action": "closed", "pull_request": {"number": 12, "state": "closed"}}' })
  const closed = await step(['--event', 'closed.json', '--uses', 'preview', ...access])
  expect(closed.code, closed.stdout).toBe(0)
  expect(await comments()).toMatch(/^(?!.*Preview database ready).*Preview database was deleted/s)

  const late = await step(['operation=get-connection', ...access])
  expect(late.stderr).toContain(
    'pull request 12 is closed, and its preview was deleted: run operation=preview',
  )
  expect(late.code).toBe(2)
})

test('step: the pull request has the files of the folder, so an edited migration resets the preview', async () => {
  write({ 'db/1_orders.sql': 'create table orders ()', 'node_modules/pg/1.sql': '' })
  const preview = [
    ...['operation=preview', 'empty=true', 'reset_on=**/*.sql', 'list_lag=100ms'],
    `base_url=${withDatabases.emulator.baseUrl}`,
    `api_key=public-test:${withDatabases.secretKey}`,
  ]
  const none = await step([...preview, 'paths=src/**'])
  expect(none.stdout).toContain('changes no file that matches paths (src/**)')
  const opened = await step([...preview, 'paths=db/**'])
  expect(opened.code, opened.stdout).toBe(0)
  expect(opened.stdout).not.toContain('Warning')
  write({ 'db/1_orders.sql': 'create table orders (id int)' })
  const pushed = await step(['--event', 'synchronize', ...preview])
  expect(pushed.stdout).toContain('Notice: reset_on: db/1_orders.sql was changed, so the preview is reset')
  expect(pushed.code).toBe(0)
  expect((await step(['--event', 'closed', ...preview])).stdout).toContain('delete-preview: done')
})

test('step: ends by itself if nobody reads its output to the end', async () => {
  const keys = [`base_url=${bench.emulator.baseUrl}`, `api_key=public-test:${bench.secretKey}`]
  const { child, exit } = start(['--event', 'push', 'operation=list-services', ...keys])
  child.stdout?.once('data', () => child.stdout?.destroy())
  expect(await exit).toMatchObject({ code: 0, stderr: '' })
  expect(await readFile(join(folder, 'memory/summary.md'), 'utf8')).toContain('list-services')
})

test('step: reads whole numbers as the YAML of a workflow', () => {
  const words = [
    'cpu_millis=5e2',
    'memory_gbs=2.0',
    'max_previews=20',
    'name=1.5',
    'service_id=123e4',
    'sql=a=1e2',
  ]
  expect(parseCommandLine(words)?.inputs).toEqual({
    ...{ cpu_millis: '500', memory_gbs: '2', max_previews: '20' },
    ...{ name: '1.5', service_id: '123e4', sql: 'a=1e2' },
  })
})

test('keeps the labels of a pull request: a preview needs one, and another approves a loss', async () => {
  const github = await useStandIn()
  async function on(inputs: Record<string, string>, change?: LabelChange) {
    const pull_request = github.put(pullRequest, change)
    const payload = { action: change?.event ?? 'opened', ...change, pull_request }
    const environment = github.event(folder, 'pull_request', payload)
    return withDatabases.step({ github_token: token, ...inputs }, { environment })
  }
  const preview = { operation: 'preview', empty: 'true', label: 'db' }
  const label = { name: 'db' }
  expect((await on(preview)).outputs.service_id).toBeUndefined()
  const created = await on(preview, { event: 'labeled', label })
  expect(created.outputs.service_id).toMatch(/^\w+$/)

  await query(created.outputs.database_url, 'create table orders as select generate_series(1, 3) as id')
  write({ 'loss.sql': 'drop table orders' })
  const rehearse = (change?: LabelChange) =>
    on(
      {
        ...{ operation: 'rehearse-migration', sql_file: 'loss.sql', comment: 'true' },
        ...{ on_violation: 'fail', approve_destructive: 'label:loss-approved' },
      },
      change,
    )
  const refused = await rehearse()
  expect(refused.stdout).toContain('the comment has not shown this loss before')
  expect(refused.exitCode).toBe(1)
  const approved = await rehearse({ event: 'labeled', label: { name: 'loss-approved' } })
  expect(approved.exitCode, approved.stdout).toBe(0)

  expect((await on(preview, { event: 'unlabeled', label })).outputs.deleted_ids).toMatch(/^\w+$/)
})

test('step: a wrong argument is one line and code 2', async () => {
  const { code, stderr } = await step(['operation'])
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringMatching(/^step: expected input=value.*\n$/),
  })
})

test.each([
  [['--event', 'opend', 'operation=preview'], '--event: expected opened, reopened'],
  [['--event', 'none.json', 'operation=preview'], 'none.json'],
  [['--event', 'labeled', 'operation=preview'], '--event labeled: add --label NAME'],
  [['--label', 'db', 'operation=preview'], '--label: add --event labeled or unlabeled'],
  [['--pull-request', '0', 'operation=preview'], '--pull-request: expected a number'],
  [['--uses', 'emulator', 'operation=preview'], '--uses: expected preview or database'],
  [
    ['--evnt', 'opened', 'operation=preview'],
    "Unknown option '--evnt' (did you mean --event?); --help lists the flags",
  ],
])('step %j: is rejected', (words, problem) => {
  expect(() => parseCommandLine(words)).toThrow(problem)
})

test('step: a label and its event', () => {
  const { event, inputs } = parseCommandLine(['--event', 'labeled', '--label', 'db', 'sql=a=b']) ?? {}
  expect(inputs).toEqual({ sql: 'a=b' })
  expect(event).toMatchObject({ name: 'pull_request', change: { event: 'labeled', label: { name: 'db' } } })
  expect(event?.payload).toMatchObject({ action: 'labeled', label: { name: 'db' } })
})
