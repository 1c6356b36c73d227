/** Reads the file of masking rules that `mask_file` names. */
import { ActionError } from '#base/errors'
import { readSqlFiles } from '../sql/read-files.ts'
import type { SqlFile } from '../sql/sql-error.ts'

/** @throws ActionError if the file is missing or there are several; MaskFileError for an invalid rule */
export async function readMaskFile(workspace: string, patterns: string[]): Promise<SqlFile> {
  const [file, ...others] = readSqlFiles(workspace, patterns, 'mask_file')
  if (file === undefined || others.length > 0)
    throw new ActionError(
      `mask_file: expected one file, and ${1 + others.length} match`,
      'name one file, which has the rules of all tables',
    )
  // Loads the module that masks, because the run needs it next.
  const { parseMaskFile } = await import('./masking.ts')
  parseMaskFile(file)
  return file
}
