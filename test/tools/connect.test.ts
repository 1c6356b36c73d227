/** Runs the command that connects a person to a preview. */
import { chmodSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { delimiter, join, resolve } from 'node:path'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { hashRepository } from '#preview/base/name'
import { derivePassword } from '#preview/base/password'
import { parseCommandLine } from '../../tools/connect/command-line.ts'
import { connect as runConnect } from '../../tools/connect/connect.ts'
import { publishedName } from '../../tools/release/published-name.ts'
import { message, startHostileServer } from '../postgres/support/hostile-server.ts'
import { useServers } from '../support/local-servers.ts'
import { runNode } from '../support/run-program.ts'
import { useWorkbench } from '../support/workbench.ts'
import { useWorkspace } from '../support/workspace.ts'

const main = resolve(import.meta.dirname, '../../tools/connect/main.ts')
const packageJson = readFileSync(resolve(import.meta.dirname, '../../package.json'), 'utf8')
const secret = 'a-secret-of-the-team'
const url = 'postgresql://tsdbadmin@db.example:5432/tsdb?sslmode=require'

const offline = { DATABASE_PUBLIC_KEY: 'public-test', DATABASE_SECRET_KEY: 'secret-test-of-the-api' }

const folder = useWorkspace()
const bench = useWorkbench({ databases: 'invented' })
/** The address of a GitHub that has one repository. */
let github: string
const servers = useServers()

const environmentOf = (environment: NodeJS.ProcessEnv) => ({
  PATH: `${folder.path}${delimiter}${process.env.PATH}`,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  ...environment,
})

/** Runs the command in this process, without a terminal. */
async function connect(args: string[], environment: NodeJS.ProcessEnv = {}) {
  const written = { stdout: '', stderr: '' }
  const write = (name: keyof typeof written) => ({
    write(text: string | Uint8Array) {
      written[name] += text
      return true
    },
  })
  const streams = { stdout: write('stdout'), stderr: write('stderr') }
  const host = { env: environmentOf(environment), stdin: { isTTY: false as const }, ...streams }
  return { code: await runConnect(['connect', ...args], host), ...written }
}

/** Runs the command as a process, with a psql that prints its arguments and its password. */
const startConnect = (args: string[], environment: NodeJS.ProcessEnv) =>
  runNode([main, 'connect', ...args], { env: environmentOf(environment) }).exit

const keys = () => ({
  DATABASE_BASE_URL: bench.emulator.baseUrl,
  DATABASE_PUBLIC_KEY: 'public-test',
  DATABASE_SECRET_KEY: bench.secretKey,
})

/** A service by the name of a preview; gives its id. */
async function preview(number: number, { prefix = 'preview', of = '1' } = {}): Promise<string> {
  const name = `${prefix}-pr-${number}-${hashRepository(of)}-a1b2c3`
  return (await bench.runSuccessfully({ operation: 'create-service', name })).outputs.service_id as string
}

beforeAll(async () => {
  const print = `echo "$PGPASSWORD"; for word in "$@"; do echo "$word"; done; env | grep -c ^DATABASE_`
  // With PSQL_EXIT it prints nothing: its output is that of the tests.
  folder.write({ psql: `#!/bin/sh\n[ -n "$PSQL_EXIT" ] && exit $PSQL_EXIT\n${print}\nexit 3\n` })
  chmodSync(join(folder.path, 'psql'), 0o755)
  const server = createServer(({ url }, response) => {
    response.statusCode = url === '/repos/acme/shop' ? 200 : 404
    response.end(JSON.stringify({ id: 1 }))
  })
  github = `http://127.0.0.1:${await servers.listen(server)}`
})

const password = (id: string, from = secret) => derivePassword(from, id)
const filled = (id: string, address: string, from = secret) =>
  address.replace('tsdbadmin@', `tsdbadmin:${password(id, from)}@`)

describe('connect', () => {
  it('names the repository of package.json and the tag of the documents in its help', async () => {
    const { stdout } = await connect(['--help'])
    expect(stdout).toContain(`npx github:${publishedName(packageJson)}#v1 connect SERVICE_ID`)
  })

  it('starts psql with the derived password, which is in no argument', async () => {
    const { code, stdout } = await startConnect(['abc123', url, '--', '-c', 'select 1'], {
      DATABASE_PASSWORD_SECRET: secret,
    })
    expect(stdout.trim().split('\n')).toEqual([password('abc123'), '-c', 'select 1', url, '0'])
    expect(code).toBe(3)
  })

  it('finds the address of a service, and the preview of a pull request, by the API', async () => {
    const id = await preview(7)
    const address = url.replace('db.example', `${id}.databases.invalid`)
    const expected = `${filled(id, address, keys().DATABASE_SECRET_KEY)}\n`
    for (const words of [[id], ['--pull-request', '7']])
      expect(await connect([...words, '--print'], keys())).toEqual({ code: 0, stdout: expected, stderr: '' })
    const other = await preview(7, { prefix: 'orders' })
    const { stdout } = await connect(['--pull-request', '7', '--name-prefix', 'orders', '--print'], {
      ...keys(),
      DATABASE_PASSWORD_SECRET: secret,
    })
    expect(stdout).toBe(`${filled(other, url.replace('db.example', `${other}.databases.invalid`))}\n`)
  })

  it('requires the repository if several have such a preview', async () => {
    const id = await preview(8)
    await preview(8, { of: '2' })
    const ask = (...words: string[]) =>
      connect(['--pull-request', '8', '--print', ...words], { ...keys(), GITHUB_API_URL: github })
    expect((await ask()).stderr).toContain('2 repositories have a preview')
    expect(await ask('--repo', 'acme/shop')).toMatchObject({ code: 0, stdout: expect.stringContaining(id) })
    expect((await ask('--repo', 'acme/other')).stderr).toContain(
      'GitHub does not show the repository acme/other (404)',
    )
  })

  it('names the prefixes of the previews that a pull request has', async () => {
    for (const prefix of ['orders', 'shop']) await preview(9, { prefix })
    expect((await connect(['--pull-request', '9', '--print'], keys())).stderr).toMatch(
      /^connect: pull request 9 has no preview with the name_prefix preview in project \w+ — set --name-prefix to orders or shop\n$/,
    )
  })

  it('names the operation that starts a paused service', async () => {
    const service_id = await preview(10)
    await bench.runSuccessfully({ operation: 'stop-service', service_id })
    expect((await connect([service_id], keys())).stderr).toBe(
      `connect: service ${service_id} is PAUSED — start it with the operation start-service, or, for a preview, push to its pull request\n`,
    )
  })

  describe('after psql found no connection', () => {
    const attempt = async (id: string, port: number, environment: NodeJS.ProcessEnv = {}) => {
      const address = `postgresql://tsdbadmin@127.0.0.1:${port}/tsdb?sslmode=disable`
      const given = { DATABASE_PASSWORD_SECRET: secret, PSQL_EXIT: '2', ...environment }
      const { code, stderr } = await connect([id, address], given)
      expect(code).toBe(2)
      return stderr
    }
    const refusing = () =>
      startHostileServer(servers, [
        message('E', Buffer.from('SFATAL\0C28P01\0Mpassword authentication failed\0\0')),
      ])
    const wrongSecret = (id: string) =>
      `connect: the derived password does not open service ${id} — check DATABASE_PASSWORD_SECRET: it must be the password_secret of the workflow\n`

    it('names the secret if the password is refused', async () => {
      expect(await attempt('abc123', await refusing())).toBe(wrongSecret('abc123'))
      const id = await preview(11)
      expect(await attempt(id, await refusing(), keys())).toBe(wrongSecret(id))
    })

    it('names a service that is not a preview', async () => {
      const { outputs } = await bench.runSuccessfully({ operation: 'create-service', name: 'shop' })
      const id = outputs.service_id as string
      expect(await attempt(id, await refusing(), keys())).toBe(
        `connect: service ${id} (shop) is no preview, and the derived password does not open it — connect by psql with the password of the service\n`,
      )
    })

    it('shows how to restore a paused or deleted preview, with its status if there are keys', async () => {
      const id = await preview(12)
      expect(await attempt(id, 1)).toMatch(
        /^connect: service \w+ accepts no connection: .*ECONNREFUSED.* — if the preview is paused or deleted, push to its pull request; otherwise check that this machine can reach 127\.0\.0\.1:1\n$/,
      )
      await bench.runSuccessfully({ operation: 'stop-service', service_id: id })
      expect(await attempt(id, 1, keys())).toContain(`connect: service ${id} is PAUSED — start it`)
      expect(await attempt('abc123', 1, keys())).toContain('there is no service abc123')
      const unknown = { ...keys(), DATABASE_BASE_URL: 'http://127.0.0.1:1/public/api/v1' }
      expect(await attempt(id, 1, unknown)).toContain('accepts no connection')
    })
  })

  it('names the address of GitHub if GitHub is unreachable', async () => {
    const environment = { ...keys(), GITHUB_API_URL: 'http://127.0.0.1:1' }
    expect((await connect(['--pull-request', '8', '--repo', 'acme/shop'], environment)).stderr).toMatch(
      /^connect: GitHub cannot be asked for the repository acme\/shop: .*ECONNREFUSED.* — check GITHUB_API_URL and that this machine can reach it \(proxy, firewall, DNS\)\n$/,
    )
  })

  test.each<[string[], NodeJS.ProcessEnv | (() => NodeJS.ProcessEnv), string]>([
    [['abc123', url], {}, 'no password secret is set, and there is no terminal to ask for it'],
    [['abc123', url], { DATABASE_PASSWORD_SECRET: 'short' }, 'the password secret has 5 characters'],
    [['abc123'], {}, 'there are no keys'],
    [['abc123'], { DATABASE_BASE_URL: 'http://api.example' }, 'DATABASE_BASE_URL is not the address'],
    [
      ['abc123'],
      { ...offline, DATABASE_BASE_URL: 'http://127.0.0.1:1/public/api/v1' },
      '— check host and port in DATABASE_BASE_URL, and that a server listens there: localhost is this machine itself',
    ],
    [
      ['abc123'],
      () => keys(),
      'check SERVICE_ID, or use a key of the right project: there is no service abc123 in project',
    ],
    [
      ['abc123'],
      () => ({ ...keys(), DATABASE_SECRET_KEY: 'wrong-secret-of-the-api' }),
      'check DATABASE_PUBLIC_KEY and DATABASE_SECRET_KEY: both must belong to one key of this DATABASE_BASE_URL, in the right order',
    ],
    [['--pull-request', '4711'], () => keys(), 'pull request 4711 has no preview in project'],
    [
      ['abc123', url],
      { DATABASE_PASSWORD_SECRET: secret, PATH: '' },
      'psql is not on the PATH — install it (package postgresql-client or libpq)',
    ],
  ])('names the missing value: %j', async (args, environment, message) => {
    const given = typeof environment === 'function' ? environment() : environment
    const { code, stdout, stderr } = await connect(args, given)
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining(message)])
  })
})

describe('the command line', () => {
  test.each([
    [['connect'], 'SERVICE_ID: expected the id'],
    [['connect', '../x'], 'SERVICE_ID: expected the id'],
    [['connect', 'abc', 'host:5432'], 'URL: expected a connection URL'],
    [['connect', 'abc', 'postgresql://u:p@h/d'], 'URL: expected a URL without a password'],
    [['connect', 'abc', url, 'more'], 'got more too'],
    [['connect', 'abc', '--pull-request', '7'], 'expected either SERVICE_ID or --pull-request'],
    [['connect', '--pull-request', 'x'], '--pull-request: expected the number'],
    [['connect', '--pull-request', '7', '--repo', 'shop'], '--repo: expected the name'],
    [['reset'], 'there is no command reset'],
    [['connect', '--port', '7'], /^Unknown option '--port'$/],
    [['connect', '--pull-reqest', '7'], /^Unknown option '--pull-reqest' \(did you mean --pull-request\?\)$/],
  ])('rejects %j', (args, message) => {
    expect(() => parseCommandLine(args)).toThrow(message)
  })
})
