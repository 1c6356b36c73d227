/** Advice on a refused request, from its own address, keys, ids and sizes. */
import { type Endpoint, parameterNames, pathParameters } from '#api/endpoint'
import { resources } from '#api/resource'
import { nearestSize, replicaSizes, serviceSizes } from '#api/sizes'

export interface SentRequest {
  row: Endpoint
  parameters: Record<string, unknown>
  baseUrl: string
  credentials: { publicKey: string; secretKey: string }
}

/** Advice if the address does not end like the API's (docs/internals/api.md, "Address and keys"). */
function adviseOnAddress({ baseUrl }: SentRequest): string | undefined {
  if (baseUrl.endsWith('/public/api/v1')) return undefined
  const end = new URL(baseUrl).pathname.slice(0, 100)
  return `correct base_url: it must end with /public/api/v1, but ends with ${end}`
}

const isQuoted = (key: string) => /^(["'`]).*\1$/.test(key)

/** The inputs whose values are in quotes. Quotes around api_key start its first part and end its second. */
function findQuotedInputs(publicKey: string, secretKey: string): string[] {
  const inputs: string[] = []
  if (isQuoted(publicKey)) inputs.push('public_key')
  if (isQuoted(secretKey)) inputs.push('secret_key')
  return inputs.length === 0 && isQuoted(`${publicKey}:${secretKey}`) ? ['api_key'] : inputs
}

/** Advice on keys that look wrong. It needs a refusal first, because the API does not specify the form of keys. */
function adviseOnKeys({ credentials: { publicKey, secretKey } }: SentRequest): string | undefined {
  if (publicKey === secretKey)
    return 'set public_key and secret_key to the two parts of a key: both have the same value'
  const quoted = findQuotedInputs(publicKey, secretKey)
  if (quoted.length > 0) return `remove the quotes around ${quoted.join(' and ')}`
  if ([publicKey, secretKey].some(key => /\{\{|^\$\{.*\}$/.test(key)))
    return `public_key or secret_key is an expression that GitHub did not evaluate: write \${{ secrets.NAME }}`
  if (publicKey.length <= secretKey.length) return undefined
  return `swap public_key and secret_key if they are in the wrong order: public_key has ${publicKey.length} characters, secret_key only ${secretKey.length}`
}

/** The host and the key of a request. A public key that is as long as its secret key may be that secret. */
export function describeSender({
  baseUrl,
  credentials: { publicKey, secretKey },
}: Pick<SentRequest, 'baseUrl' | 'credentials'>): string {
  const key = publicKey.length < secretKey.length ? ` with the public key ${publicKey.slice(0, 4)}…` : ''
  return `at ${new URL(baseUrl).host}${key}`
}

type RecordKind = (typeof resources)[keyof typeof resources]

/** The name of a kind of record in a message: a fork request calls the service its parent. */
const labelOf = ({ label, id }: RecordKind, { row }: SentRequest) =>
  id === 'service_id' && row.path.endsWith('/forkService') ? 'parent' : label

/** Names the records that may be missing: the innermost one on the path within its parents, and those in the body. */
function describeMissing(sent: SentRequest, missing: RecordKind[], all: RecordKind[]): string {
  const describe = (resource: RecordKind) => `${labelOf(resource, sent)} ${sent.parameters[resource.id]}`
  const isOnPath = ({ id }: RecordKind) => pathParameters(sent.row.path).includes(id)
  const innermost = missing.findLast(isOnPath)
  const onPath = innermost === undefined ? [] : all.slice(0, all.indexOf(innermost) + 1).filter(isOnPath)
  const inBody = missing.filter(resource => !isOnPath(resource))
  return [onPath.reverse().map(describe).join(' of '), ...inBody.map(describe)]
    .filter(text => text !== '')
    .join(', or no ')
}

/** The kinds of record that a message names: `VPC` in `VPC 7 not found`. */
const findNamedKinds = (message: string) =>
  ['project', ...Object.values(resources).map(({ label }) => label)].filter(label =>
    new RegExp(`\\b${label}\\b`, 'i').test(message),
  )

/** Names the ids and the missing record. If the message names none, any record may be missing. */
function adviseOnIds(sent: SentRequest, message: string): string | undefined {
  const { project_id } = sent.parameters
  if (project_id === undefined) return undefined
  const names = parameterNames(sent.row)
  const requested = Object.values(resources)
    .filter(({ id }) => names.includes(id))
    .sort((one, other) => names.indexOf(one.id) - names.indexOf(other.id))
  const namedKinds = findNamedKinds(message)
  const onlyKind = namedKinds.length === 1 ? namedKinds[0] : undefined
  const named = requested.filter(({ label }) => label === onlyKind)
  const missing = named.length > 0 ? named : requested
  const last = missing.at(-1)
  if (last === undefined || onlyKind === 'project')
    return `check project_id: project ${project_id} does not exist for these keys. The operation get-auth-info shows their project`
  const ids = missing.map(({ id }) => id).join(' and ')
  return `check ${ids}, or use a key of the right project: there is no ${describeMissing(sent, missing, requested)} in project ${project_id}. The operation ${last.list} lists the ${last.label}s`
}

/** Advice on a size that does not exist, if the message is about sizes or is missing. */
function adviseOnSize({ row, parameters }: SentRequest, message: string): string | undefined {
  const { cpu_millis, memory_gbs } = parameters
  const isAboutSize = message === '' || /cpu|memory|size|resource/i.test(message)
  const isShared = cpu_millis === 'shared' || memory_gbs === 'shared'
  if (!isAboutSize || isShared || (cpu_millis ?? memory_gbs) === undefined) return undefined
  const sizes = row.path.includes('/replicaSets') ? replicaSizes : serviceSizes
  const nearest = nearestSize(sizes, Number(cpu_millis), Number(memory_gbs))
  return (
    nearest &&
    `set cpu_millis to ${nearest.cpuMillis} and memory_gbs to ${nearest.memoryGbs}: this is the nearest size`
  )
}

/** Advice on a refusal that depends on the request itself; undefined if the request looks right. */
export function adviseOnRefusal(sent: SentRequest, status: number, message = ''): string | undefined {
  if (status === 401) return adviseOnKeys(sent)
  if (status === 400) return adviseOnSize(sent, message)
  if (status === 404) return adviseOnAddress(sent) ?? adviseOnIds(sent, message)
  return undefined
}
