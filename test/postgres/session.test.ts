/** Tests sessions on a real server. */
import pg from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { LoginRefusedError } from '#postgres/login-refused'
import { type Notice, type SessionOptions, StatementError, withSession } from '#postgres/session'
import { connectionOf } from '../support/fork.ts'
import { shareServer } from '../support/shared-server.ts'

const never = new AbortController().signal

let connection: Parameters<typeof withSession>[0]
beforeAll(async () => {
  connection = connectionOf(await shareServer())
})

function ask<Result>(
  use: Parameters<typeof withSession<Result>>[2],
  options: Partial<SessionOptions & { sslmode: string; password: string }> = {},
) {
  const { sslmode = 'require', password = connection.password, ...limits } = options
  return withSession(
    { ...connection, sslmode, password },
    { timeout: 20_000, signal: never, isForUser: true, ...limits },
    use,
  )
}

describe('a session', () => {
  it('returns the result of a statement', async () => {
    expect(await ask(session => session.query('SELECT $1::int AS one, 2 AS two', [1]))).toEqual({
      rows: [{ one: 1, two: 2 }],
      rowCount: 1,
      columns: ['one', 'two'],
      command: 'SELECT',
    })
  })

  it('returns the answer to the last statement of a text', async () => {
    const text =
      'CREATE TEMP TABLE t (n int); INSERT INTO t VALUES (1), (2); SELECT sum(n)::int AS sum FROM t'
    expect((await ask(session => session.query(text))).rows).toEqual([{ sum: 3 }])
  })

  it('reports each notice', async () => {
    const notices: Notice[] = []
    await ask(session => session.query("DO $$ BEGIN RAISE WARNING 'careful' USING HINT = 'slowly'; END $$"), {
      onNotice: notice => void notices.push(notice),
    })
    expect(notices).toEqual([{ severity: 'WARNING', message: 'careful', detail: undefined, hint: 'slowly' }])
  })

  it('returns the position of a refused statement, and continues', async () => {
    const refusal = await ask(async session => {
      const refused = await session.attempt("SELECT '😀', lenght('a')")
      expect((await session.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
      return refused
    })
    // The position counts code points: the emoji is one.
    expect(refusal).toMatchObject({ name: 'StatementError', code: '42883', position: 13 })
    expect((refusal as StatementError).hint).toContain('argument types')
    await expect(ask(session => session.query('SELEC'))).rejects.toBeInstanceOf(StatementError)
  })

  it('throws if the server ends it, even in attempt', async () => {
    const ended = ask(async session => {
      const { rows } = await session.query('SELECT pg_backend_pid() AS id')
      const other = new pg.Client({ ...connection, ssl: { rejectUnauthorized: false } })
      await other.connect()
      await other.query('SELECT pg_terminate_backend($1)', [rows[0]?.id])
      await other.end()
      return await session.attempt('SELECT 1')
    })
    await expect(ended).rejects.not.toBeInstanceOf(StatementError)
  })

  it('runs its work once, even if that fails and another way to connect is left', async () => {
    let uses = 0
    const failed = ask(
      () => {
        uses++
        throw new Error('the use failed')
      },
      { sslmode: 'prefer' },
    )
    await expect(failed).rejects.toThrow('the use failed')
    expect(uses).toBe(1)
  })

  it('rejects with the reason of its abort', async () => {
    const controller = new AbortController()
    const asking = ask(
      session => {
        queueMicrotask(() => controller.abort(new Error('the job was cancelled')))
        return session.query('SELECT pg_sleep(60)')
      },
      { signal: controller.signal },
    )
    await expect(asking).rejects.toThrow('the job was cancelled')
  })

  it('accepts as many bytes as allowed, and no more', async () => {
    const long = (options = {}) =>
      ask(session => session.query("SELECT repeat('x', 2 * 1024 * 1024) AS long"), options)
    await expect(long()).rejects.toThrow('the server sent more than 1048576 bytes')
    expect((await long({ mostBytes: 4 * 1024 * 1024 })).rows[0]?.long).toHaveLength(2 * 1024 * 1024)
  })

  it('does not start with a wrong password', async () => {
    await expect(ask(async () => {}, { password: 'wrong-password' })).rejects.toBeInstanceOf(
      LoginRefusedError,
    )
  })
})
