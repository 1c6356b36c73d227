/** Reads and checks the inputs of a step. */
import { ListError } from '#base/errors'
import { suggestionClause } from '#base/suggest'
import { textOf } from '#base/unknown-values'
import type { Credentials } from '#client/client'
import type { AllSettings } from '#database/context'
import { contentsInputs, rehearsalInputs } from '#database/inputs'
import type { GivenParameters } from '#operations/base/context'
import { type InputRow, type SettingsOf, settingName } from '#operations/base/input-row'
import { stepInputs } from '#operations/base/inputs'
import { isOptionalField, type Operation, type Texts } from '#operations/base/operation'
import type { WorkflowEvent } from '#preview/base/github'
import { previewInputs } from '#preview/base/inputs'
import { parentProblems } from '#preview/base/parameters'
import { shortestSecret } from '#preview/base/password'
import { unseal } from '../secrets/seal.ts'
import { checkSecretKey, noCredentials, readAccess, sealProblems } from './credentials.ts'
import { parseField } from './field-text.ts'
import { inputProblem } from './input-problem.ts'
import { accessInputs, inputTable } from './input-table.ts'
import { operations } from './operation-table.ts'
import { findIneffective, findUnused, type InputWarning, readRenamed, titled } from './unused-inputs.ts'

/** The values of the action's own inputs. Times in milliseconds. */
type Values = SettingsOf<typeof stepInputs & typeof accessInputs>

/** The checked inputs of a step: everything needed to run its operation. */
export interface StepInputs
  extends Omit<Values, 'operation' | 'apiKey' | 'publicKey' | 'secretKey' | 'passwordSecret'> {
  operation: Operation
  credentials: Credentials
  /** The secret for deriving passwords; undefined if it is the secret key but too short to be safe. */
  passwordSecret: string | undefined
  parameters: GivenParameters
  settings: AllSettings
  warnings: InputWarning[]
}

/** The inputs are invalid. No request was sent. */
export class InputError extends ListError {
  constructor(problems: string[]) {
    const count = problems.length > 1 ? `${problems.length} problems with the inputs` : ''
    super(count, problems, 'correct the inputs of the step; no request was sent')
  }
}

/** The runner passes each input as an environment variable in upper case. An empty input counts as not set. */
export function readTexts(environment: NodeJS.ProcessEnv): { texts: Texts; isSealed: boolean } {
  const inputs = Object.entries(environment)
    .filter(([name]) => name.startsWith('INPUT_'))
    .map(([name, value]): [string, string] => {
      const input = name.slice('INPUT_'.length).toLowerCase()
      // A password is not trimmed: spaces are part of it.
      return [input, input === 'password' ? (value ?? '') : (value ?? '').trim()]
    })
  const texts = new Map(inputs.filter(([, text]) => text !== ''))
  const url = unseal(texts.get('database_url') ?? '', texts.get('seal_secret') ?? '')
  if (url !== undefined) texts.set('database_url', url)
  return { texts, isSealed: url !== undefined }
}

/** Parses the inputs of a table, and collects problems. */
export function readRows<Rows extends Record<string, InputRow>>(
  rows: Rows,
  { texts, defaults = {} }: { texts: Texts; defaults?: Operation['defaults'] },
  problems: string[],
): SettingsOf<Rows> {
  const settings = Object.entries(rows).map(([name, row]) => {
    const read = (text: string | undefined) => {
      const parsed = text === undefined ? { value: undefined } : row.parse(text, texts)
      if ('value' in parsed) return parsed.value
      problems.push(inputProblem(name, parsed.expected, text, row.secret, parsed.got))
      return undefined
    }
    return [settingName(name, row), read(texts.get(name)) ?? read(defaults[name] ?? row.default)]
  })
  return Object.fromEntries(settings) as SettingsOf<Rows>
}

/** The verbs of this action's operations, each with other verbs that people try. */
const verbs = Object.entries({
  create: ['add', 'make', 'new'],
  delete: ['destroy', 'drop', 'remove', 'rm'],
  fork: ['branch', 'clone', 'copy'],
  stop: ['pause'],
  start: ['resume'],
  resize: ['scale'],
  get: ['show'],
  prune: ['cleanup'],
})

/** Replaces other verbs, for suggestions: `remove-service` means `delete-service`, not the similar `rename-service`. */
export function useOwnVerbs(operation: string): string {
  const words = operation.toLowerCase().split(/[-_\s]+/)
  return words.map(word => verbs.find(([, others]) => others.includes(word))?.[0] ?? word).join('-')
}

function findOperation(texts: Texts, problems: string[]): Operation | undefined {
  const name = texts.get('operation')
  const operation = operations.get(name ?? '')
  if (operation) return operation
  const suggestion =
    suggestionClause(useOwnVerbs(name ?? ''), operations.keys()) ||
    '; see the list in docs/reference.md of the action'
  problems.push(inputProblem('operation', 'the name of an operation', name) + suggestion)
  return undefined
}

/** Whether `database_url` replaces the API. A dry run of create-masked-parent takes that input too, but needs the API. */
const worksOnAnyDatabase = (operation: Operation) => operation.inputs.includes('allow_production')

/** Whether the operation must find the database through the API: there is no URL, but an input for the API. */
const needsApi = (texts: Texts) =>
  !texts.has('database_url') &&
  ['base_url', 'public_key', 'secret_key', 'api_key'].some(name => texts.has(name))

/** Alternatives to SQL files, each with its description. */
const sources = {
  sql: 'SQL, or SQL files in sql_file',
  command: 'a migration command, or SQL files in sql_file',
}

/** Missing or contradicting inputs among those that name a database, and among those that contain SQL. */
function contentsProblems({ inputs }: Operation, texts: Texts): string[] {
  const findBoth = (first: string, second: string) =>
    texts.has(first) && texts.has(second) ? [`${first}: expected either ${first} or ${second}, got both`] : []
  const empty =
    'database_url: expected the URL of a database, but the input is empty: check the name of its output or secret. A closed pull request has no preview: add an `if` to the step. (The main action also takes base_url and keys.)'
  return [
    ...(texts.has('database_url') || needsApi(texts) ? [] : [empty]),
    ...findBoth('database_url', 'service_id'),
    ...Object.entries(sources)
      .filter(([source]) => inputs.includes(source))
      .flatMap(([source, expected]) =>
        Object.keys(sources).some(name => texts.has(name)) || texts.has('sql_file')
          ? findBoth(source, 'sql_file')
          : [inputProblem(source, expected, undefined)],
      ),
  ]
}

/** Problems between fields, such as PITR without a time. Problems of single fields are already reported. */
function ruleProblems({ rules }: Operation, parameters: GivenParameters, texts: Texts): string[] {
  const issues = rules?.safeParse(parameters).error?.issues ?? []
  return issues
    .filter(issue => issue.code === 'custom')
    .map(issue => inputProblem(String(issue.path[0]), issue.message, texts.get(String(issue.path[0]))))
}

function readParameters(operation: Operation, texts: Texts, problems: string[]): GivenParameters {
  const parameters: GivenParameters = {}
  const before = problems.length
  for (const [name, schema] of Object.entries(operation.fields)) {
    const text = texts.get(name)
    if (text === undefined && isOptionalField(name, schema)) continue
    const parsed = parseField(schema, text ?? '')
    if (text !== undefined && 'value' in parsed) {
      parameters[name] = parsed.value
      continue
    }
    const expected = 'expected' in parsed ? parsed.expected : 'a value'
    const needed = text === undefined ? ` (${operation.name} needs it)` : ''
    problems.push(inputProblem(name, expected + needed, text, inputTable[name]?.secret))
  }
  if (problems.length === before) problems.push(...ruleProblems(operation, parameters, texts))
  return parameters
}

/** The command could read the keys in the environment of the step's process (proc(5), `/proc/pid/environ`). */
const keysBesideCommand =
  'command: its processes can read the keys of this step; for code of a pull request, use database_url in a job without keys'

/** Reads and checks all inputs of the step for the event. @throws InputError naming every problem */
export function readInputs(environment: NodeJS.ProcessEnv, event: WorkflowEvent): StepInputs {
  const { texts: given, isSealed } = readTexts(environment)
  const problems: string[] = []
  const operation = findOperation(given, problems)
  const { texts: named, warnings: renamed } = readRenamed(operation, given)
  const unused = operation && findUnused(operation, named)
  // A misspelled name counts as the correct one, so that the input is not also reported as missing.
  const texts = new Map([...named].map(([name, text]) => [unused?.corrections.get(name) ?? name, text]))
  const source = { texts, defaults: { ...operation?.defaults, ...operation?.defaultsFor?.(texts) } }
  const access = readRows(accessInputs, source, problems)
  const step = readRows(stepInputs, source, problems)
  const preview = readRows(previewInputs, source, problems)
  const ofContents = readRows(contentsInputs, source, problems)
  const { databaseUrl } = ofContents
  const contents = { ...ofContents, databaseUrl: databaseUrl && { ...databaseUrl, isSealed } }
  const rehearsal = readRows(rehearsalInputs, source, problems)
  problems.push(...(unused?.problems ?? []))
  const isKeyless = operation === undefined || (worksOnAnyDatabase(operation) && !needsApi(texts))
  const credentials = isKeyless ? noCredentials : readAccess(texts, access, problems)
  const parameters = operation ? readParameters(operation, texts, problems) : {}
  const { databaseUser: user, databaseName: database, sslmode } = step
  const projectId = textOf(parameters.project_id)
  // Operations get these settings, and none of the secrets in `access`.
  const settings = {
    ...step,
    projectId,
    hasPasswordSecret: access.passwordSecret !== undefined,
    login: { user, database, sslmode },
    preview,
    contents,
    rehearsal,
  }
  problems.push(...sealProblems(texts, credentials))
  if (operation?.derivesPassword?.({ event, settings })) checkSecretKey(texts, credentials, problems)
  if (operation?.createsPreview?.({ event, settings }))
    problems.push(...parentProblems(texts.has('service_id'), preview.empty))
  const contradiction = operation?.findContradiction?.(settings)
  if (contradiction) {
    const { input, expected } = contradiction
    problems.push(inputProblem(input, expected, texts.get(input)))
  }
  if (operation && worksOnAnyDatabase(operation)) problems.push(...contentsProblems(operation, texts))
  if (operation === undefined || problems.length > 0) throw new InputError(problems)
  const { secretKey } = credentials
  const passwordSecret = access.passwordSecret ?? (secretKey.length < shortestSecret ? undefined : secretKey)
  const runsCommand = rehearsal.command !== undefined && operation.inputs.includes('command')
  const warnings = [
    ...titled('renamed input', renamed),
    ...titled('unused input', unused?.warnings ?? []),
    ...titled('value without effect', findIneffective(parameters)),
    ...titled('keys beside a command', runsCommand && needsApi(texts) ? [keysBesideCommand] : []),
  ]
  // An operation without the API has no base_url, and does not use it.
  const { baseUrl = '' }: Partial<Values> = access
  const checked = { operation, credentials, passwordSecret, parameters, settings, warnings }
  return { ...access, ...step, baseUrl, ...checked }
}
