/** Runs create-masked-parent. */
import { createHash } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { createService, type Outputs, runSql } from '../support/fork.ts'
import { useRepository } from '../support/pull-request.ts'
import { errorOf, expectOutputsOfReference } from '../support/workbench.ts'
import { useWorkspace } from '../support/workspace.ts'

const repository = useRepository()
let production: Outputs
const workspace = useWorkspace()

/** Original values that no step may show: the output of every step is searched for them. */
const canaries = ['canary.person@example.com', 'Canary Quillfeather', 'Called canary about the tax return']

const rules = `
public.people: { email: email, name: name, note: text }
audit.log: drop_rows
`

beforeAll(async () => {
  const { bench } = repository
  production = await createService(bench)
  for (const text of canaries) bench.watch.know({ label: 'an original', text, user: 'tsdbadmin' })
  const [email, name, note] = canaries
  await runSql(
    production,
    `CREATE TABLE people (id int PRIMARY KEY, email text UNIQUE, name text, note text);
     INSERT INTO people SELECT n, 'person' || n || '@example.com', 'Person Number ' || n, 'Note about ' || n
       FROM generate_series(1, 50) AS n;
     INSERT INTO people VALUES (51, '${email}', '${name}', '${note}');
     CREATE SCHEMA audit; CREATE TABLE audit.log (line text); INSERT INTO audit.log VALUES ('${email} came by');
     CREATE MATERIALIZED VIEW names AS SELECT name FROM people`,
  )
})

/** The step of a night. */
function night(file: string, source = production) {
  workspace.write({ 'masking.yml': file })
  return repository.onEvent(
    'schedule',
    {
      ...{ operation: 'create-masked-parent', service_id: source.service_id as string },
      mask_file: 'masking.yml',
    },
    { environment: { GITHUB_WORKSPACE: workspace.path } },
  )
}

/** The names of all copies that are there, whole or not. */
const copies = async () =>
  (await repository.services()).map(({ name }) => name).filter(name => /^mask(ed|ing)-/.test(name))

/** The trace of masking in a database. */
async function markIn(outputs: Outputs) {
  const [row] = await runSql(
    outputs,
    `SELECT convert_from(lo_get(objoid), 'UTF8') AS mark FROM pg_description
       WHERE classoid = 'pg_largeobject'::regclass AND description = 'managed-database-action: masked'`,
  )
  return JSON.parse(String(row?.mark))
}

/** The hash by which Git knows a file. */
const hashFile = (text: string) =>
  createHash('sha1')
    .update(`blob ${Buffer.byteLength(text)}\0${text}`)
    .digest('hex')

const textsIn = async (outputs: Outputs) =>
  JSON.stringify(
    await runSql(
      outputs,
      'SELECT people::text FROM people UNION ALL SELECT line FROM audit.log UNION ALL SELECT name FROM names',
    ),
  )

it('creates a masked copy; a pull request gets a preview of it without any original value', async () => {
  const made = await night(rules)
  expect(made.exitCode, made.stdout).toBe(0)
  expect(made.outputs).toMatchObject({ name: expect.stringMatching(/^masked-/), created: 'true' })
  expectOutputsOfReference('create-masked-parent', made.outputs)
  expect(made.stdout).toMatch(/is masked: 3 columns, \d+ rows; none of \d+ originals/)
  expect(made.summary).toContain('Masked by rule: 3')
  expect(made.summary).toContain('deleted row versions in the data files')
  const number = repository.github.openPullRequest()
  repository.github.commits.set('main', { 'masking.yml': rules })
  const preview = await repository.on('synchronize', number, {
    ...{ operation: 'create-preview', service_id: production.service_id as string, masked: 'true' },
    mask_file: 'masking.yml',
  })
  expect(preview.exitCode, preview.stdout).toBe(0)
  const texts = await textsIn(preview.outputs)
  for (const text of [...canaries, 'person1@example.com', 'Person Number 7'])
    expect(texts).not.toContain(text)
  expect(texts).toContain('@masked.example')
  expect(await markIn(preview.outputs)).toEqual({
    ...{ source: production.service_id, at: expect.any(Number), run: expect.stringMatching(/^https:/) },
    ...{ file: hashFile(rules), catalog: expect.stringMatching(/^[0-9a-f]{64}$/) },
  })
  expect(preview.stdout).toMatch(
    /the parent is service \w+ \(masked-[\w-]+\), the newest masked copy, of .* old$/m,
  )
  expect(preview.summary).toContain(`Data: fork of ${made.outputs.name}, masked 20`)
  expect(repository.github.commentsOf(number).at(-1)?.body).toContain(`${made.outputs.name}`)
  // The rules were changed since: with masked: true the quarantine is strict.
  repository.github.commits.set('main', { 'masking.yml': `${rules}# stricter` })
  const late = await repository.on('synchronize', number, {
    ...{ operation: 'create-preview', service_id: production.service_id as string, masked: 'true' },
    mask_file: 'masking.yml',
  })
  expect(late.exitCode).toBe(1)
  expect(errorOf(late)).toMatch(/was masked by another masking\.yml than that of the default branch/)
  // Production is as it was.
  expect(await textsIn(production)).toContain(canaries[0])
})

it('fails if an added column has no rule, names the column, and leaves no copy', async () => {
  await runSql(
    production,
    `ALTER TABLE people ADD COLUMN nickname text; UPDATE people SET nickname = '${canaries[0]}' WHERE id = 51`,
  )
  const failed = await night(rules)
  expect(failed.exitCode).toBe(1)
  expect(errorOf(failed)).toMatch(
    /public\.people\.nickname \(text\) has no rule: email is proposed \(certain: .*\) — .*run dry_run: true with database_url and without mask_file/i,
  )
  // The copy is deleted: no later step may take it for a service.
  expect(failed.outputs).toMatchObject({ created: 'true', deleted: 'true', status: '', name: '', result: '' })
  await expect.poll(copies, { interval: 100 }).toEqual([expect.stringMatching(/^masked-/)])
})

function url(): string {
  const { host, port, user, password, database } = production
  return `postgresql://${user}:${password}@${host}:${port}/${database}?sslmode=require`
}

it('checks rules on all rows in a dry run, and changes nothing', async () => {
  const check = (file: string) => {
    workspace.write({ 'masking.yml': file })
    return repository.onEvent(
      'schedule',
      {
        ...{ operation: 'create-masked-parent', service_id: production.service_id as string },
        ...{ dry_run: 'true', database_url: url(), mask_file: 'masking.yml' },
      },
      { environment: { GITHUB_WORKSPACE: workspace.path } },
    )
  }
  const good = await check(rules.replace('note: text', 'note: text, nickname: text'))
  expect(good.exitCode, good.stdout).toBe(0)
  expect(good.stdout).toMatch(/the rules of 4 columns in 1 table were checked on all rows; the newest/)
  const bad = await check(rules.replace('note: text', 'note: { sql: missing() }'))
  expect(errorOf(bad)).toMatch(
    /people\.note fails: function missing\(\) does not exist.*people\.nickname \(text\) has no rule|people\.nickname \(text\) has no rule.*people\.note fails/,
  )
  expect(await textsIn(production)).toContain(canaries[0])
})

it('proposes complete rules in a dry run, without values', async () => {
  const columns = Array.from({ length: 60 }, (_, index) => `column_${index} text`)
  await runSql(production, `CREATE TABLE wide (${columns.join()})`)
  const proposed = await repository.onEvent('schedule', {
    ...{ operation: 'create-masked-parent', service_id: production.service_id as string },
    ...{ dry_run: 'true', database_url: url() },
  })
  expect(proposed.exitCode, proposed.stdout).toBe(0)
  expect(proposed.summary).toMatch(/^```yaml$.*^public\.people:\n {2}.*email: email.*^```$/ms)
  expect(proposed.stdout).toMatch(/^public\.people:\n {2}.*email: email/ms)
  for (const [name] of columns.map(column => column.split(' ')))
    expect(proposed.summary).toMatch(new RegExp(`^  ${name}: `, 'm'))
})

it('warns about a copy of an empty database, whose search proves nothing', async () => {
  const empty = await createService(repository.bench)
  await runSql(empty, 'CREATE TABLE people (id int PRIMARY KEY, email text)')
  const made = await night('public.people: { email: email }', empty)
  expect(made.exitCode, made.stdout).toBe(0)
  expect(made.stdout).toMatch(
    /^::warning title=[^:]*nothing proven::service \w+: there was nothing to mask, so the search for originals proves nothing — check that service_id/m,
  )
  expect(made.summary).toContain('The search proves nothing: there was nothing to mask.')
  expect(made.summary).not.toContain('No original was found')
})
