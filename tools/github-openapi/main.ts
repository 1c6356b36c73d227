/**
 * Cuts GitHub's published description of its API down to what the fake of the tests answers, and writes it to
 * test/support/github/openapi.json as plain JSON Schema. The package is far too large to be a dependency, so it
 * is installed elsewhere, when the copy is to be renewed:
 *
 *     npm install --prefix <folder> @octokit/openapi
 *     node tools/github-openapi/main.ts <folder>/node_modules/@octokit/openapi
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

type Json = null | boolean | number | string | Json[] | JsonObject
type JsonObject = { [name: string]: Json }

const target = resolve(import.meta.dirname, '../../test/support/github/openapi.json')

const routes: Record<string, string[]> = {
  '/user': ['get'],
  '/repos/{owner}/{repo}': ['get'],
  '/repos/{owner}/{repo}/pulls': ['get'],
  '/repos/{owner}/{repo}/pulls/{pull_number}': ['get'],
  '/repos/{owner}/{repo}/git/matching-refs/{ref}': ['get'],
  '/repos/{owner}/{repo}/issues/{issue_number}/comments': ['get', 'post'],
  '/repos/{owner}/{repo}/issues/comments/{comment_id}': ['patch', 'delete'],
}
/** By the name of the event, each with its activity types. */
const webhooks: Record<string, string[]> = {
  'pull-request': [
    'opened',
    'reopened',
    'synchronize',
    'ready-for-review',
    'converted-to-draft',
    'labeled',
    'unlabeled',
    'edited',
    'closed',
  ],
  'merge-group': ['checks-requested'],
}

/** Keywords that a validator does not need, or does not know. */
const dropped = new Set([
  'description',
  'title',
  'example',
  'examples',
  'default',
  'deprecated',
  'discriminator',
  'externalDocs',
  'nullable',
  'readOnly',
  'writeOnly',
])

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** OpenAPI 3.0 says `nullable` where JSON Schema has the type `null`. */
function allowNull(schema: JsonObject): JsonObject {
  if (typeof schema.type !== 'string') return { anyOf: [schema, { type: 'null' }] }
  const values =
    Array.isArray(schema.enum) && !schema.enum.includes(null) ? { enum: [...schema.enum, null] } : {}
  return { ...schema, type: [schema.type, 'null'], ...values }
}

function mapValues(value: JsonObject, change: (value: Json) => Json): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, change(inner)]))
}

/** A schema of OpenAPI 3.0 as one of JSON Schema, without its prose. */
function toJsonSchema(value: Json): Json {
  if (Array.isArray(value)) return value.map(toJsonSchema)
  if (!isObject(value)) return value
  const kept = Object.entries(value).filter(([name]) => !dropped.has(name) && !name.startsWith('x-'))
  const converted = kept.map(([name, inner]): [string, Json] => {
    // The names in it are those of fields: `title` or `default` may be among them.
    if (name === 'properties' && isObject(inner)) return [name, mapValues(inner, toJsonSchema)]
    return [name, name === 'enum' || name === 'required' ? inner : toJsonSchema(inner)]
  })
  const schema: JsonObject = Object.fromEntries(converted)
  return value.nullable === true ? allowNull(schema) : schema
}

function at(document: Json, ...path: string[]): Json {
  let value: Json | undefined = document
  for (const name of path) value = isObject(value) ? value[name] : undefined
  if (value === undefined) throw new Error(`the description has no ${path.join(' → ')}: was it restructured?`)
  return value
}

/** The schema of each answer of an operation, by status; null if there is no body. */
function answersOf(document: Json, path: string, method: string): JsonObject {
  const responses = at(document, 'paths', path, method, 'responses') as JsonObject
  return mapValues(responses, response => {
    const resolved =
      isObject(response) && typeof response.$ref === 'string' ? follow(document, response.$ref) : response
    return isObject(resolved) && resolved.content
      ? toJsonSchema(at(resolved, 'content', 'application/json', 'schema'))
      : null
  })
}

const follow = (document: Json, reference: string) => at(document, ...reference.split('/').slice(1))

function referencesIn(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn)
  if (!isObject(value)) return []
  const own = typeof value.$ref === 'string' ? [value.$ref] : []
  return [...own, ...Object.values(value).flatMap(referencesIn)]
}

/** The schemas that `roots` refer to, directly or through other schemas. */
function schemasFor(document: Json, roots: Json): JsonObject {
  const schemas: JsonObject = {}
  const open = referencesIn(roots)
  for (let reference = open.pop(); reference !== undefined; reference = open.pop()) {
    const name = reference.split('/').at(-1) as string
    if (name in schemas) continue
    const schema = toJsonSchema(follow(document, reference))
    schemas[name] = schema
    open.push(...referencesIn(schema))
  }
  return Object.fromEntries(Object.entries(schemas).sort(([one], [other]) => (one < other ? -1 : 1)))
}

function cutDown(document: Json, source: string): JsonObject {
  const answers: JsonObject = {}
  for (const [path, methods] of Object.entries(routes)) {
    for (const method of methods)
      answers[`${method.toUpperCase()} ${path}`] = answersOf(document, path, method)
  }
  const named = Object.entries(webhooks).flatMap(([name, actions]) =>
    actions.map(action => `${name}-${action}`),
  )
  const events = Object.fromEntries(
    named.map(name => {
      const body = at(document, 'x-webhooks', name, 'post', 'requestBody')
      return [name, toJsonSchema(at(body, 'content', 'application/json', 'schema'))]
    }),
  )
  return pointHere({
    source,
    answers,
    events,
    $defs: schemasFor(document, { answers, events }),
  }) as JsonObject
}

/** Makes references point within the copy, where the schemas are at the top. */
function pointHere(value: Json): Json {
  if (Array.isArray(value)) return value.map(pointHere)
  if (!isObject(value))
    return typeof value === 'string' ? value.replace(/^#\/components\/schemas\//, '#/$defs/') : value
  return mapValues(value, pointHere)
}

/** One line for each answer, event and schema, so that a renewal can be reviewed. */
function render(value: JsonObject): string {
  const section = (inner: Json) => {
    if (!isObject(inner)) return JSON.stringify(inner)
    const lines = Object.entries(inner).map(
      ([name, schema]) => `    ${JSON.stringify(name)}: ${JSON.stringify(schema)}`,
    )
    return `{\n${lines.join(',\n')}\n  }`
  }
  const sections = Object.entries(value).map(
    ([name, inner]) => `  ${JSON.stringify(name)}: ${section(inner)}`,
  )
  return `{\n${sections.join(',\n')}\n}\n`
}

const folder = process.argv[2]
if (folder === undefined) throw new Error('name the folder of the package @octokit/openapi')
const read = (...path: string[]) => JSON.parse(readFileSync(join(folder, ...path), 'utf8'))
const { name, version, license } = read('package.json')
const document = read('generated', 'api.github.com.json')
writeFileSync(target, render(cutDown(document, `${name} ${version} (${license})`)))
