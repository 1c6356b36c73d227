/** Reads inputs of tests as a step does. */
import { InputError, readInputs, type StepInputs } from '#action/inputs/read-inputs'
import { parseEvent } from '#github/event'

export type Texts = Record<string, string>

export const access = {
  base_url: 'https://api.example/public/api/v1',
  public_key: 'pub',
  secret_key: 'hush-hush-hush-hush',
}

/** Reads inputs as the runner passes them to the step: as environment variables, on an event without a payload. */
export function readTestInputs(texts: Texts, event: { name?: string; action?: string } = {}): StepInputs {
  const variables = Object.entries(texts).map(([name, text]) => [`INPUT_${name.toUpperCase()}`, text])
  return readInputs(
    { PATH: '/bin', ...Object.fromEntries(variables) },
    { ...parseEvent({}, undefined), ...event },
  )
}

export const warningsOf = ({ warnings }: StepInputs): string[] => warnings.map(({ message }) => message)

export function refusalOf(texts: Texts, event?: Parameters<typeof readTestInputs>[1]): string {
  try {
    readTestInputs(texts, event)
  } catch (error) {
    if (error instanceof InputError) return error.message
    throw error
  }
  throw new Error('the inputs were accepted')
}
