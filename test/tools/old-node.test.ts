import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'

const dist = resolve(import.meta.dirname, '../../dist')

/** Runs an entry of the bundle with a Node.js that says it is of another version; tells what it loaded, too. */
async function runWith(version: string, entry: string, state: NodeJS.ProcessEnv = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'old-node-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const disguise = join(folder, 'disguise.cjs')
  await writeFile(
    disguise,
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })
process.on('exit', () => process.stderr.write(Object.keys(require.cache).map(file => require('path').basename(file)).join()))`,
  )
  const run = promisify(execFile)(process.execPath, ['--require', disguise, join(dist, entry)], {
    env: { PATH: process.env.PATH, ...state },
  })
  const { code = 0, stdout, stderr } = await run.catch(error => error)
  return { code, stdout, loaded: stderr.split(',') }
}

test.each([
  ['16.20.2', 'index.js', {}],
  ['20.19.0', 'index.js', {}],
  ['20.19.0', 'post.js', { STATE_intent: '{}' }],
])('Node.js %s gets one line from %s, and nothing else is loaded', async (version, entry, state) => {
  const { code, stdout, loaded } = await runWith(version, entry, state)
  expect(code).toBe(1)
  expect(stdout).toBe(
    `::error title=Node.js is too old::this action needs Node.js 24, and the runner started it with ${version} — update the runner to 2.327.1 or newer, and take away settings that make it use an older Node.js\n`,
  )
  expect(loaded).not.toContain('run.js')
})

test('a later Node.js is not refused', async () => {
  const { stdout, loaded } = await runWith('26.1.0', 'index.js')
  expect(loaded).toContain('run.js')
  expect(stdout).not.toContain('too old')
})
