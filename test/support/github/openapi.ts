/** Checks answers and events against GitHub's published description. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import formatsModule from 'ajv-formats'
import description from './openapi.json' with { type: 'json' }

type Schema = object | null

// Its types claim CommonJS with a default export; Node gives the function itself.
const addFormats = formatsModule as unknown as typeof formatsModule.default
const ajv = new Ajv2020({
  allErrors: true,
  strictTypes: false,
  strictRequired: false,
  formats: { 'uri-template': true },
  // Most schemas see a few values: making their code shorter takes longer than it saves.
  code: { optimize: false },
})
addFormats(ajv)
ajv.addSchema({ $id: 'github', $defs: description.$defs }, 'github')

/** References point into the description: `#/$defs/…`. */
const rooted = (schema: object) =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"github#/$defs/')) as object

const render = ({ instancePath, message, params }: ErrorObject) =>
  `${instancePath || '/'} ${message} ${JSON.stringify(params)}`

const compiled = new Map<object, ValidateFunction>()

function compile(schema: object): ValidateFunction {
  const known = compiled.get(schema)
  if (known) return known
  const validate = ajv.compile(rooted(schema))
  compiled.set(schema, validate)
  return validate
}

function problemsOf(schema: object, value: unknown): string[] {
  const validate = compile(schema)
  return validate(value) ? [] : (validate.errors ?? []).map(render)
}

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
