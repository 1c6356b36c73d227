/** Tests resets because of changed migrations. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { queueEvent } from './support/inputs.ts'
import { Stage } from './support/stage.ts'

const create = 'create-preview'
const preview = { resetOn: ['migrations/**', '!**/README.md'] }
const files = { 'migrations/001_a.sql': 'a1', 'migrations/010_b.sql': 'b1', 'migrations/README.md': 'r1' }

type Change = (files: Map<string, string>) => void

/** A preview created for these files, and the run for the next commit. */
async function afterwards(change: Change, inputs = { preview }) {
  const stage = new Stage()
  for (const [path, hash] of Object.entries(files)) stage.world.files.set(path, hash)
  const first = await stage.run(create, { preview })
  change(stage.world.files)
  return { stage, first, run: await stage.run(create, inputs) }
}

describe('a preview stays if', () => {
  it.each<[string, Change]>([
    ['nothing changes', () => {}],
    ['a file comes after all others', files => files.set('migrations/011_c.sql', 'c1')],
    ['other files change', files => files.set('README.md', 'x')],
    ['a file that is left out changes', files => files.set('migrations/README.md', 'r2')],
  ])('%s', async (_, change) => {
    const { first, run } = await afterwards(change)
    expect(run.id).toBe(first.id)
    expect(run.idsOf('delete-service')).toEqual([])
    expect(run.lines.join()).not.toContain('reset_on')
  })

  it('the whole folder is gone, with a warning; the note is compared when the folder returns', async () => {
    const { stage, first, run } = await afterwards(files => files.clear())
    expect(run.id).toBe(first.id)
    expect(run.lines).toContain(
      'reset_on: all of them are gone, perhaps to another folder, so the preview is not reset',
    )
    expect(run.warnings.join()).toContain(
      'reset_on: no file of the pull request fits migrations/** !**/README.md',
    )
    stage.world.files.set('migrations/001_a.sql', 'a2').set('migrations/010_b.sql', 'b1')
    expect((await stage.run(create, { preview })).notices.join()).toContain('001_a.sql was changed')
  })

  it('GitHub does not answer, with a warning', async () => {
    const stage = new Stage()
    stage.world.files.set('migrations/001_a.sql', 'a1')
    const first = await stage.run(create, { preview })
    stage.world.files.set('migrations/001_a.sql', 'a2')
    stage.onCall('readFiles', () => new Error('only some of them'))
    const second = await stage.run(create, { preview })
    expect(second.id).toBe(first.id)
    expect(second.warnings).toEqual([
      'it is unknown whether files of reset_on changed, so the preview is not reset: only some of them',
    ])
    expect((await stage.run(create, { preview })).id).not.toBe(first.id)
  })

  it('reset_on was changed, with one warning', async () => {
    const resetOn = ['db/**', 'migrations/**']
    const { stage, first, run } = await afterwards(files => files.set('db/001_a.sql', 'x'), {
      preview: { resetOn },
    })
    expect(run.id).toBe(first.id)
    const message = 'reset_on: reset_on was another one before, so the preview is not reset'
    expect(run.lines).toContain(message)
    expect((await stage.run(create, { preview: { resetOn } })).lines).not.toContain(message)
  })

  it('it belongs to a merge queue entry, whose commit never changes', async () => {
    const stage = new Stage()
    const run = await stage.run('preview', { preview, event: queueEvent('c'.repeat(40)) })
    expect(run.outcome).toMatchObject({ operation: 'create-preview', created: true })
    expect(run.idsOf('readFiles')).toEqual([])
  })
})

describe('a preview is reset if', () => {
  it('a file changes', async () => {
    const reason = 'migrations/001_a.sql was changed'
    const { stage, first, run } = await afterwards(files => files.set('migrations/001_a.sql', 'a2'))
    expect(run.error).toBeUndefined()
    expect(run.id).not.toBe(first.id)
    expect(stage.deletedServices()).toEqual([first.id])
    expect(run.notices).toEqual([`reset_on: ${reason}, so the preview is reset`])
    expect(run.outcome?.resetReason).toBe(reason)
    expect(stage.comments.at(-1)).toMatchObject({ state: 'ready', facts: [{ label: 'Reset', text: reason }] })
    const next = await stage.run(create, { preview })
    expect(next.id).toBe(run.id)
    expect(next.outcome?.resetReason).toBeUndefined()
  })

  it('another service was forked from it: then nothing is deleted, and the step fails', async () => {
    const stage = new Stage()
    stage.world.files.set('migrations/001_a.sql', 'a1')
    const id = (await stage.run(create, { preview })).id
    stage.callAsOther('fork-service', { service_id: id, fork_strategy: 'NOW', name: 'copy' })
    stage.world.files.set('migrations/001_a.sql', 'a2')
    const run = await stage.run(create, { preview })
    expect(run.error?.message).toContain(id)
    expect(stage.deletedServices()).toEqual([])
  })
})

describe('the patterns that docs/previews.md shows', () => {
  it.each<[string, string[], string[], string[]]>([
    [
      'Prisma',
      ['prisma/migrations/**'],
      ['prisma/migrations/20250101_a/migration.sql'],
      ['prisma/schema.prisma'],
    ],
    ['Rails', ['db/migrate/**'], ['db/migrate/20250101_a.rb'], ['db/schema.rb']],
    [
      'Drizzle',
      ['drizzle/**/*.sql'],
      ['drizzle/0000_a.sql'],
      ['drizzle/meta/_journal.json', 'drizzle/meta/0000_snapshot.json'],
    ],
    [
      'Flyway',
      ['**/db/migration/**/V*.sql'],
      ['src/main/resources/db/migration/V1__a.sql'],
      ['src/main/resources/db/migration/R__views.sql'],
    ],
    [
      'Django',
      ['**/migrations/*.py'],
      ['migrations/0001_a.py', 'shop/migrations/0001_a.py'],
      ['shop/models.py'],
    ],
    [
      'Entity Framework',
      ['Migrations/*.cs', '!**/*Snapshot.cs'],
      ['Migrations/20250101_A.cs'],
      ['Migrations/ShopContextModelSnapshot.cs'],
    ],
  ])('name the migrations of %s, and nothing that changes with each', async (_, resetOn, named, others) => {
    const stage = new Stage()
    for (const path of [...named, ...others]) stage.world.files.set(path, 'a1')
    const run = await stage.run(create, { preview: { resetOn } })
    const note = JSON.parse(stage.world.held(run.id).text ?? '')
    expect(Object.keys(note.migrations.blobs)).toEqual(named)
    const shown = resetOn.join(', ')
    expect(readFileSync('docs/previews.md', 'utf8')).toContain(`\`${shown}\``)
  })
})

describe('migrations out of order', () => {
  const first = 'migrations/001_a.sql'
  const overtaken = 'migrations/002_mine.sql'

  /** A pull request that adds 002, while its base branch has gained these files. */
  async function over(base: string[], changed = [overtaken]) {
    const stage = new Stage()
    for (const path of [first, overtaken]) stage.world.files.set(path, path)
    for (const path of base) stage.world.baseFiles.set(path, path)
    stage.world.pullRequests.set(7, { files: changed })
    const run = await stage.run(create, { preview })
    return { run, shown: stage.comments.at(-1)?.facts }
  }

  it('are annotated, and shown in the comment', async () => {
    const { run, shown } = await over([first, 'migrations/003_theirs.sql'])
    const message = `${overtaken} comes before migrations/003_theirs.sql, which the base branch has gained`
    expect(run.warnings).toEqual([expect.stringContaining(message)])
    expect(shown).toEqual([{ label: '⚠ Migration out of order', text: message }])
  })

  it.each<[string, string[], string[] | undefined]>([
    ['the base branch has gained nothing', [first], undefined],
    ['it has gained an earlier one', [first, 'migrations/000_b.sql'], undefined],
    ['it has gained one in another folder', [first, 'other/migrations/003_b.sql'], undefined],
    [
      'the pull request removed the later one itself',
      [first, 'migrations/003_b.sql'],
      [overtaken, 'migrations/003_b.sql'],
    ],
  ])('are not reported if %s', async (_, base, changed) => {
    const { run, shown } = await over(base, changed)
    expect(run.warnings).toEqual([])
    expect(shown).toEqual([])
  })

  it('are not checked if GitHub does not answer', async () => {
    const stage = new Stage()
    stage.world.files.set(first, 'a')
    stage.onCall('readFiles', () => new Error('only some of them'), 2)
    const run = await stage.run(create, { preview })
    expect(run.outcome).toMatchObject({ created: true })
    expect(run.warnings.join()).toContain('the order of the migrations is not checked: only some of them')
  })
})
