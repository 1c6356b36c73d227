import { execFile, execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { ourName } from './reference-to-us.ts'
import type { StartingEvent } from './workflow-file.ts'
import { repository } from './workflow-file.ts'

/** The program `act` (github.com/nektos/act), which runs workflows without GitHub; undefined where none was given. */
export const actProgram = process.env.ACT

export interface ActResult {
  /** Whether every job succeeded. */
  succeeded: boolean
  log: string
}

export interface ActOptions {
  variables: Record<string, string>
  secrets: Record<string, string>
  environment: Record<string, string>
}

/** What the runner downloads for a step: the tracked files, with the bundle as it is built now. */
function exportAction(folder: string): void {
  const archive = join(folder, '..', 'action.tar')
  execFileSync('git', ['archive', '--output', archive, 'HEAD'], { cwd: repository })
  mkdirSync(folder)
  execFileSync('tar', ['-xf', archive, '-C', folder])
  cpSync(join(repository, 'dist'), join(folder, 'dist'), { recursive: true })
  // So that the emulator's action fetches nothing.
  symlinkSync(realpathSync(join(repository, 'node_modules')), join(folder, 'node_modules'))
}

function git(folder: string, ...args: string[]): void {
  execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.com', ...args], {
    cwd: folder,
    stdio: 'ignore',
  })
}

/** A user's repository in which act runs one workflow after the other. */
export class ActRepository {
  readonly #root = mkdtempSync(join(tmpdir(), 'act-'))
  readonly #checkout = join(this.#root, 'shop')
  readonly #options: ActOptions

  constructor(options: ActOptions) {
    this.#options = options
    exportAction(join(this.#root, 'action'))
    mkdirSync(this.#checkout)
    mkdirSync(join(this.#root, 'home'))
    // Node 24 comes first: the machine's own may be older.
    mkdirSync(join(this.#root, 'bin'))
    symlinkSync(process.execPath, join(this.#root, 'bin/node'))
    git(this.#checkout, 'init', '--quiet')
  }

  /** Puts a workflow into the repository and runs it on the event. */
  async run(name: string, workflow: string, event: StartingEvent): Promise<ActResult> {
    const path = join(this.#checkout, '.github/workflows', name)
    mkdirSync(dirname(path), { recursive: true })
    // act 0.2.89 does not know `queue` yet (GitHub's changelog of 2026-05-07).
    writeFileSync(path, workflow.replace(/^ +queue: max.*\n/gm, ''))
    git(this.#checkout, 'add', '--all')
    git(this.#checkout, 'commit', '--quiet', '--allow-empty', '--message', 'Work')
    const eventPath = join(this.#root, 'event.json')
    writeFileSync(eventPath, JSON.stringify(event.payload))
    return await this.#act([event.name, '--workflows', path, '--eventpath', eventPath])
  }

  #act(args: string[]): Promise<ActResult> {
    const { variables, secrets, environment } = this.#options
    const pairs = (flag: string, values: Record<string, string>) =>
      Object.entries(values).flatMap(([name, value]) => [flag, `${name}=${value}`])
    const local = `${ourName}@v1=${join(this.#root, 'action')}`
    const all = [
      ...args,
      ...['--platform', 'ubuntu-latest=-self-hosted', '--local-repository', local],
      ...pairs('--var', variables),
      ...pairs('--secret', secrets),
      ...pairs('--env', environment),
    ]
    const path = [join(this.#root, 'bin'), resolve(import.meta.dirname, 'bin'), process.env.PATH].join(
      delimiter,
    )
    const options = {
      cwd: this.#checkout,
      env: { PATH: path, HOME: join(this.#root, 'home') },
      maxBuffer: 2 ** 26,
    }
    return new Promise(resolve_ => {
      execFile(actProgram ?? 'act', all, options, (error, stdout, stderr) =>
        resolve_({ succeeded: error === null, log: stdout + stderr }),
      )
    })
  }

  remove(): void {
    if (existsSync(this.#root)) rmSync(this.#root, { recursive: true, force: true })
  }
}
