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
  /^(noms?|nomes?|nombres?|num(?:ero)?|codigo|code|tipo|type|foto|photo|cartao|carte|tarjeta|resultado|resultat|campos?|champs?)_(?:d[aeou]s?_)?(.+)$/

/**
 * The name, its compound split, as in `push_key` for `pushkey`, its noun last, and the name of the column from which it
 * is derived.
 */
const formsOf = (name: string): string[] => [
  name,
  name.replace(
    /(?<=[a-z])(names?|keys?|typ(?:es?)?|codes?|number|address|(?<!e)mail|phone|fax|token|secret|hash|status|contents?|comments?|notes|descriptions?|messages?|street|zipcode)$/,
    '_$1',
  ),
  name.replace(nounFirst, '$2_$1'),
  name.replace(
    /_(?:lower|upper|normali[sz]ed|canonical|cleaned|bidx|raw|cached|parts|unconfirmed|(?<!mails?_)sent|old|previous)$/,
    '',
  ),
]

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

/** The longest part that many names share, if it means nothing by itself. */
function findAffix(names: readonly string[], cut: (name: string, length: number) => string): string {
  const parts = names.flatMap(name => {
    const lengths = Array.from(
      { length: Math.max(0, name.length - affix.length) },
      (_, more) => affix.length + more,
    )
    return lengths.map(length => cut(name, length))
  })
  const least = Math.max(affix.columns, names.length * affix.share)
  const shared = [...Map.groupBy(parts, part => part)].filter(([, all]) => all.length >= least)
  const longest =
    shared.map(([part]) => part).toSorted((first, second) => second.length - first.length)[0] ?? ''
  return columnTopics.some(topic => isNamed(longest.replaceAll(/^_|_$/g, ''), topic)) ? '' : longest
}

/** Removes the beginning or the end that many columns of a table share, as in `city_adh`, if no topic recognizes the name. */
export function affixRemover(names: readonly string[]): (name: string) => string {
  const start = findAffix(names, (name, length) => name.slice(0, length))
  const end = findAffix(names, (name, length) => name.slice(-length)).replace(/^[^_]*/, '')
  const isClear = (name: string) =>
    columnTopics.some(topic => !vagueTopics.has(topic) && isNamed(name, topic))
  return name => {
    if (isClear(name)) return name
    const shorter = name.slice(start.length).replace(/^_/, '')
    if (start !== '' && name.startsWith(start) && shorter.length > 1) return shorter
    return end !== '' && name.endsWith(end) ? name.slice(0, -end.length) || name : name
  }
}
