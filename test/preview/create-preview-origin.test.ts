/** Tests the description of a preview's data and cost. */
import { describe, expect, it, test } from 'vitest'
import { originOf, renderMoment, renderOrigin } from '#preview/base/origin'
import { previewBase } from '../simulator/preview-names.ts'
import { eventOf, minute } from './support/inputs.ts'
import { type RunReport, Stage, stagePreview } from './support/stage.ts'

const create = 'create-preview'
const commit = '0a1b2c3d4e5f60718293a4b5c6d7e8f901234567'

/** The data as described in the log, the summary and the comment. */
function describeData(stage: Stage, run: RunReport) {
  const [line] = run.lines.filter(text => text.startsWith('the preview, service '))
  const { data, parentId } = stage.comments.at(-1) ?? {}
  return { line, data: run.outcome?.data, comment: { data, parentId } }
}

describe('the cost of a preview', () => {
  const large = (cpu_millis: number, memory_gbs: number) => {
    const stage = new Stage()
    const parent = stage.callAsOther('create-service', { name: 'large', cpu_millis, memory_gbs }) as string
    stage.advanceTime(10 * minute)
    return {
      stage,
      run: (given = {}, preview = {}) =>
        stage.run(create, { given: { service_id: parent, ...given }, preview }),
    }
  }

  it('is in the log and the comment: its size and its end', async () => {
    const { stage, run } = large(1000, 4)
    const { lines, warnings, outcome } = await run({}, { maxAge: 14 * 24 * 60 * minute })
    expect(lines).toContain(`service ${outcome?.ids.service_id}: 1 CPU, 4 GB; expires 2026-03-15 00:20 UTC`)
    expect(stage.comments.at(-1)).toMatchObject({ size: '1 CPU, 4 GB' })
    expect(stage.commentBlocks.at(-1)).toContain('2026-03-15 00:20 UTC')
    expect(warnings).not.toContainEqual(expect.stringContaining('costs as much'))
  })

  it('is a warning if the preview is as large as a large parent without a chosen size', async () => {
    const { run } = large(8000, 32)
    const { warnings, lines, outcome } = await run()
    const id = outcome?.ids.service_id
    expect(lines).toContain(
      `service ${id}: 8 CPU, 32 GB; deleted when its pull request closes, as no max_age is set`,
    )
    expect(warnings).toContainEqual(
      expect.stringContaining(`service ${id} has 8 CPU, 32 GB, like its parent, and costs as much`),
    )
  })

  it.each([
    ['500', '2'],
    ['8000', '32'],
  ])('is not logged if the inputs give the size: %s', async (cpu_millis, memory_gbs) => {
    const { warnings } = await large(8000, 32).run({ cpu_millis, memory_gbs })
    expect(warnings).not.toContainEqual(expect.stringContaining('costs as much'))
  })
})

describe('the initial data of a preview', () => {
  it.each([
    ['NOW', 'now', (created: string) => ` as of ${created}`],
    ['LAST_SNAPSHOT', 'snapshot', (created: string) => ` as of its last snapshot before ${created}`],
  ])('is logged when it is created: %s', async (fork_strategy, data, asOf) => {
    const stage = new Stage()
    const run = await stage.run(create, { given: { service_id: stage.parent, fork_strategy } })
    const words = `fork of ${stage.parent}${asOf('2026-03-01 00:10 UTC')}`
    expect(describeData(stage, run)).toEqual({
      line: `the preview, service ${run.id}, is a ${words}`,
      data: words,
      comment: { data, parentId: stage.parent },
    })
  })

  it('is described only as exactly as it is known, if another run created the preview', async () => {
    const stage = new Stage()
    await stage.run(create)
    const run = await stage.run(create)
    expect(describeData(stage, run)).toMatchObject({
      data: `fork of ${stage.parent} as of 2026-03-01 00:10 UTC or earlier`,
      comment: { data: 'unknown' },
    })
  })

  it('is nothing if the inputs ask for that', async () => {
    const stage = new Stage()
    const run = await stage.run(create, { given: {} })
    expect(describeData(stage, run)).toEqual({
      line: `the preview, service ${run.id}, is empty`,
      data: 'empty',
      comment: { data: 'empty', parentId: undefined },
    })
  })

  it('stays unchanged with a warning if the inputs now ask for an empty preview', async () => {
    const { stage, id } = stagePreview()
    const run = await stage.run(create, { given: {} })
    expect(stage.livePreviews()).toEqual([id])
    expect(run.warnings).toContain(
      `empty: true is set, but service ${id} was forked from ${stage.parent} before — run \`operation: reset-preview\` to recreate it`,
    )
    expect(describeData(stage, run).data).toContain(`fork of ${stage.parent}`)
  })
})

describe('the comment', () => {
  it('names the commit of its own pull request only', async () => {
    const stage = new Stage()
    stage.setPullRequest('open', 12)
    const event = eventOf('synchronize')
    const pullRequest = event.pullRequest && { ...event.pullRequest, commit }
    await stage.run(create, { event: { ...event, pullRequest } })
    await stage.run(create, { event: { ...event, pullRequest }, preview: { pullRequest: 12 } })
    expect(stage.comments.map(({ name, commit: shown }) => [name, shown])).toEqual([
      [previewBase(), commit],
      [previewBase(), commit],
      [previewBase(12), undefined],
      [previewBase(12), undefined],
    ])
  })

  it('shows the next instruction and the created service after a failure', async () => {
    const stage = new Stage({ readyAfter: 10 * minute })
    const run = await stage.run(create, { patience: minute })
    expect(stage.comments.at(-1)).toMatchObject({
      state: 'failed',
      serviceId: stage.livePreviews()[0],
      problem: run.error?.message,
      next: run.error?.next,
    })
  })
})

const service = { service_id: 's1', created: '2026-01-31T12:00:30Z' }
const forked = { ...service, forked_from: { service_id: 'p1' } }

test.each([
  ['a fork', forked, 'p1', 'NOW', 'fork of p1 as of 2026-01-31 12:00 UTC'],
  ['a fork whose record names no parent yet', service, 'p1', 'NOW', 'fork of p1 as of 2026-01-31 12:00 UTC'],
  [
    'a fork in a workflow without service_id',
    forked,
    undefined,
    undefined,
    'fork of p1 as of 2026-01-31 12:00 UTC or earlier',
  ],
  [
    'a fork of no date',
    { ...forked, created: 'now' },
    'p1',
    'LAST_SNAPSHOT',
    'fork of p1 as of its last snapshot',
  ],
  ['no fork', service, undefined, undefined, 'empty'],
] as const)('the origin of %s', (_, record, parentId, strategy, words) => {
  expect(renderOrigin(originOf(record, parentId, strategy))).toBe(words)
})

test.each([
  ['2026-01-31T12:00:59.9+01:00', '2026-01-31 11:00 UTC'],
  [0, '1970-01-01 00:00 UTC'],
  ['yesterday', undefined],
  [undefined, undefined],
  [1e20, undefined],
])('the moment %j is %j', (date, words) => {
  expect(renderMoment(date)).toBe(words)
})
