/** Renders the report and the profile of a walk. */
import { endpoints } from '#api/endpoints'
import { renderDuration } from '#base/duration'
import { keysOf } from '#base/table'
import type { Profile } from '../../../emulator/store/progress/profile.ts'
import { type Course, type Findings, passedOf } from './findings.ts'

/** The date and version of a report. */
interface Origin {
  /** The day. */
  date: string
  version: string
}

/** The public findings of a walk: without ids, hosts and secrets. */
export function toReport(findings: Findings, origin: Origin) {
  const { differences, courses, refusals, rights, times, facts, skipped, walked, snapshotAfter } = findings
  return {
    ...origin,
    differences: [...differences].map(([what, count]) => ({ what, times: count })),
    ...{ changes: courses, refusals: [...refusals.values()], rights, facts },
    times: {
      ...times,
      ...(snapshotAfter !== undefined && { 'a service: until there is a snapshot': snapshotAfter }),
    },
    /** Omitted steps of the walk, with the reason. */
    skipped,
    /** Operations of the API that were not called. */
    notCalled: keysOf(endpoints).filter(name => !walked.has(name)),
  }
}

export type Report = ReturnType<typeof toReport>

/** The measurements for `--like`: of several changes of a kind, the first that finished. */
export function toProfile({ courses, snapshotAfter }: Findings): Profile {
  const changes: Profile['changes'] = {}
  for (const course of courses)
    if (course.done !== undefined)
      changes[course.operation] ??= { lasts: course.done, statuses: passedOf(course) }
  return { changes, ...(snapshotAfter !== undefined && { snapshotAfter }) }
}

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;')
const table = (head: string[], rows: string[][]) =>
  [head, head.map(() => '---'), ...rows].map(row => `| ${row.map(cell).join(' | ')} |`).join('\n')
const list = (lines: string[]) =>
  lines.length === 0 ? 'None.' : lines.map(line => `- ${cell(line)}`).join('\n')

const describeCourse = ({ statuses, done }: Course) => [
  statuses.map(({ status, at }) => `${status} at ${renderDuration(at)}`).join(', '),
  done === undefined ? 'never' : renderDuration(done),
]

const describeRight = ({ needed, what, isTried, problem }: Findings['rights'][number]) => [
  needed,
  what,
  problem === undefined ? 'yes' : `${isTried ? 'refused' : 'not tried'}: ${problem}`,
]

/** Renders the report for an issue. */
export function renderReport(report: Report): string {
  const { differences, changes, refusals, rights, times, facts, skipped, notCalled } = report
  const measured = Object.entries(times).map(([what, time]) => [what, renderDuration(time)])
  return `# What the real service does, ${report.date}

Written by \`npm run live\` (docs/internals/live.md) of version ${report.version}. It holds no id, host, name or secret.

## Differences from docs/internals/api.md: ${differences.length}

${list(differences.map(({ what, times: count }) => (count === 1 ? what : `${what} (${count} times)`)))}

## Left out

${list(skipped)}

Operations that were not called: ${notCalled.join(', ') || 'none'}.

## Changes

${table(
  ['operation', 'statuses', 'done after'],
  changes.map(one => [one.operation, ...describeCourse(one)]),
)}

## Refusals

${table(
  ['operation', 'step', 'status', 'code', 'message'],
  refusals.map(({ operation, step, status, code, message }) => [operation, step, `${status}`, code, message]),
)}

## Rights of the owner in the database

${table(['needed for', 'right', 'has it'], rights.map(describeRight))}

## Times and facts

${table(['what', 'is'], [...measured, ...Object.entries(facts)])}
`
}
