/** Tests previews of masked copies. */
import { describe, expect, it, test } from 'vitest'
import { brokenConnection } from '../support/courses.ts'
import { minute } from '../support/inputs.ts'
import { type RunOptions, type RunReport, Stage } from '../support/stage.ts'
import { createMaskedParent, hour, idOf, maskedCopies } from './support/night.ts'

/** Runs an operation with `masked`. */
const run = (stage: Stage, operation: string, options: RunOptions = {}): Promise<RunReport> =>
  stage.run(operation, {
    given: { service_id: stage.parent },
    ...options,
    preview: { masked: true, ...options.preview },
  })

const create = (stage: Stage, options: RunOptions = {}) => run(stage, 'create-preview', options)

/** A stage with a masked copy from the first night. */
async function afterOneNight(): Promise<{ stage: Stage; parent: string }> {
  const stage = new Stage()
  const parent = idOf(await createMaskedParent(stage))
  stage.advanceTime(8 * hour)
  return { stage, parent }
}

test('a preview is a fork of the newest masked copy that is not being deleted, with its data of now', async () => {
  const { stage } = await afterOneNight()
  const parent = idOf(await createMaskedParent(stage))
  stage.advanceTime(3 * hour)
  stage.deleteService(idOf(await createMaskedParent(stage)))
  const created = await create(stage)
  expect(created.calls.find(({ name }) => name === 'fork-service')).toMatchObject({
    id: parent,
    body: { fork_strategy: 'NOW', environment_tag: 'DEV' },
  })
  const name = stage.service(parent)?.name ?? ''
  expect(created.lines.join('\n')).toMatch(
    new RegExp(`^the parent is service ${parent} \\(${name}\\), .*3h`, 'm'),
  )
  expect(created.outcome?.data).toMatch(new RegExp(`^fork of ${name}, masked \\d{4}-`))
  expect(stage.comments.at(-1)).toMatchObject({ state: 'ready', parentName: name, parentId: parent })
  expect(stage.world.leaks).toEqual([])
})

test('after failed nights, a preview is a fork of the last good copy, and reports its age', async () => {
  const { stage, parent } = await afterOneNight()
  // As after adding a column without a rule.
  stage.onEveryCall('mask', () => new Error('public.people.nickname (text) has no rule'))
  for (let count = 0; count < 2; count++) {
    stage.advanceTime(24 * hour)
    expect((await createMaskedParent(stage)).error).toBeDefined()
  }
  const created = await create(stage)
  expect(stage.service(idOf(created))?.forked_from?.service_id).toBe(parent)
  expect(created.lines.join('\n')).toMatch(
    /^the parent is service .*, the newest masked copy, of .* UTC, 56h/m,
  )
  expect(created.outcome?.data).toMatch(/, masked \d{4}-/)
})

describe('without a masked copy', () => {
  it('nothing is forked, and nothing falls back to production', async () => {
    const stage = new Stage()
    const created = await create(stage)
    expect(created.error?.message).toMatch(/^this repository has no masked copy of service/)
    expect(created.idsOf('fork-service')).toEqual([])
    expect(created.idsOf('create-service')).toEqual([])
  })

  it.each(['create-preview', 'reset-preview'])('a dry run of %s reports the same', async operation => {
    const created = await run(new Stage(), operation, { settings: { dryRun: true } })
    expect(created.error?.message).toMatch(/^this repository has no masked copy of service/)
  })

  it('one that is still being masked does not count', async () => {
    const stage = new Stage()
    const [, created] = await Promise.all([createMaskedParent(stage), create(stage, { start: 30_000 })])
    expect(created.error?.message).toMatch(/^this repository has no masked copy of service/)
  })

  it('a masked copy as service_id is reported with the service that it copies', async () => {
    const { stage, parent } = await afterOneNight()
    const created = await create(stage, { given: { service_id: parent } })
    expect(created.error).toMatchObject({
      message: `service ${parent} is itself a masked copy of service ${stage.parent}`,
      next: `set service_id to ${stage.parent}`,
    })
  })

  it('a reset keeps the existing preview', async () => {
    const { stage, parent } = await afterOneNight()
    const id = idOf(await create(stage))
    stage.deleteService(parent)
    stage.advanceTime(minute)
    const reset = await run(stage, 'reset-preview')
    expect(reset.error?.message).toMatch(/^this repository has no masked copy of service/)
    expect(stage.livePreviews()).toEqual([id])
  })
})

test('a preview of an older masked copy stays, also when that copy is gone', async () => {
  const { stage, parent } = await afterOneNight()
  const id = idOf(await create(stage))
  for (let count = 0; count < 2; count++) {
    await createMaskedParent(stage)
    stage.advanceTime(24 * hour)
  }
  expect(maskedCopies(stage, 'masked')).not.toContain(parent)
  const again = await create(stage)
  expect(idOf(again)).toBe(id)
  expect(again.outcome).toMatchObject({ created: false, password: stage.passwordOf(id) })
  expect(again.outcome?.data).toMatch(/, masked \d{4}-/)
})

test('a preview that is a fork of production itself is not published, and a reset recreates it', async () => {
  const { stage, parent } = await afterOneNight()
  const plain = idOf(await stage.run('create-preview'))
  const created = await create(stage)
  expect(created.error?.message).toMatch(/is a fork of \w+ itself: with masked: true it is not published$/)
  expect(created.outcome).toBeUndefined()
  expect((await create(stage, { settings: { dryRun: true } })).error?.message).toBe(created.error?.message)
  expect(stage.livePreviews()).toEqual([plain])
  const reset = await run(stage, 'reset-preview')
  expect(stage.service(idOf(reset))?.forked_from?.service_id).toBe(parent)
  expect(stage.deletedServices()).toEqual([plain])
})

/** Removes the masking stamp from forks: the first one of a run, or all. */
function loseStamp(stage: Stage, which: 'first' | 'all'): string[] {
  const lost: string[] = []
  stage.world.onCreated = id => {
    if (which === 'first' && lost.length > 0) return
    lost.push(id)
    stage.world.held(id).stamp = undefined
  }
  return lost
}

describe('a preview without the masking stamp', () => {
  it('is deleted by the run that created it, and recreated once', async () => {
    const { stage, parent } = await afterOneNight()
    const lost = loseStamp(stage, 'first')
    const created = await create(stage)
    const id = idOf(created)
    expect(stage.deletedServices()).toEqual(lost)
    expect(stage.livePreviews()).toEqual([id])
    expect(stage.service(id)?.forked_from?.service_id).toBe(parent)
    expect(created.outcome).toMatchObject({ created: true, password: stage.passwordOf(id) })
    expect(created.warnings).toEqual([
      expect.stringMatching(/has no masking stamp.* it is deleted and recreated once$/),
    ])
    expect(stage.comments.at(-1)).toMatchObject({ state: 'ready', serviceId: id })
    expect(stage.world.leaks).toEqual([])
  })

  it('is recreated once for all runs that found it', async () => {
    const { stage } = await afterOneNight()
    const lost = loseStamp(stage, 'first')
    const runs = await Promise.all([
      create(stage),
      create(stage, { start: 15_000 }),
      create(stage, { start: 20_010 }),
    ])
    expect(runs.map(({ error }) => error)).toEqual([undefined, undefined, undefined])
    expect(stage.deletedServices()).toEqual(lost)
    expect(runs.map(idOf)).toEqual(runs.map(() => stage.livePreviews()[0]))
    expect(stage.world.leaks).toEqual([])
  })

  it('fails the step if the second one lacks it too, and none is left', async () => {
    const { stage } = await afterOneNight()
    const lost = loseStamp(stage, 'all')
    const created = await create(stage)
    expect(created.error?.message).toMatch(/has no masking stamp/)
    expect(created.outcome).toBeUndefined()
    expect(stage.deletedServices()).toEqual(lost)
    expect(lost).toHaveLength(2)
    expect(stage.livePreviews()).toEqual([])
    expect(stage.commentStates().at(-1)).toBe('failed')
    expect(stage.world.leaks).toEqual([])
  })

  it.each([
    ['not recreated if its own creation took both requests of the run', 1, /has no masking stamp/],
    [
      'recreated with the second request of the run, which is not repeated',
      2,
      /sent once, service "\S+" did not appear/,
    ],
  ])('is %s', async (_, lostRequest, problem) => {
    const { stage } = await afterOneNight()
    loseStamp(stage, 'first')
    stage.onCall('fork-service', () => brokenConnection(), lostRequest)
    const created = await create(stage)
    expect(created.error?.message).toMatch(problem)
    expect(created.idsOf('fork-service')).toHaveLength(2)
    expect(stage.livePreviews()).toEqual([])
  })

  it('is kept if another run created it, and the step fails', async () => {
    const { stage } = await afterOneNight()
    const id = idOf(await create(stage))
    stage.world.held(id).stamp = undefined
    const again = await create(stage)
    expect(again.error?.message).toMatch(/has no masking stamp/)
    expect(stage.livePreviews()).toEqual([id])
  })

  it('is not deleted if it was tagged meanwhile', async () => {
    const { stage } = await afterOneNight()
    const [lost, tagged] = [loseStamp(stage, 'all'), 'PROD']
    stage.onCall('openContents', () => void stage.setEnvironment(lost[0] ?? '', tagged), 2)
    expect((await create(stage)).error?.message).toMatch(/has no masking stamp/)
    expect(stage.deletedServices()).toEqual([])
    expect(lost).toHaveLength(1)
  })
})

test('the masking stamp of a copy of another service does not count', async () => {
  const { stage, parent } = await afterOneNight()
  const held = stage.world.held(parent)
  held.stamp = held.stamp && { ...held.stamp, source: stage.other }
  expect((await create(stage)).error?.message).toMatch(/has no masking stamp/)
})

describe('the file of rules on the default branch', () => {
  const withFile = (stage: Stage, settings: RunOptions['settings'] = {}) =>
    create(stage, { settings, preview: { maskFile: ['masking.yml'] } })
  const strict = { quarantine: 'strict' } as const

  it('produces no message if it matches the masking stamp', async () => {
    const { stage } = await afterOneNight()
    stage.world.files.set('masking.yml', 'hash of the file').set('db/masking.yml', 'another')
    const created = await withFile(stage, strict)
    expect(created.error).toBeUndefined()
    expect(created.idsOf('readFiles')).toEqual(['default branch'])
    expect(created.warnings).toEqual([])
  })

  it('is another than that of the masking stamp: a warning', async () => {
    const { stage } = await afterOneNight()
    stage.world.files.set('masking.yml', 'newer')
    const created = await withFile(stage)
    expect(created.outcome).toMatchObject({ created: true, password: stage.passwordOf(idOf(created)) })
    expect(created.warnings.join()).toMatch(
      /^service \w+ was masked by another masking\.yml than that of the default/,
    )
  })

  it('is an error if it differs from the masking stamp under a strict quarantine, and connection details stay hidden', async () => {
    const { stage } = await afterOneNight()
    stage.world.files.set('masking.yml', 'newer')
    const created = await withFile(stage, strict)
    expect(created.error?.message).toMatch(/was masked by another masking\.yml/)
    expect(created.outcome).toBeUndefined()
    expect(JSON.stringify(stage.comments)).not.toMatch(/"(url|host)":"/)
  })

  it.each<[string, (stage: Stage) => void, string]>([
    ['GitHub does not answer', stage => stage.onCall('readFiles', () => new Error('no answer')), 'no answer'],
    ['there is none', () => {}, '0 files of the default branch fit'],
  ])('is unknown because %s: a warning reports that', async (_, prepare, problem) => {
    const { stage } = await afterOneNight()
    prepare(stage)
    const created = await withFile(stage, strict)
    expect(created.outcome).toMatchObject({ created: true })
    expect(created.warnings.join()).toMatch(`was masked by the newest masking.yml: ${problem}`)
  })
})

test('get-connection publishes no service_id that is no preview, such as production', async () => {
  const { stage } = await afterOneNight()
  const connection = await run(stage, 'get-connection')
  expect(connection.error?.message).toMatch(/is no preview of this repository: with masked: true/)
  expect(connection.outcome).toBeUndefined()
})

test('get-connection publishes no preview without the masking stamp', async () => {
  const { stage } = await afterOneNight()
  const id = idOf(await create(stage))
  expect(idOf(await run(stage, 'get-connection', { given: {} }))).toBe(id)
  stage.world.held(id).stamp = undefined
  const connection = await run(stage, 'get-connection', { given: {} })
  expect(connection.error?.message).toMatch(/has no masking stamp/)
})

test('an unreachable database is not published', async () => {
  const { stage } = await afterOneNight()
  stage.onEveryCall('openContents', () => new Error('connect ETIMEDOUT'))
  const created = await create(stage)
  expect(created.error?.message).toMatch(/^cannot check whether service \w+ is masked/)
})

test('a mask file without masked is refused: the preview would not be masked', async () => {
  const { stage } = await afterOneNight()
  const created = await stage.run('create-preview', { preview: { masked: false, maskFile: ['masking.yml'] } })
  expect(created.error?.message).toMatch(/^mask_file: expected masked: true too/)
  expect(created.idsOf('fork-service')).toEqual([])
})

test.each([
  ['a snapshot', { fork_strategy: 'LAST_SNAPSHOT' }, /^fork_strategy: expected NOW or nothing with masked/],
  ['no service', { service_id: undefined }, /^masked: expected service_id too/],
])('%s is refused', async (_, given, message) => {
  const { stage } = await afterOneNight()
  const created = await create(stage, { given: { service_id: stage.parent, ...given } })
  expect(created.error?.message).toMatch(message)
  expect(created.idsOf('fork-service')).toEqual([])
})

test.each(['delete-preview', 'prune-previews'])('%s deletes previews of masked copies', async operation => {
  const { stage, parent } = await afterOneNight()
  const id = idOf(await create(stage))
  stage.advanceTime(hour)
  stage.setPullRequest('closed')
  stage.advanceTime(hour)
  const ended = await run(stage, operation)
  expect(ended.error).toBeUndefined()
  expect(stage.deletedServices()).toEqual([id])
  expect(maskedCopies(stage, 'masked')).toEqual([parent])
})
