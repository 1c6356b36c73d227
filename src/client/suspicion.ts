import { type Endpoint, parameterNames, pathParameters } from '#api/endpoint'
import { resources } from '#api/resource'

/** What a call was made with, to tell what of it may be wrong once it is refused. */
export interface Sent {
  row: Endpoint
  parameters: Record<string, unknown>
  baseUrl: string
  credentials: { publicKey: string; secretKey: string }
}

/** Advice where the address does not end as that of the API does (docs/internals/api.md, "Address and keys"). */
function suspectAddress({ baseUrl }: Sent): string | undefined {
  if (baseUrl.endsWith('/public/api/v1')) return undefined
  const end = new URL(baseUrl).pathname.slice(0, 100)
  return `correct base_url: it must end with /public/api/v1, and now ends with ${end}`
}

const inQuotes = (key: string) => /^(["'`]).*\1$/.test(key)

/** What looks wrong with keys that were refused. Their shape is not specified, so they are not refused for it. */
function suspectKeys({ credentials: { publicKey, secretKey } }: Sent): string | undefined {
  const keys = [publicKey, secretKey]
  if (publicKey === secretKey)
    return 'set public_key and secret_key to the two parts of a key: now both have the same value'
  if (keys.some(inQuotes))
    return 'leave out the quotes around public_key and secret_key, which count as part of them'
  if (keys.some(key => /\{\{|^\$\{.*\}$/.test(key)))
    return `public_key or secret_key is an expression that GitHub did not evaluate: write \${{ secrets.NAME }}`
  if (publicKey.length <= secretKey.length) return undefined
  return `if public_key and secret_key are exchanged, swap them: public_key has ${publicKey.length} characters, more than secret_key with ${secretKey.length}`
}

type Missable = (typeof resources)[keyof typeof resources]

/** A kind of record, as the message of a call names it: a fork has a parent. */
const labelOf = ({ label, id }: Missable, { row }: Sent) =>
  id === 'service_id' && row.path.endsWith('/forkService') ? 'parent' : label

/**
 * The missing record, of all that the call names from the outermost on: records on the path lie in each other, and one in
 * the body may be missing by itself.
 */
function describeMissing(sent: Sent, missing: Missable[], all: Missable[]): string {
  const describe = (resource: Missable) => `${labelOf(resource, sent)} ${sent.parameters[resource.id]}`
  const isOnPath = ({ id }: Missable) => pathParameters(sent.row.path).includes(id)
  const innermost = missing.findLast(isOnPath)
  const onPath = innermost === undefined ? [] : all.slice(0, all.indexOf(innermost) + 1).filter(isOnPath)
  const others = missing.filter(resource => !isOnPath(resource))
  return [onPath.reverse().map(describe).join(' of '), ...others.map(describe)]
    .filter(text => text !== '')
    .join(', or no ')
}

/** The kinds of record that an answer names, such as `VPC 7 not found`. */
const namedBy = (words: string) =>
  ['project', ...Object.values(resources).map(({ label }) => label)].filter(label =>
    new RegExp(`\\b${label}\\b`, 'i').test(words),
  )

/** Names the inputs that hold the ids, and the record that is missing under them: the one that the API names alone, or any. */
function suspectIds(sent: Sent, words: string): string | undefined {
  const { project_id } = sent.parameters
  if (project_id === undefined) return undefined
  const names = parameterNames(sent.row)
  const known = Object.values(resources).filter(({ id }) => names.includes(id))
  const inOrder = known.toSorted((one, other) => names.indexOf(one.id) - names.indexOf(other.id))
  const [only, ...more] = namedBy(words)
  const named = more.length === 0 ? inOrder.filter(({ label }) => label === only) : []
  const missing = named.length > 0 ? named : inOrder
  const last = missing.at(-1)
  if (last === undefined || (only === 'project' && more.length === 0))
    return `check project_id: these keys see no project ${project_id}. The operation get-auth-info shows theirs`
  const ids = missing.map(({ id }) => id).join(' and ')
  return `check ${ids}: there is no ${describeMissing(sent, missing, inOrder)} in project ${project_id}. The operation ${last.list} lists the ${last.label}s`
}

/** What to do about a refusal, where what was sent shows more than the status tells; undefined where it does not. */
export function suspect(sent: Sent, status: number, words = ''): string | undefined {
  if (status === 401) return suspectKeys(sent)
  return status === 404 ? (suspectAddress(sent) ?? suspectIds(sent, words)) : undefined
}
