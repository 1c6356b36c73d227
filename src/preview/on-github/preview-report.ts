/** Describes the state of a preview in blocks, for the comment on its pull request. Never contains a password. */
import {
  type Block,
  code,
  details,
  heading,
  joinPieces,
  type Line,
  line,
  list,
  type Span,
  small,
  table,
} from '#base/report'
import { parseTimestamp } from '#base/timestamp'
import type { PreviewSettings } from '../base/context.ts'
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
  const origin = describeOrigin({ ...report, data })
  const created = renderMoment(createdAt)
  if (origin === undefined) return [created ? `empty, created ${created}` : 'empty']
  const { parent, since } = origin
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
  const shownPrefix: Span[] = prefix === undefined ? [] : [' ', { code: prefix }]
  const { icon, words } = states[state]
  return heading(`${icon} Preview database`, ...shownPrefix, ` ${words}`)
}

/** When prune deletes a preview for its age; undefined if never or unknown. */
export const renderExpiry = (created: string | undefined, { maxAge = Number.NaN }: PreviewSettings) =>
  renderMoment((parseTimestamp(created) ?? Number.NaN) + maxAge)

const shortName = (name: string) => name.replace(/-[0-9a-f]{8}$/, '')

function stateTable(report: PreviewReport, { settings }: CommentContext): Block {
  const { name, state, consoleUrl, size, stored, createdAt } = report
  const isLinked = state !== 'deleted' && consoleUrl !== undefined
  const database = joinPieces(
    [
      isLinked ? { link: consoleUrl, name: shortName(name) } : { code: shortName(name) },
      size,
      stored && `${stored} stored`,
    ],
    ' · ',
  )
  const isKept = state !== 'deleted' && state !== 'failed'
  const facts: [string, readonly Span[]][] = [
    ['Database', database],
    ['Data', dataOf(report)],
    ['Expires', isKept ? [renderExpiry(createdAt, settings) ?? 'when the pull request closes'] : []],
  ]
  const known = facts.filter(([, fact]) => fact.length > 0)
  return table(
    known.map(([label]) => label),
    [known.map(([, fact]) => fact)],
  )
}

/** The command in a checkout of the action, for releases that npm cannot install. */
const checkoutCommand = 'npx --no managed-database-action connect'

const checkoutAdvice = ({ hasPasswordSecret }: CommentContext) =>
  line(
    'Run the command in a checkout of the action, after ',
    { code: 'npm ci' },
    `. It asks for ${hasPasswordSecret ? '' : 'the secret key, because your workflow sets no '}`,
    { code: 'password_secret' },
    '.',
  )

const isPackage = (source: string) => /^github:[\w./#-]+$/.test(source)

const connectCommand = (source: string) => (isPackage(source) ? `npx ${source} connect` : checkoutCommand)

/**
 * A command to copy into a shell: `connect`, or `psql` for an id with other characters. Left out if the URL has
 * characters with a meaning to a shell or to Markdown.
 */
function commandOf({ url = '', serviceId = '' }: PreviewReport, context: CommentContext): Block[] {
  const { packageSource: source = '' } = context
  if (!/^postgresql:\/\/[\w.~%:@/[\]?=+,-]+$/.test(url)) return []
  if (!/^[\w-]+$/.test(serviceId)) return [code('sh', `psql '${url}'`)]
  const command = code('sh', `${connectCommand(source)} ${serviceId} '${url}'`)
  return isPackage(source) ? [command] : [command, checkoutAdvice(context)]
}

/** The command without an address, because everyone can read the comment of a public repository. */
function publicCommandOf({ name }: PreviewReport, { pullRequest, packageSource = '' }: CommentContext) {
  const prefix = prefixOf(name)
  const more = prefix === undefined ? '' : ` --name-prefix ${prefix}`
  return code('sh', `${connectCommand(packageSource)} --pull-request ${pullRequest}${more}`)
}

const labeled = (label: string, text: string | undefined): Block[] =>
  text ? [line({ strong: `${label}:` }, ' ', { code: text })] : []

function inputsFor(name: string): Span[] {
  const prefix = prefixOf(name)
  const operation: Span = { code: 'operation: get-connection' }
  return prefix === undefined ? [operation] : [operation, ' and ', { code: `name_prefix: ${prefix}` }]
}

/** Facts that few readers need. The command to copy already shows the address. */
function detailsOf(report: PreviewReport, isAddressShown: boolean): Block {
  const { name, state, host, port, database, user, serviceId, status, quarantine } = report
  const { quarantineDetails = [] } = report
  const address = state === 'ready' && isAddressShown ? { host, port, database, user } : {}
  const facts = Object.entries({ 'service id': serviceId, status, ...address })
  const rows = facts
    .filter(([, value]) => value !== undefined)
    .map(([label, value]): Line[] => [label, { code: String(value) }])
  const factTable = table(['name', { code: name }], rows.length > 0 ? rows : [['state', states[state].words]])
  if (state !== 'ready') return details('Details', factTable)
  const advice = 'A job of this repository gets the connection, password included, from a step with '
  const items = quarantineDetails.map((text): Line => ({ code: text }))
  const connection = [list(items), line(advice, ...inputsFor(name), '.')]
  return quarantine
    ? details('Quarantine and connection', factTable, line(`Quarantined: ${quarantine}`), ...connection)
    : details('Details', factTable, ...connection)
}

/** The facts of the run that the comment shows beside the preview. */
interface CommentContext
  extends Pick<WorkflowEvent, 'runUrl' | 'packageSource' | 'explanation' | 'isPublic'> {
  /** Milliseconds since 1970. */
  now: number
  pullRequest: number
  hasPasswordSecret: boolean
  settings: PreviewSettings
}

function footerOf({ commit }: PreviewReport, { runUrl, explanation, now }: CommentContext): Block {
  const parts = [
    renderCommit(commit),
    `updated ${renderMoment(now)}`,
    runUrl !== '' && { link: runUrl, name: 'log' },
    explanation !== undefined && { link: explanation, name: 'what this comment means' },
  ]
  return small(joinPieces(parts, ' · '))
}

function readyBlocks({ facts = [], consoleUrl }: PreviewReport, command: Block[]): Block[] {
  const blocks = facts.flatMap(({ label, text }) => labeled(label, text))
  if (consoleUrl !== undefined) {
    const link = { link: consoleUrl, name: 'open in Tiger Console' }
    blocks.push(line({ strong: 'Connect:' }, ' ', link, ', or run'))
  }
  return [...blocks, ...command]
}

/** The blocks that only a preview in this state has. */
function stateBlocks(report: PreviewReport, command: Block[]): Block[] {
  const { state, problem, next, name } = report
  if (state === 'failed') return [...labeled('Why', problem), ...labeled('What to do', next)]
  if (state === 'ready') return readyBlocks(report, command)
  if (state !== 'paused') return []
  const use = 'It was unused. Its storage is billed while it is paused. The next push, or a step with '
  return [line(use, ...inputsFor(name), ', starts it again, with the same data and password.')]
}

export function reportPreview(report: PreviewReport, context: CommentContext): Block[] {
  const command = context.isPublic ? [publicCommandOf(report, context)] : commandOf(report, context)
  return [
    headingOf(report),
    stateTable(report, context),
    ...stateBlocks(report, command),
    detailsOf(report, command.length === 0),
    footerOf(report, context),
  ]
}
