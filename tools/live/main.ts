/**
 * Compares the real service with docs/internals/api.md, with your own keys: `npm run live` prints the planned steps. It
 * writes a report without private data, and a profile for the emulator (docs/internals/live.md).
 */
import { spawnSync } from 'node:child_process'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { parseBaseUrl } from '#action/inputs/base-url'
import { ActionError } from '#base/errors'
import { messageOf } from '#base/unknown-values'
import { createRealSeam } from '#client/network/real-seam'
import { checkDist } from '../build/stale-dist.ts'
import { live } from './live.ts'
import type { Findings } from './report/findings.ts'
import { renderReport, toProfile, toReport } from './report/report.ts'

const plan = `npm run live -- --yes [--beside-production] [--no-databases]
npm run live -- --clean

Walks through the life of a service on the server that DATABASE_BASE_URL names, with the key in DATABASE_PUBLIC_KEY and
DATABASE_SECRET_KEY, in the project of that key: the key's account; create, connect, rename, password, logs, metrics,
environment, pooler, a replica set, high availability; forks of what runs and of a paused service; pause, start, resize; a preview from its
opening to its closing; delete.

What it creates is called live-check-… and deleted whatever happens; nothing else is ever touched. It is about ten
services, at most three at a time, of 0.5 CPU and 2 GB (one gets 1 CPU and 4 GB), none for longer than 45 minutes. So it
may cost up to 2.25 hours of such a service, by your price list. One run at a time: it deletes what another has left.

  --yes                do it
  --beside-production  also in a project that holds a service with another tag than DEV
  --no-databases       leave out all that opens a database, where none can be reached from here
  --clean              only delete what earlier runs have left

It writes live-report.md, live-report.json and profile.json into this folder.
`

function fromEnvironment(name: string): string {
  const value = process.env[name]?.trim() ?? ''
  if (value !== '') return value
  throw new ActionError(`${name} is not set`, 'set it like the secret or variable of that name in the README')
}

/** Aborted by the first signal to stop; later ones have no effect, since the records must still be deleted. */
function watchSignals(): AbortSignal {
  const end = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(name, () => {
      process.exitCode = 128 + constants.signals[name]
      end.abort(new Error(`ended by ${name}`))
    })
  return end.signal
}

function write(findings: Findings): void {
  const root = resolve(import.meta.dirname, '../..')
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const { stdout } = spawnSync('git', ['rev-parse', '--short=12', 'HEAD'], { cwd: root, encoding: 'utf8' })
  const report = toReport(findings, {
    date: new Date().toISOString().slice(0, 10),
    version: stdout ? `${version}, commit ${stdout.trim()}` : version,
  })
  const text = renderReport(report)
  writeFileSync('live-report.md', text)
  writeFileSync('live-report.json', `${JSON.stringify(report, undefined, 2)}\n`)
  writeFileSync('profile.json', `${JSON.stringify(toProfile(findings), undefined, 2)}\n`)
  const { GITHUB_STEP_SUMMARY } = process.env
  if (GITHUB_STEP_SUMMARY) appendFileSync(GITHUB_STEP_SUMMARY, text)
  say(`${report.differences.length} differences: live-report.md`)
}

const say = (line: string) => void process.stdout.write(`${line}\n`)

async function main(): Promise<void> {
  const flag = { type: 'boolean', default: false } as const
  // Without a reader, as with `| head`, the run continues, since its records must still be deleted.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  const { values } = parseArgs({
    options: { yes: flag, 'beside-production': flag, 'no-databases': flag, clean: flag },
  })
  if (!values.yes && !values.clean) return say(plan)
  const base = parseBaseUrl(fromEnvironment('DATABASE_BASE_URL'))
  if (!('value' in base))
    throw new ActionError('DATABASE_BASE_URL is not the address of an API', base.expected)
  const credentials = {
    publicKey: fromEnvironment('DATABASE_PUBLIC_KEY'),
    secretKey: fromEnvironment('DATABASE_SECRET_KEY'),
  }
  await checkDist()
  const { findings, left } = await live({
    ...{ seam: createRealSeam(), baseUrl: base.value, credentials, signal: watchSignals(), say },
    ...{ besideProduction: values['beside-production'], withDatabases: !values['no-databases'] },
    onlyClean: values.clean,
  })
  if (!values.clean) write(findings)
  if (left.length > 0)
    throw new ActionError(
      `not deleted, and costing money: ${left.join(', ')}`,
      'run npm run live -- --clean, or delete them in the console',
    )
}

await main().catch(error => {
  process.stderr.write(`live: ${messageOf(error)}${error instanceof ActionError ? ` — ${error.next}` : ''}\n`)
  process.exitCode ??= 1
})
