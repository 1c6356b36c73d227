/** Tests create-masked-parent. */
import { describe, expect, it, test } from 'vitest'
import type { Service } from '#api/records'
import { WaitError } from '#operations/wait/wait-error'
import { repositoryHash } from '../../simulator/preview-names.ts'
import { brokenConnection, changedList } from '../support/courses.ts'
import { type RunReport, Stage } from '../support/stage.ts'
import { createMaskedParent, hour, idOf, maskedCopies } from './support/night.ts'

/**
 * Each copy named masked was searched for originals, production is unchanged, and no connection details appeared early.
 */
function expectSafe(stage: Stage): void {
  for (const id of maskedCopies(stage, 'masked'))
    expect(stage.world.held(id).stamp?.source).toBe(stage.parent)
  expect(stage.service(stage.parent)).toMatchObject({ name: 'production', metadata: { environment: 'PROD' } })
  expect(stage.deletedServices()).not.toContain(stage.parent)
  expect(stage.world.held(stage.parent).isBeingMasked).toBe(false)
  expect(stage.world.maskedTwice).toEqual([])
}

const order = ({ calls }: RunReport, ...kinds: string[]) =>
  calls.map(({ name }) => name).filter(what => kinds.includes(what))

test('a masked copy is quarantined, masked, gets its password, and only then its name', async () => {
  const stage = new Stage()
  const run = await createMaskedParent(stage)
  expect(order(run, 'fork-service', 'quarantine', 'mask', 'update-password', 'rename-service')).toEqual([
    ...['fork-service', 'quarantine', 'mask', 'update-password', 'rename-service'],
  ])
  expect(run.calls.find(({ name }) => name === 'fork-service')?.body).toMatchObject({
    fork_strategy: 'NOW',
    environment_tag: 'DEV',
    name: expect.stringMatching(/^masking-/),
  })
  expect(maskedCopies(stage, 'masked')).toEqual([idOf(run)])
  expect(run.outcome).toMatchObject({
    record: { name: expect.stringMatching(/^masked-[0-9a-f]{8}-[a-z0-9]{6}$/) },
    password: stage.passwordOf(idOf(run)),
    report: expect.arrayContaining([expect.objectContaining({ kind: 'line' })]),
  })
  expectSafe(stage)
})

test('connection details appear only after the copy is proven, and the post step has no work', async () => {
  const stage = new Stage()
  const run = await createMaskedParent(stage)
  expect(JSON.stringify(run.notes.announced)).not.toMatch(/endpoint|password/i)
  expect(run.notes.intent).toBeUndefined()
})

test('a wait that fails shows nothing of the log of the copy, in which originals may stand', async () => {
  const stage = new Stage()
  const run = await createMaskedParent(stage, { patience: 1000 })
  expect(run.error).toBeInstanceOf(WaitError)
  expect(run.error).toMatchObject({ resource: 'service', logLines: [] })
  expect(order(run, 'get-service-logs')).toEqual([])
})

test('originals that are found fail the run, which deletes its own copy and leaves the last good one', async () => {
  const stage = new Stage()
  const good = await createMaskedParent(stage)
  stage.advanceTime(24 * hour)
  stage.world.hasOriginals = true
  const bad = await createMaskedParent(stage)
  expect(bad.error?.message).toMatch(/^originals were found/)
  expect(bad.outcome).toBeUndefined()
  // One request may have created several: the post step looks for them.
  expect(bad.notes.intent).toMatchObject({ isUniqueName: true })
  expect(maskedCopies(stage, 'masked')).toEqual([idOf(good)])
  expect(maskedCopies(stage, 'masking')).toEqual([])
  expectSafe(stage)
})

test('the two newest copies are kept, of three nights', async () => {
  const stage = new Stage()
  const ids: string[] = []
  for (let count = 0; count < 3; count++) {
    ids.push(idOf(await createMaskedParent(stage)))
    stage.advanceTime(24 * hour)
  }
  expect(stage.deletedServices()).toEqual([ids[0]])
  expect(maskedCopies(stage, 'masked')).toEqual(ids.slice(1))
  expectSafe(stage)
})

describe('older copies', () => {
  const left = (stage: Stage, name: string, parent = stage.parent) => stage.createPreview({ name, parent })

  it.each([
    ['of another repository', (stage: Stage) => left(stage, 'masked-00000000-aaaaaa')],
    ['of another service', (stage: Stage) => left(stage, `masked-${repositoryHash}-aaaaaa`, stage.other)],
    ['with a name that is only like one', (stage: Stage) => left(stage, `masked-${repositoryHash}-aaaaaaa`)],
    [
      'that are tagged PROD',
      (stage: Stage) => {
        const id = left(stage, `masked-${repositoryHash}-aaaaaa`)
        stage.setEnvironment(id, 'PROD')
        return id
      },
    ],
  ])('does not delete %s', async (_, make) => {
    const stage = new Stage()
    const id = make(stage)
    stage.advanceTime(24 * hour)
    for (let count = 0; count < 3; count++) await createMaskedParent(stage)
    expect(stage.deletedServices()).not.toContain(id)
    expect(stage.service(id)).toBeDefined()
  })

  it('that another run has finished meanwhile stay, even if their order is unknown', async () => {
    const undated = (services: Service[]) => services.map(service => ({ ...service, created: undefined }))
    for (let others = 0; others < 10; others++) {
      const stage = new Stage()
      // Each time the copies have other ids, which decide their order.
      for (let count = 0; count < others; count++) stage.callAsOther('create-service', { name: 'another' })
      stage.onEveryCall('list-services', () => changedList(undated))
      const old = [idOf(await createMaskedParent(stage)), idOf(await createMaskedParent(stage))]
      const fresh = (
        await Promise.all([createMaskedParent(stage), createMaskedParent(stage, { start: 500 })])
      ).map(idOf)
      expect(stage.deletedServices().filter(id => !old.includes(id))).toEqual([])
      expect(maskedCopies(stage, 'masked')).toEqual(expect.arrayContaining(fresh))
    }
  })
})

describe('a run that is killed', () => {
  const questions = ['list-services', 'fork-service', 'get-service', 'openContents', 'quarantine', 'mask']
  const kills = [...questions, 'update-password', 'rename-service'].flatMap(what => [
    [what, 1] as const,
    [what, 10] as const,
  ])

  it.each(kills)(
    'at %s, %i ms later, leaves nothing that is called masked and is not',
    async (what, after) => {
      const rehearsal = await createMaskedParent(new Stage())
      const call = rehearsal.calls.findIndex(({ name }) => name === what) + 1
      const stage = new Stage()
      const good = await createMaskedParent(stage)
      stage.advanceTime(24 * hour)
      await createMaskedParent(stage, { killed: { call, after } })
      expectSafe(stage)
      expect(maskedCopies(stage, 'masked')).toContain(idOf(good))
      stage.advanceTime(24 * hour)
      await createMaskedParent(stage)
      expect(maskedCopies(stage, 'masking')).toEqual([])
      expect(maskedCopies(stage, 'masked')).toHaveLength(2)
      expectSafe(stage)
    },
  )
})

test('a connection that breaks while it is masked does not mask a second time', async () => {
  const stage = new Stage()
  stage.onCall('mask', () => new Error('ECONNRESET'))
  const run = await createMaskedParent(stage)
  expect(run.error?.message).toMatch(/^the connection to the database of service \w+ broke/)
  expect(maskedCopies(stage, 'masking')).toEqual([])
  expectSafe(stage)
})

test('a copy that has its name already is not deleted, though the answer to that is lost each time', async () => {
  const stage = new Stage()
  stage.onEveryCall('rename-service', () => brokenConnection(50))
  const run = await createMaskedParent(stage)
  expect(run.error).toBeDefined()
  expect(maskedCopies(stage, 'masked')).toHaveLength(1)
  expect(stage.deletedServices()).toEqual([])
  expectSafe(stage)
})

test('two concurrent runs create one copy each, and both are complete', async () => {
  const stage = new Stage()
  const runs = await Promise.all([createMaskedParent(stage), createMaskedParent(stage, { start: 5000 })])
  expect(maskedCopies(stage, 'masked').sort()).toEqual(runs.map(idOf).sort())
  expectSafe(stage)
})

test('an object that the quarantine cannot disable fails the run', async () => {
  const stage = new Stage()
  stage.world.undone = [{ what: 'login reporting', reason: 'permission denied', next: 'grant it' }]
  const run = await createMaskedParent(stage)
  expect(run.error?.message).toMatch(/is not completely quarantined/)
  expect(run.idsOf('mask')).toEqual([])
  expect(maskedCopies(stage, 'masking')).toEqual([])
})

test('a cancelled run leaves its copy to the post step', async () => {
  const stage = new Stage()
  const run = await createMaskedParent(stage, { cancelledAfter: 30_000 })
  expect(run.error?.message).toMatch(/cancelled/)
  expect(run.notes).toMatchObject({ intent: { isUniqueName: true }, created: { certain: true } })
})

test('a dry run forks nothing, and reports the planned change', async () => {
  const stage = new Stage()
  const run = await createMaskedParent(stage, { settings: { dryRun: true } })
  expect(run.idsOf('fork-service')).toEqual([])
  expect(run.outcome?.skipped).toMatch(/^dry run: would fork .* mask it by masking\.yml/)
  expect(run.outcome?.skipped).toMatch(/; the rules were not compared with the database: set database_url /)
})

test('a dry run without a file proposes one for a database_url, or requires one', async () => {
  const stage = new Stage()
  const run = await createMaskedParent(stage, {
    settings: { dryRun: true },
    preview: { maskFile: undefined },
  })
  expect(run.error?.message).toMatch(/^a dry run needs mask_file/)
  expect(run.calls).toEqual([])
})

test('prune keeps masked copies, finished or not', async () => {
  const stage = new Stage()
  await createMaskedParent(stage)
  stage.createPreview({ name: `masking-${repositoryHash}-aaaaaa` })
  stage.createPreview()
  stage.setPullRequest('closed')
  stage.advanceTime(24 * hour)
  const run = await stage.run('prune-previews', { preview: { masked: true } })
  expect(maskedCopies(stage, 'masked')).toHaveLength(1)
  expect(maskedCopies(stage, 'masking')).toHaveLength(1)
  expect(run.outcome?.deletedIds).toHaveLength(1)
})
