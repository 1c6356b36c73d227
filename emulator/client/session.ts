/** Opens the library's own session in the database of a service. */
import type { ReadyService } from '../library-types.ts'

export type Target = Pick<ReadyService, 'host' | 'port' | 'user' | 'database' | 'password'>

export const quoteName = (name: string) => `"${name.replaceAll('"', '""')}"`

/** The options of `pg` for a service. The emulator's certificate is self-signed, so it cannot be verified. */
export const configOf = (target: Target) => ({ ...target, ssl: { rejectUnauthorized: false } })

export async function withClient<Result>(
  config: object,
  job: (query: (sql: string) => Promise<{ rows: { value?: string }[] }>) => Promise<Result>,
): Promise<Result> {
  // Imported late: the packages may only just have been installed.
  const { default: pg } = await import('pg')
  const client = new pg.Client(config)
  await client.connect()
  try {
    return await job(sql => client.query(sql))
  } finally {
    await client.end()
  }
}
