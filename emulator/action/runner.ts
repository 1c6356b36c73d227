/** Reads inputs and state of the runner, and writes outputs. */
import { randomUUID } from 'node:crypto'
import { appendFileSync } from 'node:fs'

/** An input of the step; empty if it is not set. */
export const readInput = (name: string) => process.env[`INPUT_${name.toUpperCase()}`]?.trim() ?? ''

/** A value that an earlier part of the step saved with `saveState`. */
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

/** Masks a text in every log of the job. */
export const mask = (text: string) => process.stdout.write(`::add-mask::${escapeData(text)}\n`)

/** Logs the error of the step, and fails the step. */
export function fail(message: string): void {
  const line = message.replaceAll(/\s+/g, ' ')
  process.stdout.write(`::error title=emulator::${escapeData(line)}\n`)
  process.exitCode = 1
}
