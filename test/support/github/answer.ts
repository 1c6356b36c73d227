/** The response of the fake to a request. */
export interface Answer {
  status: number
  headers?: Record<string, string>
  body: unknown
}

const documentation = 'https://docs.github.com/rest'

/** An error as GitHub writes it. */
export function refuse(status: number, message: string, headers: Record<string, string> = {}): Answer {
  return { status, headers, body: { message, documentation_url: documentation, status: String(status) } }
}

/** The error for a field of the request's body. */
export function refuseField(field: string, message: string): Answer {
  const errors = [{ resource: 'IssueComment', code: 'unprocessable', field, message }]
  return {
    status: 422,
    body: { message: 'Validation Failed', errors, documentation_url: documentation, status: '422' },
  }
}

export const notFound = refuse(404, 'Not Found')
export const byApp = refuse(403, 'Resource not accessible by integration')
export const byToken = refuse(403, 'Resource not accessible by personal access token')

/** One page of a list, with GitHub's Link header: https://docs.github.com/rest/using-the-rest-api/using-pagination-in-the-rest-api */
export function paginate<Item>(items: Item[], url: URL): { items: Item[]; headers: Record<string, string> } {
  const read = (name: string, fallback: number) => Math.max(1, Number(url.searchParams.get(name)) || fallback)
  const perPage = Math.min(100, read('per_page', 30))
  const page = read('page', 1)
  const last = Math.max(1, Math.ceil(items.length / perPage))
  const link = (number: number, relation: string) => {
    const address = new URL(url)
    address.searchParams.set('page', String(number))
    return `<${address}>; rel="${relation}"`
  }
  const links = [
    ...(page > 1 ? [link(page - 1, 'prev')] : []),
    ...(page < last ? [link(page + 1, 'next'), link(last, 'last')] : []),
    ...(page > 1 ? [link(1, 'first')] : []),
  ]
  return {
    items: items.slice((page - 1) * perPage, page * perPage),
    headers: links.length > 0 ? { link: links.join(', ') } : {},
  }
}
