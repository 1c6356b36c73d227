/** Tests the quarantine and the seed files of previews. */
import { describe, expect, it, test } from 'vitest'
import type { Course } from '../simulator/faults.ts'
import { changedAnswer, changedList } from './support/courses.ts'
import { minute } from './support/inputs.ts'
import { type RunReport, Stage } from './support/stage.ts'

const create = 'create-preview'

/** A file that fills a preview. The text `fails` makes it fail in the simulated database. */
const seed = (name: string, text = '') => ({ name, text, hash: `hash of ${text}` })

/** An object that the owner of a database cannot disable. */
const undone = {
  what: 'login reporting',
  reason: 'permission denied to alter role',
  next: 'run GRANT reporting TO tsdbadmin WITH ADMIN OPTION in the parent',
}

/** The questions of these kinds in order. */
const order = ({ calls }: RunReport, ...kinds: string[]) =>
  calls
    .map(({ name, body }) => (name === 'writeComment' ? String(body.state) : name))
    .filter(what => kinds.includes(what))

describe('a fork', () => {
  it('is quarantined right after READY, before connection details are published', async () => {
    const stage = new Stage()
    const run = await stage.run(create)
    expect(order(run, 'fork-service', 'quarantine', 'ready')).toEqual(['fork-service', 'quarantine', 'ready'])
    expect(JSON.stringify(run.notes.announced)).not.toMatch(/endpoint|password/i)
    expect(run.lines).toContain(`service ${run.id} is quarantined: 1 job`)
    expect(JSON.stringify(run.outcome?.report)).toContain('send_mail')
    expect(stage.world.leaks).toEqual([])
  })

  it('is not quarantined a second time', async () => {
    const stage = new Stage()
    const run = await stage.run(create)
    const again = await stage.run(create)
    expect(again.idsOf('quarantine')).toEqual([])
    expect(again.outcome?.report).toEqual(run.outcome?.report)
    expect(stage.comments.at(-1)).toMatchObject({ state: 'ready', quarantine: '1 job' })
  })

  it('is quarantined again after a start, by the run that starts it', async () => {
    const stage = new Stage()
    const id = (await stage.run(create)).id
    stage.pause(id, minute)
    const connection = await stage.run('get-connection', { given: {} })
    expect(connection.idsOf('start-service')).toEqual([id])
    expect(connection.idsOf('quarantine')).toHaveLength(1)
    expect((await stage.run(create)).idsOf('quarantine')).toEqual([])
  })

  it('is quarantined again after a reset, and after a change of keep_active', async () => {
    const stage = new Stage()
    await stage.run(create)
    expect((await stage.run('reset-preview')).idsOf('quarantine')).toHaveLength(1)
    const keepActive = { kinds: [], names: [{ kind: 'login' as const, name: 'app' }] }
    expect((await stage.run(create, { settings: { keepActive } })).idsOf('quarantine')).toHaveLength(1)
    expect((await stage.run(create, { settings: { keepActive } })).idsOf('quarantine')).toEqual([])
  })

  it('is quarantined if an older run has not done it', async () => {
    const stage = new Stage()
    await stage.run(create, { settings: { quarantine: false } })
    expect((await stage.run(create)).idsOf('quarantine')).toHaveLength(1)
  })

  it('is not changed without a requested quarantine, even by get-connection', async () => {
    const stage = new Stage()
    const run = await stage.run(create, { settings: { quarantine: false } })
    expect([run.idsOf('quarantine'), run.outcome?.report]).toEqual([[], []])
    expect((await stage.run('get-connection', { given: {} })).idsOf('quarantine')).toEqual([])
  })

  it('reports the objects that it could not disable, and continues', async () => {
    const stage = new Stage()
    stage.world.undone = [undone]
    const run = await stage.run(create)
    expect(run.error).toBeUndefined()
    expect(run.warnings).toEqual([
      `service ${run.id}: not quarantined: login reporting: permission denied to alter role — ${undone.next}`,
    ])
  })

  it('is not published if a strict quarantine could not disable an object', async () => {
    const stage = new Stage()
    stage.world.undone = [undone]
    const run = await stage.run(create, { settings: { quarantine: 'strict' } })
    expect(run.error?.message).toMatch(/ is not completely quarantined: login reporting: permission denied/)
    expect(stage.commentStates()).toEqual(['creating', 'failed'])
    const connection = await stage.run('get-connection', { given: {} })
    expect(connection.error?.message).toMatch(/ is not finished: .* is not completely quarantined/)
  })

  it('is quarantined again if strict is now requested, and an object stayed active', async () => {
    const stage = new Stage()
    stage.world.undone = [undone]
    await stage.run(create)
    const run = await stage.run(create, { settings: { quarantine: 'strict' } })
    expect(run.idsOf('quarantine')).toHaveLength(1)
    expect(run.error?.message).toContain('is not completely quarantined')
  })

  describe('that cannot be reached from the runner', () => {
    const unreachable = () => new Error('connect ETIMEDOUT')

    it('is published with a warning', async () => {
      const stage = new Stage()
      stage.onEveryCall('openContents', unreachable)
      const run = await stage.run(create)
      expect(run.warnings.join()).toMatch(
        /^service \w+ is not quarantined: .*connect ETIMEDOUT; the jobs, logins/,
      )
      expect(run.outcome?.password).toBeDefined()
    })

    it.each([
      ['strict is requested', { settings: { quarantine: 'strict' as const } }, 'is not quarantined: '],
      ['it is to be filled', { seeds: [seed('seed.sql')] }, 'is not filled by seed_file'],
    ])('is an error if %s', async (_, options, message) => {
      const stage = new Stage()
      stage.onEveryCall('openContents', unreachable)
      const run = await stage.run(create, options)
      expect(run.error?.message).toContain(message)
      expect(stage.commentStates()).toEqual(['creating', 'failed'])
    })
  })
})

test('an empty preview has nothing to be quarantined', async () => {
  const run = await new Stage().run(create, { given: {} })
  expect(run.idsOf('quarantine')).toEqual([])
})

describe('a preview that files fill', () => {
  const seeds = [seed('a.sql'), seed('b.sql')]

  it('is filled once, in order, between quarantine and publication', async () => {
    const stage = new Stage()
    const run = await stage.run(create, { seeds })
    expect(order(run, 'quarantine', 'seed', 'ready')).toEqual(['quarantine', 'seed', 'seed', 'ready'])
    expect((await stage.run(create, { seeds })).idsOf('seed')).toEqual([])
    expect(stage.world.held(run.id).seeds).toEqual(['a.sql', 'b.sql'])
  })

  it.each([0, 5, 20, 35])(
    'is filled once if the run is killed %i ms after it began with a file',
    async after => {
      const stage = new Stage()
      const rehearsal = await new Stage().run(create, { seeds })
      const call = rehearsal.calls.findIndex(({ name }) => name === 'seed') + 1
      await stage.run(create, { seeds, killed: { call, after } })
      const run = await stage.run(create, { seeds })
      expect(stage.world.held(run.id).seeds).toEqual(['a.sql', 'b.sql'])
      expect(stage.world.leaks).toEqual([])
    },
  )

  it('fails with a file, is not published by others, and continues with the corrected file', async () => {
    const stage = new Stage()
    const run = await stage.run(create, { seeds: [seed('a.sql'), seed('b.sql', 'fails')] })
    expect(run.error?.message).toMatch(
      /^b\.sql:1:1: syntax error.*; the preview preview-pr-7-\w+ \(service \w+\) is kept, and the next run fills it$/,
    )
    expect(stage.commentStates()).toEqual(['creating', 'failed'])
    const connection = await stage.run('get-connection', { given: {} })
    expect(connection.error?.message).toMatch(/ is not finished: b\.sql:1:1: syntax error/)
    const corrected = await stage.run(create, { seeds })
    expect(stage.world.held(corrected.id).seeds).toEqual(['a.sql', 'b.sql'])
  })

  it('reports that only a reset runs a file that was added or changed later', async () => {
    const stage = new Stage()
    await stage.run(create, { seeds: [seed('a.sql')] })
    const run = await stage.run(create, { seeds: [seed('a.sql', 'other'), seed('b.sql')] })
    expect(run.idsOf('seed')).toEqual([])
    expect(run.lines).toContain(
      'a.sql, b.sql: the database was filled before; reset-preview recreates it with all files',
    )
  })

  it('makes get-connection wait until it is filled', async () => {
    const stage = new Stage()
    const [created, connection] = await Promise.all([
      stage.run(create, { seeds }),
      stage.run('get-connection', { given: {} }),
    ])
    expect(connection.id).toBe(created.id)
    expect(stage.world.leaks).toEqual([])
  })
})

test('get-connection quarantines an old preview in which no run has noted anything', async () => {
  const stage = new Stage()
  const id = (await stage.run(create, { settings: { quarantine: false } })).id
  stage.world.held(id).text = undefined
  stage.advanceTime(10 * minute)
  const connection = await stage.run('get-connection', { given: {} })
  expect(connection.idsOf('quarantine')).toHaveLength(1)
  expect(connection.outcome?.password).toBe(stage.passwordOf(id))
  expect(connection.warnings).toEqual([
    expect.stringMatching(/^no run has noted that it finished the database/),
  ])
  const next = await stage.run('get-connection', { given: {} })
  expect([next.outcome?.password, next.warnings]).toEqual([stage.passwordOf(id), []])
  const created = await stage.run(create, { seeds: [seed('a.sql')] })
  expect([created.id, stage.world.held(id).seeds]).toEqual([id, ['a.sql']])
})

test('get-connection also quarantines if the record names its parent only during the wait', async () => {
  const stage = new Stage()
  const id = (await stage.run(create, { settings: { quarantine: false } })).id
  stage.world.held(id).text = undefined
  let isLate = true
  const late = (course: Course) => () => (isLate ? course : undefined)
  const orphan = (record: object) => ({ ...record, forked_from: undefined })
  stage.onEveryCall('list-services', late(changedList(services => services.map(orphan) as typeof services)))
  stage.onEveryCall('get-service', late(changedAnswer(orphan)))
  stage.schedule(minute, () => {
    isLate = false
  })
  const connection = await stage.run('get-connection', { given: {} })
  expect(connection.outcome?.password).toBe(stage.passwordOf(id))
  expect(connection.idsOf('quarantine')).toHaveLength(1)
})

test('get-connection does not call a preview quarantined if the inputs exclude the quarantine', async () => {
  const stage = new Stage()
  const id = (await stage.run(create, { settings: { quarantine: false } })).id
  stage.world.held(id).text = undefined
  stage.advanceTime(10 * minute)
  const connection = await stage.run('get-connection', { given: {}, settings: { quarantine: false } })
  expect(connection.idsOf('quarantine')).toEqual([])
  expect(connection.warnings.join()).toContain('it is published as it is, perhaps without seed_file')
})

test.each([
  ['no JSON', '{"service_id":', 'it is not JSON'],
  ['of a newer version', '{"version": 2}', 'it has version 2, and this release reads version 1'],
  ['of another form', '{"service_id": 7}', 'it does not have the expected form at service_id'],
])('a note that is %s is an error, and nothing is done again', async (_, text, why) => {
  const stage = new Stage()
  const id = (await stage.run(create)).id
  stage.world.held(id).text = text
  const { error, idsOf } = await stage.run(create, { seeds: [seed('a.sql')] })
  expect(error?.message).toBe(`the note in the database of service ${id} cannot be read: ${why}`)
  expect([idsOf('quarantine'), stage.world.held(id).seeds, stage.world.held(id).text]).toEqual([[], [], text])
})

test('fields that another release noted stay, and the name of the preview is noted', async () => {
  const stage = new Stage()
  const id = (await stage.run(create)).id
  const note = JSON.parse(String(stage.world.held(id).text))
  expect(note).toMatchObject({ version: 1, preview: expect.stringMatching(/^preview-pr-\d+-[0-9a-f]{8}$/) })
  const kind = { id: '9', kind: 'publication', name: 'p', database: 'tsdb', newer: 1 }
  const { quarantine, preview: _, ...older } = note
  const report = { ...quarantine.report, quarantined: [kind] }
  const newer = { ...older, newer: 2, quarantine: { ...quarantine, report } }
  stage.world.held(id).text = JSON.stringify(newer)
  await stage.run(create)
  expect(JSON.parse(String(stage.world.held(id).text))).toEqual({ ...newer, preview: note.preview })
})

test('an old preview whose note was deleted is prepared again, with a warning', async () => {
  const stage = new Stage()
  const id = (await stage.run(create)).id
  stage.world.held(id).text = undefined
  stage.advanceTime(10 * minute)
  const { warnings } = await stage.run(create)
  expect(warnings.filter(text => text.includes('has no note of this action'))).toHaveLength(1)
  expect(JSON.parse(String(stage.world.held(id).text))).toMatchObject({ service_id: id, ready: true })
})

test('two runs do not fill a database at the same time', async () => {
  const stage = new Stage()
  const seeds = [seed('a.sql'), seed('b.sql')]
  const runs = await Promise.all([stage.run(create, { seeds }), stage.run(create, { seeds })])
  expect(new Set(runs.map(({ id }) => id)).size).toBe(1)
  expect(stage.world.held(runs[0]?.id ?? '').seeds).toEqual(['a.sql', 'b.sql'])
})
