/** Tests whether a conversion of a column keeps every value. */
import { describe, expect, it } from 'vitest'
import { converts, keepsValues, usesExpression } from '#contents/rehearsal/measure/conversions'

describe('decides whether a cast keeps every value', () => {
  it.each([
    ['integer', 'bigint', true],
    ['bigint', 'integer', false],
    ['integer', 'numeric', true],
    ['integer', 'numeric(4,2)', false],
    ['integer', 'real', false],
    ['bigint', 'double precision', false],
    ['numeric(10,2)', 'numeric(12,4)', true],
    ['numeric(10,2)', 'numeric(12,1)', false],
    ['numeric(10,2)', 'numeric(10,4)', false],
    ['numeric(10,2)', 'numeric', true],
    ['numeric', 'numeric(10,2)', false],
    ['character varying(20)', 'character varying(50)', true],
    ['character varying(20)', 'character varying(10)', false],
    ['character varying(20)', 'character varying', true],
    ['text', 'character varying(20)', false],
    ['date', 'timestamp without time zone', true],
    ['date', 'timestamp with time zone', true],
    ['timestamp without time zone', 'date', false],
    ['timestamp without time zone', 'timestamp with time zone', true],
    ['timestamp with time zone', 'timestamp without time zone', false],
    ['timestamp(6) with time zone', 'timestamp(3) with time zone', false],
    ['real', 'double precision', true],
    ['double precision', 'numeric', false],
    ['public.mood', 'text', true],
    ['jsonb', 'json', true],
    ['json', 'jsonb', false],
    ['text', 'public.mood', false],
  ])('from %s to %s: %s', (before, after, expected) => {
    expect(keepsValues(before, after)).toBe(expected)
  })
})

describe('decides whether a statement converts by an expression', () => {
  it.each([
    ['alter table t alter a type int using 0', true],
    ['alter table t alter column "a" set data type int using length(a), alter b type int using b::int', true],
    ['alter table t alter b type int using 0, alter a type int using a::int', false],
    ['alter table t alter a type text using a::varchar(3)', true],
    ['alter table t alter a type varchar(3) using (a :: varchar(3))', false],
    ['alter table t alter a type int using cast(a as int);', false],
    ["alter table t alter a type timestamptz using a at time zone 'UTC'", false],
    ['do $$ begin alter table t alter a type int using 0; perform 1; end $$', true],
    ['alter table t alter a type int', false],
    ['alter table t alter b type int, alter a type text using left(a, 1)', true],
    ['alter table t alter a type int, alter b type text using left(b, 1)', false],
    ['alter table t alter a type text using(left(a, 1))', true],
  ])('%s: %s', (sql, expected) => {
    expect(usesExpression(sql, 'a')).toBe(expected)
  })
})

describe('decides whether a statement converts a column', () => {
  it.each([
    ['alter table t alter a type int', true],
    ['ALTER TABLE "t" ALTER COLUMN "a" SET DATA TYPE TEXT', true],
    ['alter table t alter b type int', false],
    ["select convert('t')", false],
  ])('%s: %s', (sql, expected) => {
    expect(converts(sql, 'a')).toBe(expected)
  })
})
