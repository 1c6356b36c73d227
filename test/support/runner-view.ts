/** Checks the commands that a step sends to the runner. */
import { expect } from 'vitest'
import { outputs } from '#action/outputs/output-table'
import { RunnerCommandReader } from '../../tools/runner/command.ts'
import type { StepResult } from '../../tools/runner/run-step.ts'

/** The lines of a process's output, as .NET's StreamReader.ReadLine returns them: CR, LF or both end one. */
export function splitOutput(text: string): string[] {
  const lines = text.split(/\r\n|\r|\n/)
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

/** The commands that the action sends. */
const actionCommands = ['error', 'warning', 'notice', 'debug', 'add-mask']

/** Characters that readers cannot see, and beginnings of commands: none may be in the data. */
const harmful = /##\[|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|^\s*::/u

/**
 * The title of an annotation consists of words of the action: an operation, or the action if there is none, and the kind of
 * problem.
 */
const isTitled = (name: string, properties: ReadonlyMap<string, string>) =>
  (name === 'error' || name === 'warning') &&
  properties.size === 1 &&
  /^[a-z][a-z -]*(?:: [\w ,'-]+)?$/.test(properties.get('title') ?? '')

/**
 * Checks that a step sent only commands of the action to the runner, and that its files contain only names of the action.
 *
 * @param errors how many errors there must be
 */
export function expectOnlyActionCommands(result: StepResult, errors: 0 | 1): void {
  const reader = new RunnerCommandReader()
  const commandsByLine = splitOutput(`${result.stdout}\n${result.stderr}`).map(line => {
    const command = reader.read(line)
    if (command?.name !== 'add-mask') expect(command?.data ?? line).not.toMatch(harmful)
    return command
  })
  const commands = commandsByLine.filter(command => command !== undefined)
  const unexpected = commands.filter(
    ({ name, effect, properties }) =>
      !actionCommands.includes(name) ||
      effect !== 'done' ||
      (properties.size > 0 && !isTitled(name, properties)),
  )
  expect(unexpected).toEqual([])
  expect(commands.filter(({ name }) => name === 'error')).toHaveLength(errors)
  expect(Object.keys(result.outputs).filter(name => !Object.hasOwn(outputs, name))).toEqual([])
  expect(Object.keys(result.state).filter(name => !['intent', 'created'].includes(name))).toEqual([])
  expect(result.environment).toEqual({})
  expect(result.stderr).toBe('')
}
