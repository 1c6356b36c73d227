/** Runs act, an independent runner. */
import { execFileSync, spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { tokens } from '../../support/github/tokens.ts'
import { ourName } from './reference-to-us.ts'
import { passwordSecret, type Stage, sealSecret } from './setting.ts'
import type { StartingEvent } from './workflow-file.ts'
import { repository } from './workflow-file.ts'

/** The program `act` (github.com/nektos/act), which runs workflows without GitHub; undefined if none was given. */
export const actProgram = process.env.ACT

/** The immutable tag that the workflows for GitHub Enterprise Server name. */
const { version } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as { version: string }
const releaseTag = `v${version}`

export interface ActResult {
  /** Whether every job succeeded. */
  succeeded: boolean
  log: string
}

export interface ActOptions {
  variables: Record<string, string>
  secrets: Record<string, string>
  environment: Record<string, string>
  /** The repository is this project itself, in place of one that uses it. */
  isThisProject?: boolean
}

/** How one run goes. */
export interface ActRun {
  /** Files of the repository beside the workflow, by their path. */
  files?: Record<string, string>
  /** The run is cancelled when its log contains this text; `onCancel` is called first. */
  cancelAt?: RegExp
  onCancel?: () => void
  /** Further arguments of act. */
  more?: string[]
}

/** The files that the runner downloads for a step: the tracked files, with the current bundle. */
function exportAction(folder: string): void {
  const archive = join(folder, '..', 'action.tar')
  execFileSync('git', ['archive', '--output', archive, 'HEAD'], { cwd: repository })
  mkdirSync(folder)
  execFileSync('tar', ['-xf', archive, '-C', folder])
  cpSync(join(repository, 'dist'), join(folder, 'dist'), { recursive: true })
  // act does not know `uses: $/` yet, so it gets the reusable workflows for GitHub Enterprise Server, which does not
  // either.
  cpSync(join(repository, 'ghes'), join(folder, '.github/workflows'), { recursive: true })
  // Present already, so that the emulator's action fetches nothing.
  symlinkSync(realpathSync(join(repository, 'node_modules')), join(folder, 'node_modules'))
}

function git(folder: string, ...args: string[]): void {
  execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.com', ...args], {
    cwd: folder,
    stdio: 'ignore',
  })
}

/** Node.js is on the PATH already, and a test fetches nothing. */
const doesNothing = `name: nothing
description: In place of actions/setup-node
runs: { using: composite, steps: [{ shell: bash, run: node --version }] }
`

/** A user's repository in which act runs one workflow after the other. */
export class ActRepository {
  readonly #root = mkdtempSync(join(tmpdir(), 'act-'))
  readonly #checkout = join(this.#root, 'checkout')
  readonly #options: ActOptions

  constructor(options: ActOptions) {
    this.#options = options
    exportAction(join(this.#root, 'action'))
    if (options.isThisProject) renameSync(join(this.#root, 'action'), this.#checkout)
    else mkdirSync(this.#checkout)
    mkdirSync(join(this.#root, 'nothing'))
    writeFileSync(join(this.#root, 'nothing/action.yml'), doesNothing)
    mkdirSync(join(this.#root, 'home'))
    // Node 24 comes first on the PATH: the machine's own may be older.
    mkdirSync(join(this.#root, 'bin'))
    symlinkSync(process.execPath, join(this.#root, 'bin/node'))
    git(this.#checkout, 'init', '--quiet')
  }

  /** Puts a workflow into the repository and runs it on the event. */
  async run(
    name: string,
    workflow: string,
    event: StartingEvent,
    { files = {}, more = [], ...cancellation }: ActRun = {},
  ): Promise<ActResult> {
    const path = join(this.#checkout, '.github/workflows', name)
    // act 0.2.89 does not know `queue` yet (GitHub's changelog of 2026-05-07).
    const all = {
      ...files,
      [`.github/workflows/${name}`]: workflow.replace(/^ +(queue: max|deployment: false).*\n/gm, ''),
    }
    for (const [file, text] of Object.entries(all)) {
      mkdirSync(dirname(join(this.#checkout, file)), { recursive: true })
      writeFileSync(join(this.#checkout, file), text)
    }
    git(this.#checkout, 'add', '--all')
    git(this.#checkout, 'commit', '--quiet', '--allow-empty', '--message', 'Work')
    const eventPath = join(this.#root, 'event.json')
    writeFileSync(eventPath, JSON.stringify(event.payload))
    const nothing = [...workflow.matchAll(/uses: (actions\/setup-node@\S+)/g)].flatMap(([, used]) => [
      '--local-repository',
      `${used}=${join(this.#root, 'nothing')}`,
    ])
    const args = [event.name, '--workflows', path, '--eventpath', eventPath, ...nothing, ...more]
    return await this.#act(args, cancellation)
  }

  #act(args: string[], { cancelAt, onCancel }: ActRun): Promise<ActResult> {
    const { variables, secrets, environment } = this.#options
    const pairs = (flag: string, values: Record<string, string>) =>
      Object.entries(values).flatMap(([name, value]) => [flag, `${name}=${value}`])
    const local = ['v1', releaseTag].flatMap(tag => [
      '--local-repository',
      `${ourName}@${tag}=${join(this.#root, 'action')}`,
    ])
    const all = [
      ...args,
      ...['--platform', 'ubuntu-latest=-self-hosted', ...local],
      ...pairs('--var', variables),
      ...pairs('--secret', secrets),
      ...pairs('--env', environment),
    ]
    const path = [join(this.#root, 'bin'), resolve(import.meta.dirname, 'bin'), process.env.PATH].join(
      delimiter,
    )
    const child = spawn(actProgram ?? 'act', all, {
      cwd: this.#checkout,
      env: { PATH: path, HOME: join(this.#root, 'home') },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let log = ''
    let isCancelled = false
    const take = (text: string) => {
      log += text
      if (isCancelled || !cancelAt?.test(log)) return
      isCancelled = true
      onCancel?.()
      // As the button "Cancel workflow": a second one would skip the post steps.
      child.kill('SIGINT')
    }
    child.stdout.setEncoding('utf8').on('data', take)
    child.stderr.setEncoding('utf8').on('data', take)
    return new Promise((resolve_, reject) => {
      child.once('error', reject)
      child.once('close', code => resolve_({ succeeded: code === 0, log }))
    })
  }

  remove(): void {
    if (existsSync(this.#root)) rmSync(this.#root, { recursive: true, force: true })
  }
}

/** The repository of a team that uses the GitHub and the service of the stage. */
export const openShop = (
  { bench, github, parentId }: Stage,
  environment: Record<string, string> = {},
): ActRepository =>
  new ActRepository({
    variables: { DATABASE_BASE_URL: bench.emulator.baseUrl, DATABASE_SERVICE_ID: parentId },
    secrets: {
      DATABASE_PUBLIC_KEY: 'public-test',
      DATABASE_SECRET_KEY: bench.secretKey,
      DATABASE_PASSWORD_SECRET: passwordSecret,
      DATABASE_SEAL_SECRET: sealSecret,
      GITHUB_TOKEN: tokens.actions,
    },
    environment: {
      ...github.environment,
      // act defaults to GitHub's public GraphQL address, even where GITHUB_API_URL names another server.
      GITHUB_GRAPHQL_URL: `${github.environment.GITHUB_API_URL}/graphql`,
      GITHUB_ACTOR: 'octocat',
      GITHUB_REPOSITORY: 'octo-org/shop',
      ...environment,
    },
  })
