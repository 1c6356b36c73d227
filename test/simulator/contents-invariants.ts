/** The promises about the contents of databases. */
import { type Played, type Violation, violation } from './violation.ts'

/** Checks them by all events of the story. */
export function checkContents({ world }: Played): Violation[] {
  const leaks = world.leaks.map(({ id, by, how, isUnmasked }) =>
    violation(
      isUnmasked
        ? 'with masked: true, only masked databases are published'
        : 'connection details are published only for a quarantined and filled database',
      `${by}: ${how} of ${id}`,
    ),
  )
  const twice = world.filledTwice.map(id => violation('each seed file runs once in a database', id))
  const wrong = world.wrongSchemas.map(id =>
    violation('the schema baseline is the schema of the same database before its seed files', id),
  )
  return [...leaks, ...twice, ...wrong]
}
