/** Searches the output of every step for secrets. */
import { RunnerMasker } from '../../tools/runner/masker.ts'
import { runStep, type StepOptions, type StepResult } from '../../tools/runner/run-step.ts'
import type { Secret } from './secret-encodings.ts'
import { type Hit, SecretScanner, SecretShownError } from './secret-scanner.ts'

/** The variables of a workflow that runs again with debug logging. */
const debugLogging = { RUNNER_DEBUG: '1', ACTIONS_STEP_DEBUG: 'true' }

/** The inputs that are secrets, and who logs in with them. */
const secretInputs: [name: string, user: string][] = [
  ['secret_key', 'public-test'],
  ['password', 'tsdbadmin'],
  ['password_secret', 'tsdbadmin'],
  ['seal_secret', 'tsdbadmin'],
  ['github_token', 'x-access-token'],
]

/** A JSON string in a password's field, also in an incomplete body. */
const passwordField = /"(?:initial_)?password"\s*:\s*("(?:[^"\\]|\\.)*")/g

/** `::name properties::data`; blanks may stand before it (actions/runner, ActionCommand.cs). */
const command = /^\s*::([a-z-]+)(?: [^:]*)?::(.*)$/s

const unescapeData = (data: string) =>
  data.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%25', '%')

/** A line that a step printed: the text of a mask, or a visible line. */
interface Line {
  isMask: boolean
  text: string
}

function parseLine(line: string): Line {
  const [, name, data = ''] = command.exec(line) ?? []
  if (name === 'add-mask') return { isMask: true, text: unescapeData(data) }
  return { isMask: false, text: name ? unescapeData(line) : line }
}

const decodeEntities = (html: string) =>
  html.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))

/** Renders JSON with as few escapes as possible. */
const reread = (json: string | undefined) => (json ? JSON.stringify(JSON.parse(json)) : '')

/** An input that no step gets. A scenario of this input must then fail: coverage.test.ts sets it each night. */
const withheldInput = process.env.WITHHELD_INPUT ?? ''

/** Passes the output of every step through the runner's masker and searches the result for secrets. */
export class SecretWatch {
  readonly #scanner = new SecretScanner()
  readonly #known = new Set<string>()

  know(secret: Secret): void {
    if (this.#known.has(secret.text)) return
    this.#known.add(secret.text)
    this.#scanner.add(secret)
  }

  /** Adds every password in the body of a request or an answer to the known secrets. */
  knowPasswordsOf(body: string): void {
    if (!body.includes('password"')) return
    for (const [, json] of body.matchAll(passwordField)) {
      const text = JSON.parse(json as string) as string
      this.know({ label: `a password of ${text.length} characters`, text, user: 'tsdbadmin' })
    }
  }

  /**
   * Runs a step with debug logging on; `run` may do so without a process.
   *
   * @throws SecretShownError when it shows a secret: in stdout, stderr and summary after the runner's masking, in
   * the state and in the output `result` as they are
   */
  async run(options: StepOptions, run = runStep): Promise<StepResult> {
    this.#knowInputs(options.inputs)
    const lines: string[] = []
    const onLine = (line: string) => {
      lines.push(line)
      options.onLine?.(line)
    }
    const environment = { ...debugLogging, ...options.environment }
    const { [withheldInput]: _, ...inputs } = options.inputs
    const result = await run({ ...options, inputs, environment, onLine })
    this.examineStep(lines, result)
    return result
  }

  /** @throws SecretShownError if the unmasked text contains a secret */
  examine(place: string, text: string): void {
    report(this.#scanner.find(place, text))
  }

  #knowInputs(inputs: Record<string, string>): void {
    for (const [name, user] of secretInputs) {
      const text = inputs[name] ?? ''
      if (text !== '') this.know({ label: `the input ${name}`, text, user })
    }
    const [publicKey, ...secretKey] = (inputs.api_key ?? '').trim().split(':')
    const text = secretKey.join(':')
    if (publicKey && text) this.know({ label: 'the secret part of api_key', text, user: publicKey })
  }

  /**
   * Searches the results of a step; `lines` are those of stdout and stderr, in the order of arrival.
   *
   * @throws SecretShownError
   */
  examineStep(lines: string[], result: StepResult): void {
    const masker = new RunnerMasker()
    const summary = result.summary.split('\n')
    report([
      ...this.#findInLog(lines.map(parseLine), masker, result.stderr),
      // Before the upload, line by line (actions/runner, FileCommandManager.cs, CreateStepSummaryCommand).
      ...this.#findMasked('summary', summary, line => masker.mask(line)),
      ...this.#findMasked('summary as it is read', summary, line => decodeEntities(masker.mask(line))),
      ...this.#scanner.find('state', Object.values(result.state).join('\n')),
      ...this.#scanner.find('the output result', result.outputs.result ?? ''),
      ...this.#scanner.find('the output result, parsed', reread(result.outputs.result)),
    ])
  }

  /** The runner masks only lines after the mask command, so the order of lines matters. */
  #findInLog(log: Line[], masker: RunnerMasker, stderr: string): Hit[] {
    const shown = log.filter(({ isMask }) => !isMask).map(({ text }) => text)
    const isSuspect = this.#scanner.find('', shown.join('\n')).length > 0
    return log.flatMap(({ isMask, text }) => {
      if (!isMask) {
        const place = stderr.includes(text) ? 'stderr' : 'stdout'
        return isSuspect ? this.#scanner.find(place, masker.mask(text)) : []
      }
      if (!masker.addMask(text))
        throw new Error('the step asks for a mask that the runner fails on, and with it the step')
      return []
    })
  }

  /** Searches before masking, since masking takes much longer and most lines contain no secret. */
  #findMasked(place: string, lines: string[], mask: (line: string) => string): Hit[] {
    const whole = lines.join('\n')
    const isSuspect = this.#scanner.find('', `${whole}\n${decodeEntities(whole)}`).length > 0
    return isSuspect ? lines.flatMap(line => this.#scanner.find(place, mask(line))) : []
  }
}

function report(hits: Hit[]): void {
  if (hits.length > 0) throw new SecretShownError(hits)
}
