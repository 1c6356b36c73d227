/** Writes outputs and environment variables. */
import { variablesOf } from '#postgres/connection'
import type { Edge } from '../host/edge.ts'
import { tryToWrite, type Unwritten } from '../host/runner-files.ts'
import { connectionOf, type OutputSource } from './output-source.ts'
import { renderOutputs } from './output-table.ts'

/**
 * Sets the outputs of the step. Masks those with a password first; `result` never contains one. An output
 * that was set before and now has no value becomes empty: a later step must not connect to a deleted
 * database. Returns the files that could not be written.
 */
export function writeOutputs(source: OutputSource, { host, log, secrets, outputNames }: Edge): Unwritten[] {
  const values = renderOutputs({
    ...source,
    redact: value => secrets.redactAll(value),
    isSecret: text => secrets.hasAnyIn(text),
  })
  const outdated = [...outputNames].filter(name => !values.some(value => value.name === name))
  for (const { value, secret } of values) if (secret) log.mask(value)
  const all = [...values, ...outdated.map(name => ({ name, value: '' }))]
  return tryToWrite('GITHUB_OUTPUT', host.process.env, () => {
    for (const { name, value } of all) {
      outputNames.add(name)
      host.toolkit.setOutput(name, value)
    }
  })
}

/** Sets the variables of the connection for later steps. Returns the files that could not be written. */
export function exportConnection(given: OutputSource, { host, log, secrets }: Edge): Unwritten[] {
  const source = { ...given, isSecret: (text: string) => secrets.hasAnyIn(text) }
  const connection = connectionOf(source)
  if (connection === undefined) {
    log.warning(
      'export_env: the operation has no host to connect to, so no variable is set',
      'nothing to export',
    )
    return []
  }
  return tryToWrite('GITHUB_ENV', host.process.env, () => {
    for (const [name, value] of Object.entries(variablesOf(connection)))
      host.toolkit.exportVariable(name, value)
  })
}
