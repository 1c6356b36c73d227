import type { Credentials } from '../client/client.ts'
import { ActionError } from '../client/errors.ts'
import type { GivenParameters } from '../operations/context.ts'
import { isOptionalField, type Operation } from '../operations/operation.ts'
import type { PreviewSettings, StepSettings } from '../preview/context.ts'
import type { WorkflowEvent } from '../preview/github.ts'
import { parentProblems } from '../preview/parent.ts'
import { shortestSecret } from '../preview/password.ts'
import { parseField } from './field-text.ts'
import type { InputDefinition } from './input-definition.ts'
import { inputProblem } from './input-problem.ts'
import { type ActionInputs, actionInputs } from './input-table.ts'
import { operations } from './operation-table.ts'
import { askWhetherMeant, inOurWords } from './suggest.ts'
import { findUnused } from './unused-inputs.ts'

/** The checked inputs of a step: everything needed to run its operation. */
export interface StepInputs {
  operation: Operation
  baseUrl: string
  credentials: Credentials
  /** The secret that passwords are derived from; undefined if that is the secret key, but too short to be safe. */
  passwordSecret: string | undefined
  parameters: GivenParameters
  settings: StepSettings
  githubToken: string | undefined
  exportEnv: boolean
  requestTimeout: number | undefined
  maxAttempts: number
  /** Milliseconds that the whole operation may take. */
  patience: number
  /** The status of the job so far, which the runner tells the post step. */
  jobStatus: string | undefined
  /** One sentence for each input that is set but not used. */
  warnings: string[]
}

/** The inputs are not valid. Nothing was sent. */
export class InputError extends ActionError {
  constructor(problems: string[]) {
    const count = problems.length > 1 ? `${problems.length} problems with the inputs: ` : ''
    super(count + problems.join('; '), 'correct the inputs of the step; no request was sent')
  }
}

type Texts = Map<string, string>

/** The runner passes each input as an environment variable named in upper case. An empty one counts as not set. */
export function readTexts(environment: NodeJS.ProcessEnv): Texts {
  const inputs = Object.entries(environment)
    .filter(([name]) => name.startsWith('INPUT_'))
    .map(([name, value]): [string, string] => {
      const input = name.slice('INPUT_'.length).toLowerCase()
      // A password is not trimmed: without its spaces it would be another one.
      return [input, input === 'password' ? (value ?? '') : (value ?? '').trim()]
    })
  return new Map(inputs.filter(([, text]) => text !== ''))
}

/** Reads the action's own inputs, collecting what is wrong with them. */
function readActionInputs(texts: Texts, problems: string[]): ActionInputs {
  const values = Object.entries(actionInputs).map(
    ([name, definition]: [string, InputDefinition<unknown>]) => {
      const text = texts.get(name)
      if (text === undefined) return [name, undefined]
      const parsed = definition.parse(text)
      if ('value' in parsed) return [name, parsed.value]
      problems.push(inputProblem(name, parsed.expected, text, definition.secret))
      return [name, undefined]
    },
  )
  return Object.fromEntries(values) as ActionInputs
}

function findOperation(texts: Texts, problems: string[]): Operation | undefined {
  const name = texts.get('operation')
  const operation = operations.get(name ?? '')
  if (operation) return operation
  const hint = askWhetherMeant(inOurWords(name ?? ''), operations.keys()) || '; docs/reference.md lists them'
  problems.push(inputProblem('operation', 'the name of an operation', name) + hint)
  return undefined
}

function readCredentials(texts: Texts, values: ActionInputs, problems: string[]): Credentials {
  const missing = (name: string) => {
    if (!texts.has(name))
      problems.push(inputProblem(name, 'a key, from a secret of the repository or organization', undefined))
  }
  if (!texts.has('api_key')) {
    missing('public_key')
    missing('secret_key')
    return { publicKey: values.public_key ?? '', secretKey: values.secret_key ?? '' }
  }
  if (texts.has('public_key') || texts.has('secret_key')) {
    problems.push('api_key: expected either api_key or public_key and secret_key, got both')
  }
  const [publicKey = '', ...secretKey] = (values.api_key ?? '').split(':')
  return { publicKey, secretKey: secretKey.join(':') }
}

/** Without password_secret, passwords are derived from the secret key, which must then be long enough. */
function checkSecretKey(texts: Texts, { secretKey }: Credentials, problems: string[]): void {
  if (texts.has('password_secret') || secretKey === '' || secretKey.length >= shortestSecret) return
  const reason = `without it passwords are derived from the secret key, which has only ${secretKey.length} and can be guessed`
  problems.push(
    inputProblem('password_secret', `at least ${shortestSecret} characters, because ${reason}`, undefined),
  )
}

/** Problems between fields (such as PITR without a time). A field that is wrong by itself was reported before. */
function crossChecks({ rules }: Operation, parameters: GivenParameters, texts: Texts): string[] {
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
    if (text !== undefined && 'value' in parsed) parameters[name] = parsed.value
    else
      problems.push(
        inputProblem(name, 'expected' in parsed ? parsed.expected : 'a value', text, name === 'password'),
      )
  }
  if (problems.length === before) problems.push(...crossChecks(operation, parameters, texts))
  return parameters
}

function previewSettingsOf(values: ActionInputs, { defaults }: Operation): PreviewSettings {
  return {
    namePrefix: values.name_prefix,
    pullRequest: values.pull_request,
    previewName: values.preview_name,
    empty: values.empty ?? false,
    pooler: values.pooler ?? false,
    labels: values.label,
    drafts: values.drafts ?? true,
    comment: values.comment ?? defaults?.comment ?? false,
    maxAge: values.max_age,
    pauseAfter: values.pause_after,
    keepLabels: values.keep_label ?? ['keep-preview'],
    maxPreviews: values.max_previews,
    minAge: values.min_age ?? 30 * 60_000,
    maxDeletions: values.max_deletions ?? 10,
  }
}

function settingsOf(values: ActionInputs, parameters: GivenParameters, operation: Operation): StepSettings {
  return {
    projectId: parameters.project_id as string | undefined,
    wait: values.wait ?? true,
    waitForConnection: values.wait_for_connection ?? operation.defaults?.waitForConnection ?? false,
    cleanup: values.cleanup ?? 'never',
    dryRun: values.dry_run ?? false,
    listLag: values.list_lag ?? 10_000,
    login: {
      user: values.database_user ?? 'tsdbadmin',
      database: values.database_name ?? 'tsdb',
      sslmode: values.sslmode ?? 'require',
    },
    preview: previewSettingsOf(values, operation),
  }
}

/**
 * Reads and checks all inputs of the step, which runs on the event.
 *
 * @throws InputError naming every problem: the input, what was expected, what came
 */
export function readInputs(environment: NodeJS.ProcessEnv, event: WorkflowEvent): StepInputs {
  const texts = readTexts(environment)
  const problems: string[] = []
  const operation = findOperation(texts, problems)
  const values = readActionInputs(texts, problems)
  if (!texts.has('base_url'))
    problems.push(
      inputProblem('base_url', 'the address of the API, like https://host/public/api/v1', undefined),
    )
  const credentials = readCredentials(texts, values, problems)
  const parameters = operation ? readParameters(operation, texts, problems) : {}
  const settings = operation && settingsOf(values, parameters, operation)
  if (settings && operation.derivesPassword?.({ event, settings }))
    checkSecretKey(texts, credentials, problems)
  if (settings && operation.makesPreview?.({ event, settings }))
    problems.push(...parentProblems(texts.has('service_id'), values.empty ?? false))
  const unused = operation ? findUnused(operation, texts) : { problems: [], warnings: [] }
  problems.push(...unused.problems)
  if (operation === undefined || settings === undefined || problems.length > 0) throw new InputError(problems)
  return {
    operation,
    baseUrl: values.base_url ?? '',
    credentials,
    passwordSecret:
      values.password_secret ??
      (credentials.secretKey.length < shortestSecret ? undefined : credentials.secretKey),
    parameters,
    settings,
    githubToken: values.github_token,
    exportEnv: values.export_env ?? false,
    requestTimeout: values.request_timeout,
    maxAttempts: values.max_attempts ?? 5,
    patience: values.wait_timeout ?? operation.minutes * 60_000,
    jobStatus: values.job_status,
    warnings: unused.warnings,
  }
}
