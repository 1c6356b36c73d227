import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Access {
  baseUrl: string
  publicKey: string
  secretKey: string
}

async function ask<Answer>(
  { baseUrl, publicKey, secretKey }: Access,
  method: string,
  path: string,
  body?: object,
): Promise<Answer> {
  const headers = {
    authorization: `Basic ${Buffer.from(`${publicKey}:${secretKey}`).toString('base64')}`,
    ...(body && { 'content-type': 'application/json' }),
  }
  const url = path.startsWith('/') ? `${baseUrl}${path}` : path
  const answer = await fetch(url, { method, headers, body: body ? JSON.stringify(body) : null })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`the emulator refused ${method} ${path}: ${answer.status} ${text}`)
  // The emulator of the same version answers what the description of its API says.
  return (text === '' ? undefined : JSON.parse(text)) as Answer
}

/** The id of the one project that the key belongs to. */
export async function readProjectId(access: Access): Promise<string> {
  const { api_key: key } = await ask<{ api_key: { project: { id: string } } }>(access, 'GET', '/auth/info')
  return key.project.id
}

interface Service {
  service_id: string
  status: string
  initial_password?: string
  endpoint?: { host: string; port: number }
}

async function readSeed(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    throw new Error(`seed_file: ${file} cannot be read: check the path, and run actions/checkout before`, {
      cause,
    })
  }
}

/** Milliseconds: until a database of the emulator is READY. */
const patience = 120_000
const pause = 200

async function untilReady(access: Access, path: string): Promise<Service> {
  for (const start = Date.now(); Date.now() - start < patience; await sleep(pause)) {
    const service = await ask<Service>(access, 'GET', path)
    if (service.status === 'READY') return service
    if (service.status === 'UNSTABLE') break
  }
  throw new Error('the parent did not become READY: see the log of the emulator at the end of the job')
}

async function runSql(
  { host, port, password }: { host: string; port: number; password: string },
  file: string,
  seed: string,
): Promise<void> {
  // Imported late: the packages may only just have been installed.
  const { default: pg } = await import('pg')
  const login = { user: 'tsdbadmin', database: 'tsdb', password, ssl: { rejectUnauthorized: false } }
  const client = new pg.Client({ host, port, ...login })
  await client.connect()
  try {
    await client.query(seed)
  } catch (failure) {
    const reason = failure instanceof Error ? failure.message : String(failure)
    throw new Error(
      `seed_file: PostgreSQL refuses ${file}: ${reason} (dumps with COPY need psql on the PATH)`,
      {
        cause: failure,
      },
    )
  } finally {
    await client.end()
  }
}

/** Runs the file with psql, which also takes dumps with COPY; without psql, runs it as one text of SQL. */
async function fill(
  { host, port }: { host: string; port: number },
  password: string,
  file: string,
  seed: string,
): Promise<void> {
  const environment = { PGHOST: host, PGPORT: String(port), PGUSER: 'tsdbadmin', PGDATABASE: 'tsdb' }
  const { status, stderr, error } = spawnSync('psql', ['-X', '-q', '-v', 'ON_ERROR_STOP=1', '-f', file], {
    encoding: 'utf8',
    env: { ...process.env, ...environment, PGPASSWORD: password, PGSSLMODE: 'require' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  if (error) return runSql({ host, port, password }, file, seed)
  if (status !== 0) throw new Error(`seed_file: psql refuses it: ${stderr.trim().slice(0, 600)}`)
}

/** Creates the service that previews are forked from, fills it, and takes a snapshot of the filled database. */
export async function createParent(
  access: Access,
  projectId: string,
  name: string,
  seedFile: string,
): Promise<string> {
  // Read before anything is created, so that a missing seed file fails at once.
  const seed = seedFile === '' ? undefined : await readSeed(seedFile)
  const path = `/projects/${projectId}/services`
  const created = await ask<Service>(access, 'POST', path, { name })
  const { service_id: id, initial_password: password = '' } = created
  const { endpoint } = await untilReady(access, `${path}/${id}`)
  if (endpoint && seed !== undefined) await fill(endpoint, password, seedFile, seed)
  if (endpoint) await ask(access, 'POST', new URL(`/emulator/services/${id}/snapshot`, access.baseUrl).href)
  return id
}
