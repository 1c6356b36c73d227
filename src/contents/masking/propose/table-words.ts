/** The dictionary of tables: words in their names, by topic, and columns that identify a person. */
import { persons, type WordList } from './words.ts'

/** Words for the kinds of people, which are no people. */
const kinds =
  'names?|types?|roles?|groups?|status(?:es)?|tags?|permissions?|levels?|categor(?:y|ies)|relation(?:ship)?s?|keys?|fields?|definitions?|sources?|reasons?|segments?|lists?'

export const tableWords = {
  /** A row is a person, or a person's account or address. */
  people: [
    'ends',
    String.raw`(?:${persons})(?:s|es|n)? people [a-z]+(?:address(?:es)?|users?|accounts?|customers?|profiles?|contacts?) membership account identit(?:y|ies) invite invitation address vendor partner affiliate supplier parent oauth_github user_?(?!\w*(?:${kinds})$)\w*
    (?:customer|patient|person|employee|member|contact|client|student)_(?!\w*(?:${kinds})$)\w+ lieferanten?`,
  ],
  /** Clients that are programs. */
  machines: [
    'ends',
    '(?:machine|service|system|robot|bot|api|db|database)_user (?:oauth2?|oidc|sso|api|app)_client',
  ],
  /** A row is a secret, whichever columns it has. */
  secrets: [
    'has',
    String.raw`token api_?key pass_?(?:words?|codes?|phrases?) secret credential session otp passkey webauthn_\w+ share_?link two_?factor\w*
    verif\w+ invit\w+ \w*_auth auth_(?:requests?|states?|attempts?) encrypted\w* cipher key_?pair gift_?card push\w*
    (?:backup|recovery|login|registration|verification|confirmation|invite|invitation|reset|auth|authorization|access|upgrade|activation|gift|redemption|device)_code`,
  ],
  sessions: ['ends', 'session'],
  numbered: ['ends', '(?:[a-z]*_)*[a-z]*(?:accounts?|cards?) passport licen[cs]e polic(?:y|ies)'],
  phones: ['ends', '(?:tele)?phone (?:phone|mobile|fax)_?number'],
  uploads: [
    'ends',
    'attachment upload blob document fichier pieces_jointes file image photo picture resume receipt scan recording',
  ],
  searches: ['ends', '[a-z]*search(?:es)?(?:_(?:logs?|history|queries))?'],
  custom: [
    'has',
    '(?:custom|dynamic|object)_?(?:custom)?_?(?:fields?|attributes?)(?:values?)? fields?_?value answers responses champs',
  ],
  hooks: ['ends', 'webhook (?:slack|discord|teams|mattermost|telegram)'],
  logins: ['ends', String.raw`\w*_auth oauth_state two_?factor\w*`],
  push: ['has', String.raw`push\w*`],
  messages: ['has', 'message e?mail sms call letter mailing'],
  settings: ['ends', 'setting preference configuration option'],
  /** Earlier states of rows of other tables. */
  logs: ['ends', 'audit log job executions history revision change'],
  services: [
    'has',
    String.raw`provider integration transport connection connector credential account oauth\w* sso\w* saml\w* smtp\w* webhook identit(?:y|ies) authorization environment`,
  ],
  /** A row is a term of the application: a category, a plan, a country. */
  vocabulary: [
    'ends',
    String.raw`categor(?:y|ies) tag type kind statuses role permission privilege plan feature countr(?:y|ies) currenc(?:y|ies) language locale setting config(?:s|urations?)?
    template tax_?rate tax unit metric schedule rule model schema queue workflow action job migration keyword label emoji badge theme product add_?on
    coupon price pricing\w* charge wiki\w* translation page news announcement menu option tax(?:a|on\w*) species package crate version dependencies node way relation
    level rank step feature_?flag gate source places regions states provinces zone cities timezone integration claims rate_?limit threshold filter dimension evaluator tools licen[cs]es pool manufacturer brand defaults snippet [a-z]*_text [a-z]+model printer
    variant assets calculator gateway method rate adjustment standing cohort course criteria reserved\w* vocabular\w+ attribute term campaign list \w*sql cache definition
    folder scope statistics transition kategorien? rollen sprachen laender categoria produto producto produit artikel tipo modelo marca noticia actualite servico servicio perfis perfiles app application
    parametro parametre configurac\w+ einstellungen estado municipio departement commune ville unidade`,
  ],
} as const satisfies Record<string, WordList>

/** Columns that identify the person to whom a row belongs. */
export const personIds: WordList = [
  'ends',
  `(?!client_id$)(?:${persons})_(?:u?ids?|uuid) (?:account|by)_(?:u?id|uuid) (?:created|updated|submitted|posted|sent|invited|uploaded|owned|authored|performed)_by(?:_id)? by_user`,
]
