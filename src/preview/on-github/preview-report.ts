/** The state of a preview as blocks of a report, for the comment on its pull request. It never holds a password. */
import { type Block, code, details, joined, type Line, line, list, type Span, table } from '#base/report'
import type { PreviewReport } from '../base/github.ts'
import { parsePreviewBase, usualPrefix } from '../base/name.ts'
import { describeOrigin, renderMoment } from '../base/origin.ts'

const words: Record<PreviewReport['state'], string> = {
  creating: 'being created',
  ready: 'ready',
  paused: 'paused',
  failed: 'failed',
  deleted: 'deleted',
}

/** The state at a glance. */
const icons: Record<PreviewReport['state'], string> = {
  creating: '🟡',
  ready: '🟢',
  paused: '🔵',
  failed: '🔴',
  deleted: '⚪',
}

/** GitHub turns the first digits of a commit's id into a link by themselves; the whole id is wider than a phone. */
const renderCommit = (commit: string | undefined) =>
  /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(commit ?? '') ? `commit ${commit?.slice(0, 7)}` : undefined

/** The source of the data, and its date. */
function dataOf(report: PreviewReport): readonly Span[] | undefined {
  const { data, createdAt } = report
  if (data === undefined) return undefined
  const origin = describeOrigin({ ...report, data })
  const created = renderMoment(createdAt)
  return origin.parent === undefined && created
    ? [`empty, created ${created}`]
    : [origin.text, ...(origin.parent === undefined ? [] : [{ code: origin.parent }]), origin.since ?? '']
}

/** The prefix distinguishes several previews of one pull request; the default one is not shown. */
const prefixOf = (name: string) => parsePreviewBase(name)?.prefix ?? usualPrefix

function headingOf({ name, state }: PreviewReport): Span {
  const prefix = prefixOf(name)
  return {
    strong: [
      'Preview database',
      ...(prefix === usualPrefix ? [] : [' ', { code: prefix }]),
      `: ${words[state]}`,
    ],
  }
}

/** The state at a glance, in one line. A preview that is not ready shows since when. */
function stateOf(report: PreviewReport, { runUrl, now }: Surroundings): Block {
  const { state, consoleUrl, size, commit, expiresAt } = report
  const expires = renderMoment(expiresAt)
  return line(
    ...joined(
      [
        [`${icons[state]} `, headingOf(report)],
        state !== 'ready' && renderMoment(now),
        dataOf(report),
        renderCommit(commit),
        size,
        expires && `expires ${expires}`,
        runUrl !== '' && { link: runUrl, name: 'log' },
        state !== 'deleted' && consoleUrl !== undefined && { link: consoleUrl, name: 'console' },
      ],
      ' · ',
    ),
  )
}

/** The command in a checkout of the action, where npm cannot fetch the action. */
const checkoutCommand = 'npx --no managed-database-action connect'

const checkoutAdvice: Line = [
  'Run the command in a checkout of the action, after ',
  { code: 'npm ci' },
  '. It derives the password from ',
  { code: 'password_secret' },
  '.',
]

/**
 * A line to copy into a shell, with the service id for `connect`, which derives the password. Left out if the URL has
 * characters with a meaning to a shell or to Markdown. For such an id it is `psql`, which asks for the password.
 */
function commandOf({ url = '', serviceId = '' }: PreviewReport, source = ''): Block[] {
  if (!/^postgresql:\/\/[\w.~%:@/[\]?=+,-]+$/.test(url)) return []
  if (!/^[\w-]+$/.test(serviceId)) return [code('sh', `psql '${url}'`)]
  if (/^github:[\w./#-]+$/.test(source)) return [code('sh', `npx ${source} connect ${serviceId} '${url}'`)]
  return [code('sh', `${checkoutCommand} ${serviceId} '${url}'`), line(...[checkoutAdvice].flat())]
}

const labeled = (label: string, text: string | undefined): Block[] =>
  text ? [line({ strong: `${label}:` }, ' ', { code: text })] : []

/** The inputs of a step that connects to this preview. */
function inputsFor(name: string): Span[] {
  const prefix = prefixOf(name)
  return [
    { code: 'operation: get-connection' },
    ...(prefix === usualPrefix ? [] : [' and ', { code: `name_prefix: ${prefix}` }]),
  ]
}

const adviceFor = (name: string): Line => [
  'A job of this repository gets the connection, password included, from a step with ',
  ...inputsFor(name),
  '.',
]

const pausedAdviceFor = (name: string): Line => [
  'Nobody used it. The next push, or a step with ',
  ...inputsFor(name),
  ', starts it again, with the same data and password.',
]

/** Facts that few readers need. The command to copy already shows the address. */
function detailsOf(report: PreviewReport, { hasCommand, now }: { hasCommand: boolean; now: number }): Block {
  const { name, state, host, port, database, user, serviceId, status, quarantineDetails = [] } = report
  const facts = {
    'service id': serviceId,
    status,
    ...(!hasCommand && { host, port, database, user }),
  }
  const rows = Object.entries(facts).flatMap(([label, value]): Line[][] =>
    value === undefined ? [] : [[label, { code: String(value) }]],
  )
  const items = quarantineDetails.map((text): Line => ({ code: text }))
  return details(
    'Details',
    table(['name', { code: name }], [...rows, ['updated', renderMoment(now) ?? '']]),
    ...(state === 'ready' ? [list(items), line(...[adviceFor(name)].flat())] : []),
  )
}

/** Facts about the run that writes the comment. */
interface Surroundings {
  /** Its page. */
  runUrl: string
  /** Milliseconds since 1970. */
  now: number
  /** Where npm finds the action. */
  source?: string | undefined
}

/** The state of a preview, its connection and its details. */
export function reportPreview(report: PreviewReport, surroundings: Surroundings): Block[] {
  const { state, problem, next, resetReason, quarantine } = report
  const isReady = state === 'ready'
  const command = isReady ? commandOf(report, surroundings.source) : []
  return [
    stateOf(report, surroundings),
    ...(state === 'failed' ? [...labeled('Why', problem), ...labeled('What to do', next)] : []),
    ...(isReady ? labeled('Reset', resetReason) : []),
    ...command,
    ...(isReady && quarantine ? [line(`Quarantined: ${quarantine}`)] : []),
    ...(state === 'paused' ? [line(...[pausedAdviceFor(report.name)].flat())] : []),
    detailsOf(report, { hasCommand: command.length > 0, now: surroundings.now }),
  ]
}
