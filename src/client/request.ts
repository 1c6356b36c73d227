/** Builds a request from a row of the contract and its parameters. */
import type { Endpoint } from '#api/endpoint'
import { pathParameters } from '#api/endpoint'
import { pathField } from '#api/field-table'
import { ActionError } from '#base/errors'

export interface RequestParts {
  path: string
  body: string | undefined
}

function fillPath(template: string, parameters: Record<string, unknown>): string {
  return pathParameters(template).reduce((path, name) => {
    const id = pathField(name).safeParse(parameters[name])
    if (id.success) return path.replace(`{${name}}`, id.data)
    // The server sent it: ids from inputs are checked earlier.
    throw new ActionError(
      `${name} is not an id and must not enter the path ${template}: ${JSON.stringify(parameters[name])}`,
      'report this id to the owner of the server, and check there for records that this step may have left',
    )
  }, template)
}

function renderQuery(row: Endpoint, parameters: Record<string, unknown>): string {
  const pairs = Object.keys(row.query?.shape ?? {}).flatMap(name =>
    [parameters[name] ?? []].flat().map((value): [string, string] => [name, String(value)]),
  )
  return pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : ''
}

function renderBody(row: Endpoint, parameters: Record<string, unknown>): string | undefined {
  if (row.body === undefined) return undefined
  const names = Object.keys(row.body.shape).filter(name => parameters[name] !== undefined)
  return JSON.stringify(Object.fromEntries(names.map(name => [name, parameters[name]])))
}

/** Ignores parameters that the row does not have. @throws ActionError for an id that could address another path */
export function buildRequest(row: Endpoint, parameters: Record<string, unknown>): RequestParts {
  return {
    path: fillPath(row.path, parameters) + renderQuery(row, parameters),
    body: renderBody(row, parameters),
  }
}
