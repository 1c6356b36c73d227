/** Tests the error of a migration command that failed: the refused statement, if there is one. */
import { expect, it } from 'vitest'
import { FailedCommandError } from '#database/migration'
import { explainCommand } from '#database/rehearse-migration'
import { rehearsal, statement } from '../contents/rehearsal/rehearsals.ts'

const refused = 'relation "missing" does not exist (SQLSTATE 42P01)'
const place = { file: 'migrations/2.sql', line: 2 }
const inEffect = '; parts of the migration may be in effect'

it.each([
  ['no statement was refused', {}, inEffect],
  [
    'a file has the statement',
    { failure: refused, place },
    ` after the server refused migrations/2.sql:2: ${refused}${inEffect}`,
  ],
  [
    'no file has the statement',
    { failure: refused },
    ` after the server refused "alter table missing": ${refused}${inEffect}`,
  ],
])('explains exit code 7 if %s', (_, given, end) => {
  const ran = statement({ text: 'alter table missing', ...given })
  const { failure } = explainCommand({
    failure: new FailedCommandError(7),
    rehearsal: rehearsal({ statements: [ran] }),
    malformed: [],
  })
  expect(failure).toMatchObject({ message: `the command ended with exit code 7${end}`, exitCode: 7 })
})
