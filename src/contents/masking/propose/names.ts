/** Recognizes the topics of columns and tables by their names. */
import { columnTopics, dictionary, type TableTopic, type Topic } from './dictionary.ts'

/** Words that include a number. */
const wordsWithNumber = /^(?:md5|sha\d+|crc\d+|base\d+|last[34]|oauth2|auth0|ipv[46]|k8s|s3|i18n)$/

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
    .map(word => (wordsWithNumber.test(word) ? word : word.replace(/(?<!\d)\d+$/, '')))
    .filter(word => word !== '')
    .join('_')

/** Romance languages put the noun first, as in `numero_dossier`. */
const nounFirst =
  /^(noms?|nomes?|nombres?|num(?:ero)?|codigo|code|tipo|type|foto|photo|cartao|carte|tarjeta|resultado|resultat|campos?|champs?|descri(?:cao|pcion|ption))_(?:d[aeou]s?_)?(?!(?:ids?|ur[il]|path|key|type)$)(.+)$/

const longestWord = Math.max(...[...dictionary.compoundWords].map(({ length }) => length))

/** The fewest known words of which a word consists, as in `token_id` for `tokenid`; undefined if it does not. */
function splitWord(word: string): string | undefined {
  const best: (string | undefined)[] = ['']
  for (let end = 1; end <= word.length; end += 1)
    for (let start = Math.max(0, end - longestWord); start < end; start += 1) {
      const before = best[start]
      if (before === undefined || !dictionary.compoundWords.has(word.slice(start, end))) continue
      const found = before === '' ? word.slice(0, end) : `${before}_${word.slice(start, end)}`
      const known = best[end]
      if (known === undefined || found.length < known.length) best[end] = found
    }
  return best[word.length]
}

/** The end of a compound whose other words are not known. */
const endOfCompound =
  /(?<=[a-z]{3}|ed)(?<!con)(names?|keys?|typ(?:es?)?|codes?|number|address|(?<!e)mail|phone|fax|token|secret|hash|status|contents?|comments?|notes|descriptions?|messages?|street|zipcode|(?<=ed)(?:by|to)|(?<!con)text)$/

/** Splits words that consist of several words, as `pushkey`, `deliveredby` and `nomcontact`. */
const splitCompounds = (name: string): string =>
  name.replaceAll(/[a-z]{5,}/g, word => splitWord(word) ?? word.replace(endOfCompound, '_$1'))

/** The name, its noun last, and the name of the column from which it is derived. */
const deriveForms = (name: string): string[] => [
  name,
  name.replace(nounFirst, '$2_$1'),
  name.replace(
    /_(?:lower|upper|normali[sz]ed|canonical|cleaned|bidx|raw|cached|parts|unconfirmed|(?<!mails?_)sent|old|previous)$/,
    '',
  ),
]

const findForms = (name: string): string[] => {
  const inFull = name.replaceAll(/[a-z]+/g, word => dictionary.fullWords.get(word) ?? word)
  return [...new Set([name, inFull, splitCompounds(name)].flatMap(deriveForms))]
}

const knownForms = new Map<string, string[]>()

function formsOf(name: string): string[] {
  const forms = knownForms.get(name) ?? findForms(name)
  knownForms.set(name, forms)
  return forms
}

export const toSingular = (name: string): string => name.replace(/ies$/, 'y').replace(/(?<=[^s])s$/, '')

/** Names that contain the one of their table, as `role_name`, `nm_role` and `ds_role` in a table of roles. */
const nameOfTable = /^(?:nm|nome|nom|nombre|name)_(\w+)$|^(\w+)_name$/
const descriptionOfTable = /^(?:ds|desc|descricao|descripcion)_(\w+)$/

/** Removes the name of the table from the name or the description of its rows. */
export function removeTable(name: string, table: string): string {
  const isOf = (thing: string | undefined) =>
    thing !== undefined && `_${toSingular(table)}`.endsWith(`_${toSingular(thing)}`)
  const [, after, before] = nameOfTable.exec(name) ?? []
  if (isOf(after ?? before)) return 'name'
  return isOf(descriptionOfTable.exec(name)?.[1]) ? 'description' : name
}

/** The last word of a compound, such as `itemcategory`, as Django names the tables of its models. */
const compoundTable =
  /(?<=[a-z]{3})(types?|categor(?:y|ies)|logs?|settings?|templates?|profiles?|tokens?|devices?|sessions?|tickets?|providers?|groups?|layouts?|flags?|options?|variations?|property|properties|plans?|questions?|quer(?:y|ies)|transactions?|objects?|mails?|events?)$/

/** Words around the name of a table that holds a copy of another one. */
const copyAffixes =
  /^(?:tbl|dim|fact|stg|raw|archived?|deleted|old|te?mp|backup)_|(?:^|_)historical_?|_(?:history|hist|archives?|backup|old|copy|snapshots?|audit|aud)$/g

export const isNamed = (name: string, topic: Topic): boolean =>
  formsOf(name).some(one => dictionary.columns.get(topic)?.test(one))

/** Programs with an account, such as `api_users`, are not people. */
export const isTable = (name: string, topic: TableTopic): boolean =>
  dictionary.tables.get(topic)?.test(name.replaceAll(copyAffixes, '').replace(compoundTable, '_$1')) ===
    true &&
  (topic !== 'people' || !isTable(name, 'machines'))

/** Topics that do not show the meaning of a column. */
const vagueTopics = new Set<Topic>([
  'thingName',
  'technical',
  'identifier',
  'property',
  'settings',
  'value',
  'keyOrCode',
  'bareName',
])

/** An affix has three characters or more, and at least four columns, and half of all, share it. */
const affix = { length: 3, columns: 4, share: 0.5 }

/**
 * The longest part that many names share, if it means nothing by itself. A table often has the same beginning. Only
 * names of a single word share a part of it.
 */
function findAffix(
  names: readonly string[],
  table: string,
  cut: (name: string, length: number) => string,
): string {
  const parts = names.flatMap(name => {
    const lengths = Array.from(
      { length: Math.max(0, name.length - affix.length) },
      (_, more) => affix.length + more,
    )
    return lengths.map(length => ({ part: cut(name, length), name }))
  })
  const isShared = ([part, all]: [string, { name: string }[]]) =>
    all.length >= affix.columns &&
    (all.length >= names.length * affix.share || table.startsWith(part)) &&
    (/^_|_$/.test(part) || all.every(({ name }) => !name.includes('_')))
  const shared = [...Map.groupBy(parts, ({ part }) => part)].filter(isShared).map(([part]) => part)
  const longest = shared.toSorted((first, second) => second.length - first.length)[0] ?? ''
  return columnTopics.some(topic => isNamed(longest.replaceAll(/^_|_$/g, ''), topic)) ? '' : longest
}

/** Removes the beginning or the end that many columns of a table share, as in `city_adh`, if no topic recognizes the name. */
export function affixRemover(names: readonly string[], table = ''): (name: string) => string {
  const start = findAffix(names, table, (name, length) => name.slice(0, length))
  const end = findAffix(names, table, (name, length) => name.slice(-length))
  const topicsOf = (name: string) =>
    columnTopics.filter(topic => !vagueTopics.has(topic) && isNamed(name, topic))
  return name => {
    const shorter = name.startsWith(start) ? name.slice(start.length).replace(/^_/, '') : name
    const topics = topicsOf(name)
    if (topics.length > 0 && !topics.some(topic => isNamed(shorter, topic))) return name
    if (start !== '' && name.startsWith(start) && shorter.length > 1) return shorter
    return topics.length === 0 && end !== '' && name.endsWith(end) ? name.slice(0, -end.length) || name : name
  }
}
