/** Reads the file of masking rules that `mask_file` names. */
import { ActionError } from '#base/errors'
import { readSqlFiles } from '../sql/read-files.ts'
import type { SqlFile } from '../sql/sql-error.ts'

/**
 * Reads the one file of `mask_file`, before anything is made.
 *
 * @throws SqlFileError where it is not there; ActionError where there are several; MaskFileError for what is no rule
 */
export async function readMaskFile(workspace: string, patterns: string[]): Promise<SqlFile> {
  const [file, ...others] = readSqlFiles(workspace, patterns, 'mask_file')
  if (file === undefined || others.length > 0)
    throw new ActionError(
      `mask_file: expected one file, and ${1 + others.length} match`,
      'name one file, which has the rules of all tables',
    )
  // The file of the bundle that masks: whoever reads the rules will mask by them.
  const { parseMaskFile } = await import('./masking.ts')
  parseMaskFile(file)
  return file
}
