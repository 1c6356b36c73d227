import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import {
  hasMarker,
  hasOther,
  hasSection,
  joinSections,
  readShownHash,
  renderMarker,
  renderShownLoss,
  replaceSection,
} from '#github/comment/sections'
import { anyText } from '../support/any-text.ts'

const name = 'preview-pr-7-0a1b2c3d'
const empty = { body: '', changedAt: '' }
const ofDatabase = (body: string, text: string, migrations?: 'is folded' | 'goes') =>
  replaceSection({ body, changedAt: '' }, name, {
    section: 'database',
    text,
    ...(migrations && { migrations }),
  })
const ofMigrations = (body: string, text: string, changedAt = '') =>
  replaceSection({ body, changedAt }, name, { section: 'migrations', text })

const one = 'a'.repeat(64)
const other = 'b'.repeat(64)

describe('a comment', () => {
  it('with the section on the database alone is as older versions of the action wrote it', () => {
    expect(ofDatabase('', 'ready')).toBe(
      `<!-- managed-database-action:preview:${name} -->
ready
`,
    )
  })

  it('holds both sections, the one on migrations between marks that nobody sees', () => {
    expect(ofMigrations(ofDatabase('', 'ready'), 'passed')).toBe(
      `<!-- managed-database-action:preview:${name} -->
ready

<!-- managed-database-action:migrations -->
passed
<!-- managed-database-action:end -->
`,
    )
  })

  it('keeps the section on migrations whole, though its text has the mark of its end', () => {
    const end = '<!-- managed-database-action:end -->'
    const body = ofMigrations(ofDatabase('', 'creating'), `first\n${end}\nlast`)
    expect(ofDatabase(body, 'ready')).toBe(body.replace('creating', 'ready'))
  })

  it('may have the section on migrations alone, and gets the other one later', () => {
    const alone = ofMigrations('', 'passed')
    expect(hasMarker(alone, name)).toBe(true)
    expect(ofDatabase(alone, 'ready')).toBe(ofMigrations(ofDatabase('', 'ready'), 'passed'))
  })

  it('is read as well where GitHub gives it with other ends of lines', () => {
    const body = ofMigrations(ofDatabase('', 'a\nb'), 'c\nd').replaceAll('\n', '\r\n')
    expect(ofDatabase(body, 'ready')).toBe(ofMigrations(ofDatabase('', 'ready'), 'c\nd'))
  })

  it('keeps the section on migrations folded once the preview is deleted, also when that is written late', () => {
    const folded = ofDatabase(ofMigrations(ofDatabase('', 'ready'), 'passed'), 'deleted', 'is folded')
    expect(folded).toContain('<details><summary>Migrations</summary>\n\npassed\n\n</details>')
    expect(ofMigrations(folded, 'late')).toContain('<summary>Migrations</summary>\n\nlate\n\n</details>')
    expect(hasSection(ofMigrations(folded, 'late'), { section: 'migrations', text: 'late' })).toBe(true)
  })

  it('loses the section on migrations where a new database is made: the verdicts were about the old one', () => {
    const body = ofDatabase(ofMigrations(ofDatabase('', 'ready'), 'failed'), 'being created', 'goes')
    expect(body).toBe(ofDatabase('', 'being created'))
  })

  it('takes each section from whoever wrote it, where two jobs made one comment each', () => {
    expect(joinSections(name, [ofDatabase('', 'ready'), ofMigrations('', 'passed')])).toBe(
      ofMigrations(ofDatabase('', 'ready'), 'passed'),
    )
    expect(joinSections(name, [ofMigrations('', 'passed'), ofDatabase('', 'ready')])).toBe(
      ofMigrations(ofDatabase('', 'ready'), 'passed'),
    )
  })

  const lines = fc.array(fc.constantFrom('ready', '', '| a | b |', '</details>', '<details>', '```'))
  test('keeps what the other section says, whatever is written in whatever order', () => {
    const writes = fc.array(fc.tuple(fc.constantFrom('database', 'migrations'), lines), { maxLength: 8 })
    fc.assert(
      fc.property(writes, given => {
        const last = new Map<string, string>()
        let body = ''
        for (const [section, written] of given) {
          const text = ['x', ...written].join('\n')
          body = replaceSection({ ...empty, body }, name, { section, text })
          last.set(section, text)
        }
        for (const section of ['database', 'migrations'] as const) {
          const text = last.get(section)
          if (text !== undefined) expect(hasSection(body, { section, text })).toBe(true)
          const another = section === 'database' ? 'migrations' : 'database'
          expect(hasOther(body, { section, text: '' })).toBe(last.has(another))
        }
      }),
    )
  })
})

describe('the hash of a migration', () => {
  const shown = (hash: string) => `${renderShownLoss({ hash })}\nlost: coupons`

  it('is shown since the comment was written, as long as nobody has written it again', () => {
    expect(readShownHash(ofMigrations('', shown(one)), '2026-01-31T12:00:00Z')).toEqual({
      hash: one,
      since: '2026-01-31T12:00:00Z',
    })
  })

  it('is shown since then, whatever else changes', () => {
    const first = ofMigrations('', shown(one))
    const second = ofMigrations(first, `${shown(one)}\nmore`, '2026-01-31T12:00:00Z')
    const third = replaceSection({ body: second, changedAt: '2026-01-31T13:00:00Z' }, name, {
      ...{ section: 'database', text: 'ready' },
    })
    expect(readShownHash(third, '2026-01-31T14:00:00Z')?.since).toBe('2026-01-31T12:00:00Z')
    expect(hasSection(third, { section: 'migrations', text: `${shown(one)}\nmore` })).toBe(true)
  })

  it('is kept with its moment by the job that writes the other section first', () => {
    const first = ofMigrations('', shown(one))
    const second = replaceSection({ body: first, changedAt: '2026-01-31T12:00:00Z' }, name, {
      ...{ section: 'database', text: 'ready' },
    })
    expect(readShownHash(second, '2026-01-31T14:00:00Z')?.since).toBe('2026-01-31T12:00:00Z')
  })

  it('is new where it is another one, also after it was there before', () => {
    const first = ofMigrations('', shown(one))
    const second = ofMigrations(first, shown(other), '2026-01-31T12:00:00Z')
    expect(readShownHash(second, '2026-01-31T13:00:00Z')).toEqual({
      hash: other,
      since: '2026-01-31T13:00:00Z',
    })
    const third = ofMigrations(second, shown(one), '2026-01-31T13:00:00Z')
    expect(readShownHash(third, '2026-01-31T14:00:00Z')?.since).toBe('2026-01-31T14:00:00Z')
  })

  it('has no moment but that of the comment, whatever the text says', () => {
    const claimed = `<!-- managed-database-action:migration:${one}:2020-01-01T00:00:00Z -->`
    const first = ofMigrations('', claimed)
    expect(readShownHash(first, '2026-01-31T12:00:00Z')?.since).toBe('2026-01-31T12:00:00Z')
    const second = ofMigrations(first, claimed, '2026-01-31T12:00:00Z')
    expect(readShownHash(second, '2026-01-31T13:00:00Z')?.since).toBe('2026-01-31T12:00:00Z')
  })

  it('is none outside of the section on migrations', () => {
    expect(readShownHash(ofDatabase('', shown(one)), '2026-01-31T12:00:00Z')).toBeUndefined()
  })
})

describe('a marker', () => {
  it('tells its own comments', () => {
    const body = ofDatabase('', 'ready')
    expect(hasMarker(body, name)).toBe(true)
    expect(hasMarker(body.replaceAll('\n', '\r\n'), name)).toBe(true)
    expect(hasMarker(body, `${name}2`)).toBe(false)
    expect(hasMarker(body, name.slice(0, -1))).toBe(false)
    expect(hasMarker(` \n${body}`, name)).toBe(false)
    expect(hasMarker('', name)).toBe(false)
  })

  it('tells a comment of the first version', () => {
    const first = `<!-- managed-database-action:preview:${name} -->\n### Preview database: ready\n\n| name | ...`
    expect(hasMarker(first, name)).toBe(true)
  })

  it('stays one comment of one line, whatever the name', () => {
    fc.assert(
      fc.property(anyText(), text => {
        expect(renderMarker(text)).toMatch(/^<!-- managed-database-action:preview:[\w.!~*'()%-]* -->$/)
      }),
    )
  })
})
