/** Tests the container of the emulator. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { cp, mkdir, symlink } from 'node:fs/promises'
import { connect } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { runProgram } from '../support/run-program.ts'
import { uncached } from '../support/uncached.ts'
import { useWorkspace } from '../support/workspace.ts'
import { findProcesses } from './clusters/support.ts'
import { baseUrlIn } from './support/command.ts'

// Runs the Dockerfile without Docker: copies its files into a folder and runs its commands there.
const repository = path.resolve(import.meta.dirname, '../..')
const read = (name: string) => readFileSync(path.join(repository, name), 'utf8')

/** The Dockerfile's instructions, each in one line. */
const instructions = read('Dockerfile')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .filter(Boolean)
const all = (word: string) =>
  instructions.filter(line => line.startsWith(`${word} `)).map(line => line.slice(word.length + 1))
const one = (word: string) => all(word).at(-1) ?? expect.fail(`the Dockerfile has no ${word}`)

/** Whether .dockerignore leaves the path out: its last line that fits decides. */
const rules = read('.dockerignore')
  .split('\n')
  .filter(line => line !== '' && !line.startsWith('#'))
function isIgnored(file: string): boolean {
  let isOut = false
  for (const rule of rules) {
    const pattern = rule.replace('!', '')
    if (pattern === '*' || file === pattern || file.startsWith(`${pattern}/`)) isOut = !rule.startsWith('!')
  }
  return isOut
}

/** The paths that are copied from the checkout, and their targets. */
const copies = all('COPY')
  .filter(line => !line.startsWith('--'))
  .flatMap(line => {
    const words = line.split(' ')
    const target = words.pop() ?? ''
    const isFolder = words.length > 1 || target.endsWith('/')
    return words.map(source => ({
      source,
      target: isFolder ? path.join(target, path.basename(source)) : target,
    }))
  })

const { path: folder } = useWorkspace()

beforeAll(async () => {
  for (const { source, target } of copies) {
    await mkdir(path.join(folder, path.dirname(target)), { recursive: true })
    await cp(path.join(repository, source), path.join(folder, target), {
      recursive: true,
      filter: file => !isIgnored(path.relative(repository, file)),
    })
  }
  await symlink(path.join(repository, 'node_modules'), path.join(folder, 'node_modules'))
})

test('all copied files exist, and are sent to the builder', () => {
  for (const { source } of copies) {
    expect(existsSync(path.join(repository, source)), source).toBe(true)
    expect(isIgnored(source), `${source} in .dockerignore`).toBe(false)
  }
  expect(isIgnored('node_modules/pg/package.json')).toBe(true)
  expect(existsSync(path.join(folder, 'emulator/action.yml'))).toBe(false)
})

test("its bases have an exact version, of the project's own Node.js", () => {
  const major = read('.nvmrc').trim()
  for (const base of all('FROM'))
    expect(base).toMatch(new RegExp(`^node:${major}\\.\\d+\\.\\d+-\\w+-slim\\b`))
})

test('nothing runs as root, which PostgreSQL refuses', () => {
  expect(one('USER')).toBe('node')
  // Its last word, so that everything that is started comes after it.
  expect(instructions.indexOf('USER node')).toBeLessThan(
    instructions.indexOf(`ENTRYPOINT ${one('ENTRYPOINT')}`),
  )
})

test('its commands start the emulator, which is healthy, and ends at a signal', async () => {
  const environment = { ...process.env, ...uncached, TMPDIR: folder }
  const shell = { cwd: folder, env: environment, shell: '/bin/sh' }
  const prepare = all('RUN').find(line => line.startsWith('node ')) ?? expect.fail('nothing is prepared')
  expect(await promisify(execFile)(prepare, [], shell)).toEqual({ stdout: '', stderr: '' })

  const [program = '', ...parameters]: string[] = JSON.parse(one('ENTRYPOINT'))
  const flags = ['--port', '0', '--keys', 'local:well-kept']
  const { child, until, exit } = runProgram(program, [...parameters, ...flags], {
    cwd: folder,
    env: { ...environment, EMULATOR_FLAGS: '--no-databases --project from-flags' },
  })
  try {
    const output = await until('secret_key: ')
    expect(output).toContain('project_id  from-flags')
    const { port } = new URL(baseUrlIn(output))
    // It listens on every address, since clients outside the container have another one.
    const socket = connect({ host: '127.0.0.2', port: Number(port) })
    await once(socket, 'connect')
    socket.destroy()

    const [, probe = ''] = one('HEALTHCHECK').split(' CMD ')
    const [, ...asked]: string[] = JSON.parse(probe)
    const check = (where: string) =>
      promisify(execFile)(
        process.execPath,
        asked.map(word => word.replace('8787', where)),
      )
    await check(port)
    child.kill('SIGTERM')
    expect(await exit).toMatchObject({ code: 0, stderr: '' })
    await expect(check(port)).rejects.toMatchObject({ code: 1 })
  } finally {
    child.kill('SIGKILL')
  }
  expect(await findProcesses(folder)).toEqual([])
})
