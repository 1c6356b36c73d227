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

const jobsOf = (path: string) => Object.values(readWorkflow(path).jobs)
const stepsOf = (path: string): WorkflowStep[] => jobsOf(path).flatMap(({ steps = [] }) => steps)

/** All lines of the workflows that match, each after its path. */
const findLines = (paths: readonly string[], line: RegExp) =>
  paths.flatMap(path => [...read(path).matchAll(line)].map(([, found = '']) => `${path}: ${found}`))

it('the workflows pin the actions of others by SHA, with a version', () => {
  const used = findLines(workflows, /^\s*(?:- )?uses: (.*)$/gm)
  const isOurs = (line: string) => [ourName, sameCommit, './'].some(start => line.includes(`: ${start}`))
  const theirs = used.filter(line => !isOurs(line))
  expect(theirs.length).toBeGreaterThan(20)
  const pinned = /: [\w-]+(?:\/[\w-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/
  expect(theirs.filter(line => !pinned.test(line))).toEqual([])
})

it.each(workflows)('%s grants a token only the permissions of each job', path => {
  const written = jobsOf(path).flatMap(({ permissions = {} }) =>
    Object.keys(permissions).filter(name => permissions[name] !== 'read'),
  )
  expect(mayWrite[path] ?? mayWrite.others).toEqual(expect.arrayContaining(written))
  expect(readWorkflow(path).permissions).toEqual({})
})

it('the workflows for others name beside `queue: max` the tools that do not support it yet', () => {
  const lines = findLines(
    workflows.filter(path => path.startsWith('examples/') || isReusable(path)),
    /^ *(queue: max\b.*)/gm,
  )
  expect(lines.length).toBeGreaterThan(4)
  expect(lines.filter(line => !/act 0\.2\.89 and actionlint 1\.7\.12/.test(line))).toEqual([])
})

it.each(workflows.filter(isReusable))('%s uses an environment only for its secrets', path => {
  const deployment = { deployment: false }
  expect(jobsOf(path).map(({ environment }) => environment)).toMatchObject(jobsOf(path).map(() => deployment))
})

it.each(workflows)('%s pastes nothing into a script', path => {
  expect(stepsOf(path).filter(({ run = '' }) => run.includes('${{'))).toEqual([])
})

it('no workflow is cancelled while it creates or deletes a preview, or while it waits for its turn', () => {
  const paths = workflows.filter(path => !/(?:ci|systems)\.yml$/.test(path))
  const rules = paths.flatMap(path => {
    const { concurrency } = readWorkflow(path)
    return [concurrency, ...jobsOf(path).map(job => job.concurrency)].flatMap(one => one ?? [])
  })
  expect(rules.length).toBeGreaterThan(4)
  expect(rules).toMatchObject(rules.map(() => ({ 'cancel-in-progress': false, queue: 'max' })))
})

// Each run of a merge queue has its own entry.
it.each(workflows.filter(path => !('merge_group' in readWorkflow(path).on) && stepsOf(path).some(isPreview)))(
  '%s has one run at a time for a pull request',
  path => {
    const all = [readWorkflow(path).concurrency, ...jobsOf(path).map(({ concurrency }) => concurrency)]
    expect(all.map(one => one?.group ?? '').join()).toContain('github.event.pull_request.number')
  },
)

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

it.each(inFolder('examples').filter(path => readPreviewInputs(readWorkflow(path)).length > 0))(
  '%s prunes the previews that it makes, or names the workflow that does',
  path => {
    const { on } = readWorkflow(path)
    const previewInputs = readPreviewInputs(readWorkflow(path))
    const isPruning = 'schedule' in on && previewInputs.every(given => given?.max_age !== undefined)
    expect(isPruning ? 'prune-previews.yml' : headOf(path)).toContain('prune-previews.yml')
  },
)

it('a team refers to the reusable workflows in ten lines', () => {
  for (const path of workflows.filter(name => name.includes('ten-lines')))
    expect(
      read(path)
        .trimEnd()
        .split('\n')
        .filter(line => !line.startsWith('#')),
    ).toHaveLength(10)
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
