/** Tests the rows of a result. */
import { afterEach, describe, expect, it, test, vi } from 'vitest'
import { openEdge } from '#action/host/edge'
import { openHost } from '#action/host/host'
import { escapeWords, renderDone, renderSuccess } from '#action/outputs/step-summary'
import { Secrets } from '#action/secrets/secrets'
import { reportOutcome } from '#action/step'
import type { Endpoint } from '#api/endpoint'
import { type EndpointName, endpoints } from '#api/endpoints'
import { ActionError } from '#base/errors'
import { renderLogTable } from '#base/render-log'
import { listedRows } from '#operations/base/endpoint-outcome'
import type { Outcome } from '#operations/base/outcome'
import type { Decision, Verdict } from '#preview/on-github/prune-decision'
import { outcomeOfPrune } from '#preview/prune/prune'
import { captureOutput } from '../../support/hostile-text.ts'

const login = { user: 'tsdbadmin', database: 'tsdb', sslmode: 'require' }

function found(operation: EndpointName, answer: unknown): Outcome {
  const row: Endpoint = endpoints[operation]
  const { response } = row as { response?: { parse(answer: unknown): unknown } }
  const result = response?.parse(answer)
  return { operation, ids: { project_id: 'p1' }, result, rows: listedRows(row, result) }
}

const logLines = ({ rows }: Outcome) => (rows ? renderLogTable(rows) : [])

const summaryOf = (outcome: Outcome) => renderSuccess({ outcome, login }, new Secrets())

const services = found('list-services', [
  {
    service_id: 's1',
    name: 'shop',
    status: 'READY',
    region_code: 'us-east-1',
    created: '2026-01-31T12:00:00Z',
  },
  { service_id: 's22', name: 'a | b', status: 'PAUSED', metadata: { environment: 'PROD' } },
])

const entries = [
  { timestamp: '2026-01-31T12:00:01Z', severity: 'ERROR', message: 'relation "orders" does not exist' },
  { timestamp: '2026-01-31T12:00:00Z', severity: 'LOG', message: 'ready' },
]

describe('the rows of a result', () => {
  const lists = (Object.keys(endpoints) as EndpointName[]).filter(
    name => name.startsWith('list-') && name !== 'list-metric-series',
  )

  it('of list-metric-series are their names', () => {
    expect(found('list-metric-series', ['cpu', 'disk']).rows?.rows).toEqual([['cpu'], ['disk']])
  })

  test.each(lists)('of %s start with their ids, in existing fields', name => {
    const { columns = [], rows } = found(name, [{ id: '7', service_id: '7' }]).rows ?? {}
    expect(rows).toEqual([['7', ...columns.slice(1).map(() => '')]])
    const full = Object.fromEntries(columns.map(column => [String(column), '8']))
    const nested = { ...full, metadata: { environment: '8' } }
    expect(found(name, [nested]).rows?.rows).toEqual([columns.map(() => '8')])
  })

  it('are aligned columns in the log', () => {
    expect(logLines(services)).toEqual([
      'service_id  name   status  region_code  environment  created',
      's1          shop   READY   us-east-1                 2026-01-31T12:00:00Z',
      's22         a | b  PAUSED               PROD',
    ])
  })

  it('of a log are its lines', () => {
    expect(logLines(found('get-service-logs', { entries }))).toEqual([
      'timestamp             severity  message',
      '2026-01-31T12:00:01Z  ERROR     relation "orders" does not exist',
      '2026-01-31T12:00:00Z  LOG       ready',
    ])
    expect(logLines(found('get-service-logs', { logs: ['one', 'two'] }))).toEqual(['message', 'one', 'two'])
  })

  test.each<[string, Outcome]>([
    ['an empty list', found('list-services', [])],
    ['an empty log', found('get-service-logs', {})],
    ['a single record', found('get-vpc', { id: '7' })],
    ['a list that was not read', { operation: 'list-services', ids: {} }],
  ])('do not exist for %s', (_, outcome) => {
    expect(logLines(outcome)).toEqual([])
    expect(summaryOf(outcome)).not.toContain('| ---')
  })

  const many = (count: number) =>
    found(
      'list-vpcs',
      Array.from({ length: count }, (_, index) => ({ id: `${index}`, name: `net-${index}` })),
    )

  it('are 20 at most in the log, and 50 in the summary', () => {
    const lines = logLines(many(55))
    expect(lines).toHaveLength(22)
    expect(lines.at(-2)).toMatch(/^19 /)
    expect(lines.at(-1)).toBe('… and 35 more VPCs: the output result contains all')
    expect(logLines(many(20))).toHaveLength(21)
    expect(summaryOf(many(55))).toContain('| 49 | net-49 |')
    expect(summaryOf(many(55))).not.toContain('net-50')
    expect(summaryOf(many(55))).toContain('And 5 more VPCs.')
    expect(summaryOf(many(50))).not.toContain('more VPCs')
  })

  it('stay aligned despite one long text', () => {
    const long = 'x'.repeat(3000)
    const vpcs = [
      { id: '1', name: long },
      { id: '2', name: 'net', cidr: '10.0.0.0/16' },
    ]
    const lines = logLines(found('list-vpcs', vpcs))
    expect(lines[2]).toBe(`2   net${' '.repeat(39)}10.0.0.0/16`)
    expect(summaryOf(found('list-vpcs', vpcs)).length).toBeLessThan(1000)
  })
})

describe('the summary', () => {
  it('has a table of the rows', () => {
    expect(summaryOf(services)).toMatchInlineSnapshot(`
      "### list-services

      2 in the list.

      | service_id | name | status | region_code | environment | created |
      |---|---|---|---|---|---|
      | s1 | shop | READY | us-east-1 |  | 2026-01-31T12&#58;00&#58;00Z |
      | s22 | a &#124; b | PAUSED |  | PROD |  |

      | output | value |
      |---|---|
      | count | 2 |
      | project_id | p1 |"
    `)
  })

  it("stays below the runner's limit for any text", () => {
    const hostile = '|'.repeat(1000)
    const record = {
      service_id: 's1',
      name: hostile,
      status: hostile,
      region_code: hostile,
      created: hostile,
    }
    const list = Array.from({ length: 60 }, () => ({ ...record, metadata: { environment: hostile } }))
    expect(summaryOf(found('list-services', list)).length).toBeLessThan(900_000)
  })
})

describe('texts of servers', () => {
  afterEach(() => vi.unstubAllEnvs())
  const hostile = '::set-output name=a::b\n##[add-path]/tmp hush-hush <img src=x> @team'
  const list = found('list-vpcs', [{ id: '::warning::7', name: hostile }])
  const log = found('get-service-logs', { entries: [{ timestamp: '::stop-commands::x', message: hostile }] })

  test.each([list, log])('are escaped ($operation)', outcome => {
    const edge = openEdge('list-services', openHost())
    edge.secrets.add('hush-hush')
    for (const name of ['GITHUB_OUTPUT', 'GITHUB_STEP_SUMMARY']) vi.stubEnv(name, '/dev/null')
    const printed = captureOutput(() => reportOutcome(edge, { outcome, login }, false))
    const ours = printed.split('\n').filter(line => !/^::(?:add-mask|set-output)/.test(line))
    for (const line of ours) expect(line).not.toMatch(/^\s*::|##\[|hush-hush/)
    expect(printed).toContain('set-output name=a')
    const summary = renderSuccess({ outcome, login }, edge.secrets)
    expect(summary).not.toMatch(/hush-hush|<img|@team|^::/m)
    expect(summary).toContain(escapeWords('<img src=x>'))
  })
})

describe('the last line', () => {
  const decision = (verdict: Verdict): Decision => ({
    ...{ service: { service_id: 's1', name: 'preview-pr-1-00000000-aaaaaa' }, reason: 'why' },
    verdict,
  })
  const pruned = (...found: Verdict[]): Outcome =>
    outcomeOfPrune('p1', found.map(decision), { isDryRun: found.includes('would delete') })

  test.each<[string, Outcome, string]>([
    ['a list', services, 'list-services: done; 2 in the list (output result)'],
    [
      'a prune',
      pruned('kept', 'deleted', 'skipped', 'kept', 'deleted', 'failed'),
      'prune-previews: done; 2 deleted, 2 kept, 1 skipped, 1 failed',
    ],
    [
      'an operation that failed in part',
      { operation: 'prune-previews', ids: {}, done: '1 failed', problem: new ActionError('no', 'do') },
      'prune-previews: failed; 1 failed',
    ],
    ['a prune that found nothing', pruned(), 'prune-previews: done; there are no previews'],
    [
      'a dry run of prune',
      pruned('would delete', 'kept', 'would delete'),
      'prune-previews: skipped; dry run: 2 would be deleted, 1 kept',
    ],
    [
      'a dry run',
      { operation: 'delete-service', ids: {}, skipped: 'dry run: would delete service s1' },
      'delete-service: skipped; dry run: would delete service s1',
    ],
  ])('describes %s', (_, outcome, line) => {
    expect(renderDone(outcome)).toBe(line)
  })

  it('of the summary is a count, and a dry run reports the planned change', () => {
    const summary = summaryOf(pruned('would delete', 'kept'))
    expect(summary).toContain('Nothing was done: dry run.')
    expect(summary).toContain('1 would be deleted, 1 kept.')
    expect(summary).toContain('| 1 | would delete | why |')
  })
})
