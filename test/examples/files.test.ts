/** Tests all workflow files. */
import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ourName, sameCommit } from './support/reference-to-us.ts'
import { findProblems } from './support/validate.ts'
import { readWorkflow, repository, type Workflow, type WorkflowStep } from './support/workflow-file.ts'

const inFolder = (folder: string) =>
  readdirSync(resolve(repository, folder))
    .filter(name => name.endsWith('.yml'))
    .map(name => `${folder}/${name}`)

const workflows = [...inFolder('.github/workflows'), ...inFolder('examples')]
const isReusable = (path: string) => 'workflow_call' in readWorkflow(path).on
/** The permissions that the token of a job may have at most. The project's own publishing workflows need more. */
const mayWrite: Record<string, string[]> = {
  others: ['pull-requests'],
  '.github/workflows/release.yml': ['contents', 'id-token', 'attestations'],
  '.github/workflows/codeql.yml': ['security-events'],
  '.github/workflows/scorecard.yml': ['security-events', 'id-token'],
}

const read = (path: string) => readFileSync(resolve(repository, path), 'utf8')

const actions = ['action.yml', 'preview/action.yml', 'database/action.yml', 'emulator/action.yml']

describe.each([...workflows, ...inFolder('ghes'), ...actions])('%s', path => {
  it("holds nothing that GitHub's own language service objects to", async () => {
    expect(await findProblems(path)).toEqual([])
  })
})

/** Workflows that people copy or call; the ten lines have no room for names. */
const forOthers = [...inFolder('examples'), ...inFolder('ghes'), ...workflows.filter(isReusable)].filter(
  path => !path.includes('ten-lines'),
)

it.each(forOthers)('%s names its jobs', path => {
  for (const [, { name }] of Object.entries(readWorkflow(path).jobs)) expect(name).toMatch(/^[A-Z]/)
})

const isPreview = ({ uses = '', with: given }: WorkflowStep) =>
  given?.operation === 'preview' || (/\/preview@/.test(uses) && given?.operation === undefined)

describe.each(workflows)('%s', path => {
  const workflow = readWorkflow(path)
  const jobs = Object.entries(workflow.jobs)
  const steps = jobs.flatMap(([, job]): WorkflowStep[] => job.steps ?? [])

  it('pins the actions of others by SHA, with a version', () => {
    const lines = [...read(path).matchAll(/^\s*(?:- )?uses: (.*)$/gm)].map(([, used]) => used)
    const hasAnyMarker = (used = '') => [ourName, sameCommit, './'].some(start => used.startsWith(start))
    const theirs = lines.filter(used => !hasAnyMarker(used))
    for (const used of theirs) expect(used).toMatch(/^[\w-]+(?:\/[\w-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  })

  it('grants a token only the permissions of each job', () => {
    for (const [, { permissions }] of jobs) {
      const written = Object.entries(permissions ?? {}).filter(([, access]) => access !== 'read')
      expect(mayWrite[path] ?? mayWrite.others).toEqual(
        expect.arrayContaining(written.map(([permission]) => permission)),
      )
    }
    expect(workflow.permissions).toEqual({})
  })

  it('names beside `queue: max` the tools that do not support it yet', () => {
    for (const [line] of read(path).matchAll(/^ *queue: max\b.*/gm))
      if (path.startsWith('examples/') || isReusable(path))
        expect(line).toMatch(/act 0\.2\.89 and actionlint 1\.7\.12/)
  })

  it('creates no deployment where it uses an environment only for its secrets', () => {
    if (isReusable(path))
      for (const [, { environment }] of jobs) expect(environment).toMatchObject({ deployment: false })
  })

  it('pastes nothing into a script', () => {
    for (const { run } of steps) expect(run ?? '').not.toContain('${{')
  })

  it('is never cancelled while it makes or deletes a preview, nor while it waits for its turn', () => {
    if (/(?:ci|systems)\.yml$/.test(path)) return
    const all = [workflow.concurrency, ...jobs.map(([, { concurrency }]) => concurrency)].filter(one => one)
    for (const one of all) expect(one).toMatchObject({ 'cancel-in-progress': false, queue: 'max' })
    // Each run of the merge queue is of an entry of its own.
    const isOfQueue = Object.keys(workflow.on).join() === 'merge_group'
    const ofPullRequest = !isOfQueue && steps.some(step => isPreview(step))
    const groups = all.map(one => one?.group ?? '').join()
    if (ofPullRequest) expect(groups).toContain('github.event.pull_request.number')
  })
})

/** The comment that a workflow begins with. */
const headOf = (path: string) => /^(?:#.*\n)*/.exec(read(path))?.[0]

const readPreviewInputs = ({ jobs }: Workflow) =>
  Object.values(jobs).flatMap(({ uses = '', with: given, steps = [] }) => [
    ...steps.filter(isPreview).map(step => step.with),
    ...(uses.includes('/preview.yml@') ? [given] : []),
  ])

it('each example gives its previews the max_age of prune-previews.yml, so that the comment shows the expiry', () => {
  const workflows = inFolder('examples').map(readWorkflow)
  const previews = workflows.filter(({ on }) => 'pull_request' in on).flatMap(readPreviewInputs)
  expect(previews.length).toBeGreaterThan(4)
  const [prune] = Object.values(readWorkflow('examples/prune-previews.yml').jobs)
  const max_age = prune?.steps?.at(-1)?.with?.max_age
  expect(previews).toEqual(previews.map(() => expect.objectContaining({ max_age })))
})

it.each(inFolder('examples'))(
  '%s prunes the previews that it makes, or names the workflow that does',
  path => {
    const { on } = readWorkflow(path)
    const previewInputs = readPreviewInputs(readWorkflow(path))
    if (previewInputs.length === 0) return
    const isPruning = 'schedule' in on && previewInputs.every(given => given?.max_age !== undefined)
    expect(isPruning ? 'prune-previews.yml' : headOf(path)).toContain('prune-previews.yml')
  },
)

it('a team refers to the reusable workflows in ten lines', () => {
  for (const path of workflows.filter(name => name.includes('ten-lines')))
    expect(read(path).trimEnd().split('\n')).toHaveLength(10)
})

it('the README shows the ten lines as they stand in the example', () => {
  expect(read('README.md')).toContain(`\`\`\`yaml\n${read('examples/preview-in-ten-lines.yml')}\`\`\``)
})

describe('the language service sees', () => {
  const text = read('examples/preview.yml')

  it.each([
    ['a misspelt input', text.replace('base_url:', 'base_urll:'), 'base_urll'],
    ['an input that only the other action has', text.replace('base_url:', 'vpc_id:'), 'vpc_id'],
    ['a key that workflows do not have', text.replace('timeout-minutes', 'timeout'), 'timeout'],
    ['a way to queue that there is none', text.replace('queue: max', 'queue: most'), 'most'],
    ['an unknown function', text.replace('vars.DATABASE_BASE_URL', 'whatever(1)'), 'whatever'],
  ])('%s', async (_, wrong, word) => {
    expect((await findProblems(`examples/wrong-${word}.yml`, wrong)).join()).toContain(word)
  })

  it('a called workflow with an unknown input', async () => {
    const wrong = read('examples/prune-in-ten-lines.yml').replace('base_url:', 'base_urll:')
    expect((await findProblems('examples/wrong-call.yml', wrong)).join()).toContain('base_urll')
  })
})
