/**
 * Reduces GitHub's published description of its API to the routes of the tests' fake, and writes it to openapi.json
 * as plain JSON Schema. The package is too large for a dependency, so install it elsewhere to renew the copy:
 *
 *     npm install --prefix <folder> @octokit/openapi
 *     node test/support/github/renew-openapi.ts <folder>/node_modules/@octokit/openapi
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

type Json = null | boolean | number | string | Json[] | JsonObject
type JsonObject = { [name: string]: Json }

const routes = [
  ...['GET /user', 'GET /repos/{owner}/{repo}', 'GET /repos/{owner}/{repo}/pulls'],
  ...['GET /repos/{owner}/{repo}/pulls/{pull_number}'],
  ...['GET /repos/{owner}/{repo}/pulls/{pull_number}/files'],
  ...['GET /repos/{owner}/{repo}/git/matching-refs/{ref}'],
  ...['GET /repos/{owner}/{repo}/git/trees/{tree_sha}'],
  ...['GET /repos/{owner}/{repo}/issues/{issue_number}/comments'],
  ...['POST /repos/{owner}/{repo}/issues/{issue_number}/comments'],
  ...['GET /repos/{owner}/{repo}/issues/comments/{comment_id}'],
  ...['PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}'],
  ...['DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}'],
  ...['GET /repos/{owner}/{repo}/issues/{issue_number}/events'],
  ...['GET /repos/{owner}/{repo}/collaborators/{username}/permission'],
]

const actions = [
  ...['opened', 'reopened', 'synchronize', 'ready-for-review', 'converted-to-draft'],
  ...['labeled', 'unlabeled', 'edited', 'closed'],
]
const events = [...actions.map(action => `pull-request-${action}`), 'merge-group-checks-requested']

/** Keywords that a validator does not need or know. */
const dropped = new Set([
  ...['description', 'title', 'example', 'examples', 'default', 'deprecated', 'discriminator'],
  ...['externalDocs', 'nullable', 'readOnly', 'writeOnly'],
])

const [, , folder] = process.argv
if (folder === undefined) throw new Error('name the folder of the package @octokit/openapi')
const read = (...path: string[]) => JSON.parse(readFileSync(join(folder, ...path), 'utf8'))
const description: Json = read('generated', 'api.github.com.json')

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function mapValues(value: JsonObject, change: (value: Json) => Json): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, change(inner)]))
}

function at(start: Json, ...path: string[]): Json {
  let value: Json | undefined = start
  for (const name of path) value = isObject(value) ? value[name] : undefined
  if (value === undefined) throw new Error(`the description has no ${path.join(' → ')}: was it restructured?`)
  return value
}

/** OpenAPI 3.0 uses `nullable`; JSON Schema has the type `null`. */
function allowNull(schema: JsonObject): JsonObject {
  if (typeof schema.type !== 'string') return { anyOf: [schema, { type: 'null' }] }
  const values =
    Array.isArray(schema.enum) && !schema.enum.includes(null) ? { enum: [...schema.enum, null] } : {}
  return { ...schema, type: [schema.type, 'null'], ...values }
}

const needed = new Set<string>()

/** Converts a schema of OpenAPI 3.0 to JSON Schema without its prose; adds its references to `needed`. */
function toJsonSchema(value: Json): Json {
  if (Array.isArray(value)) return value.map(toJsonSchema)
  if (!isObject(value)) return value
  if (typeof value.$ref === 'string') {
    const name = value.$ref.replace('#/components/schemas/', '')
    needed.add(name)
    return { $ref: `#/$defs/${name}` }
  }
  const kept = Object.entries(value).filter(([name]) => !dropped.has(name) && !name.startsWith('x-'))
  const converted = kept.map(([name, inner]): [string, Json] => {
    // The names in it are field names: `title` or `default` may be among them.
    if (name === 'properties' && isObject(inner)) return [name, mapValues(inner, toJsonSchema)]
    return [name, name === 'enum' || name === 'required' ? inner : toJsonSchema(inner)]
  })
  const schema: JsonObject = Object.fromEntries(converted)
  return value.nullable === true ? allowNull(schema) : schema
}

function answersOf(route: string): JsonObject {
  const [method = '', path = ''] = route.split(' ')
  const responses = at(description, 'paths', path, method.toLowerCase(), 'responses') as JsonObject
  return mapValues(responses, response => {
    const { $ref } = response as JsonObject
    const answer = typeof $ref === 'string' ? at(description, ...$ref.split('/').slice(1)) : response
    return isObject(answer) && answer.content
      ? toJsonSchema(at(answer, 'content', 'application/json', 'schema'))
      : null
  })
}

const payloadOf = (event: string) =>
  toJsonSchema(
    at(description, 'x-webhooks', event, 'post', 'requestBody', 'content', 'application/json', 'schema'),
  )

function definitions(): JsonObject {
  const found: [string, Json][] = []
  for (const name of needed) found.push([name, toJsonSchema(at(description, 'components', 'schemas', name))])
  return Object.fromEntries(found.sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** One line for each schema, so that a renewal can be reviewed. */
function renderPart(name: string, schemas: JsonObject): string {
  const lines = Object.entries(schemas).map(
    ([inner, schema]) => `    ${JSON.stringify(inner)}: ${JSON.stringify(schema)}`,
  )
  return `  "${name}": {\n${lines.join(',\n')}\n  }`
}

const { name, version, license } = read('package.json')
const parts = [
  `  "source": "${name} ${version} (${license})"`,
  renderPart('answers', Object.fromEntries(routes.map(route => [route, answersOf(route)]))),
  renderPart('events', Object.fromEntries(events.map(event => [event, payloadOf(event)]))),
  renderPart('$defs', definitions()),
]
writeFileSync(join(import.meta.dirname, 'openapi.json'), `{\n${parts.join(',\n')}\n}\n`)
