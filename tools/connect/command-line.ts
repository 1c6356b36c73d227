/** The command line of `connect`: the database, and the use of its connection. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ActionError } from '#base/errors'
import { renderFlagProblem } from '#base/suggest'
import { parseConnectionUri, type UriConnection } from '#postgres/connection-uri'
import { usualPrefix } from '#preview/base/name'
import { publishedName } from '../release/published-name.ts'

/** The description of the package, from the sources or from `lib`. */
const description = join(
  import.meta.dirname,
  import.meta.filename.endsWith('.ts') ? '' : '..',
  '../../package.json',
)

const packageJson = readFileSync(description, 'utf8')
const major = Number.parseInt(JSON.parse(packageJson).version, 10)
/** With the action at the tag that the documents name, which before version 1.0.0 is `v1` too. */
const command = `npx github:${publishedName(packageJson)}#v${Math.max(1, major)} connect`

export const helpText = `Usage: ${command} SERVICE_ID [URL] [flags] [-- psql arguments]
       ${command} --pull-request N [flags] [-- psql arguments]

Opens psql on a preview. The password is derived from the secret that the workflows use.
The comment on the pull request shows the command with SERVICE_ID and URL.

  --print            print the URL with its password, and start nothing
  --pull-request N   find the preview of this pull request by the API
  --repo OWNER/NAME  its repository, where the project has previews of several
  --name-prefix PREFIX
                     the name_prefix of the preview (${usualPrefix})

Environment:
  DATABASE_PASSWORD_SECRET  password_secret of the workflows; without it, the command asks for it
  DATABASE_PUBLIC_KEY, DATABASE_SECRET_KEY
                            keys of the API: needed without URL. Where the workflows set no password_secret,
                            passwords are derived from the secret key
  DATABASE_BASE_URL         address of the API (Tiger Cloud's)
  GITHUB_TOKEN              for --repo, where the repository is private
  GITHUB_API_URL, GITHUB_SERVER_URL
                            of a GitHub Enterprise Server, for --repo
`

/** The selected database: one with a known address, one with a known id, or a preview. */
export type Wanted =
  | { serviceId: string; url: UriConnection | undefined }
  | { pullRequest: number; repository: string | undefined; prefix: string }

export interface CommandLine {
  wanted: Wanted
  print: boolean
  psql: string[]
}

const usage = (message: string) => new ActionError(message, 'run connect --help')

function readUrl(text: string | undefined): UriConnection | undefined {
  if (text === undefined) return undefined
  const parsed = parseConnectionUri(text)
  if (!('value' in parsed)) throw usage(`URL: expected ${parsed.expected}, got ${parsed.got}`)
  const url = parsed.value
  if (url.password !== '')
    throw new ActionError(
      'URL: expected a URL without a password, since connect derives the password',
      'remove the password from the URL',
    )
  return url
}

function readService([serviceId = '', url, ...others]: string[]): Wanted {
  if (!/^[\w-]{1,64}$/.test(serviceId))
    throw usage('SERVICE_ID: expected the id of a service, like d1k5vk7hf2')
  if (others.length > 0) throw usage(`expected SERVICE_ID and URL, got ${others.join(' ')} too`)
  return { serviceId, url: readUrl(url) }
}

function readPreview(number: string, repository: string | undefined, prefix: string): Wanted {
  if (!/^[1-9]\d{0,9}$/.test(number)) throw usage('--pull-request: expected the number of a pull request')
  if (repository !== undefined && !/^[\w.-]+\/[\w.-]+$/.test(repository))
    throw usage('--repo: expected the name of a repository, like acme/shop')
  return { pullRequest: Number(number), repository, prefix }
}

const options = {
  print: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h' },
  repo: { type: 'string' },
  'pull-request': { type: 'string' },
  'name-prefix': { type: 'string', default: usualPrefix },
} as const

function parse(args: string[]) {
  try {
    return parseArgs({ args, allowPositionals: true, options })
  } catch (failure) {
    throw usage(renderFlagProblem(failure, Object.keys(options)))
  }
}

/** Undefined if the usage is requested. @throws ActionError for wrong arguments */
export function parseCommandLine(args: string[]): CommandLine | undefined {
  const [own, psql] = args.includes('--')
    ? [args.slice(0, args.indexOf('--')), args.slice(args.indexOf('--') + 1)]
    : [args, []]
  const { values, positionals } = parse(own)
  const [command, ...words] = positionals
  if (values.help || command === undefined) return undefined
  if (command !== 'connect') throw usage(`there is no command ${command}`)
  const number = values['pull-request']
  if (number !== undefined && words.length > 0)
    throw usage('expected either SERVICE_ID or --pull-request, got both')
  const wanted =
    number === undefined ? readService(words) : readPreview(number, values.repo, values['name-prefix'])
  return { wanted, print: values.print, psql }
}
