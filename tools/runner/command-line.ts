/** The command line of `npm run step`. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { renderFlagProblem } from '#base/suggest'
import { type LabelChange, pullRequest, repository } from './github.ts'

const root = resolve(import.meta.dirname, '../..')
/** npm changes the folder, and passes the user's folder. */
export const workspace = process.env.INIT_CWD ?? process.cwd()

const activities = [
  ...['opened', 'reopened', 'synchronize', 'ready_for_review', 'converted_to_draft'],
  ...['labeled', 'unlabeled', 'closed'],
]
const otherEvents = ['schedule', 'workflow_dispatch', 'push']

export const help = `Usage: npm run step -- [flags] operation=NAME [input=value]...

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

export interface CommandLine {
  inputs: Record<string, string>
  event: {
    name: string
    payload: Record<string, unknown>
    pullRequest?: typeof pullRequest
    change?: LabelChange | undefined
  }
  /** No event was given. */
  isDefaultEvent: boolean
  action: string
  folder: string
}

function readJson(file: string) {
  try {
    return JSON.parse(readFileSync(resolve(workspace, file), 'utf8'))
  } catch (error) {
    throw new Error(`--event ${file} cannot be read: ${(error as Error).message}`)
  }
}

function readChange(event: string, name: string | undefined): LabelChange | undefined {
  if (event === 'labeled' || event === 'unlabeled') {
    if (name === undefined) throw new Error(`--event ${event}: add --label NAME`)
    return { event, label: { name } }
  }
  if (name !== undefined) throw new Error('--label: add --event labeled or unlabeled')
  return undefined
}

/** The event in the runner's form. Missing fields of the pull request are added. */
function readEvent(given: string, number: number, label: string | undefined): CommandLine['event'] {
  const change = readChange(given, label)
  if (otherEvents.includes(given)) return { name: given, payload: {} }
  const isFile = given.endsWith('.json')
  if (!isFile && !activities.includes(given))
    throw new Error(
      `--event: expected ${[...activities, ...otherEvents].join(', ')} or a .json file, not ${given}`,
    )
  const read = isFile ? readJson(given) : { action: given }
  const state = read.action === 'closed' ? 'closed' : 'open'
  const facts = { ...pullRequest, number, state, draft: read.action === 'converted_to_draft' }
  const changed = { ...facts, ...read.pull_request }
  return {
    name: 'pull_request',
    payload: { ...read, ...(change && { label: change.label }), pull_request: changed },
    pullRequest: changed,
    change,
  }
}

const wholeNumber = /^\d+(?:\.0+|(?:\.\d+)?e\+?\d{1,2})$/i

/** YAML reads `5.0` and `5e2` as numbers, so the step of a workflow gets `5` and `500`. Ids stay as they are. */
function readInput(word: string): [name: string, text: string] {
  const [name = '', text = ''] = word.split(/=(.*)/s, 2)
  const isNumber = !name.endsWith('_id') && wholeNumber.test(text) && Number.isSafeInteger(Number(text))
  return [name, isNumber ? String(Number(text)) : text]
}

const options = {
  event: { type: 'string' },
  label: { type: 'string' },
  'pull-request': { type: 'string', default: String(pullRequest.number) },
  uses: { type: 'string', default: '.' },
  memory: { type: 'string', default: join(root, 'node_modules/.cache/step') },
  help: { type: 'boolean', short: 'h' },
} as const

function parse(args: string[]) {
  try {
    return parseArgs({ args, allowPositionals: true, options })
  } catch (error) {
    throw new Error(`${renderFlagProblem(error, Object.keys(options))}; --help lists the flags`)
  }
}

/** @throws Error for wrong arguments; undefined if the usage is requested */
export function parseCommandLine(args: string[]): CommandLine | undefined {
  const { values, positionals } = parse(args)
  if (values.help || positionals.length === 0) return undefined
  const wrong = positionals.find(word => !/^\w+=/.test(word))
  if (wrong !== undefined) throw new Error(`expected input=value, like operation=preview, not ${wrong}`)
  const number = values['pull-request']
  if (!/^[1-9]\d{0,8}$/.test(number)) throw new Error(`--pull-request: expected a number, not ${number}`)
  if (!['.', 'preview', 'database'].includes(values.uses))
    throw new Error(`--uses: expected preview or database, not ${values.uses}`)
  return {
    inputs: Object.fromEntries(positionals.map(readInput)),
    event: readEvent(values.event ?? 'opened', Number(number), values.label),
    isDefaultEvent: values.event === undefined,
    action: join(values.uses, 'action.yml'),
    folder: resolve(workspace, values.memory),
  }
}
