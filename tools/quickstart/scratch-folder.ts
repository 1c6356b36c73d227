// The temporary folder of a process.

import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { TempFolderError } from '../../emulator/clusters/errors.ts'

/**
 * Creates a folder below `parent` as the temporary folder of this process and its children. When this process ends,
 * unless it is killed, the folder is deleted with its contents.
 * @throws TempFolderError when it cannot be created
 */
export function useScratchFolder(parent: string): void {
  let folder: string
  try {
    folder = mkdtempSync(join(parent, 'quickstart-'))
  } catch (cause) {
    throw new TempFolderError(
      `No folder can be made below ${parent}: set TMPDIR to a folder that can be written to.`,
      { cause },
    )
  }
  // Windows reads the latter two (Node.js documentation, os.tmpdir()).
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = folder
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
}
