/** Compares steps in the test's process with real processes. */
import { expect, it } from 'vitest'
import type { StepResult } from '../../tools/runner/run-step.ts'
import { type Inputs, type StepRunner, useWorkbench } from '../support/workbench.ts'

/** Changes end at once: the number of status checks that see one in progress would depend on the speed of the machine. */
const bench = useWorkbench({ databases: 'invented', readyAfter: 0, deleteAfter: 0 })

const create: Inputs = {
  operation: 'create-service',
  name: 'twin',
  cleanup: 'always',
  export_env: 'true',
  wait_for_connection: 'false',
}

/** Values that differ between runs: random values, dates, durations and places in the code. */
function steady({ exitCode, stdout, stderr, summary, ...files }: StepResult, drawn: string[]): unknown {
  const plain = (text: string) => {
    // Times first: a part of a time may look like a random value.
    const timeless = text
      .replace(/(?<=Sent\\*":)[\d.]+/g, '…')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '…')
      // By its name, not by its value: on a busy machine that may be 1, which is everywhere.
      .replace(/(?<=wait_seconds(?: \| |\\*":\\*"))[\d.]+/g, '…')
      // The rest of the time limit follows from how long the step has taken.
      .replace(/waiting up to [\dhms .]+/g, 'waiting up to … ')
      // A slow answer is a span of its own.
      .replace(/^.*waiting for the answer of .*\n/gm, '')
    return drawn
      .reduce((rest, value) => rest.replaceAll(value, '…'), timeless)
      .replace(/\d+(\.\d+)?m?s\b/g, '…')
      .replace(/^::add-mask::.*\n/gm, '')
      .replace(/^::debug:: +at .*\n/gm, '')
  }
  return JSON.parse(JSON.stringify({ exitCode, stdout, stderr, summary, files }), (key, value) => {
    if (key === 'wait_seconds') return '…'
    return typeof value === 'string' ? plain(value) : value
  })
}

/** A step as a process or played; the id and the passwords in it are those of the one service it made. */
async function observe(as: StepRunner, inputs: Inputs, entry: 'index' | 'post', state = {}) {
  const result = await bench.step(inputs, { as, entry, state })
  const { service_id, password, host } = result.outputs
  const drawn = [service_id, password, host].filter(value => value !== undefined && value !== '')
  return { result, seen: steady(result, drawn as string[]) }
}

it.each<[string, Inputs, RegExp]>([
  ['that succeeds', { operation: 'list-services' }, /list-services: done/],
  [
    'that the API refuses',
    { operation: 'get-service', service_id: 'nobody' },
    /::error title=.*failed with 404/,
  ],
  ['that is given nonsense', { operation: 'get-service', wait: 'perhaps' }, /::error title=.*wait: expected/],
])('a played step %s is like a process', async (_, inputs, told) => {
  const process = await observe('process', inputs, 'index')
  const played = await observe('in-process', inputs, 'index')
  expect(process.result.stdout).toMatch(told)
  expect(played.seen).toEqual(process.seen)
})

it('a played step and its post step behave like processes', async () => {
  const ways = ['process', 'in-process'] as const
  const seen = []
  for (const as of ways) {
    const step = await observe(as, create, 'index')
    expect(step.result).toMatchObject({ exitCode: 0, environment: { PGUSER: 'tsdbadmin' } })
    const end = await bench.step(create, { as, entry: 'post', state: step.result.state })
    expect(end.stdout).toContain('which this step created')
    seen.push([step.seen, steady(end, [step.result.outputs.service_id ?? ''])])
  }
  expect(seen[1]).toEqual(seen[0])
})
