/** Tests the commands of documents and the programs that the bundle starts. */
import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { parse } from 'yaml'
import { asWorkflow, yamlBlocks } from '../../tools/check-workflows/yaml-blocks.ts'
import { findProblems } from './support/validate.ts'
import { repository, type Workflow, type WorkflowStep } from './support/workflow-file.ts'

const read = (path: string) => readFileSync(resolve(repository, path), 'utf8')
const documents = [
  'README.md',
  'SECURITY.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'test/README.md',
  ...globSync('docs/**/*.md', { cwd: repository }),
]

it('the README and the examples set one password_secret in every job that opens a preview', () => {
  const isOpening = ({ uses = '', with: given }: WorkflowStep) =>
    /\/preview(?:\.yml)?@/.test(uses) || /^(?:preview|get-connection)$/.test(`${given?.operation}`)
  const texts = [
    ...yamlBlocks(read('README.md')).map(({ text }) => asWorkflow(text)),
    ...globSync('examples/*.yml', { cwd: repository }).map(read),
  ]
  const jobs = texts.flatMap(text => Object.values((parse(text) as Workflow).jobs))
  const calls = jobs.filter(isOpening).map(({ secrets }) => secrets)
  const steps = jobs.flatMap(({ steps = [] }) => steps.filter(isOpening)).map(step => step.with)
  const opening = [...calls, ...steps]
  expect(opening.length).toBeGreaterThan(8)
  const password_secret = expect.stringContaining('secrets.DATABASE_PASSWORD_SECRET')
  expect(opening).toEqual(opening.map(() => expect.objectContaining({ password_secret })))
})

/** A block may speak of a step, a matrix or a secret that the text around it or another block shows. */
const fromElsewhere = /^\d+: Context access might be invalid/

const blocks = documents.flatMap(path => yamlBlocks(read(path)).map(block => ({ path, ...block })))
const workflows = blocks.filter(({ text }) => /^on:/m.test(text))
const ofPullRequests = workflows.filter(({ text }) => /^on:.*pull_request/m.test(text))

it.each(blocks)("GitHub's own language service accepts the YAML of $path, line $line", async block => {
  const problems = await findProblems(`documents/${block.path}-${block.line}.yml`, asWorkflow(block.text))
  expect(problems.filter(problem => !fromElsewhere.test(problem))).toEqual([])
})

it.each(workflows)('the workflow of $path, line $line, has no permission and names its jobs', ({ text }) => {
  const { permissions, jobs } = parse(text) as Workflow
  expect(permissions).toEqual({})
  // The workflow of ten lines has no room for names.
  expect(Object.values(jobs).filter(({ name, steps }) => steps && !name)).toEqual([])
})

it.each(ofPullRequests)('the workflow of $path, line $line, starts at each push', ({ text }) => {
  const { pull_request } = (parse(text) as Workflow).on
  expect(pull_request?.types).toContain('synchronize')
})

describe.each(documents)('%s', path => {
  it('runs with npx only installed packages or the action itself, and fetches no package of that name', () => {
    expect(read(path).match(/\bnpx (?!--no\b|github:)[\w@-].*/g) ?? []).toEqual([])
  })
})

test.each([...documents, ...globSync(['examples/*.yml', '.github/workflows/*.yml'], { cwd: repository })])(
  'no database of %s has a name that two jobs of a run share',
  path => {
    expect(read(path)).not.toMatch(/^\s+name: .*\bgithub\.(?:run|sha|job|ref)/m)
  },
)

it('no bundled code can start a program or evaluate a text, except the command of rehearse-migration', () => {
  const bundled = globSync('src/**/*.ts', { cwd: repository })
  expect(bundled).toContain('src/main.ts')
  const able = /child_process|worker_threads|node:vm|\beval\(|new Function|@actions\/exec/
  expect(bundled.filter(path => able.test(read(path)))).toEqual(['src/action/host/run-command.ts'])
})
