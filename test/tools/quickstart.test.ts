/** Tests the quickstart. */
import { readdir, rm } from 'node:fs/promises'
import { afterAll, describe, test } from 'vitest'
import { findProcesses } from '../emulator/clusters/support.ts'
import { createRoot } from '../support/database-folder.ts'
import { type ProgramRun, runNode } from '../support/run-program.ts'

const runs: ProgramRun[] = []
const folders: string[] = []

afterAll(async () => {
  for (const { child } of runs) child.kill('SIGKILL')
  for (const folder of folders) await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

/** Starts the quickstart. With `signal`, it gets that signal once its output has the text. */
async function start(signal?: NodeJS.Signals, after = '') {
  const temp = await createRoot()
  folders.push(temp)
  const { FORCE_COLOR: _, ...environment } = process.env
  const run = runNode(['tools/quickstart/main.ts'], { env: { ...environment, TMPDIR: temp } })
  runs.push(run)
  if (signal) {
    await run.until(after)
    run.child.kill(signal)
  }
  const exit = await run.exit
  return { ...exit, remains: { files: await readdir(temp), processes: await findProcesses(temp) } }
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

describe('the quickstart', { concurrent: true }, () => {
  test('reports and checks a fork’s life, shows no secret, leaves nothing', async ({ expect }) => {
    const { code, stdout, stderr, remains } = await start()
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    await expect(withoutChance(stdout)).toMatchFileSnapshot('quickstart.txt')
    expect(stdout).toMatch(/ database_url +\*{3}\n/)
    expect(stdout).not.toMatch(/postgresql:|password=/)
    expect(remains).toEqual(nothing)
  })

  test('SIGINT ends it, and leaves nothing', async ({ expect }) => {
    const ended = await start('SIGINT', 'create-service created')
    expect(ended).toMatchObject({
      code: 130,
      stderr: 'quickstart: stopped, nothing is left\n',
      remains: nothing,
    })
  })
})
