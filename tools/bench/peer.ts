import { readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

/** Another action, to be measured beside ours. */
export interface Peer {
  /** Its main file, in a checkout. */
  file: string
  /** The address of the API, if it is built in: a copy with the stub's address is run instead. */
  address: string | undefined
}

/** Whether the package that a file belongs to is one of ES modules. */
function isOfModules(file: string): boolean {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    try {
      return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).type === 'module'
    } catch {
      // None in this folder.
    }
  }
  return false
}

/** The file to run. If an address is built in, this is a copy in the folder, and the checkout stays as it is. */
export function preparePeer({ file, address }: Peer, stub: string, folder: string): string {
  const path = resolve(file)
  if (address === undefined) return path
  const code = readFileSync(path, 'utf8')
  if (!code.includes(address)) throw new Error(`${file} does not hold the address ${address}`)
  const copy = join(folder, `peer-${basename(path, '.js')}.${isOfModules(path) ? 'mjs' : 'cjs'}`)
  writeFileSync(copy, code.replaceAll(address, stub))
  return copy
}
