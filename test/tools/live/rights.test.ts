/** Tests the rights of tools on a live server. */
import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { needs } from '../../../tools/live/walk/rights.ts'

const contents = resolve(import.meta.dirname, '../../../src/contents')
const command =
  /(?<=['"`]\s*|; )(?:alter|create|drop|grant|revoke|truncate|vacuum|refresh|comment on|set local) (?!it\b)[a-z]+/g

describe('the tried commands', () => {
  const tried = Object.values(needs)
    .flatMap(group => Object.values(group))
    .map(({ sql }) => sql)
    .join(';')

  it('are those in the source', () => {
    const sent = globSync('**/*.ts', { cwd: contents }).flatMap(
      file => readFileSync(resolve(contents, file), 'utf8').match(command) ?? [],
    )
    expect(sent.length).toBeGreaterThan(10)
    expect([...new Set(sent)].filter(one => !tried.includes(one))).toEqual([])
  })
})
