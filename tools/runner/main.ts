/** Runs one step of the action on this machine, `npm run step`, with a stand-in for GitHub. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { readActionFile } from './action-file.ts'
import { type CommandLine, help, parseCommandLine, workspace } from './command-line.ts'
import { type Memory, startStandIn, token, withoutProxy } from './github.ts'
import { RunnerLog } from './rendered-log.ts'
import { runStep, type StepOptions } from './run-step.ts'

const connecting = ['get-connection', 'run-sql', 'schema-diff', 'rehearse-migration']

/** The usual event would reopen a closed pull request, and such a step would wait for a preview that no step creates. */
function assertOpen({ inputs, event, isDefaultEvent }: CommandLine, { pullRequests }: Memory): void {
  const number = event.pullRequest?.number
  const isClosed = pullRequests.some(one => one.number === number && one.state === 'closed')
  const isNamed = ['database_url', 'service_id', 'preview_name', 'pull_request'].some(name => inputs[name])
  if (isDefaultEvent && isClosed && !isNamed && connecting.includes(inputs.operation ?? ''))
    throw new Error(
      `pull request ${number} is closed, and its preview was deleted: run operation=preview with --event reopened first`,
    )
}

const print = (line: string) => process.stdout.write(`${line}\n`)

/** In characters. The log of the step has already shown longer values, such as proposed rules, line by line. */
const longestOutput = 1000
const shorten = (line: string) =>
  line.length > longestOutput ? `${line.slice(0, longestOutput)}… (${line.length} characters)` : line

async function run(commandLine: CommandLine): Promise<number> {
  const { inputs, event, action, folder } = commandLine
  const file = (name: string) => join(folder, name)
  mkdirSync(folder, { recursive: true })
  const memory: Memory = existsSync(file('github.json'))
    ? JSON.parse(readFileSync(file('github.json'), 'utf8'))
    : { pullRequests: [], comments: [] }
  assertOpen(commandLine, memory)
  const github = await startStandIn(memory, workspace)
  const pull_request = event.pullRequest && github.put(event.pullRequest, event.change)
  const log = new RunnerLog()
  const takesToken = 'github_token' in readActionFile(action).defaults
  // The reader, such as head, may end before the step.
  process.stdout.on('error', () => {})
  // An interrupt reaches the step as well, which then ends by itself.
  process.on('SIGINT', () => {})
  process.chdir(workspace)
  try {
    const options: StepOptions = {
      ...{ action, inputs: { ...(takesToken && { github_token: token }), ...inputs } },
      environment: {
        ...github.event(folder, event.name, { ...event.payload, pull_request }),
        ...{ ...withoutProxy, GITHUB_WORKSPACE: workspace },
      },
      onLine: line => {
        const shown = log.show(line)
        if (shown !== undefined) print(shown)
      },
    }
    const { exitCode, state, outputs, summary } = await runStep(options)
    const post = await runStep({ ...options, entry: 'post', state })
    const comments = memory.comments.map(one => `# Pull request ${one.pullRequest}\n\n${one.body}\n`)
    for (const [name, value] of Object.entries(outputs))
      print(shorten(log.redact(`output ${name}: ${value}`)))
    writeFileSync(file('summary.md'), summary)
    writeFileSync(file('comments.md'), comments.join('\n'))
    print(`summary: ${relative(workspace, file('summary.md'))}`)
    print(`comments: ${relative(workspace, file('comments.md'))}`)
    return exitCode || post.exitCode
  } finally {
    writeFileSync(file('github.json'), JSON.stringify(memory))
    await github.stop()
  }
}

try {
  const commandLine = parseCommandLine(process.argv.slice(2))
  if (commandLine === undefined) process.stdout.write(help)
  else process.exitCode = await run(commandLine)
} catch (error) {
  process.stderr.write(`step: ${(error as Error).message}\n`)
  process.exitCode = 2
}
