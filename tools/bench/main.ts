/**
 * Measures the start-up of a step, `waiting` policies, `masking` or a `rehearsal`, prints the results, and exits with 1
 * if a limit is exceeded. With an argument it also writes them to docs/internals/performance.md.
 */
import { parseArgs } from 'node:util'
import { writeMeasurement } from '../reference/documents.ts'
import { benchMasking } from './masking.ts'
import { benchRehearsal } from './rehearsal.ts'
import { benchStartUp } from './start-up.ts'
import { benchWaiting } from './waiting.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '30' },
    peer: { type: 'string' },
    'peer-address': { type: 'string' },
    with: { type: 'string', multiple: true },
    rows: { type: 'string', default: '10000,20000,40000' },
    mebibytes: { type: 'string', default: '1024' },
  },
})

const benchmarks = {
  'start-up': () => benchStartUp({ ...values, runs: Number(values.runs) }),
  waiting: benchWaiting,
  masking: () => benchMasking(values.rows.split(',').map(Number)),
  rehearsal: () => benchRehearsal(Number(values.mebibytes)),
}
const isKnown = (name: string): name is keyof typeof benchmarks => name in benchmarks

const [name = 'start-up'] = positionals
if (!isKnown(name))
  throw new Error(`unknown word ${name}: expected one of ${Object.keys(benchmarks)}, or none`)
const { text, missed } = await benchmarks[name]()
process.stdout.write(`\n${text}\n`)
if (positionals.length > 0) writeMeasurement(name, `\n${text}\n`)
for (const problem of missed) process.stdout.write(`✗ ${problem}\n`)
if (missed.length > 0) process.exitCode = 1
