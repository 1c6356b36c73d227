/** The promises about the contents of databases. */
import { type Played, type Violation, violation } from './violation.ts'

/** Checks them by all events of the story. */
export function checkContents({ world }: Played): Violation[] {
  const leaks = world.leaks.map(({ id, by, how, isUnmasked }) =>
    violation(
      isUnmasked
        ? 'nobody who asks for a masked database gets the way into another'
        : 'nobody gets the way into a database that is not quarantined and filled',
      `${by}: ${how} of ${id}`,
    ),
  )
  const twice = world.filledTwice.map(id => violation('a file fills a database once', id))
  const wrong = world.wrongSchemas.map(id =>
    violation('the schema that a database begins with is its own, before it is filled', id),
  )
  return [...leaks, ...twice, ...wrong]
}
