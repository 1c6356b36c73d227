/** Tests the reusable workflows. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ownInputs } from '#action/inputs/input-table'
import { operations } from '#action/inputs/operation-table'
import { forEnterpriseServer, notPassedOn } from '../../tools/reference/action-files.ts'
import { readWorkflow, repository } from './support/workflow-file.ts'

const readme = readFileSync(resolve(repository, 'README.md'), 'utf8')
/** The secrets that the README stores, which a call with `secrets: inherit` passes under the same names. */
const stored = [...readme.matchAll(/^ *gh secret set (\w+)/gm)].map(([, name = '']) => name)

const shared = ['base_url', 'project_id', 'dry_run', 'list_lag', 'request_timeout', 'max_attempts']

describe.each([
  ['preview', '.github/workflows/preview.yml'],
  ['prune-previews', '.github/workflows/prune-previews.yml'],
  ['create-masked-parent', '.github/workflows/masked-parent.yml'],
])('the workflow around %s', (operation, path) => {
  const { on, jobs } = readWorkflow(path)
  const { inputs = {}, secrets = {} } = on.workflow_call ?? {}
  const [job] = Object.values(jobs)
  const given = job?.steps?.at(-1)?.with ?? {}

  it('takes every input of the operation, or gives a reason', () => {
    const used = [...(operations.get(operation)?.inputs ?? []), ...shared]
    const left = used.filter(name => !(name in inputs || name in secrets || name in notPassedOn))
    expect(used.length).toBeGreaterThan(15)
    expect(left).toEqual([])
  })

  it('passes on each input under its own name', () => {
    const ofJob = ['runs_on', 'environment', 'timeout_minutes']
    const expected = Object.fromEntries([
      ['operation', operation],
      ...Object.keys(secrets)
        .filter(name => !name.startsWith('DATABASE_'))
        .map(name => {
          const inherited = `DATABASE_${name.toUpperCase()}`
          return [name, `\${{ secrets.${name}${inherited in secrets ? ` || secrets.${inherited}` : ''} }}`]
        }),
      ...Object.keys(inputs)
        .filter(name => !ofJob.includes(name))
        .map(name => [name, `\${{ inputs.${name} }}`]),
    ])
    expect(given).toEqual(expected)
    for (const name of ofJob) expect(JSON.stringify(job)).toContain(`inputs.${name}`)
  })

  it('takes the secrets of an environment under the names of the README', () => {
    expect(stored).toHaveLength(3)
    expect(Object.keys(secrets)).toEqual(expect.arrayContaining(stored))
  })

  it('takes as boolean only the inputs that can be nothing else', () => {
    const flags = Object.keys(inputs).filter(name => inputs[name]?.type === 'boolean')
    expect(flags.length).toBeGreaterThan(0)
    const others = flags.filter(name => 'value' in (ownInputs[name]?.parse('strict') ?? {}))
    expect(others).toEqual([])
  })

  it('needs no input but the address, and no secret, which runs of forks do not have', () => {
    const isRequired = ([, { required }]: [string, { required?: boolean }]) => required === true
    expect(
      Object.entries(inputs)
        .filter(isRequired)
        .map(([name]) => name),
    ).toEqual(['base_url'])
    expect(Object.entries(secrets).filter(isRequired)).toEqual([])
  })

  it('is the same for GitHub Enterprise Server, apart from unsupported features', () => {
    const ours = JSON.parse(JSON.stringify(jobs), (key, value) =>
      key === 'queue' || key === 'deployment' ? undefined : value,
    )
    const theirs = readWorkflow(path.replace('.github/workflows', 'ghes')).jobs
    const uses = Object.values(theirs)[0]?.steps?.at(-1)?.uses
    expect(uses).toMatch(/^[\w.-]+\/[\w.-]+@v\d+\.\d+\.\d+$/)
    expect(JSON.parse(JSON.stringify(theirs).replace(`${uses}`, '$/'))).toEqual(ours)
  })
})

it('removes two keys and replaces the reference to this repository for GitHub Enterprise Server', () => {
  const text = 'a:\n  queue: max # why\n  deployment: false\nb:\n  - uses: $/ # same\n  - uses: $/other\n'
  expect(forEnterpriseServer(text, 'acme/db@v1.2.0').split('\n').slice(1).join('\n')).toBe(
    'a:\nb:\n  - uses: acme/db@v1.2.0\n  - uses: $/other\n',
  )
})
