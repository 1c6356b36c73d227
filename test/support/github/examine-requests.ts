import type { SecretWatch } from '../secret-watch.ts'
import type { GitHubRequestSeen } from './fake-github.ts'

/**
 * Searches what was sent to GitHub, comments above all, as it is: no runner masks what goes over its API. The
 * token's own header is left out.
 *
 * @throws SecretShownError
 */
export function examineRequests(watch: SecretWatch, requests: GitHubRequestSeen[]): void {
  for (const { method, path, query, body } of requests) {
    const isText = typeof body === 'object' && body !== null && 'body' in body
    watch.examine(`${method} ${path}`, [path, JSON.stringify(query), isText ? body.body : ''].join('\n'))
  }
}
