/** Sends requests to an emulator. */
import { type Endpoint, pathParameters } from '#api/endpoint'
import type { EndpointName } from '#api/endpoints'
import { endpoints } from '#api/endpoints'
import type { EmulatorAccess } from '../../../emulator/library-types.ts'
import { defaultProject } from '../../../emulator/store/store.ts'
import { testKeys } from './running.ts'

const authorizationFor = ({ publicKey, secretKey }: EmulatorAccess['keys']) =>
  `Basic ${btoa(`${publicKey}:${secretKey}`)}`

export const authorization = authorizationFor(testKeys)

/** Calls an operation over HTTP: path parameters by name, the rest as the JSON body. */
export async function callOverHttp(
  { baseUrl, keys }: EmulatorAccess,
  operation: EndpointName,
  params: Record<string, unknown> = {},
) {
  const { method, path, body: schema }: Endpoint = endpoints[operation]
  const all: Record<string, unknown> = { project_id: defaultProject.id, ...params }
  const names = pathParameters(path)
  const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(all[name]))
  const fields = Object.fromEntries(Object.entries(params).filter(([name]) => !names.includes(name)))
  const body = method === 'POST' && (schema || Object.keys(fields).length > 0) ? JSON.stringify(fields) : null
  const headers = {
    authorization: authorizationFor(keys),
    ...(body && { 'content-type': 'application/json' }),
  }
  const response = await fetch(baseUrl + url, { method, headers, body })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}
