/** Reads the words by which the proposal recognizes columns and tables. */
import { readFileSync } from 'node:fs'
import { isMap, isScalar, isSeq, parseAllDocuments } from 'yaml'
import * as z from 'zod/mini'
import { textOptions } from '../plan/read-yaml.ts'

/** The topics of columns and of tables. The compiler knows their names, and the file has words for each. */
const columnTopics = [
  'accessList address argument audit bareName bareTitle birth body checksum company connection contents coordinate country',
  'description displayName email endpoint externalId fileName fingerprint foreignId freeText fullName',
  'identifier identityNumber image ip job keyOrCode label link login notSecret offer offered',
  'ownDescription ownEmail ownHash ownId ownJob ownKey ownName ownNumber ownPhone page partner person',
  'personId personName personNoun phone place placeName placeText property provider providerId publicKey',
  'reason reference region search secret secretId sensitive sent sentText settings social state',
  'statement street technical template thingName title upload userAgent userId value zip',
] as const
const tableTopics = [
  'belongings caches custom health hooks institutions logins logs machines messages networks numbered orders payments',
  'people phones push records searches secrets services sessions settings tokens uploads vocabulary',
] as const

type Split<Text, Found = never> = Text extends `${infer One} ${infer Others}`
  ? Split<Others, Found | One>
  : Found | Text
export type Topic = Split<(typeof columnTopics)[number]>
export type TableTopic = Split<(typeof tableTopics)[number]>

export const split = (lines: readonly string[]) => lines.join(' ').split(' ')

const words = z.array(z.string())

/** Where the words of a topic stand in a name. */
const places = ['ends', 'equals', 'contains'] as const
const around = { ends: ['(?:^|_)', '$'], equals: ['^', '$'], contains: ['(?:^|_)', '(?:_|$)'] } as const

/** A list alone contains words at the end of names. */
const TopicWords = z.union([words, z.partialRecord(z.enum(places), words)])

const Dictionary = z.strictObject({
  groups: z.record(z.string(), words),
  abbreviations: z.record(z.string(), words),
  compounds: words,
  prefixes: words,
  nounsFirst: words,
  derived: words,
  compoundStarts: words,
  compoundEnds: words,
  columns: z.record(z.enum(split(columnTopics)), TopicWords),
  tables: z.record(z.enum(split(tableTopics)), TopicWords),
  tools: z.record(z.string(), z.record(z.string(), words)),
})

/** The pattern of any word, and its plural. */
function join(lines: readonly string[], groups: Record<string, readonly string[]>): string {
  const expand = (word: string): string =>
    word.replaceAll(/<(\w+)>/g, (_, name: string) => {
      const group = groups[name]
      if (group === undefined) throw new Error(`${word} names an unknown group`)
      return `(?:${split(group).map(expand).join('|')})`
    })
  return split(lines)
    .map(expand)
    .join('|')
    .replaceAll(/\((?!\?)/g, '(?:')
    .replaceAll(/y(?=[|)]|$)/g, '(?:y|ies?)')
}

const toValue = (node: unknown): unknown => {
  if (isMap(node))
    return Object.fromEntries(node.items.map(({ key, value }) => [toValue(key), toValue(value)]))
  if (isSeq(node)) return node.items.map(toValue)
  return isScalar(node) ? node.value : undefined
}

/** `brth` and `wtns` for `birth` and `witness`: without vowels, with and without repeated letters. */
function dropVowels(word: string): string[] {
  const short = word.charAt(0) + word.slice(1).replaceAll(/[aeiou]/g, '')
  const single = short.replaceAll(/(.)\1/g, '$1')
  const shorts = new Set(single.length > 3 ? [short, single] : [short])
  return [...shorts].filter(one => one !== word && one.length >= 3)
}

/** The full words of each short form: those of the list, or known words of which it has the consonants. */
function readAbbreviations(listed: Record<string, readonly string[]>, words: ReadonlySet<string>) {
  const pairs = Object.entries(listed).flatMap(([full, all]) => all.map(short => ({ short, full })))
  const fullWords = Map.groupBy(pairs, ({ short }) => short)
  const derived = Map.groupBy(
    [...words].flatMap(full => dropVowels(full).map(short => ({ short, full }))),
    ({ short }) => short,
  )
  for (const [short, found] of derived)
    if (!words.has(short) && !fullWords.has(short)) fullWords.set(short, found)
  return new Map([...fullWords].map(([short, found]) => [short, found.map(({ full }) => full)]))
}

/**
 * Compiles a pattern of many words. For a short text V8 first creates bytecode, whose optimization takes half a second for
 * these patterns. A long text makes it compile machine code at once (kTierUpForSubjectLengthValue, js-regexp.h).
 */
function compilePattern(source: string): RegExp {
  const pattern = new RegExp(source)
  pattern.test(' '.repeat(1000))
  return pattern
}

/** One pattern for each topic. Throws an error that names an unknown or missing key. */
export function parseDictionary(text: string) {
  const [document] = parseAllDocuments(text, textOptions)
  const { groups, columns, tables, ...rest } = Dictionary.parse(toValue(document?.contents))
  const compile = (topic: z.infer<typeof TopicWords>): RegExp => {
    const lists = Array.isArray(topic) ? { ends: topic } : topic
    const patterns = places.flatMap(place => {
      const [start, end] = around[place]
      const lines = lists[place]
      return lines === undefined ? [] : [`${start}(?:${join(lines, groups)})(?:s|es|en)?${end}`]
    })
    return compilePattern(patterns.join('|'))
  }
  const compileAll = (topics: Record<string, z.infer<typeof TopicWords>>) =>
    new Map(Object.entries(topics).map(([name, topic]) => [name, compile(topic)]))
  const listed = new Set(split(rest.compounds))
  const compounds = new Set([...listed, ...Object.keys(rest.abbreviations)])
  return {
    columns: compileAll(columns),
    tables: compileAll(tables),
    tools: rest.tools,
    fullWords: readAbbreviations(rest.abbreviations, listed),
    compounds,
    endOfCompound: new RegExp(`(?<=[a-z]{3})(${join(rest.compoundEnds, groups)})$`),
    startOfCompound: new RegExp(`^(${join(rest.compoundStarts, groups)})(?=[a-z]{3})`),
    prefix: new RegExp(`^(?:${join(rest.prefixes, groups)})_`),
    nounFirst: new RegExp(
      `^(?:(?:${join(rest.prefixes, groups)})_)?(${join(rest.nounsFirst, groups)})(?:e?s)?_(?:d[aeou]s?_)?(?!(?:ids?|ur[il]|path|key|type|response)$)(.+)$`,
    ),
    derived: new RegExp(`_(?:${join(rest.derived, groups)})$`),
  }
}

export const dictionary = parseDictionary(readFileSync(new URL('./dictionary.yml', import.meta.url), 'utf8'))
