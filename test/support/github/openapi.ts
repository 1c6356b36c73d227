/** Checks answers and events against GitHub's published description. */
import { createValidator } from '../validator.ts'
import description from './openapi.json' with { type: 'json' }

type Schema = object | null

const problemsOf = createValidator({ $defs: description.$defs })

const answers: Record<string, Record<string, Schema>> = description.answers
const events: Record<string, object> = description.events

/** Errors that the description leaves out for some routes, and GitHub gives everywhere, are of this shape. */
const anyError = {
  type: 'object',
  required: ['message', 'documentation_url'],
  allOf: [description.$defs['basic-error']],
}

/** The violations of GitHub's published description in an answer. */
export function problemsOfAnswer(route: string, status: number, body: unknown): string[] {
  const byStatus = answers[route]
  if (byStatus === undefined) return [`GitHub has no ${route}`]
  const schema = byStatus[status] ?? (status >= 400 ? anyError : undefined)
  return schema ? problemsOf(schema, body) : [`GitHub never answers ${route} with ${status}`]
}

/** The same for the payload of an event. */
export function problemsOfEvent(
  name: 'pull_request' | 'merge_group',
  action: string,
  payload: unknown,
): string[] {
  const schema = events[`${name}-${action}`.replaceAll('_', '-')]
  return schema ? problemsOf(schema, payload) : [`GitHub has no ${name} event ${action}`]
}
