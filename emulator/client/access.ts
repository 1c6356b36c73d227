import { access as canRead } from 'node:fs/promises'
import type { EmulatorAccess } from '../library-types.ts'

/** Asks the API, or the emulator itself where `path` is a whole address. Rejects with what it says where it refuses. */
export async function ask<Answer>(
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
    cause => {
      throw new Error(`no emulator answers at ${baseUrl}: start one`, { cause })
    },
  )
  const text = await answer.text()
  if (!answer.ok) throw new Error(`the emulator refused ${method} ${path}: ${answer.status} ${text}`)
  // The emulator of the same version answers what the description of its API says.
  return (text === '' ? undefined : JSON.parse(text)) as Answer
}

/** An address of the emulator's own, beside the API. */
export const ownUrl = ({ baseUrl }: EmulatorAccess, path: string) =>
  new URL(`/emulator/${path}`, baseUrl).href

/** The id of the one project that the key belongs to. */
export async function readProjectId(access: EmulatorAccess): Promise<string> {
  const { api_key: key } = await ask<{ api_key: { project: { id: string } } }>(access, 'GET', '/auth/info')
  return key.project.id
}

/** The file with the certificate of the databases, where this process can read it: not that of a container. */
export async function findCertificate(access: EmulatorAccess): Promise<string | undefined> {
  const { certificateFile } = await ask<{ certificateFile?: string }>(
    access,
    'GET',
    ownUrl(access, 'overview'),
  )
  if (certificateFile === undefined) return undefined
  return canRead(certificateFile).then(
    () => certificateFile,
    () => undefined,
  )
}
