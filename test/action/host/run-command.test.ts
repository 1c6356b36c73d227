/** Tests the run of a shell command. */
import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { runCommand } from '#action/host/run-command'

const withheld = Object.fromEntries(
  [
    ...['INPUT_SECRET_KEY', 'STATE_RECORD', 'ACTIONS_RUNTIME_TOKEN', 'PGSERVICE', 'PGHOST', 'PGPASSWORD'],
    ...['GITHUB_ENV', 'GITHUB_OUTPUT', 'GITHUB_PATH', 'GITHUB_STATE', 'GITHUB_STEP_SUMMARY'],
    ...['GITHUB_TOKEN', 'GH_TOKEN', 'GITHUB_ENTERPRISE_TOKEN', 'GH_ENTERPRISE_TOKEN'],
  ].map(name => [name, 'withheld']),
)

/** Runs a shell command; returns its exit code and its output. */
async function run(text: string, stop = new AbortController()) {
  const lines: string[] = []
  const code = await runCommand(text, {
    folder: tmpdir(),
    variables: { DATABASE_URL: 'postgres://here' },
    environment: { PATH: process.env.PATH, SHOWN: 'kept', NOTE: 'a key', ...withheld },
    isSecret: value => value === 'a key',
    onLine: line => (line === 'stop' ? stop.abort(new Error('no time is left')) : lines.push(line)),
    signal: stop.signal,
  })
  return { code, lines }
}

/** Whether a process is there, and no zombie of one that ended. */
async function isRunning(id: string): Promise<boolean> {
  const { lines } = await run(`ps -o stat= -p ${id} || true`)
  return lines.some(line => /^[^Z]/.test(line))
}

describe.skipIf(process.platform === 'win32')('a command', () => {
  it.each([
    ['true', 0, []],
    ['exit 7', 7, []],
    ['false; echo "not reached"', 1, []],
    ['kill -9 $$', 137, []],
    ["printf 'one\\ntwo\\rthree\\r\\nrest'", 0, ['one', 'two', 'three', 'rest']],
    ['echo out; echo err >&2', 0, ['out', 'err']],
    ['env | grep -v ^PATH= | grep -E "kept|key|withheld"', 0, ['SHOWN=kept']],
    ['echo "$DATABASE_URL,$NOTE"', 0, ['postgres://here,']],
  ])('%s', async (text, code, lines) => {
    const ran = await run(text)
    expect({ ...ran, lines: ran.lines.toSorted() }).toEqual({ code, lines: lines.toSorted() })
  })

  it('ends its background processes', async () => {
    const { code, lines } = await run('sleep 600 & echo $!')
    expect(code).toBe(0)
    await expect.poll(() => isRunning(lines[0] ?? '')).toBe(false)
  })

  it('ends although a process outside of its group holds its output', async () => {
    const leave = 'setsid sh -c "echo \\$\\$; echo > $told; exec sleep 600" &'
    const { code, lines } = await run(`told=$(mktemp -u); mkfifo $told; ${leave} cat $told; rm $told; exit 3`)
    process.kill(Number(lines.find(line => line !== '')))
    expect(code).toBe(3)
  })

  it('is killed if it ignores the signal', async () => {
    const ran = run("trap '' TERM; echo stop; while :; do sleep 0.1; done")
    await expect(ran).rejects.toThrow('no time is left')
  })
})
