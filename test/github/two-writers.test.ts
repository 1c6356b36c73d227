/** Tests two jobs that write the same comment. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { GitHubCall } from '#github/ask/call'
import { GitHubRefusalError } from '#github/ask/errors'
import { Repository } from '#github/ask/repository'
import { Comments } from '#github/comment/comment'
import type { FindOwnComments } from '#github/comment/own-comments'
import { fromRest } from '#github/comment/own-comments'
import { renderMarker, type SectionName } from '#github/comment/sections'
import type { WorkflowEvent } from '#preview/base/github'
import { VirtualTime } from '../simulator/virtual-time.ts'
import { thoroughness } from '../support/thoroughness.ts'

const name = 'preview-pr-7-0a1b2c3d'
const place = { pullRequest: 7, name }
const event: WorkflowEvent = {
  ...{ name: 'pull_request', action: 'opened', pullRequest: undefined, repositoryId: '1', actor: 'octocat' },
  ...{ repository: 'octo-org/shop', runUrl: '' },
}

/** Milliseconds that a request takes to GitHub, and its answer back. */
type Course = [there: number, back: number][]

/** The comments of one pull request, in virtual time. */
class Shared {
  readonly time = new VirtualTime()
  readonly comments: { id: number; body: string }[] = []
  changes = 0
  #lastId = 0

  #render = ({ id, body }: { id: number; body: string }) => ({
    ...{ id, body, html_url: `https://github.example/${id}` },
    updated_at: new Date(this.time.now).toISOString(),
  })

  #answer(route: string, { comment_id, body }: Record<string, unknown>): unknown {
    const found = this.comments.find(({ id }) => id === comment_id)
    if (route.endsWith('/issues/{issue_number}/comments')) {
      const created = { id: ++this.#lastId, body: String(body) }
      this.comments.push(created)
      return this.#render(created)
    }
    if (!found) throw new GitHubRefusalError(route, { status: 404, message: 'Not Found', permission: 'none' })
    if (route.startsWith('DELETE')) this.comments.splice(this.comments.indexOf(found), 1)
    if (route.startsWith('PATCH')) {
      found.body = String(body)
      this.changes++
    }
    return this.#render(found)
  }

  sleep = (ms: number) => new Promise<void>(resolve => void this.time.schedule(ms, resolve))

  /** One job whose requests run one after another, with the given durations. */
  writer(course: Course): Comments {
    const delays = [...course]
    const exchange = async <Answer>(answer: () => Answer): Promise<Answer> => {
      const [there, back] = delays.shift() ?? [100, 100]
      await this.sleep(there)
      try {
        return answer()
      } finally {
        await this.sleep(back)
      }
    }
    const call: GitHubCall = ({ route, parameters = {} }) =>
      exchange(() => ({ status: 200, headers: {}, data: this.#answer(route, parameters) }))
    const findOwn: FindOwnComments = () =>
      exchange(() => this.comments.map(one => fromRest(this.#render(one))))
    const repository = new Repository(call, event)
    return new Comments(repository, findOwn, { seam: this, signal: new AbortController().signal })
  }
}

const delay = fc.integer({ min: 0, max: 900 })
const course: fc.Arbitrary<Course> = fc.array(fc.tuple(delay, delay), { maxLength: 12 })
const start = fc.integer({ min: 0, max: 4000 })

interface Job {
  section: SectionName
  text: string
  /** When it begins, and how long its requests take. */
  at?: number
  course?: Course
}

/** Jobs that each write their section, at random moments. */
async function play(shared: Shared, jobs: Job[]) {
  const done = jobs.map(async ({ section, text, at = 0, course = [] }) => {
    await shared.sleep(at)
    await shared.writer(course).write({ ...place, section, text, onlyUpdate: false })
  })
  await Promise.all([shared.time.run(), ...done])
}

/** As earlier runs have left it. */
async function prepare(shared: Shared, sections: SectionName[]) {
  for (const section of sections) await play(shared, [{ section, text: `old ${section}` }])
}

const both = [
  `${renderMarker(name)}
new database

<!-- managed-database-action:migrations -->
new migrations
<!-- managed-database-action:end -->
`,
]
const bodies = (shared: Shared) => shared.comments.map(({ body }) => body)

describe('two jobs that write one comment, in any order of their requests', () => {
  test.each<[string, SectionName[]]>([
    ['has no comment yet', []],
    ['has both sections', ['database', 'migrations']],
    ['has the section on migrations', ['migrations']],
  ])('leave one comment with both sections if the pull request %s', async (_, sections) => {
    await fc.assert(
      fc.asyncProperty(start, course, start, course, async (at, mine, later, theirs) => {
        const shared = new Shared()
        await prepare(shared, sections)
        await play(shared, [
          { section: 'database', text: 'new database', at, course: mine },
          { section: 'migrations', text: 'new migrations', at: later, course: theirs },
        ])
        expect(bodies(shared)).toEqual(both)
      }),
      { numRuns: 100 * thoroughness },
    )
  })

  test('never lose the migrations section if the comment has only the database section', async () => {
    await fc.assert(
      fc.asyncProperty(start, course, start, course, async (at, mine, later, theirs) => {
        const shared = new Shared()
        await prepare(shared, ['database'])
        await play(shared, [
          { section: 'database', text: 'new database', at, course: mine },
          { section: 'migrations', text: 'new migrations', at: later, course: theirs },
        ])
        expect(bodies(shared)).toEqual([
          expect.stringMatching(/(?:old|new) database\n\n<!-- .*\nnew migrations\n/),
        ])
      }),
      { numRuns: 100 * thoroughness },
    )
  })
})

test('writing an unchanged section does not change the comment', async () => {
  const shared = new Shared()
  await prepare(shared, ['database', 'migrations'])
  expect(shared.changes).toBe(1)
  await prepare(shared, ['migrations'])
  expect(shared.changes).toBe(1)
})
