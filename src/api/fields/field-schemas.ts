/** Schemas that several fields of the API share. */
import * as z from 'zod/mini'
import { grouping, type Input } from './input.ts'

export const inGroup = grouping<Input & { schema: z.core.$ZodType }>()

interface Row {
  schema: z.ZodMiniType
}

type Schemas<Rows extends Record<string, Row>> = { [Name in keyof Rows]: Rows[Name]['schema'] }

/** The schemas of fields, and a function that makes those of some names optional, for a query or body. */
export function schemasOf<Rows extends Record<string, Row>>(rows: Rows) {
  const schemas = Object.entries(rows).map(([name, { schema }]) => [name, schema])
  const fields = Object.fromEntries(schemas) as Schemas<Rows>
  const optional = <Name extends keyof Rows>(...names: Name[]) =>
    Object.fromEntries(names.map(name => [name, z.optional<z.ZodMiniType>(fields[name])])) as {
      [Key in Name]: z.ZodMiniOptional<Rows[Key]['schema']>
    }
  return { fields, optional }
}

/** Text of 1 to `most` characters. `unlimited`: docs/internals/api.md names no limit. `expected` is for the error. */
export const text = (expected: string, most: number | 'unlimited') =>
  z
    .string(expected)
    .check(z.minLength(1, expected), ...(most === 'unlimited' ? [] : [z.maxLength(most, expected)]))

/** A service takes sizes as strings, a replica set as integers (docs/internals/api.md, "Sizes"). */
export const sizeDigits = (example: string) => {
  const expected = `a whole number in digits, like ${example}`
  return z.string(expected).check(z.regex(/^[1-9]\d{0,8}$/, expected))
}
export const sizeOrShared = (example: string) => {
  const expected = `a whole number in digits, like ${example}, or "shared"`
  return z.string(expected).check(z.regex(/^([1-9]\d{0,8}|shared)$/, expected))
}
export const whole = (least: number, example: string) => {
  const expected = `a whole number of at least ${least}, like ${example}`
  return z.int(expected).check(z.gte(least, expected))
}
export const label = z.string().check(z.minLength(1))

export const name = text('a name of 1 to 128 characters', 128)
export const regionCode = text('a region code like us-east-1', 'unlimited')
export const environmentTag = z.enum(['DEV', 'PROD'], 'DEV or PROD')
export const dateTime = z.iso.datetime({
  offset: true,
  error: 'a date and time with a zone, like 2026-01-31T12:00:00Z',
})
export const words = z.array(text('a list of words', 'unlimited'), 'a list of words')
export const resourceId = z
  .string('an id')
  .check(z.regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, 'an id of up to 64 letters, digits, "-" and "_"'))
