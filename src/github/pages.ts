import * as z from 'zod/mini'
import type { GitHubAnswer, GitHubCall, GitHubRequest } from './call.ts'
import { GitHubUnclearError } from './errors.ts'

/** The largest page that GitHub gives. */
const perPage = 100
/** With `perPage`, 10,000 items: longer lists are refused. */
const maxPages = 100

/**
 * The number of the next page, from the Link header; undefined on the last page. The address in the header is not
 * followed: the token is sent to the API only.
 */
function nextPageOf({ headers }: GitHubAnswer): number | undefined {
  const [, address] = /<([^<>]*)>\s*;[^<]*\brel="?next"?/.exec(headers.link ?? '') ?? []
  return address === undefined ? undefined : Number(URL.parse(address)?.searchParams.get('page'))
}

/**
 * All items of a list, over all its pages. Rejects if any page is missing or is not a list: a part of a list must never
 * pass for the whole.
 */
export async function readPages<Item extends z.ZodMiniType>(
  call: GitHubCall,
  request: Omit<GitHubRequest, 'success' | 'repeatable'>,
  item: Item,
): Promise<z.infer<Item>[]> {
  const items: z.infer<Item>[] = []
  const unclear = (problem: string) => new GitHubUnclearError(request.what, { status: 200, problem })
  for (let page = 1; page <= maxPages; page++) {
    const parameters = { ...request.parameters, per_page: perPage, page }
    const answer = await call({ ...request, parameters, success: 200, repeatable: true })
    const read = z.array(item).safeParse(answer.data)
    if (!read.success) throw unclear(`not the expected list (page ${page})`)
    items.push(...read.data)
    const next = nextPageOf(answer)
    if (next !== undefined && next !== page + 1)
      throw unclear(`a list whose page ${page} links to a wrong next page`)
    // A full page without a next one may have lost its header on the way: one more look makes sure.
    if (next === undefined && read.data.length < perPage) return items
  }
  throw unclear(`a list of more than ${maxPages} pages`)
}
