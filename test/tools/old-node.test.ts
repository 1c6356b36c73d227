/** Tests the message on old versions of Node.js. */
import { cp, mkdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runNode } from '../support/run-program.ts'
import { useWorkspace } from '../support/workspace.ts'

const root = resolve(import.meta.dirname, '../..')
const dist = join(root, 'dist')
const { path: folder, write, empty } = useWorkspace()

/** Runs an entry of the bundle with a Node.js that reports another version; returns the loaded modules, too. */
async function runWith(version: string, entry: string, state: NodeJS.ProcessEnv = {}) {
  const disguise = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })
process.on('exit', () => process.stderr.write(Object.keys(require.cache).map(file => require('path').basename(file)).join()))`
  write({ 'disguise.cjs': disguise })
  const required = ['--require', join(folder, 'disguise.cjs')]
  const env = { PATH: process.env.PATH, ...state }
  const { code, stdout, stderr } = await runNode([...required, join(dist, entry)], { env }).exit
  return { code, stdout, loaded: stderr.split(',') }
}

test.each([
  ['16.20.2', 'index.js', {}],
  ['20.19.0', 'index.js', {}],
  ['20.19.0', 'post.js', { STATE_intent: '{}' }],
])('Node.js %s gets one line from %s, and loads nothing else', async (version, entry, state) => {
  const { code, stdout, loaded } = await runWith(version, entry, state)
  expect(code).toBe(1)
  expect(stdout).toBe(
    `::error title=Node.js is too old::this action needs Node.js 24, and the runner started it with ${version} — update the runner to 2.327.1 or newer, and remove settings that select an older Node.js\n`,
  )
  expect(loaded).not.toContain('run.js')
})

test('a later Node.js is accepted', async () => {
  const { stdout, loaded } = await runWith('26.1.0', 'index.js')
  expect(loaded).toContain('run.js')
  expect(stdout).not.toContain('too old')
})

describe('a script of package.json', () => {
  /** Runs the check that precedes a script, in a copy without packages. */
  async function prepare(script: string, flags: string[] = [], folders: string[] = []) {
    empty()
    await cp(join(root, 'tools/ready.js'), join(folder, 'tools/ready.js'))
    write({ 'package.json': '{ "type": "module" }' })
    for (const name of folders) await mkdir(join(folder, name))
    const env = { PATH: process.env.PATH, npm_lifecycle_event: script }
    const args = [...flags, '--import', './tools/ready.js', '--eval', '0']
    const { code, stderr } = await runNode(args, { cwd: folder, env }).exit
    return { code, stderr }
  }
  const advice = 'Run "npm ci" first: it installs the packages and Node.js 24.\n'
  // Node.js 20 and 22.0 to 22.17 cannot run TypeScript either.
  const old = ['--no-experimental-strip-types']

  test.each([
    ['adopt', old, [], `Node.js ${process.versions.node} cannot run this project's TypeScript. ${advice}`],
    ['start', old, [], `Node.js ${process.versions.node} cannot run this project's TypeScript. ${advice}`],
    ['release', [], [], `The packages of this project are missing. ${advice}`],
    ['release', [], ['node_modules'], ''],
    ['adopt', [], [], ''],
  ])(
    '%s with the flags %j and the folders %j starts, or names the next command',
    async (script, flags, folders, printed) => {
      expect(await prepare(script, flags, folders)).toEqual({ code: printed ? 1 : 0, stderr: printed })
    },
  )

  test('that runs TypeScript has that check', async () => {
    const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
    const commands = Object.values<string>(scripts).filter(command => command.includes('.ts'))
    expect(commands.length).toBeGreaterThan(10)
    for (const command of commands) expect(command).toMatch(/^node --import \.\/tools\/ready\.js \S+\.ts/)
  })
})

test.each([
  ['README.md', /Node\.js (\d+) or newer/],
  ['emulator/recent-node.ts', /oldest = (\d+)/],
])('%s names the Node.js that package.json requires', async (path, version) => {
  const { engines } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  expect(engines.node).toBe(`>=${version.exec(await readFile(join(root, path), 'utf8'))?.[1]}`)
})
