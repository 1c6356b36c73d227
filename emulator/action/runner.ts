import { randomUUID } from 'node:crypto'
import { appendFileSync } from 'node:fs'

/** An input of the step; empty if it is not given. */
export const readInput = (name: string) => process.env[`INPUT_${name.toUpperCase()}`]?.trim() ?? ''

/** A value that `saveState` kept in an earlier part of the step. */
export const readState = (name: string) => process.env[`STATE_${name}`] ?? ''

function append(variable: string, name: string, value: string): void {
  const file = process.env[variable]
  if (!file) throw new Error(`${variable} is not set: this runs as a step of a job only`)
  const end = randomUUID()
  appendFileSync(file, `${name}<<${end}\n${value}\n${end}\n`)
}

export const setOutput = (name: string, value: string) => append('GITHUB_OUTPUT', name, value)
export const saveState = (name: string, value: string) => append('GITHUB_STATE', name, value)

const escapeData = (text: string) =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

/** Has the runner hide a text in every log of the job. */
export const mask = (text: string) => process.stdout.write(`::add-mask::${escapeData(text)}\n`)

/** Shows why the step failed, and lets it fail. */
export function fail(message: string): void {
  const line = message.replaceAll(/\s+/g, ' ')
  process.stdout.write(`::error title=emulator::${escapeData(line)}\n`)
  process.exitCode = 1
}
