/** Runs the examples with act. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { yamlBlocks } from '../../tools/check-workflows/yaml-blocks.ts'
import type { PullRequestAction } from '../support/github/pull-request-event.ts'
import { type ActRepository, actProgram, openShop } from './support/act.ts'
import { onPullRequest, onPush, useStage } from './support/setting.ts'
import { repository } from './support/workflow-file.ts'

const read = (path: string) => readFileSync(resolve(repository, path), 'utf8')
const seed = 'create table orders as select generate_series(1, 3) as id;'

/** Runs the examples with act, an independent runner: our own model of GitHub's runner may be wrong. */
describe.skipIf(actProgram === undefined)('run by act (skipped unless the variable ACT names it)', () => {
  const stage = useStage()
  let shop: ActRepository
  beforeAll(() => {
    shop = openShop(stage)
  })
  afterAll(() => shop?.remove())

  const runExample = (name: string, action: PullRequestAction, number: number) =>
    shop.run(`${name}.yml`, read(`examples/${name}.yml`), onPullRequest(action, number))

  it('a preview from opening to closing', async () => {
    const number = stage.github.openPullRequest()
    const opened = await runExample('preview', 'opened', number)
    expect(opened, opened.log).toMatchObject({ succeeded: true })
    expect(await stage.others()).toMatchObject([
      { status: 'READY', forked_from: { service_id: stage.parentId } },
    ])
    expect(opened.log).not.toContain(stage.bench.secretKey)

    stage.github.closePullRequest(number)
    const closed = await runExample('preview', 'closed', number)
    expect(closed, closed.log).toMatchObject({ succeeded: true })
    expect(await stage.others()).toEqual([])
    expect(stage.github.commentsOf(number)).toHaveLength(1)
  })

  it('a database for one job, which its end deletes', async () => {
    const workflow = read('examples/ephemeral-database.yml')
    const { succeeded, log } = await shop.run('ephemeral.yml', workflow, onPush)
    expect(succeeded, log).toBe(true)
    expect(log).toContain('tea')
    expect(await stage.others()).toEqual([])
  })

  it('the same where the job fails', async () => {
    const workflow = read('examples/ephemeral-database.yml').replace("'create table", "'creat table")
    const { succeeded, log } = await shop.run('failing.yml', workflow, onPush)
    expect(succeeded, log).toBe(false)
    expect(log).toContain('syntax error')
    expect(await stage.others()).toEqual([])
  })

  it('one job hands the preview over to another', async () => {
    const number = stage.github.openPullRequest()
    const { succeeded, log } = await runExample('hand-over', 'opened', number)
    expect(succeeded, log).toBe(true)
    stage.github.closePullRequest(number)
    await runExample('hand-over', 'closed', number)
    expect(await stage.others()).toEqual([])
  })

  it('a job without keys migrates, and another one reports it', async () => {
    const number = stage.github.openPullRequest()
    const { succeeded, log } = await runExample('rehearse', 'opened', number)
    expect(succeeded, log).toBe(true)
    expect(log).toMatch(/rehearse-migration: done; the statements of the command took .*; passed$/m)
    expect(stage.github.commentsOf(number)[0]?.body).toContain('+ table discounts')
    stage.github.closePullRequest(number)
    const closed = await runExample('rehearse', 'closed', number)
    expect(closed, closed.log).toMatchObject({ succeeded: true })
    expect(await stage.others()).toEqual([])
  })

  it('the emulator for the rest of a job, as its document shows it', async () => {
    const [block] = yamlBlocks(read('docs/emulator.md'))
    const checkout = /- uses: actions\/checkout[^\n]*\n(?: {8,}[^\n]*\n)*/
    // There is nothing to check out: the repository is this one already.
    const steps = (block?.text ?? '').replace(checkout, `- run: mkdir db && echo '${seed}' > db/seed.sql\n`)
    const workflow = steps.replace(/^on:.*$/m, 'on: push')
    const { succeeded, log } = await shop.run('emulator.yml', workflow, onPush)
    expect(succeeded, log).toBe(true)
    expect(log).toMatch(/\| 3$/m)
    expect(log).toContain('the emulator has ended')
  })
})
