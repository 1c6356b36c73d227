/** Chooses the rule for a column: the first row that fits the evidence. Pure, so that a test can try each row. */
import type { RuleKind } from '../plan/rules.ts'
import { type Condition, type Evidence, type Fact, holds } from './facts.ts'

/** A person checks the uncertain decisions. */
export type Confidence = 'certain' | 'likely' | 'uncertain'

export interface Decision {
  /** The preferred rule. The limits of the column may require another one. */
  rule: RuleKind
  confidence: Confidence
  reason: string
}

interface Row extends Decision {
  when: string
}

const rowsOf =
  (confidence: Confidence) =>
  <const When extends string = ''>(rule: RuleKind, reason: string, when?: When & Condition<When>): Row => ({
    confidence,
    rule,
    reason,
    when: when ?? '',
  })
const certain = rowsOf('certain')
const likely = rowsOf('likely')
const uncertain = rowsOf('uncertain')

/** Rows that also require a type. */
const forType = (type: Fact, rows: readonly Row[]): Row[] =>
  rows.map(({ when, ...rest }) => ({ ...rest, when: when === '' ? type : `${type} ${when}` }))

/** Rows for every type. Types without text are kept unless the name of the column suggests otherwise. */
const any = [
  certain('keep', 'cannot be changed', 'fixed'),
  certain('keep', 'a tool needs it', 'tool'),
  certain('keep', 'refers to another row', 'reference'),
  likely('shuffle', 'a sensitive property', 'name:sensitive listed|numeric|tiny !application !key'),
  certain('keep', 'the schema lists its values', 'listed !secret'),
  uncertain('keep', 'maybe the address of a network', 'type:ip|type:ips table:networks !personal'),
  certain('ip', 'IP addresses', 'type:ip|type:ips'),
  likely('null', 'a track, whose form would stay', 'track !application'),
  uncertain('location', 'an area, whose form stays', 'area !application'),
  likely('location', 'a place', 'spatial !application !table:institutions'),
  uncertain('keep', 'maybe a public place', 'spatial'),
  likely('location', 'coordinates', 'type:number name:coordinate !application'),
  likely('date', 'a date of birth', 'type:date name:birth'),
  likely('shuffle', 'a date of birth', 'type:number name:birth !key'),
  likely('token', 'named like a secret', 'type:uuid secret !name:identifier !key'),
  uncertain('token', 'maybe a secret', 'type:uuid name:ownId table:secrets oneTime !secretBeside !key'),
  likely('shuffle', 'named like a secret', 'type:number secret|table:secrets name:keyOrCode !key'),
  likely('shuffle', 'an account of another service', 'type:number name:foreignId table:people !key'),
  likely(
    'shuffle',
    'a number of a person',
    'type:number name:phone|name:identityNumber|name:zip person|account !key',
  ),
  certain('keep', 'no text', 'numeric'),
]

const json = forType('type:json', [
  likely('json', 'contains e-mail addresses', 'looks:email'),
  likely('json', 'has keys about persons', 'looks:personKeys'),
  likely('json', 'the contents of a session', 'table:sessions name:state|name:contents'),
  likely('json', 'may contain credentials', 'name:connection table:services|table:logins'),
  likely('json', 'searched by people', 'name:search table:searches'),
  likely('json', 'sent by people or programs', 'name:argument table:logs|table:people|table:belongings'),
  uncertain('keep', 'maybe a setting', 'name:value table:settings'),
  likely(
    'keep',
    'settings',
    'name:settings|name:property|name:identifier|name:template|table:settings !secret',
  ),
  likely('json', 'sent by people or programs', 'name:sent|secret'),
  uncertain('keep', 'maybe settings', 'application'),
  uncertain('keep', 'maybe describes a thing', 'name:ownDescription !personal !table:records'),
  likely('json', 'describes people', 'name:contents|name:person|name:sensitive|name:freeText'),
  uncertain('keep', 'no sentences or names', 'measured !personal !prose'),
  uncertain('json', 'maybe about a person', 'private|table:records|table:uploads|table:sessions|name:value'),
  uncertain('keep', 'an unknown content'),
])

const bytes = forType('type:bytes', [
  likely('token', 'a secret', 'secret|name:publicKey'),
  likely('token', 'in a table of secrets', 'table:secrets'),
  likely('keep', 'a checksum or an id', 'name:checksum|name:identifier|name:property'),
  uncertain('keep', 'a file of the application', 'application'),
  uncertain('null', 'a file or an unknown content'),
])

const other = [
  certain('null', 'computed from texts', 'tsvector'),
  likely('keep', 'paths of a tree', 'ltree'),
  uncertain(
    'keep',
    'maybe settings',
    'type:other name:settings|forPrograms|application !name:contents !table:people',
  ),
  uncertain('null', 'a type that no rule suits', 'type:other'),
]

/** Rows for texts whose values or names show their meaning. */
const named = [
  uncertain(
    'json',
    'JSON in a text',
    'looks:json !name:property !name:identifier private|name:sent|name:contents|name:value',
  ),
  certain('email', 'values are e-mail addresses', 'looks:email'),
  likely('email', 'named like an e-mail address', 'name:email !ordinary !tiny'),
  certain('ip', 'values are IP addresses', 'looks:ip !name:property'),
  certain('text', 'values are IP addresses with ports', 'looks:socket'),
  certain('token', 'values are tokens', 'looks:jwt'),
  likely('text', 'values are names of browsers', 'looks:userAgent'),
  likely('url', 'the address of a device', 'name:endpoint table:push|table:hooks'),
  likely('text', 'may contain credentials', 'name:connection table:services|table:logins'),
  likely('keep', 'a code of one character', 'flag'),
  likely('text', 'a sensitive property', 'name:sensitive !application !tiny personal|!itself'),
  likely('keep', 'a property that programs read', 'name:property !prose !secret'),
  likely('ip', 'named like an IP address', 'name:ip !ordinary !tiny'),
  likely('keep', 'the name of an entry', 'entry !looks:person'),
  likely('url', 'a link with a secret', 'secret name:link|looks:url'),
  certain('token', 'named like a secret', 'secret !vocabulary'),
  likely('token', 'named like a secret', 'secret'),
  uncertain('keep', 'maybe a setting', 'name:value table:settings'),
  likely('url', 'a link in a table of secrets', 'name:link table:secrets !compound'),
  likely('text', 'statements with values', 'name:statement table:logs'),
  likely('text', 'searched by people', 'name:search table:searches'),
  likely('token', 'the state of a login', 'name:state table:logins'),
  likely(
    'token',
    'a key in a table of secrets',
    'name:keyOrCode|name:publicKey|name:checksum|name:value table:secrets',
  ),
  likely(
    'token',
    'a code that expires',
    'name:ownCode oneTime personal !vocabulary !table:orders !table:uploads',
  ),
  uncertain('token', 'maybe the key of a person', 'name:ownHash table:people|table:secrets|table:belongings'),
  likely('token', 'values look like secrets', 'name:keyOrCode random !name:checksum'),
  likely(
    'token',
    'the id of a session',
    'name:ownId table:sessions !table:payments !table:uploads !key !secretBeside|random',
  ),
  uncertain('token', 'maybe a secret', 'name:ownId table:secrets random !secretBeside !key'),
  likely('token', 'the fingerprint of a device', 'name:publicKey account'),
  likely('token', 'the fingerprint of a device', 'name:fingerprint personal'),
  likely('token', 'an account of another service', 'name:providerId provider !key'),
  likely('keep', 'refers to another table', 'entity name:identifier'),
  uncertain('token', 'maybe a user of another service', 'stranger !unique !key'),
  likely('token', 'an account of another service', 'name:foreignId !key !application'),
  likely(
    'token',
    'an account of another service',
    'name:externalId table:people|table:secrets|table:belongings|provider personal|secretBeside !key',
  ),
  likely('token', 'a payment of another service', 'name:reference table:payments|table:orders !key'),
  likely('token', 'a user of another service', 'name:userId table:services|table:people !key'),
  likely('keep', 'refers to another row', 'name:identifier key'),
  uncertain(
    'token',
    'maybe the key of a person',
    'name:ownKey personal !key !vocabulary !table:settings !table:uploads',
  ),
  likely('phone', 'named like a phone number', 'name:phone !prose'),
  likely('phone', 'values are phone numbers', 'looks:phone'),
  uncertain('keep', 'maybe the name of a thing', 'name:fullName vocabulary|table:institutions'),
  uncertain('keep', 'maybe the name of a thing', 'entity name:thingName|name:title !name:ownName'),
  uncertain('keep', 'maybe the id of a user', 'by textIds !prose'),
  certain('name', 'named like the name of a person', 'name:personName !vocabulary'),
  likely('keep', 'a code of at most three characters', 'tiny !name:identityNumber !name:street'),
  likely('name', 'named like the name of a person', 'name:personName|name:personNoun|familyName'),
  likely('text', 'an account in a social network', 'name:social personal !vocabulary'),
  likely(
    'name',
    'a name in a table of persons',
    'name:bareName|name:displayName table:people|accountWithoutPage',
  ),
  likely(
    'name',
    'a name that a person shows',
    'name:displayName personal !vocabulary !table:uploads !table:hooks',
  ),
  likely(
    'name',
    'values look like names of persons',
    'looks:person !vocabulary !page !name:thingName|nearPerson|account private|!thing',
  ),
  likely('digits', 'an official or bank number', 'name:identityNumber !application'),
  likely('phone', 'a phone number', 'name:ownNumber table:phones'),
  likely('digits', 'the number of a document or an account', 'name:ownNumber table:numbered'),
  likely('digits', 'a date of birth', 'name:birth'),
  likely('digits', 'a postal code', 'name:zip !application'),
  uncertain('text', 'maybe the address of a thing', 'name:address looks:word !name:street'),
  certain('text', 'a postal address', 'name:street|name:address !vocabulary'),
  likely('text', 'values look like postal addresses', 'looks:postal'),
  likely('text', 'part of an address', 'name:place address'),
  likely('text', 'part of an address', 'name:region address !table:institutions !application'),
  likely('text', 'a number of a person or a house', 'name:ownNumber table:people|street'),
  likely('text', 'a place', 'name:place|name:placeText !vocabulary !offer'),
  likely('location', 'coordinates', 'name:coordinate|looks:coordinates !application'),
  likely('text', 'a device or browser', 'name:userAgent !application'),
  likely('text', 'the job of a person', 'name:job|name:ownJob person|table:belongings'),
  likely('text', 'the job of a person', 'name:company private'),
  uncertain('text', 'a sender or a recipient', 'name:partner table:messages'),
  uncertain('keep', 'maybe the key of a file', 'name:image !person !looks:url'),
  uncertain('text', 'the name of an uploaded file', 'name:fileName table:uploads|name:upload'),
  likely('url', 'a link of a person', 'name:link person|name:social !default !repeated'),
  likely('keep', 'a checksum', 'name:checksum'),
]

/** Rows for the other texts. */
const written = [
  likely(
    'text',
    'names a secret of a person',
    'name:bareName|name:label|name:title personal table:secrets !repeated !vocabulary',
  ),
  uncertain(
    'text',
    'maybe names a secret of a person',
    'name:bareName|name:label personal secretBeside !table:institutions !offer !repeated !vocabulary',
  ),
  likely('keep', 'few values, each in several rows', 'name:freeText repeated looks:word'),
  likely('keep', 'no room for a sentence', 'name:freeText brief'),
  likely('text', 'a remark of a person', 'name:remark !table:settings !application'),
  uncertain('keep', 'a text of the application', 'name:freeText|name:title application'),
  uncertain('keep', 'maybe describes a term', 'name:description|name:label term !table:records'),
  uncertain('keep', 'a text of the application', 'name:template !table:messages'),
  uncertain('keep', 'maybe describes an offer', 'name:offered offer'),
  uncertain('keep', 'maybe describes a thing', 'name:description !personal !table:records !email'),
  uncertain(
    'keep',
    'maybe a choice from a list',
    'name:reason string !prose !repeated compound|!personal|table:payments',
  ),
  uncertain('text', 'maybe written by people', 'name:freeText vocabulary'),
  likely('text', 'written by people', 'name:freeText'),
  likely(
    'text',
    'sent by people or programs',
    'name:sent|name:sentText !repeated !name:technical !name:identifier !name:thingName !name:link',
  ),
  uncertain('text', 'sent by people or programs', 'name:sent prose|looks:email'),
  likely('text', 'written by people', 'name:title personal !vocabulary'),
  uncertain('text', 'maybe written by people', 'name:bareTitle table:records !described !repeated'),
  uncertain('keep', 'maybe the title of a thing', 'name:title'),
  likely('keep', 'a technical term', 'name:technical !prose !looks:url'),
  uncertain('url', 'maybe a link of a person', 'name:identifier looks:url person'),
  uncertain('token', 'an id, but a value has an e-mail address', 'name:identifier email !key'),
  likely('keep', 'an id', 'name:identifier|looks:uuid'),
  likely('keep', 'few values, each in several rows', 'repeated|default'),
  uncertain(
    'text',
    'a name given by a person',
    'name:bareName personal table:records !table:orders !offer !described !unique !vocabulary',
  ),
  uncertain('text', 'the value of a custom field', 'name:value table:custom'),
  uncertain('text', 'maybe about the health of a person', 'table:health personal !forPrograms'),
  uncertain('text', 'maybe the name of a person', 'name:thingName table:people !name:placeName'),
  likely('keep', 'the name of a thing', 'name:thingName vocabulary|measured !looks:sentence'),
  uncertain('text', 'maybe the name of a person', 'name:thingName party'),
  uncertain('keep', 'maybe the name of a thing', 'name:thingName|vocabulary !name:person !name:link'),
  likely('text', 'values look like sentences', 'looks:sentence'),
  uncertain('token', 'values look like secrets', 'random'),
  uncertain(
    'url',
    'a link',
    'name:link|looks:url personal|table:hooks !default !repeated !measured|looks:url',
  ),
  uncertain('keep', 'maybe a public link', 'name:link|looks:url'),
  uncertain('text', 'maybe about a person', 'table:people|nearPerson'),
  uncertain('text', 'maybe about a person', 'table:sessions personal|account'),
  uncertain('text', 'maybe about a person', 'name:person personal'),
  uncertain('keep', 'short values without a pattern', 'measured short'),
  uncertain('text', 'has room for sentences', 'long'),
  uncertain('keep', 'no values, and a name without a known meaning', 'short'),
  uncertain('text', 'an unknown text'),
]

/** All rows in order. The last one always fits. */
export const rows: readonly Row[] = [...any, ...json, ...bytes, ...other, ...named, ...written]

export function decide(evidence: Evidence): Decision {
  const found = rows.find(({ when }) => holds(when, evidence))
  if (found === undefined) throw new Error(`no row of the decision fits ${evidence.table}.${evidence.name}`)
  const { rule, confidence, reason } = found
  if (rule === 'keep' && confidence === 'likely' && evidence.measured?.hasEmail)
    return { rule, confidence: 'uncertain', reason: `${reason}, but a value has an e-mail address` }
  return {
    rule,
    confidence,
    reason: evidence.fixed ?? (evidence.tool ? `${evidence.tool} needs it` : reason),
  }
}
