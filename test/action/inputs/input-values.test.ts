/** Tests the values that each input accepts: no garbage, and exactly those within the limits of its texts. */
import { expect, it } from 'vitest'
import { parseField } from '#action/inputs/field-text'
import { inputTable, ownInputs } from '#action/inputs/input-table'
import { fields } from '#api/field-table'
import type { InputRow } from '#operations/base/input-row'

type Parse = InputRow['parse']

const parsers = [
  ...Object.entries(ownInputs).map(([name, { parse }]): [string, Parse] => [name, parse]),
  ...Object.entries(fields).map(([name, schema]): [string, Parse] => [
    name,
    text => parseField(schema, text),
  ]),
]
const inputs = parsers.map(([name, parse]) => {
  const { about = '', example = '' } = inputTable[name] ?? {}
  const refusal = parse('')
  const texts = `${about} ${'expected' in refusal ? refusal.expected : ''}`
  return { name, example, texts, accepts: (text: string) => 'value' in parse(text) }
})

/** Inputs that take any text. */
const freeTexts = [
  ...['operation', 'job_status', 'public_key', 'secret_key', 'github_token', 'password'],
  ...['sql', 'command', 'sql_file', 'migrations', 'seed_file', 'mask_file', 'paths', 'reset_on'],
  ...['name', 'label', 'keep_label', 'database_name', 'database_user', 'event', 'cursor'],
  ...['region_code', 'peer_account_id', 'peer_region_code', 'peer_vpc_id'],
  ...['search', 'severities', 'group_by'],
]

it('garbage is refused by every input that takes no free text', () => {
  const garbage = ['{', '../x', 'a b', '१', 'a\0b']
  const lax = inputs.filter(({ accepts }) => garbage.some(accepts)).map(({ name }) => name)
  expect(lax.sort(), 'refuse it in `parse`, or add the input to the list').toEqual(freeTexts.toSorted())
})

/** Texts that no input with such an example accepts. */
const mistakes: [RegExp, string[]][] = [
  [/^(true|false)$/, ['yes', '1', 'on', 'ture']],
  [/^\d+$/, ['-1', '+1', '1.5', '1e3', '0x10', '1_000', '1,000', '9'.repeat(20), 'two']],
  [/^\d+(ms|[smhd])$/, ['30', '-5m', '1.5h', '1e3s', '30min', '30 minutes', '0s', '9'.repeat(20)]],
  [/^\d+[kMGT]?B$/, ['10', '-1GB', '1e3GB', '1XB', '1,5GB', '1GB/s']],
  [/^\d{4}-/, ['yesterday', '2026-01-31', '2026-01-31 12:00', '2026-02-30T12:00:00Z', '1785499200']],
  [/^[[{]/, ['{', '[', 'null', '1', '"a"', '{a: 1}']],
]

const likely = inputs
  .filter(({ name }) => !freeTexts.includes(name))
  .flatMap(({ name, example, accepts }) =>
    mistakes.filter(([like]) => like.test(example)).map(([, texts]) => ({ name, example, texts, accepts })),
  )

it.each(likely)('$name refuses mistakes in a value like $example', ({ texts, accepts }) => {
  expect(texts.filter(accepts)).toEqual([])
})

const limit =
  /\b(?:at least (\d+)|(?:at most|up to) (\d+)|(\d+) to (\d+))((?: \w+){0,3} (?:characters|letters))?/g

/** The limits that the description or the error of an input names, such as `1 to 128 characters` and `at least 60`. */
const limited = inputs.flatMap(({ name, texts, accepts }) =>
  [...texts.matchAll(limit)].map(([limits, from, to, least = from, most = to, isLength]) => {
    const sized = (size: number) => (isLength ? 'a'.repeat(size) : String(size))
    const bounds = [[least, -1] as const, [most, 1] as const].filter(([bound]) => bound !== undefined)
    const inside = bounds.map(([bound]) => sized(Number(bound)))
    return { name, limits, accepts, inside, outside: bounds.map(([bound, by]) => sized(Number(bound) + by)) }
  }),
)

it.each(limited)('$name accepts the values of its texts: $limits', ({ accepts, inside, outside }) => {
  expect([...inside, ...outside].filter(accepts)).toEqual(inside)
})
