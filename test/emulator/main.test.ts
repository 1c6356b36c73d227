/** Tests the command of the emulator. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { start, stopAll } from './support/running.ts'

const children: ChildProcess[] = []

afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await stopAll()
})

/** Runs the emulator's command; `until` settles once its output has the text. */
function run(...args: string[]) {
  const child = spawn(process.execPath, ['emulator/main.ts', ...args], { stdio: 'pipe' })
  children.push(child)
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', data => {
    output.stdout += data
  })
  child.stderr.on('data', data => {
    output.stderr += data
  })
  const until = (text: string) =>
    new Promise<string>((resolve, reject) => {
      const look = () => output.stdout.includes(text) && resolve(output.stdout)
      child.stdout.on('data', look)
      child.once('exit', () => reject(new Error(`ended without "${text}": ${output.stderr}`)))
      look()
    })
  // Not its event `exit`, after which there may still be something to read.
  const exit = once(child, 'close').then(([code]) => ({ code, ...output }))
  return { child, until, exit }
}

/** Runs the emulator's command in a shell, as npm does; `ended` is its whole output once the emulator is gone. */
function runAsScript(...args: string[]) {
  // The echo keeps the shell from making way for the emulator.
  const script = `"${process.execPath}" emulator/main.ts ${args.join(' ')}; echo over`
  const env = { ...process.env, npm_lifecycle_event: 'emulator' }
  const shell = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'inherit'], env })
  children.push(shell)
  let output = ''
  shell.stdout.on('data', data => {
    output += data
  })
  const until = (text: string) =>
    vi.waitFor(() => expect(output).toContain(text), { timeout: 30_000, interval: 20 })
  // The pipe closes once neither the shell nor the emulator holds it.
  return { shell, until, ended: once(shell.stdout, 'close').then(() => output) }
}

const baseUrlIn = (stdout: string) => /base_url: (\S+)/.exec(stdout)?.[1] ?? expect.fail(stdout)

describe('the command', { concurrent: true, timeout: 60_000 }, () => {
  test.each<[string[], string]>([
    [
      ['--temp', '/nowhere/at/all'],
      'emulator: No folder can be created below /nowhere/at/all: choose another folder with --temp',
    ],
    [
      ['--like', 'package.json'],
      'emulator: --like package.json: expected the profile that npm run live writes',
    ],
    [['--no-databases', '--host', '192.0.2.1'], 'choose an address of this machine with --host'],
  ])('%j ends with one line and code 1', async (args, line) => {
    const { code, stdout, stderr } = await run(...args).exit
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^[^\n]+\n$/)
    expect(stderr).toContain(line)
  })

  test('ends with one line and code 1 if the port is in use', async () => {
    const { port } = await start()
    const { code, stderr } = await run('--no-databases', '--port', String(port)).exit
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `emulator: port ${port} is in use: stop the program that uses it, or choose another with --port\n`,
    })
  })

  test('prints its usage, logs requests, stops on SIGINT', async () => {
    const { child, until, exit } = run('--no-databases', '--port', '0', '--keys', 'local:well-kept')
    const baseUrl = baseUrlIn(await until('secret_key: '))
    const headers = { authorization: `Basic ${btoa('local:well-kept')}` }
    expect((await fetch(`${baseUrl}/auth/info`, { headers })).status).toBe(200)
    await until('200 GET /public/api/v1/auth/info get-auth-info\n')
    child.kill('SIGINT')
    const { code, stdout, stderr } = await exit
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).not.toContain('well-kept')
  })

  test.skipIf(process.platform === 'win32')('ends with the shell in which npm started it', async () => {
    const { shell, until, ended } = runAsScript('--no-databases', '--port', '0')
    await until('secret_key: ')
    shell.kill('SIGTERM')
    expect(await ended).toContain('Stopping')
  })
})
