/** The state of a preview as blocks of a report, for the comment on its pull request. It never holds a password. */
import {
  type Block,
  code,
  details,
  heading,
  joined,
  type Line,
  line,
  list,
  type Span,
  small,
  table,
} from '#base/report'
import type { PreviewReport, WorkflowEvent } from '../base/github.ts'
import { parsePreviewBase, usualPrefix } from '../base/name.ts'
import { describeOrigin, renderMoment } from '../base/origin.ts'

const states: Record<PreviewReport['state'], { icon: string; words: string }> = {
  creating: { icon: '🟡', words: 'is being created' },
  ready: { icon: '🟢', words: 'ready' },
  paused: { icon: '🔵', words: 'is paused' },
  failed: { icon: '🔴', words: 'failed' },
  deleted: { icon: '⚪', words: 'was deleted' },
}

/** GitHub links the first digits of a commit id by itself; the whole id is wider than a phone. */
const renderCommit = (commit: string | undefined) =>
  /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(commit ?? '') ? `commit ${commit?.slice(0, 7)}` : undefined

function dataOf(report: PreviewReport): readonly Span[] {
  const { data, createdAt, maskedAt } = report
  if (data === undefined) return []
  const { parent, since = '' } = describeOrigin({ ...report, data })
  const created = renderMoment(createdAt)
  if (parent === undefined) return [created ? `empty, created ${created}` : 'empty']
  return maskedAt === undefined
    ? [{ code: parent }, since]
    : [{ code: parent }, ', ', { strong: 'masked' }, ` ${renderMoment(maskedAt)}`]
}

/** The prefix distinguishes several previews of one pull request; undefined for the default. */
function prefixOf(name: string): string | undefined {
  const prefix = parsePreviewBase(name)?.prefix
  return prefix === usualPrefix ? undefined : prefix
}

function headingOf({ name, state }: PreviewReport): Block {
  const prefix = prefixOf(name)
  const which: Span[] = prefix === undefined ? [] : [' ', { code: prefix }]
  const { icon, words } = states[state]
  return heading(`${icon} Preview database`, ...which, ` ${words}`)
}

const shortName = (name: string) => name.replace(/-[0-9a-f]{8}$/, '')

function stateTable(report: PreviewReport): Block {
  const { name, state, consoleUrl, size, stored, expiresAt } = report
  const isThere = state !== 'deleted' && consoleUrl !== undefined
  const database = joined(
    [
      isThere ? { link: consoleUrl, name: shortName(name) } : { code: shortName(name) },
      size,
      stored && `${stored} stored`,
    ],
    ' · ',
  )
  const expires = renderMoment(expiresAt) ?? 'when the pull request closes'
  const facts: [string, readonly Span[]][] = [
    ['Database', database],
    ['Data', dataOf(report)],
    ['Expires', state === 'deleted' || state === 'failed' ? [] : [expires]],
  ]
  const known = facts.filter(([, fact]) => fact.length > 0)
  return table(
    known.map(([label]) => label),
    [known.map(([, fact]) => fact)],
  )
}

/** The command in a checkout of the action, for releases that npm cannot install. */
const checkoutCommand = 'npx --no managed-database-action connect'

const checkoutAdvice = line(
  'Run the command in a checkout of the action, after ',
  { code: 'npm ci' },
  '. It derives the password from ',
  { code: 'password_secret' },
  ', or from the secret key if there is none.',
)

const isPackage = (source: string) => /^github:[\w./#-]+$/.test(source)

/**
 * A command to copy into a shell: `connect`, or `psql` for an id with other characters. Left out if the URL has
 * characters with a meaning to a shell or to Markdown.
 */
function commandOf({ url = '', serviceId = '' }: PreviewReport, source = ''): Block[] {
  if (!/^postgresql:\/\/[\w.~%:@/[\]?=+,-]+$/.test(url)) return []
  if (!/^[\w-]+$/.test(serviceId)) return [code('sh', `psql '${url}'`)]
  if (isPackage(source)) return [code('sh', `npx ${source} connect ${serviceId} '${url}'`)]
  return [code('sh', `${checkoutCommand} ${serviceId} '${url}'`), checkoutAdvice]
}

/** Without an address: everyone can read the comment of a public repository. */
function publicCommandOf({ name }: PreviewReport, { pullRequest, packageSource = '' }: Surroundings): Block {
  const command = isPackage(packageSource) ? `npx ${packageSource} connect` : checkoutCommand
  const prefix = prefixOf(name)
  const more = prefix === undefined ? '' : ` --name-prefix ${prefix}`
  return code('sh', `${command} --pull-request ${pullRequest}${more}`)
}

const labeled = (label: string, text: string | undefined): Block[] =>
  text ? [line({ strong: `${label}:` }, ' ', { code: text })] : []

function inputsFor(name: string): Span[] {
  const prefix = prefixOf(name)
  return [
    { code: 'operation: get-connection' },
    ...(prefix === undefined ? [] : [' and ', { code: `name_prefix: ${prefix}` }]),
  ]
}

/** Facts that few readers need. The command to copy already shows the address. */
function detailsOf(report: PreviewReport, isAddressShown: boolean): Block {
  const { name, state, host, port, database, user, serviceId, status, quarantine } = report
  const { quarantineDetails = [] } = report
  const facts = {
    'service id': serviceId,
    status,
    ...(isAddressShown && { host, port, database, user }),
  }
  const rows = Object.entries(facts).flatMap(([label, value]): Line[][] =>
    value === undefined ? [] : [[label, { code: String(value) }]],
  )
  const isReady = state === 'ready'
  const advice = 'A job of this repository gets the connection, password included, from a step with '
  const items = quarantineDetails.map((text): Line => ({ code: text }))
  return details(
    isReady && quarantine ? 'Quarantine and connection' : 'Details',
    table(['name', { code: name }], rows.length > 0 ? rows : [['state', states[state].words]]),
    ...(isReady && quarantine ? [line(`Quarantined: ${quarantine}`)] : []),
    ...(isReady ? [list(items), line(advice, ...inputsFor(name), '.')] : []),
  )
}

interface Surroundings extends Pick<WorkflowEvent, 'runUrl' | 'packageSource' | 'explanation' | 'isPublic'> {
  /** Milliseconds since 1970. */
  now: number
  pullRequest: number
}

export function reportPreview(report: PreviewReport, surroundings: Surroundings): Block[] {
  const { state, problem, next, facts = [], consoleUrl, commit } = report
  const { isPublic = false, runUrl, explanation, now, packageSource } = surroundings
  const isReady = state === 'ready'
  const command = isReady && !isPublic ? commandOf(report, packageSource) : []
  const footer = [
    renderCommit(commit),
    `updated ${renderMoment(now)}`,
    runUrl !== '' && { link: runUrl, name: 'log' },
    explanation !== undefined && { link: explanation, name: 'what this comment means' },
  ]
  return [
    headingOf(report),
    stateTable(report),
    ...(state === 'failed' ? [...labeled('Why', problem), ...labeled('What to do', next)] : []),
    ...(isReady ? facts.flatMap(({ label, text }) => labeled(label, text)) : []),
    ...(isReady && consoleUrl !== undefined
      ? [line({ strong: 'Connect:' }, ' ', { link: consoleUrl, name: 'open in Tiger Console' }, ', or run')]
      : []),
    ...(isReady && isPublic ? [publicCommandOf(report, surroundings)] : command),
    ...(state === 'paused'
      ? [
          line(
            'It was unused. Its storage is billed while it is paused. The next push, or a step with ',
            ...inputsFor(report.name),
            ', starts it again, with the same data and password.',
          ),
        ]
      : []),
    detailsOf(report, !isPublic && command.length === 0),
    small(joined(footer, ' · ')),
  ]
}
