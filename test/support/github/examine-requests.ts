/** Finds secrets in the requests to GitHub. */
import type { SecretWatch } from '../secret-watch.ts'
import type { GitHubRequestSeen } from './fake-github.ts'

/**
 * Searches the requests to GitHub, above all comments, for secrets: the runner masks nothing in them. Ignores the
 * token's own header.
 *
 * @throws SecretShownError
 */
export function examineRequests(watch: SecretWatch, requests: GitHubRequestSeen[]): void {
  for (const { method, path, query, body } of requests) {
    const isText = typeof body === 'object' && body !== null && 'body' in body
    watch.examine(`${method} ${path}`, [path, JSON.stringify(query), isText ? body.body : ''].join('\n'))
  }
}
