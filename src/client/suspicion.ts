import { type Endpoint, parameterNames, pathParameters } from '#api/endpoint'
import { resources } from '#api/resource'

/** What a call was made with, to tell what of it may be wrong once it is refused. */
export interface Sent {
  row: Endpoint
  parameters: Record<string, unknown>
  baseUrl: string
  credentials: { publicKey: string; secretKey: string }
}

/** Advice where the address does not end as that of the API does (docs/api.md, "Address and keys"). */
function suspectAddress({ baseUrl }: Sent): string | undefined {
  if (baseUrl.endsWith('/public/api/v1')) return undefined
  const end = new URL(baseUrl).pathname.slice(0, 100)
  return `check base_url: the API's address ends with /public/api/v1, this one with ${end}`
}

const inQuotes = (key: string) => /^(["'`]).*\1$/.test(key)

/** What looks wrong with keys that were refused. Their shape is not specified, so they are not refused for it. */
function suspectKeys({ credentials: { publicKey, secretKey } }: Sent): string | undefined {
  const keys = [publicKey, secretKey]
  if (publicKey === secretKey)
    return 'public_key and secret_key are the same: one of them is in the place of both'
  if (keys.some(inQuotes))
    return 'leave out the quotes around public_key and secret_key, which count as part of them'
  if (keys.some(key => /\{\{|^\$\{.*\}$/.test(key)))
    return `public_key or secret_key is an expression that was not filled in: write \${{ secrets.NAME }}`
  if (publicKey.length <= secretKey.length) return undefined
  return `public_key is longer (${publicKey.length} characters) than secret_key (${secretKey.length}): is it really the public key, or are the two exchanged?`
}

/** What was not found: records on the path lie in each other, and one in the body may be missing by itself. */
function describeMissing({ row, parameters }: Sent, ids: string[]): string {
  const describe = (id: string) =>
    `${Object.values(resources).find(resource => resource.id === id)?.label} ${parameters[id]}`
  const onPath = ids.filter(id => pathParameters(row.path).includes(id))
  const others = ids.filter(id => !onPath.includes(id))
  return [onPath.reverse().map(describe).join(' of '), ...others.map(describe)].join(', or no ')
}

/** Names the inputs that hold the ids, and what was not found under them. */
function suspectIds(sent: Sent): string | undefined {
  const { project_id } = sent.parameters
  if (project_id === undefined) return undefined
  const known = Object.values(resources)
  const ids = parameterNames(sent.row).filter(name => known.some(({ id }) => id === name))
  const list = known.find(({ id }) => id === ids.at(-1))?.list
  if (list === undefined)
    return `check project_id: these keys see no project ${project_id}; get-auth-info shows theirs`
  return `check ${ids.join(' and ')}: there is no ${describeMissing(sent, ids)} in project ${project_id}; is it the right project_id? ${list} shows what there is`
}

/** What to do about a refusal, where what was sent shows more than the status tells; undefined where it does not. */
export function suspect(sent: Sent, status: number): string | undefined {
  if (status === 401) return suspectKeys(sent)
  return status === 404 ? (suspectAddress(sent) ?? suspectIds(sent)) : undefined
}
