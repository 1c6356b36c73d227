/** Checks the options of startEmulator. */
import { suggestionClause } from '#base/suggest'
import type { EmulatorOptions } from './library-types.ts'

/** The expected value of an option, and its check. */
interface Rule {
  expected: string
  isMet(value: unknown): boolean
}

const isText = (value: unknown) => typeof value === 'string'
const isList = (value: unknown): value is unknown[] => Array.isArray(value)
const isWhole = (least: number, most: number) => (value: unknown) =>
  Number.isInteger(value) && Number(value) >= least && Number(value) <= most

const text: Rule = { expected: 'a non-empty text', isMet: value => isText(value) && value !== '' }
const flag: Rule = { expected: 'true or false', isMet: value => typeof value === 'boolean' }
const callback: Rule = { expected: 'a function', isMet: value => typeof value === 'function' }
const milliseconds: Rule = {
  expected: 'a number of milliseconds, at least 0',
  isMet: value => typeof value === 'number' && Number.isFinite(value) && value >= 0,
}
const oneOf = (...values: string[]): Rule => ({
  expected: values.join(', ').replace(/, ([^,]*)$/, ' or $1'),
  isMet: value => values.includes(String(value)) && isText(value),
})

const rules: Record<keyof EmulatorOptions, Rule> = {
  port: { expected: 'a port from 0 to 65535', isMet: isWhole(0, 65_535) },
  host: text,
  allowHosts: { expected: 'a list of names', isMet: value => isList(value) && value.every(isText) },
  publicKey: text,
  secretKey: text,
  projectId: text,
  databases: flag,
  ports: {
    expected: 'two ports from 1 to 65535, the lower one first',
    isMet: value =>
      isList(value) &&
      value.length === 2 &&
      value.every(isWhole(1, 65_535)) &&
      Number(value[0]) <= Number(value[1]),
  },
  data: text,
  temp: text,
  postgres: text,
  extensions: text,
  standIns: flag,
  maxServices: { expected: 'a whole number, at least 0', isMet: isWhole(0, Number.MAX_SAFE_INTEGER) },
  peerings: oneOf('accepted', 'pending', 'failed'),
  timeSeriesType: oneOf('TIMESERIESDB', 'TIMESCALEDB'),
  // Entries have their own rules.
  faults: { expected: 'a list of faults', isMet: isList },
  like: {
    expected: 'a profile with changes',
    isMet: value => typeof value === 'object' && value !== null && 'changes' in value,
  },
  readyAfter: milliseconds,
  changeAfter: milliseconds,
  deleteAfter: milliseconds,
  snapshotAfter: milliseconds,
  snapshotEvery: milliseconds,
  peeringAfter: milliseconds,
  vpcBusyFor: milliseconds,
  onRequest: callback,
  onProblem: callback,
}

const secrets = ['publicKey', 'secretKey']

/** The value for an error, without keys. */
const shown = (name: string, value: unknown) =>
  secrets.includes(name) ? '' : `, not ${JSON.stringify(value) ?? String(value)}`

/** Rejects unknown options and malformed values of known ones. Throws an `Error` that names all of them. */
export function checkOptions(options: EmulatorOptions): void {
  const problems = Object.entries(options).flatMap(([name, value]) => {
    const rule = new Map(Object.entries(rules)).get(name)
    if (rule === undefined) return [`there is no option ${name}${suggestionClause(name, Object.keys(rules))}`]
    // An undefined option counts as missing.
    if (value === undefined) return []
    return rule.isMet(value) ? [] : [`${name}: expected ${rule.expected}${shown(name, value)}`]
  })
  if (problems.length > 0) throw new Error(`startEmulator: ${problems.join('; ')}`)
}
