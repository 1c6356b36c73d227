/** Tests the sections of a comment. */
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import {
  hasMarker,
  hasOtherSection,
  hasSection,
  joinSections,
  parseShownLoss,
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
  it('with only the database section has the form of older versions', () => {
    expect(ofDatabase('', 'ready')).toBe(`<!-- managed-database-action:preview:${name} -->
ready
`)
  })

  it('contains both sections, with invisible marks around the migrations', () => {
    expect(
      ofMigrations(ofDatabase('', 'ready'), 'passed'),
    ).toBe(`<!-- managed-database-action:preview:${name} -->
ready

<!-- managed-database-action:migrations -->
passed
<!-- managed-database-action:end -->
`)
  })

  it('keeps the complete migrations section even if its text contains the end mark', () => {
    const end = '<!-- managed-database-action:end -->'
    const body = ofMigrations(ofDatabase('', 'creating'), `first\n${end}\nlast`)
    expect(ofDatabase(body, 'ready')).toBe(body.replace('creating', 'ready'))
  })

  it('may have only the migrations section, and gets the other one later', () => {
    const alone = ofMigrations('', 'passed')
    expect(hasMarker(alone, name)).toBe(true)
    expect(ofDatabase(alone, 'ready')).toBe(ofMigrations(ofDatabase('', 'ready'), 'passed'))
  })

  it('is readable with other line ends', () => {
    const body = ofMigrations(ofDatabase('', 'a\nb'), 'c\nd').replaceAll('\n', '\r\n')
    expect(ofDatabase(body, 'ready')).toBe(ofMigrations(ofDatabase('', 'ready'), 'c\nd'))
  })

  it('keeps the migrations section folded after the preview is deleted, even if it is written late', () => {
    const folded = ofDatabase(ofMigrations(ofDatabase('', 'ready'), 'passed'), 'deleted', 'is folded')
    expect(folded).toContain('<details><summary>Migrations</summary>\n\npassed\n\n</details>')
    expect(ofMigrations(folded, 'late')).toContain('<summary>Migrations</summary>\n\nlate\n\n</details>')
    expect(hasSection(ofMigrations(folded, 'late'), { section: 'migrations', text: 'late' })).toBe(true)
  })

  it('loses the migrations section with a new database, because its verdicts are outdated', () => {
    const body = ofDatabase(ofMigrations(ofDatabase('', 'ready'), 'failed'), 'being created', 'goes')
    expect(body).toBe(ofDatabase('', 'being created'))
  })

  it('takes each section from its writer if two jobs created a comment each', () => {
    expect(joinSections(name, [ofDatabase('', 'ready'), ofMigrations('', 'passed')])).toBe(
      ofMigrations(ofDatabase('', 'ready'), 'passed'),
    )
    expect(joinSections(name, [ofMigrations('', 'passed'), ofDatabase('', 'ready')])).toBe(
      ofMigrations(ofDatabase('', 'ready'), 'passed'),
    )
  })

  const lines = fc.array(fc.constantFrom('ready', '', '| a | b |', '</details>', '<details>', '```'))
  test('keeps the other section, with any writes in any order', () => {
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
          expect(hasOtherSection(body, { section, text: '' })).toBe(last.has(another))
        }
      }),
    )
  })
})

describe('the hash of a loss', () => {
  const shown = (hash: string) => `${renderShownLoss({ hash })}\nlost: coupons`

  it('is shown since the comment was written, until it is written again', () => {
    expect(parseShownLoss(ofMigrations('', shown(one)), '2026-01-31T12:00:00Z')).toEqual({
      hash: one,
      since: '2026-01-31T12:00:00Z',
    })
  })

  it('is shown since that time, despite other changes', () => {
    const first = ofMigrations('', shown(one))
    const second = ofMigrations(first, `${shown(one)}\nmore`, '2026-01-31T12:00:00Z')
    const third = replaceSection({ body: second, changedAt: '2026-01-31T13:00:00Z' }, name, {
      ...{ section: 'database', text: 'ready' },
    })
    expect(parseShownLoss(third, '2026-01-31T14:00:00Z')?.since).toBe('2026-01-31T12:00:00Z')
    expect(hasSection(third, { section: 'migrations', text: `${shown(one)}\nmore` })).toBe(true)
  })

  it('keeps its time when another job writes the other section first', () => {
    const first = ofMigrations('', shown(one))
    const second = replaceSection({ body: first, changedAt: '2026-01-31T12:00:00Z' }, name, {
      ...{ section: 'database', text: 'ready' },
    })
    expect(parseShownLoss(second, '2026-01-31T14:00:00Z')?.since).toBe('2026-01-31T12:00:00Z')
  })

  it('is new if it differs, even if it was shown before', () => {
    const first = ofMigrations('', shown(one))
    const second = ofMigrations(first, shown(other), '2026-01-31T12:00:00Z')
    expect(parseShownLoss(second, '2026-01-31T13:00:00Z')).toEqual({
      hash: other,
      since: '2026-01-31T13:00:00Z',
    })
    const third = ofMigrations(second, shown(one), '2026-01-31T13:00:00Z')
    expect(parseShownLoss(third, '2026-01-31T14:00:00Z')?.since).toBe('2026-01-31T14:00:00Z')
  })

  it('has only the time of the comment, with any text', () => {
    const claimed = `<!-- managed-database-action:migration:${one}:2020-01-01T00:00:00Z -->`
    const first = ofMigrations('', claimed)
    expect(parseShownLoss(first, '2026-01-31T12:00:00Z')?.since).toBe('2026-01-31T12:00:00Z')
    const second = ofMigrations(first, claimed, '2026-01-31T12:00:00Z')
    expect(parseShownLoss(second, '2026-01-31T13:00:00Z')?.since).toBe('2026-01-31T12:00:00Z')
  })

  it('is ignored outside of the migrations section', () => {
    expect(parseShownLoss(ofDatabase('', shown(one)), '2026-01-31T12:00:00Z')).toBeUndefined()
  })
})

describe('a marker', () => {
  it("identifies the action's comments", () => {
    const body = ofDatabase('', 'ready')
    expect(hasMarker(body, name)).toBe(true)
    expect(hasMarker(body.replaceAll('\n', '\r\n'), name)).toBe(true)
    expect(hasMarker(body, `${name}2`)).toBe(false)
    expect(hasMarker(body, name.slice(0, -1))).toBe(false)
    expect(hasMarker(` \n${body}`, name)).toBe(false)
    expect(hasMarker('', name)).toBe(false)
  })

  it('stays one comment in one line, with any name', () => {
    fc.assert(
      fc.property(anyText(), text => {
        expect(renderMarker(text)).toMatch(/^<!-- managed-database-action:preview:[\w.!~*'()%-]* -->$/)
      }),
    )
  })
})
