/** Runs the operations on services. */
import { describe, expect, it } from 'vitest'
import { answer } from '../support/api-faults.ts'
import { query, useWorkbench } from '../support/workbench.ts'

const bench = useWorkbench()
const invented = useWorkbench({ databases: 'invented' })

/** A service of its own for a test, so that no test depends on another. */
async function createService(name: string, of = bench) {
  const wait_for_connection = String(of === bench)
  const { outputs } = await of.runSuccessfully({ operation: 'create-service', name, wait_for_connection })
  return { service_id: outputs.service_id as string, url: outputs.database_url as string, outputs }
}

describe('services', { concurrent: true }, () => {
  it('creates a service that accepts connections, and reads it and its log', async () => {
    const { service_id, outputs, url } = await createService('created')
    expect(outputs).toMatchObject({
      name: 'created',
      status: 'READY',
      environment: 'DEV',
      service_type: 'POSTGRES',
      user: 'tsdbadmin',
      database: 'tsdb',
      created: 'true',
      deleted: 'false',
      changed: 'true',
    })
    expect(outputs.initial_password).toBe(outputs.password)
    expect(
      await query(url, 'select current_user as who, ssl from pg_stat_ssl where pid = pg_backend_pid()'),
    ).toEqual([{ who: 'tsdbadmin', ssl: true }])

    const read = await bench.runSuccessfully({ operation: 'get-service', service_id })
    expect(read.outputs).toMatchObject({
      status: 'READY',
      host: outputs.host,
      port: outputs.port,
      created: 'false',
      changed: 'false',
    })
    expect(read.outputs.password).toBeUndefined()
    expect(read.outputs.database_url).toBe(
      `postgresql://tsdbadmin@${outputs.host}:${outputs.port}/tsdb?sslmode=require`,
    )

    await expect(query(url, 'select * from no_such_table')).rejects.toThrow('does not exist')
    const logs = await bench.runSuccessfully({
      operation: 'get-service-logs',
      service_id,
      search: 'no_such_table',
    })
    expect(JSON.parse(logs.outputs.result as string).logs.join('\n')).toContain(
      'relation "no_such_table" does not exist',
    )
  })

  it('gives URLs that connect, with any characters in password and names', async () => {
    const { service_id, url, outputs } = await createService('reserved')
    // All but the six that node-postgres does not decode in the name of a database: `/?#;&$`.
    const database_name = `we!rd 'na"me' %\\[x]@=+,:(*)<>^|{}~\`ü`
    await query(url, `create database "${database_name.replaceAll('"', '""')}"`)
    await bench.runSuccessfully({ operation: 'enable-pooler', service_id })
    const password = `p%40 :/?#[]@!$&'()*+,;="{}<>^\`~|\\ü€`
    const set = await bench.runSuccessfully({
      operation: 'update-password',
      service_id,
      password,
      database_name,
    })
    await expect(query(url, 'select 1')).rejects.toThrow('password authentication failed')
    for (const address of [set.outputs.database_url, set.outputs.pooler_url]) {
      expect(await query(address, 'select current_database() as name')).toEqual([{ name: database_name }])
    }
    const jdbc = new URL((set.outputs.jdbc_url as string).replace('jdbc:postgresql:', 'https:'))
    expect(jdbc.searchParams.get('password')).toBe(password)
    expect(decodeURIComponent(jdbc.pathname.slice(1))).toBe(database_name)
    expect(jdbc.port).toBe(outputs.port)
  })

  it('reads a metric series that counts the sessions of the database', async () => {
    const { service_id } = await createService('measured')
    const { outputs: names } = await bench.runSuccessfully({ operation: 'list-metric-series', service_id })
    const metric_name = 'timescale_cloud_database_num_connections'
    expect(JSON.parse(names.result as string)).toContain(metric_name)
    const [from, to] = [-60_000, 60_000].map(by => new Date(Date.now() + by).toISOString()) as [
      string,
      string,
    ]
    const filters = '[{"key": "role", "value": "replica", "match_type": "NOT_EQUAL"}]'
    const given = { operation: 'get-metric-series', service_id, from, to, bucket_seconds: '60', filters }
    const asked = { ...given, metric_name, fn: 'MAX', group_by: 'role, region' }
    const { outputs, stdout } = await bench.runSuccessfully(asked)
    expect(stdout).not.toContain('::warning')
    const [series] = JSON.parse(outputs.result as string)
    expect(series).toMatchObject({ labels: { role: 'primary', region: 'us-east-1' } })
    const values = series.data.map(({ value }: { value?: number | null }) => value)
    expect(values).toContain(0)
    expect(values, 'the future is a gap').toContain(null)
    const older = await bench.runSuccessfully({ ...given, name: metric_name })
    expect(older.stdout).toContain(
      'get-metric-series has renamed the input name to metric_name: rename it in',
    )
    const details = await bench.runSuccessfully({ operation: 'get-metric-details', service_id, metric_name })
    expect(JSON.parse(details.outputs.result as string)).toMatchObject({ metric_name, type: 'GAUGE' })
  })

  it('shows the message of the API about a change, also after the wait for it', async () => {
    const { service_id } = await createService('told', invented)
    const words = 'as you wish: PROD'
    invented.injectFaults(({ operation, path }) =>
      operation === 'set-environment' && path.includes(service_id)
        ? answer(200, { message: words }, { when: 'after' })
        : undefined,
    )
    const given = { operation: 'set-environment', service_id, environment: 'PROD' }
    const { stdout, summary, outputs } = await invented.runSuccessfully(given)
    expect(stdout).toContain(`set-environment: ${words}\n`)
    expect(summary).toContain('The API reports: as you wish')
    expect(JSON.parse(outputs.result as string)).toMatchObject({ service_id, message: words })
  })
})
