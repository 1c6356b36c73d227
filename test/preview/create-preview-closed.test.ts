/** Tests create-preview for pull requests that are closed before or during the run. */
import { describe, expect, it } from 'vitest'
import { pullRequest } from '../simulator/preview-names.ts'
import { changedAnswer, refused } from './support/courses.ts'
import { eventOf, minute, second } from './support/inputs.ts'
import { type Earlier, type RunReport, Stage } from './support/stage.ts'

const create = 'create-preview'
const skipped = 'pull request 7 is closed'
const own = ({ notes }: RunReport) => notes.created?.ids.service_id

describe('a pull request that is closed', () => {
  it('is known by the event alone', async () => {
    const run = await new Stage().run(create, { event: eventOf('closed') })
    expect(run.outcome?.skipped).toBe(skipped)
    expect(run.calls).toEqual([])
  })

  it('is not known by the event of another', async () => {
    const stage = new Stage()
    const run = await stage.run(create, { event: eventOf('closed', 12), preview: { pullRequest } })
    expect(run.outcome).toMatchObject({ created: true, pullRequest })
  })

  it('counts as open if GitHub does not answer', async () => {
    const stage = new Stage()
    stage.onEveryCall('readPullRequest', () => new Error('GitHub is down'))
    const run = await stage.run(create)
    expect(run.outcome?.created).toBe(true)
    expect(run.warnings).toContain('it is unknown whether pull request 7 is open: GitHub is down')
  })
})

describe('a pull request that is closed meanwhile', () => {
  it('gets no database if it is closed right before the fork', async () => {
    const stage = new Stage()
    stage.onCall('list-services', () => void stage.setPullRequest('closed'))
    const run = await stage.run(create)
    expect(run.outcome).toMatchObject({ skipped, deleted: false })
    expect(run.idsOf('fork-service')).toEqual([])
    expect(stage.commentStates()).toEqual([])
  })

  it('has its new preview deleted again, and waited for', async () => {
    const stage = new Stage()
    stage.schedule(10 * second, () => stage.setPullRequest('closed'))
    const run = await stage.run(create)
    expect(run.outcome).toMatchObject({ skipped, deleted: true, changed: true })
    expect(run.outcome?.ids.service_id).toBeUndefined()
    expect(run.idsOf('delete-service')).toEqual([own(run)])
    expect(stage.deletedServices()).toEqual([own(run)])
    expect(run.outcome?.deletedIds).toEqual(stage.deletedServices())
    expect(stage.service(own(run))).toBeUndefined()
    expect(stage.commentStates()).toEqual(['creating', 'deleted'])
    expect(run.lines).toContain('pull request 7 is closed now, so its preview is deleted again')
  })

  it('has the one that it found deleted too', async () => {
    const stage = new Stage()
    const id = stage.createPreview()
    stage.schedule(10 * second, () => stage.setPullRequest('closed'))
    const run = await stage.run(create)
    expect(run.outcome).toMatchObject({ skipped, deleted: true })
    expect(stage.service(id)).toBeUndefined()
  })

  it('has the database of the run deleted, though no list shows it and its record names no parent', async () => {
    const stage = new Stage({
      lag: { kind: 'records', upTo: { listed: 10 * minute, forked_from: 10 * minute } },
      readyAfter: second,
      deleteAfter: 0,
    })
    stage.schedule(5 * second, () => stage.setPullRequest('closed'))
    const run = await stage.run(create, { patience: 20 * second })
    expect(run.outcome).toMatchObject({ skipped, deleted: true })
    expect(stage.deletedServices()).toEqual([own(run)])
    expect(run.took).toBeLessThan(25 * second)
  })

  it('keeps it if the pull request is reopened before the deletion', async () => {
    const stage = new Stage()
    stage.schedule(10 * second, () => stage.setPullRequest('closed'))
    // At the start, before the fork and at its end; the fourth question comes right before the deletion.
    stage.onCall('readPullRequest', () => void stage.setPullRequest('open'), 4)
    const run = await stage.run(create)
    expect(stage.deletedServices()).toEqual([])
    expect(stage.livePreviews()).toEqual([own(run)])
    expect(run.outcome).toMatchObject({ deleted: false })
    expect(stage.commentStates()).not.toContain('deleted')
    expect(run.lines).toContainEqual(expect.stringContaining('pull request 7 keeps its preview after all'))
  })

  it.each<[string, (stage: Stage) => Earlier]>([
    ['tagged PROD', () => ({ environment: 'PROD' })],
    ['a fork of another parent', stage => ({ parent: stage.other })],
  ])('does not change a service that is %s', async (_, earlier) => {
    const stage = new Stage()
    stage.schedule(10 * second, () => stage.setPullRequest('closed'))
    let foreign = ''
    const appear = () => {
      foreign = stage.createPreview(earlier(stage))
      return undefined
    }
    // After all possible failures: at the end, when the run asks whether the pull request is closed.
    stage.onCall('readPullRequest', appear, 3)
    const run = await stage.run(create)
    expect(stage.livePreviews()).toEqual([foreign])
    expect(stage.deletedServices()).toEqual([own(run)])
    expect(run.outcome).toMatchObject({ skipped, deleted: true })
    expect(stage.commentStates()).not.toContain('deleted')
  })
})

describe('a run that fails while the pull request is closed', () => {
  it('deletes its own database, which cannot become READY since the closing run deleted it', async () => {
    const stage = new Stage()
    stage.schedule(10 * second, () => {
      stage.setPullRequest('closed')
      stage.deleteService(stage.livePreviews()[0] as string)
    })
    const run = await stage.run(create)
    expect(run.error).toBeUndefined()
    expect(run.outcome?.skipped).toBe(skipped)
    expect(stage.livePreviews()).toEqual([])
    expect(stage.commentStates()).toEqual(['creating', 'deleted'])
  })

  it('deletes a database that does not become READY in time', async () => {
    const stage = new Stage()
    // The answers never show READY.
    stage.onEveryCall('get-service', () => changedAnswer(service => ({ ...service, status: 'CONFIGURING' })))
    stage.schedule(10 * second, () => stage.setPullRequest('closed'))
    const run = await stage.run(create, { patience: minute })
    expect(stage.deletedServices()).toEqual([own(run)])
  })

  it('fails as usual if the pull request is open', async () => {
    const stage = new Stage()
    stage.onEveryCall('get-service', () => changedAnswer(service => ({ ...service, status: 'CONFIGURING' })))
    const run = await stage.run(create, { patience: minute })
    expect(run.error?.message).toContain('without success for service')
    expect(stage.deletedServices()).toEqual([])
    expect(stage.commentStates()).toEqual(['creating', 'failed'])
  })

  it('fails with the refusal of the API, and deletes nothing', async () => {
    const stage = new Stage()
    stage.onEveryCall('update-password', () => refused(403))
    stage.schedule(10 * second, () => stage.setPullRequest('closed'))
    const run = await stage.run(create)
    expect(run.error?.message).toContain('update-password')
    expect(stage.deletedServices()).toEqual([])
  })
})

describe('a step that is cancelled', () => {
  it('deletes and writes nothing more', async () => {
    const stage = new Stage()
    const run = await stage.run(create, { cancelledAfter: 10 * second })
    expect(run.error?.name).toBe('CancelledError')
    expect(run.took).toBeLessThan(11 * second)
    expect(stage.livePreviews()).toEqual([own(run)])
    expect(stage.commentStates()).toEqual(['creating'])
  })

  it('does not take the interrupted comment for one that may not be written', async () => {
    const stage = new Stage()
    const interrupt = () => {
      stage.cancel()
      return new Error('interrupted')
    }
    stage.onCall('writeComment', interrupt, 2)
    const run = await stage.run(create)
    expect(run.error?.name).toBe('CancelledError')
    expect(run.warnings).toEqual([])
  })

  it('does not take the interrupted question for a GitHub that is down', async () => {
    const stage = new Stage()
    stage.onCall('readPullRequest', () => void stage.cancel(), 2)
    const run = await stage.run(create)
    expect(run.error?.name).toBe('CancelledError')
    expect(run.warnings).toEqual([])
    expect(run.idsOf('fork-service')).toEqual([])
  })
})
