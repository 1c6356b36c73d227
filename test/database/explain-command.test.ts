/** Tests the error of a migration command that failed or did not end. */
import { expect, it } from 'vitest'
import type { Watch } from '#contents/rehearsal/tap/watch'
import type { DatabaseContext } from '#database/context'
import { FailedCommandError, readMigration, runMigration } from '#database/migration'
import { explainCommand } from '#database/rehearse-migration'
import { rehearsal, statement } from '../contents/rehearsal/rehearsals.ts'
import { defaultSettings } from '../simulator/default-settings.ts'
import { fakeContext } from '../support/fake-context.ts'
import type { FakeSeam } from '../support/fake-seam.ts'

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

type RunCommand = DatabaseContext['runCommand']

/** Runs a command, without a tap if there is no watch, and returns its error. */
async function failureOf(command: (seam: FakeSeam) => RunCommand, watch?: Watch): Promise<unknown> {
  const connection = {
    host: 'db.example',
    port: 5432,
    user: 'u',
    database: 'd',
    sslmode: 'require',
    password: 'p',
  }
  const rehearsal = { ...defaultSettings.rehearsal, command: 'flyway migrate' }
  const { context, seam } = fakeContext([], { deadline: 60_000, settings: { rehearsal } })
  const withCommand: DatabaseContext = { ...context, runCommand: (...given) => command(seam)(...given) }
  const migration = await readMigration(withCommand)
  return await runMigration(withCommand, { connection, ids: {} }, migration, watch).catch(error => error)
}

it.each([
  ['sh: 1: flyway: not found', 'flyway'],
  ['sh: line 1: bin/flyway: command not found', 'bin/flyway'],
  ['no such file', 'a program'],
])('names the program that the shell does not find: %s', async (line, program) => {
  const failure = await failureOf(() => async (_command, _variables, { onLine }) => {
    for (const one of [line, 'the last line']) onLine?.(one)
    return 127
  })
  expect(failure).toMatchObject({
    message: `the command ended with exit code 127: the shell did not find ${program}`,
    exitCode: 127,
  })
})

it('refers to the log if a command ends before it runs a statement', async () => {
  const watch: Watch = {
    onSend() {},
    onReady: () => undefined,
    onEnding: () => undefined,
    onClosed() {},
    onProblem() {},
  }
  expect(await failureOf(() => async () => 7, watch)).toMatchObject({
    message: 'the command ended with exit code 7 before it ran a statement',
    next: "read the reason in the command's last lines in the log",
    exitCode: 7,
  })
})

it('ends a command at the deadline', async () => {
  const failure = await failureOf(seam => async (_command, _variables, { signal }) => {
    await seam.sleep(60_000)
    signal.throwIfAborted()
    return 0
  })
  expect(failure).toMatchObject({
    message: 'the step ended the command, which still ran after 1m 00s',
    next: expect.stringMatching(/^raise wait_timeout/),
  })
})
