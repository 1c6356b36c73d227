/** Tests that the secrets of previews stay hidden. */
import { beforeEach, describe, expect, it } from 'vitest'
import type { Service } from '#api/records'
import { derivePassword } from '#preview/base/password'
import { answer, changeBody } from '../support/api-faults.ts'
import { disguise } from '../support/disguises.ts'
import { refuse } from '../support/github/answer.ts'
import { tokens } from '../support/github/tokens.ts'
import { useRepository } from '../support/pull-request.ts'

/** Every step here fails its test where it shows a secret, also to GitHub: see SecretWatch and examineRequests. */
const repository = useRepository({ databases: 'invented', readyAfter: 200 })
beforeEach(() => {
  repository.bench.injectFaults(() => undefined)
  repository.github.injectFaults(() => undefined)
})

const preview = { operation: 'preview', empty: 'true', wait_for_connection: 'false' }

/** All that this run knows, once the service is there. */
function textAbout(serviceId: string, passwordSecret = repository.bench.secretKey): string {
  const secrets = [passwordSecret, derivePassword(passwordSecret, serviceId)]
  return `${secrets[1]} ${disguise(...secrets)}`
}

/** Every look at the service, by itself or in the list, gives these fields, beside its id and name. */
function strikeReads(fields: (serviceId: string) => object): void {
  let name: unknown
  const disguiseOne = (service: Service) =>
    service.name === name ? { ...service, ...fields(service.service_id) } : service
  repository.bench.injectFaults(({ operation, path, body }) => {
    if (operation === 'create-service') name = (body as { name: string }).name
    if (operation === 'update-password') return answer(204, undefined, { when: 'after' })
    if (operation === 'list-services') return changeBody<Service[]>(listed => listed.map(disguiseOne))
    if (operation !== 'get-service') return undefined
    const service_id = path.split('/').at(-1) ?? ''
    return answer(200, { service_id, name, ...fields(service_id) })
  })
}

it('a derived password is masked before it is sent', async () => {
  const { bench, github, on } = repository
  let id = ''
  bench.injectFaults(({ operation, path }) => {
    if (operation !== 'update-password') return undefined
    id = path.split('/').at(-2) ?? ''
    return answer(400, { message: 'no' })
  })
  const { exitCode, stdout } = await on('opened', github.openPullRequest(), preview)
  expect(exitCode).toBe(1)
  expect(stdout).toContain(`::add-mask::${derivePassword(bench.secretKey, id)}\n`)
})

describe('the comment of a preview holds no secret', () => {
  it('if the server writes secrets into the record', async () => {
    const { github, on } = repository
    const number = github.openPullRequest()
    strikeReads(service_id => {
      const text = textAbout(service_id)
      return { status: 'READY', region_code: text, created: text, endpoint: { host: text, port: 5432 } }
    })
    const result = await on('opened', number, preview)
    expect(result.exitCode).toBe(0)
    expect(github.commentsOf(number).at(-1)?.body).toMatch(/host \| `\*\*\* \*\*\*/)
  })

  it('if the server writes secrets into an error', async () => {
    const { github, on, bench } = repository
    const number = github.openPullRequest()
    bench.injectFaults(({ operation, path }) =>
      operation === 'update-password'
        ? answer(400, { code: 'NO', message: textAbout(path.split('/').at(-2) ?? '') })
        : undefined,
    )
    const result = await on('opened', number, preview)
    expect(result.exitCode).toBe(1)
    expect(github.commentsOf(number).at(-1)?.body).toContain('failed with 400 NO: *** ***')
  })

  it.each(['', 'a-secret-of-its-own'])(
    'if the record changes at every status check (password_secret: %j)',
    async password_secret => {
      const { github, on, bench } = repository
      const number = github.openPullRequest()
      let looks = 0
      strikeReads(service_id => {
        const status = looks++ < 2 ? textAbout(service_id, password_secret || bench.secretKey) : 'READY'
        return { status, endpoint: { host: 'db.example', port: 5432 } }
      })
      const result = await on('opened', number, { ...preview, password_secret })
      expect(result.exitCode).toBe(0)
      expect(result.stdout).toMatch(/::warning title=[^:]*::.* has the status \*\*\*/)
    },
  )
})

it('a derived password is known before it is set, also without a hint around it', async () => {
  const { github, on, bench } = repository
  let looks = 0
  // Among the encodings, a URL with the password would disclose it to the action.
  strikeReads(service_id => {
    const status = looks++ < 2 ? derivePassword(bench.secretKey, service_id) : 'READY'
    return { status, endpoint: { host: 'db.example', port: 5432 } }
  })
  const result = await on('opened', github.openPullRequest(), preview)
  expect(result.exitCode).toBe(0)
  expect(result.stdout).toMatch(/::warning title=[^:]*::.* has the status \*\*\*,/)
})

describe('a GitHub that repeats requests in its answers', () => {
  it.each([401, 403, 404, 422, 500])('has the token and the keys removed from a %i', async status => {
    const { github, on, bench } = repository
    const number = github.openPullRequest()
    const text = disguise(tokens.actions, bench.secretKey)
    github.injectFaults(({ method }) =>
      method === 'GET'
        ? undefined
        : { kind: 'answer', answer: refuse(status, text, { 'x-text': bench.secretKey }) },
    )
    const result = await on('opened', number, preview)
    expect(result.stdout).toMatch(/::warning title=[^:]*::.*is not written: .*\*\*\*/)
  })

  it('has them removed from the pull request', async () => {
    const { github, on, bench } = repository
    const number = github.openPullRequest()
    const text = disguise(tokens.actions, bench.secretKey)
    github.injectFaults(() => ({
      kind: 'answer',
      answer: { ...refuse(403, text), headers: { location: 'https://h/' } },
    }))
    const result = await on('opened', number, preview)
    expect(result.stdout).toContain('***')
  })
})
