/** Recognizes the topics of columns and tables by their names. */
import { personIds, tableWords } from './table-words.ts'
import { columnWords, type WordList } from './words.ts'

/** Words that include a number. */
const computed = /^(?:md5|sha\d+|crc\d+|base\d+|last[34]|oauth2|auth0|ipv[46]|k8s|s3|i18n)$/

/** `lastLoginIPs2` → `last_login_ips`: words in lower case, without accents and without a trailing number. */
export const normalize = (name: string): string =>
  name
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .map(word => (computed.test(word) ? word : word.replace(/(?<!\d)\d+$/, '')))
    .filter(word => word !== '')
    .join('_')

/** The name, its compound split, as in `push_key` for `pushkey`, and the name of the column from which it is derived. */
const formsOf = (name: string): string[] => [
  name,
  name.replace(
    /(?<=[a-z]{2}|^[a-z])(names?|keys?|typ(?:es?)?|codes?|number|address|phone|token|secret|hash|status)$/,
    '_$1',
  ),
  name.replace(/_(?:lower|upper|normalized|canonical|cleaned|bidx|raw)$/, ''),
]

/** Words around the name of a table that holds a copy of another one. */
const copied =
  /^(?:tbl|dim|fact|stg|raw|archived?|deleted|old|te?mp|historical|backup)_|_(?:history|hist|archives?|backup|old|copy|snapshots?|audit|aud)$/g

const ends = { has: ['(?:^|_)', '(?:_|$)'], ends: ['(?:^|_)', '$'], is: ['^', '$'] }

function compile([match, words]: WordList): RegExp {
  const [before, after] = ends[match]
  return new RegExp(`${before}(?:${words.trim().split(/\s+/).join('|')})${after}`)
}

export type Topic = keyof typeof columnWords
export type TableTopic = keyof typeof tableWords

const compiled = <Name extends string>(lists: Record<Name, WordList>): Map<string, RegExp> =>
  new Map(Object.entries<WordList>(lists).map(([name, list]) => [name, compile(list)]))

const topics = compiled(columnWords)
const tableTopics = compiled(tableWords)
const personId = compile(personIds)

export const isNamed = (name: string, topic: string): boolean =>
  formsOf(name).some(one => topics.get(topic)?.test(one))
export const isTable = (name: string, topic: string): boolean =>
  tableTopics.get(topic)?.test(name.replaceAll(copied, '')) === true

/** The column identifies the person to whom a row belongs. */
export const isPersonId = (name: string): boolean => personId.test(name)
