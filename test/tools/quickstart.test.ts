/** Tests the quickstart. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, cp, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, describe, test } from 'vitest'
import { findProcesses } from '../emulator/clusters/support.ts'
import { makeRoot } from '../support/database-folder.ts'

const children: ChildProcess[] = []
const folders: string[] = []

afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  for (const folder of folders) await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

async function makeFolder(): Promise<string> {
  const folder = await makeRoot()
  folders.push(folder)
  return folder
}

/** Starts the quickstart of the project in `root`; `until` settles once its output has the text. */
function start(temp: string, root = path.resolve()) {
  const { FORCE_COLOR: _, ...environment } = process.env
  const child = spawn(process.execPath, [path.join(root, 'tools/quickstart/main.ts')], {
    env: { ...environment, TMPDIR: temp },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  const output = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', text => {
    output.stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', text => {
    output.stderr += text
  })
  const until = (text: string) =>
    new Promise<void>((resolve, reject) => {
      const look = () => output.stdout.includes(text) && resolve()
      child.stdout.on('data', look)
      child.once('close', () => reject(new Error(`ended without "${text}": ${output.stderr}`)))
      look()
    })
  const end = once(child, 'close').then(([code]) => ({ code, ...output }))
  return { child, until, end }
}

async function findRemains(temp: string) {
  return { files: await readdir(temp), processes: await findProcesses(temp) }
}

const nothing = { files: [], processes: [] }

/** Values that differ between runs: ids, ports, times, and durations. */
function withoutChance(stdout: string): string {
  const [parent = '', fork = ''] = [...stdout.matchAll(/ created (\w+)$/gm)].map(match => match[1] ?? '')
  return stdout
    .replaceAll(parent, 'PARENT')
    .replaceAll(fork, 'FORK')
    .replace(/^.*is (QUEUED|CONFIGURING|DELETING)\n/gm, '')
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:PORT')
    .replace(/( port +)\d+/, '$1PORT')
    .replace(/\[\d+\.\ds\]/g, '[TIME]')
    .replace(/after \d+\.\ds/g, 'after TIME')
    .replace(/waiting up to (?:29m 5\d|30m 00)s/g, 'waiting up to 30m 00s')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/, 'TIME')
    .replace(/(wait_seconds +|in )\d+\.\d/g, '$1SECONDS')
    .replace(/\d+ of them came/, 'MANY of them came')
    .replace(/\d,\d{3}/g, 'THOUSANDS')
}

describe('the quickstart', { concurrent: true, timeout: 120_000 }, () => {
  test('reports and checks a fork’s life, shows no secret, leaves nothing', async ({ expect }) => {
    const temp = await makeFolder()
    const { code, stdout, stderr } = await start(temp).end
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    await expect(withoutChance(stdout)).toMatchFileSnapshot('quickstart.txt')
    expect(stdout).toMatch(/ database_url +\*{3}\n/)
    expect(stdout).not.toMatch(/postgresql:|password=/)
    expect(await findRemains(temp)).toEqual(nothing)
  })

  test.for<[NodeJS.Signals, number, string]>([
    ['SIGINT', 130, 'create-service created'],
    ['SIGHUP', 129, 'Start the emulator'],
  ])('%s ends it with code %i and leaves nothing, after "%s"', async ([signal, code, text], { expect }) => {
    const temp = await makeFolder()
    const { child, until, end } = start(temp)
    await until(text)
    child.kill(signal)
    expect(await end).toMatchObject({ code, stderr: 'quickstart: stopped, nothing is left\n' })
    expect(await findRemains(temp)).toEqual(nothing)
  })

  test('a temporary folder that cannot be used', async ({ expect }) => {
    const { code, stderr } = await start('/nowhere/at/all').end
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr:
        'quickstart: No folder can be created below /nowhere/at/all: set TMPDIR to a folder that can be written to.\n',
    })
  })
})

/** A copy of the files that the quickstart needs, for tests that break them. */
async function copyProject(): Promise<string> {
  const root = await makeFolder()
  for (const name of ['tools', 'dist', 'action.yml', 'package.json'])
    await cp(name, path.join(root, name), { recursive: true })
  for (const name of ['src', 'emulator', 'node_modules'])
    await symlink(path.resolve(name), path.join(root, name), 'junction')
  return root
}

describe('a project with a defect', { concurrent: true, timeout: 120_000 }, () => {
  test.for<[string, (root: string) => Promise<void>, RegExp]>([
    [
      'a stale dist',
      async root => {
        await rm(path.join(root, 'src'))
        await cp('src', path.join(root, 'src'), { recursive: true })
        await appendFile(path.join(root, 'src/main.ts'), 'export const later = 1\n')
      },
      /^quickstart: dist is stale, src\/main.ts changed since: run "npm run build"\n$/,
    ],
    [
      'no packages',
      root => rm(path.join(root, 'node_modules')),
      /^quickstart: packages are missing: run "npm ci" first\n$/,
    ],
    [
      'an action that fails',
      root => writeFile(path.join(root, 'dist/index.js'), 'process.exitCode = 3'),
      /^quickstart: in part 2, the step "parent" failed with exit code 3\n$/,
    ],
  ])('%s: one line explains it, and nothing remains', async ([, spoil, line], { expect }) => {
    const root = await copyProject()
    await spoil(root)
    const temp = path.join(root, 'temp')
    await mkdir(temp, { mode: 0o755 })
    const { code, stderr } = await start(temp, root).end
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(line) })
    expect(await findRemains(temp)).toEqual(nothing)
  })
})
