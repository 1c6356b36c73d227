// Reads lists page by page.

import * as z from 'zod/mini'
import type { GitHubCall } from './call.ts'
import { GitHubUnclearError } from './errors.ts'
import type { GitHubAnswer, GitHubRequest } from './exchange.ts'

/** GitHub's largest page. */
export const largestPage = 100
/**
 * The largest page of items with free text. Such a text has up to 65,536 characters, and JSON may need 12 bytes for one
 * (an emoji as `\\ud83d\\ude00`). 15 texts, each with 64 KiB for its other fields, stay below the limit of 16 MiB.
 */
export const textsPerPage = 15
const maxItems = 10_000

/**
 * The number of the next page, from the Link header; undefined on the last page. The address in the header is
 * not used: the token goes only to the API.
 */
function nextPageOf({ headers }: GitHubAnswer): number | undefined {
  const [, address] = /<([^<>]*)>\s*;[^<]*\brel="?next"?/.exec(headers.link ?? '') ?? []
  return address === undefined ? undefined : Number(URL.parse(address)?.searchParams.get('page'))
}

/**
 * Reads all items of a list, over all its pages. Rejects if any page is missing or malformed: an incomplete
 * list must never pass for a complete one.
 */
export async function readPages<Item extends z.ZodMiniType>(
  call: GitHubCall,
  request: Omit<GitHubRequest, 'success' | 'repeatable'>,
  item: Item,
  perPage: number,
): Promise<z.infer<Item>[]> {
  const items: z.infer<Item>[] = []
  const unclear = (problem: string) => new GitHubUnclearError(request.what, { status: 200, problem })
  const maxPages = Math.ceil(maxItems / perPage)
  for (let page = 1; page <= maxPages; page++) {
    const parameters = { ...request.parameters, per_page: perPage, page }
    const answer = await call({ ...request, parameters, success: 200, repeatable: true })
    const read = z.array(item).safeParse(answer.data)
    if (!read.success) throw unclear(`not the expected list (page ${page})`)
    items.push(...read.data)
    const next = nextPageOf(answer)
    if (next !== undefined && next !== page + 1)
      throw unclear(`a list whose page ${page} links to a wrong next page`)
    // A full page without a next one may have lost its header, so the next page is requested.
    if (next === undefined && read.data.length < perPage) return items
  }
  throw unclear(`a list of more than ${maxPages} pages`)
}
