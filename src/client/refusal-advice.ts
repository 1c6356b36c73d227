/** Advice on refusals that the request itself explains. */
import { type Endpoint, parameterNames, pathParameters } from '#api/endpoint'
import { resources } from '#api/resource'
import { nearestSize, replicaSizes, serviceSizes } from '#api/sizes'

export interface Sent {
  row: Endpoint
  parameters: Record<string, unknown>
  baseUrl: string
  credentials: { publicKey: string; secretKey: string }
}

/** Advice if the address does not end like the API's (docs/internals/api.md, "Address and keys"). */
function adviseOnAddress({ baseUrl }: Sent): string | undefined {
  if (baseUrl.endsWith('/public/api/v1')) return undefined
  const end = new URL(baseUrl).pathname.slice(0, 100)
  return `correct base_url: it must end with /public/api/v1, but ends with ${end}`
}

const inQuotes = (key: string) => /^(["'`]).*\1$/.test(key)

/** The inputs in quotes. Those around api_key arrive as its first and last characters, so no part of it is in quotes. */
function quotedInputs(publicKey: string, secretKey: string): string[] {
  const parts = [inQuotes(publicKey) && 'public_key', inQuotes(secretKey) && 'secret_key'].filter(
    part => part !== false,
  )
  return parts.length === 0 && inQuotes(`${publicKey}:${secretKey}`) ? ['api_key'] : parts
}

/** Advice on refused keys that look wrong. Their form is not specified, so it is not checked earlier. */
function adviseOnKeys({ credentials: { publicKey, secretKey } }: Sent): string | undefined {
  const keys = [publicKey, secretKey]
  if (publicKey === secretKey)
    return 'set public_key and secret_key to the two parts of a key: both have the same value'
  const quoted = quotedInputs(publicKey, secretKey)
  if (quoted.length > 0) return `remove the quotes around ${quoted.join(' and ')}`
  if (keys.some(key => /\{\{|^\$\{.*\}$/.test(key)))
    return `public_key or secret_key is an expression that GitHub did not evaluate: write \${{ secrets.NAME }}`
  if (publicKey.length <= secretKey.length) return undefined
  return `swap public_key and secret_key if they are in the wrong order: public_key has ${publicKey.length} characters, secret_key only ${secretKey.length}`
}

/**
 * The host and the key of a request, for the message of a refusal. A public key that is as long as its secret key may
 * be that secret, so it is not shown.
 */
export function describeSender({
  baseUrl,
  credentials: { publicKey, secretKey },
}: Pick<Sent, 'baseUrl' | 'credentials'>): string {
  const key = publicKey.length < secretKey.length ? ` with the public key ${publicKey.slice(0, 4)}…` : ''
  return `at ${new URL(baseUrl).host}${key}`
}

type Missable = (typeof resources)[keyof typeof resources]

/** The name of a kind of record in the message of a call: a fork has a parent. */
const labelOf = ({ label, id }: Missable, { row }: Sent) =>
  id === 'service_id' && row.path.endsWith('/forkService') ? 'parent' : label

/** Names the missing record with the records on the path that contain it, and those in the body. */
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

/** The kinds of record that the message names, such as `VPC 7 not found`. */
const namedBy = (words: string) =>
  ['project', ...Object.values(resources).map(({ label }) => label)].filter(label =>
    new RegExp(`\\b${label}\\b`, 'i').test(words),
  )

/** Names the inputs that hold the ids, and the missing record: the one that the API names, or any of them. */
function adviseOnIds(sent: Sent, words: string): string | undefined {
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
    return `check project_id: project ${project_id} does not exist for these keys. The operation get-auth-info shows their project`
  const ids = missing.map(({ id }) => id).join(' and ')
  return `check ${ids}: there is no ${describeMissing(sent, missing, inOrder)} in project ${project_id}. The operation ${last.list} lists the ${last.label}s`
}

/** Advice on a size that does not exist, if the message is about sizes. */
function adviseOnSize({ row, parameters }: Sent, words: string): string | undefined {
  const { cpu_millis, memory_gbs } = parameters
  const isAbout = words === '' || /cpu|memory|size|resource/i.test(words)
  const isShared = cpu_millis === 'shared' || memory_gbs === 'shared'
  if (!isAbout || isShared || (cpu_millis ?? memory_gbs) === undefined) return undefined
  const sizes = row.path.includes('/replicaSets') ? replicaSizes : serviceSizes
  const nearest = nearestSize(sizes, Number(cpu_millis), Number(memory_gbs))
  return (
    nearest &&
    `set cpu_millis to ${nearest.cpuMillis} and memory_gbs to ${nearest.memoryGbs}: this is the nearest size`
  )
}

/** Advice on a refusal that depends on the request itself; undefined if the request looks right. */
export function adviseOnRefusal(sent: Sent, status: number, words = ''): string | undefined {
  if (status === 401) return adviseOnKeys(sent)
  if (status === 400) return adviseOnSize(sent, words)
  return status === 404 ? (adviseOnAddress(sent) ?? adviseOnIds(sent, words)) : undefined
}
