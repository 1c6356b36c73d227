/** Calls a running emulator. */
import { access as canRead } from 'node:fs/promises'
import type { EmulatorAccess } from '../library-types.ts'

/** The error of a request without an answer. fetch hides the reason, such as ECONNREFUSED, behind "fetch failed". */
export function noAnswerError(url: string, failure: unknown): Error {
  const cause = failure instanceof Error ? (failure.cause ?? failure) : failure
  const reason = cause instanceof Error ? ('code' in cause && cause.code) || cause.message : cause
  const advice = 'start one, or correct its address (--port on the command line)'
  return new Error(`no emulator answers at ${url} (${reason}): ${advice}`, { cause: failure })
}

/** Calls the API, or the emulator itself if `path` is a complete address. Rejects with the message of a refusal. */
export async function sendRequest<Answer>(
  { baseUrl, keys: { publicKey, secretKey } }: EmulatorAccess,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: object,
): Promise<Answer> {
  const headers = {
    authorization: `Basic ${Buffer.from(`${publicKey}:${secretKey}`).toString('base64')}`,
    ...(body && { 'content-type': 'application/json' }),
  }
  const url = path.startsWith('/') ? `${baseUrl}${path}` : path
  const answer = await fetch(url, { method, headers, body: body ? JSON.stringify(body) : null }).catch(
    failure => {
      throw noAnswerError(baseUrl, failure)
    },
  )
  const text = await answer.text()
  if (answer.status === 401) {
    const advice = 'use those that it printed at its start, or those of its flag --keys'
    throw new Error(`the emulator at ${new URL(baseUrl).origin} refused the keys: ${advice}`)
  }
  if (!answer.ok) throw new Error(`the emulator refused ${method} ${path}: ${answer.status} ${text}`)
  // An emulator of the same version answers as its API's description specifies.
  return (text === '' ? undefined : JSON.parse(text)) as Answer
}

/** An address of the emulator itself, outside of the API. */
export const controlUrl = ({ baseUrl }: EmulatorAccess, path: string) =>
  new URL(`/emulator/${path}`, baseUrl).href

/** The id of the one project that the key belongs to. */
export async function readProjectId(access: EmulatorAccess): Promise<string> {
  const { api_key: key } = await sendRequest<{ api_key: { project: { id: string } } }>(
    access,
    'GET',
    '/auth/info',
  )
  return key.project.id
}

/** The file with the certificate of the databases, if this process can read it; that of a container is unreadable. */
export async function findCertificate(access: EmulatorAccess): Promise<string | undefined> {
  const { certificateFile } = await sendRequest<{ certificateFile?: string }>(
    access,
    'GET',
    controlUrl(access, 'overview'),
  )
  if (certificateFile === undefined) return undefined
  return canRead(certificateFile).then(
    () => certificateFile,
    () => undefined,
  )
}
