/** Runs one step of the action on this machine, `npm run step`, with a stand-in for GitHub. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readActionFile } from './action-file.ts'
import {
  type LabelChange,
  type Memory,
  pullRequest,
  repository,
  startStandIn,
  token,
  withoutProxy,
} from './github.ts'
import { RunnerLog } from './rendered-log.ts'
import { runStep, type StepOptions, type StepResult } from './run-step.ts'

const root = resolve(import.meta.dirname, '../..')
/** npm changes the folder, and passes the user's folder. */
const workspace = process.env.INIT_CWD ?? process.cwd()

const activities = [
  ...['opened', 'reopened', 'synchronize', 'ready_for_review', 'converted_to_draft', 'labeled'],
  ...['unlabeled', 'closed'],
]
const otherEvents = ['schedule', 'workflow_dispatch', 'push']

const help = `Usage: npm run step -- [flags] operation=NAME [input=value]...

Runs one step of the committed action on this machine, in the current folder. A stand-in for GitHub
has the repository ${repository.full_name}. It remembers pull requests and comments from step to step.

  --event NAME      ${activities.slice(0, 4).join(', ')}, ${activities[4]},
                    ${activities.slice(5).join(', ')} (of a pull request; default: opened), ${otherEvents[0]},
                    ${otherEvents.slice(1).join(', ')}, or a .json file with the event of a pull request
  --label NAME      the label that the event labeled sets, and unlabeled removes
  --pull-request N  the number of the pull request (${pullRequest.number})
  --uses FOLDER     preview or database, for the action in that folder (default: the whole action)
  --memory FOLDER   the folder of the pull requests, comments and summary (node_modules/.cache/step)
  --help            print this text
`

interface CommandLine {
  inputs: Record<string, string>
  event: {
    name: string
    payload: Record<string, unknown>
    pullRequest?: typeof pullRequest
    change?: LabelChange | undefined
  }
  action: string
  folder: string
}

function readJson(flag: string, file: string): Record<string, unknown> {
  try {
    return JSON.parse(readFileSync(resolve(workspace, file), 'utf8'))
  } catch (error) {
    throw new Error(`--${flag} ${file} cannot be read: ${(error as Error).message}`)
  }
}

function readChange(event: string, name: string | undefined): LabelChange | undefined {
  const isOfLabel = event === 'labeled' || event === 'unlabeled'
  if (isOfLabel !== (name !== undefined))
    throw new Error(
      isOfLabel ? `--event ${event}: add --label NAME` : '--label: add --event labeled or unlabeled',
    )
  return isOfLabel && name !== undefined ? { event, label: { name } } : undefined
}

/** The event in the runner's form. Missing fields of the pull request are added. */
function readEvent(given: string, number: number, label: string | undefined): CommandLine['event'] {
  const change = readChange(given, label)
  if (otherEvents.includes(given)) return { name: given, payload: { repository } }
  const isFile = given.endsWith('.json')
  if (!isFile && !activities.includes(given))
    throw new Error(
      `--event: expected ${[...activities, ...otherEvents].join(', ')} or a .json file, not ${given}`,
    )
  const read = isFile ? readJson('event', given) : { action: given }
  const state = read.action === 'closed' ? 'closed' : 'open'
  const facts = { ...pullRequest, number, state, draft: read.action === 'converted_to_draft' }
  const changed = { ...facts, ...(read.pull_request as Partial<typeof facts> | undefined) }
  return {
    name: 'pull_request',
    payload: { repository, ...read, ...(change && { label: change.label }), pull_request: changed },
    pullRequest: changed,
    change,
  }
}

/** @throws Error for wrong arguments; undefined if the usage is requested */
function readCommandLine(): CommandLine | undefined {
  const text = { type: 'string' } as const
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      ...{
        event: { ...text, default: 'opened' },
        'pull-request': { ...text, default: String(pullRequest.number) },
      },
      ...{
        label: text,
        uses: { ...text, default: '.' },
        memory: { ...text, default: join(root, 'node_modules/.cache/step') },
      },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help || positionals.length === 0) return undefined
  const wrong = positionals.find(word => !/^\w+=/.test(word))
  if (wrong !== undefined) throw new Error(`expected input=value, like operation=preview, not ${wrong}`)
  const inputs = positionals.map(word => [
    word.slice(0, word.indexOf('=')),
    word.slice(word.indexOf('=') + 1),
  ])
  const number = values['pull-request']
  if (!/^[1-9]\d{0,8}$/.test(number)) throw new Error(`--pull-request: expected a number, not ${number}`)
  if (!['.', 'preview', 'database'].includes(values.uses))
    throw new Error(`--uses: expected preview or database, not ${values.uses}`)
  return {
    inputs: Object.fromEntries(inputs),
    event: readEvent(values.event, Number(number), values.label),
    action: join(values.uses, 'action.yml'),
    folder: resolve(workspace, values.memory),
  }
}

function readMemory(file: string): Memory {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { pullRequests: [], comments: [] }
}

const print = (line: string) => process.stdout.write(`${line}\n`)

/** Runs the step, then its post step. */
async function runBothEntries(options: StepOptions): Promise<StepResult> {
  const result = await runStep(options)
  const { exitCode } = await runStep({ ...options, entry: 'post', state: result.state })
  return { ...result, exitCode: result.exitCode || exitCode }
}

async function run({ inputs, event, action, folder }: CommandLine): Promise<number> {
  const file = (name: string) => join(folder, name)
  mkdirSync(folder, { recursive: true })
  const memory = readMemory(file('github.json'))
  const github = await startStandIn(memory)
  const pull_request = event.pullRequest && github.put(event.pullRequest, event.change)
  writeFileSync(file('event.json'), JSON.stringify({ ...event.payload, pull_request }))
  const log = new RunnerLog()
  const takesToken = 'github_token' in readActionFile(action).defaults
  // An interrupt reaches the step as well, which then ends by itself.
  process.on('SIGINT', () => {})
  process.chdir(workspace)
  try {
    const { exitCode, outputs, summary } = await runBothEntries({
      ...{ action, inputs: { ...(takesToken && { github_token: token }), ...inputs } },
      environment: {
        ...{ ...github.environment, GITHUB_EVENT_NAME: event.name, GITHUB_EVENT_PATH: file('event.json') },
        ...{ ...withoutProxy, GITHUB_WORKSPACE: workspace },
      },
      onLine: line => [log.show(line)].filter(shown => shown !== undefined).forEach(print),
    })
    const comments = memory.comments.map(one => `# Pull request ${one.pullRequest}\n\n${one.body}\n`)
    for (const [name, value] of Object.entries(outputs)) print(log.redact(`output ${name}: ${value}`))
    writeFileSync(file('summary.md'), summary)
    writeFileSync(file('comments.md'), comments.join('\n'))
    print(`summary: ${relative(workspace, file('summary.md'))}`)
    print(`comments: ${relative(workspace, file('comments.md'))}`)
    return exitCode
  } finally {
    writeFileSync(file('github.json'), JSON.stringify(memory))
    await github.stop()
  }
}

try {
  const commandLine = readCommandLine()
  if (commandLine === undefined) process.stdout.write(help)
  else process.exitCode = await run(commandLine)
} catch (error) {
  process.stderr.write(`step: ${(error as Error).message}\n`)
  process.exitCode = 2
}
