/** Runs statements in sessions of tests. */
import pg from 'pg'

/** Opens a session. The server may end it before the test does. */
export async function openSession(config: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(config)
  client.on('error', () => {})
  await client.connect()
  return client
}

/** Runs statements in a session of their own. Returns the rows of the last one. */
export async function runStatements(config: pg.ClientConfig, sql: string) {
  const client = await openSession(config)
  try {
    const results = await client.query(sql)
    return [results].flat().at(-1)?.rows ?? []
  } finally {
    await client.end()
  }
}
