/** Tests the command of the emulator. */
import { afterAll, describe, expect, test } from 'vitest'
import { type ProgramRun, runProgram } from '../support/run-program.ts'
import { baseUrlIn, runCommand } from './support/command.ts'
import { start, stopAll } from './support/running.ts'

const runs: ProgramRun[] = []

afterAll(async () => {
  for (const { child } of runs) child.kill('SIGKILL')
  await stopAll()
})

function keep(run: ProgramRun): ProgramRun {
  runs.push(run)
  return run
}

/** Runs the emulator's command in a shell, as npm does. The echo keeps the shell from making way for the emulator. */
function runAsScript(...args: string[]): ProgramRun {
  const script = `"${process.execPath}" emulator/main.ts ${args.join(' ')}; echo over`
  return runProgram('sh', ['-c', script], { env: { ...process.env, npm_lifecycle_event: 'emulator' } })
}

describe('the command', { concurrent: true, timeout: 60_000 }, () => {
  test.each<[string[], string]>([
    [
      ['--like', 'package.json'],
      'emulator: --like package.json: expected the profile that npm run live writes',
    ],
    [['--no-databases', '--host', '192.0.2.1'], 'choose an address of this machine with --host'],
  ])('%j ends with one line and code 1', async (args, line) => {
    const { code, stdout, stderr } = await keep(runCommand(...args)).exit
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^[^\n]+\n$/)
    expect(stderr).toContain(line)
  })

  test('ends with one line and code 1 if the port is in use', async () => {
    const { port } = await start()
    const { code, stderr } = await keep(runCommand('--no-databases', '--port', String(port))).exit
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `emulator: port ${port} is in use: stop the program that uses it, or choose another with --port\n`,
    })
  })

  test('prints its usage, logs requests, stops on SIGINT', async () => {
    const { child, until, exit } = keep(
      runCommand('--no-databases', '--port', '0', '--keys', 'key:well-kept'),
    )
    const baseUrl = baseUrlIn(await until('secret_key: '))
    const headers = { authorization: `Basic ${btoa('key:well-kept')}` }
    expect((await fetch(`${baseUrl}/auth/info`, { headers })).status).toBe(200)
    await until('200 GET /public/api/v1/auth/info get-auth-info\n')
    child.kill('SIGINT')
    const { code, stdout, stderr } = await exit
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).not.toContain('well-kept')
    expect(stdout).toContain(
      'Try it, with the value of --keys in the variable KEYS:\n\n  curl --user "$KEYS" http:',
    )
  })

  test.skipIf(process.platform === 'win32')('ends with the shell in which npm started it', async () => {
    const { child, until, exit } = keep(runAsScript('--no-databases', '--port', '0'))
    await until('secret_key: ')
    child.kill('SIGTERM')
    // Its output is closed once neither the shell nor the emulator holds it.
    expect((await exit).stdout).toContain('Stopping')
  })
})
