/** Renders the report and the profile of a walk. */
import { endpoints } from '#api/endpoints'
import { renderDuration } from '#base/duration'
import { keysOf } from '#base/table'
import type { Profile } from '../../../emulator/store/progress/profile.ts'
import { type Findings, passedOf } from './findings.ts'

/** The public findings of a walk on a day, by a version of the tool: without ids, hosts and secrets. */
export function toReport(findings: Findings, origin: { date: string; version: string }) {
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

/** The measurements for `--like`: of several changes of a kind, the first that finished. */
export function toProfile({ courses, snapshotAfter }: Findings): Profile {
  const changes: Profile['changes'] = {}
  for (const course of courses)
    if (course.done !== undefined)
      changes[course.operation] ??= { lasts: course.done, statuses: passedOf(course) }
  return { changes, ...(snapshotAfter !== undefined && { snapshotAfter }) }
}

const cell = (text: unknown) => String(text).replaceAll('|', '\\|').replaceAll('<', '&lt;')
const table = (head: string[], rows: unknown[][]) =>
  [head, head.map(() => '---'), ...rows].map(row => `| ${row.map(cell).join(' | ')} |`).join('\n')
const list = (lines: string[]) => lines.map(line => `- ${cell(line)}`).join('\n') || 'None.'

/** Renders the report for an issue. */
export function renderReport(report: ReturnType<typeof toReport>): string {
  const changes = report.changes.map(({ operation, statuses, done }) => [
    operation,
    statuses.map(({ status, at }) => `${status} at ${renderDuration(at)}`).join(', '),
    done === undefined ? 'never' : renderDuration(done),
  ])
  const refusals = report.refusals.map(one => [one.operation, one.step, one.status, one.code, one.message])
  const rights = report.rights.map(({ needed, what, isTried, problem }) => {
    const failure = `${isTried ? 'refused' : 'not tried'}: ${problem}`
    return [needed, what, problem === undefined ? 'yes' : failure]
  })
  const times = Object.entries(report.times).map(([what, time]) => [what, renderDuration(time)])
  return `# What the real service does, ${report.date}

Written by \`npm run live\` (docs/internals/live.md) of version ${report.version}. It holds no id, host, name or secret.

## Differences from docs/internals/api.md: ${report.differences.length}

${list(report.differences.map(one => (one.times === 1 ? one.what : `${one.what} (${one.times} times)`)))}

## Left out

${list(report.skipped)}

Operations that were not called: ${report.notCalled.join(', ') || 'none'}.

## Changes

${table(['operation', 'statuses', 'done after'], changes)}

## Refusals

${table(['operation', 'step', 'status', 'code', 'message'], refusals)}

## Rights of the owner in the database

${table(['needed for', 'right', 'has it'], rights)}

## Times and facts

${table(['what', 'is'], [...times, ...Object.entries(report.facts)])}
`
}
