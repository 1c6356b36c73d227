/** The dictionary of tables: words in their names, by topic, and columns that identify a person. */
import { persons, type WordList } from './words.ts'

/** Words for the kinds of people, which are no people. */
const kinds =
  'names?|types?|roles?|groups?|status(?:es)?|tags?|permissions?|levels?|categor(?:y|ies)|relation(?:ship)?s?|keys?|fields?|definitions?|sources?|reasons?|segments?|lists?'

export const tableWords = {
  /** A row is a person, or a person's account or address. */
  people: [
    'ends',
    String.raw`(?:${persons})(?:s|es|n)? people [a-z]+(?:address(?:es)?|users?|accounts?|customers?|profiles?|contacts?) memberships? accounts? identit(?:y|ies) invites? invitations? address(?:es)? vendors? partners? affiliates? suppliers? parents? oauth_github user_?(?!\w*(?:${kinds})$)\w*
    (?:customer|patient|person|employee|member|contact|client|student)_(?!\w*(?:${kinds})$)\w+ lieferanten?`,
  ],
  /** Clients that are programs. */
  machines: [
    'ends',
    '(?:machine|service|system|robot|bot|api|db|database)_users? (?:oauth2?|oidc|sso|api|app)_clients?',
  ],
  /** A row is a secret, whichever columns it has. */
  secrets: [
    'has',
    String.raw`tokens? api_?keys? pass_?(?:words?|codes?|phrases?) secrets? credentials? sessions? otps? passkeys? webauthn_\w+ share_?links? two_?factor\w*
    verif\w+ invit\w+ \w*_auth auth_(?:requests?|states?|attempts?) encrypted\w* ciphers? key_?pairs? gift_?cards? push\w*
    (?:backup|recovery|login|registration|verification|confirmation|invite|invitation|reset|auth|authorization|access|upgrade|activation|gift|redemption|device)_codes?`,
  ],
  sessions: ['ends', 'sessions?'],
  numbered: ['ends', '(?:[a-z]*_)*[a-z]*(?:accounts?|cards?) passports? licen[cs]es? polic(?:y|ies)'],
  phones: ['ends', '(?:tele)?phones? (?:phone|mobile|fax)_?numbers?'],
  uploads: [
    'ends',
    'attachments? uploads? blobs? documents? fichiers? pieces_jointes files? images? photos? pictures? resumes? receipts? scans? recordings?',
  ],
  searches: ['ends', '[a-z]*search(?:es)?(?:_(?:logs?|history|queries))?'],
  custom: [
    'has',
    '(?:custom|dynamic|object)_?(?:custom)?_?(?:fields?|attributes?)(?:values?)? fields?_?values? answers responses champs',
  ],
  hooks: ['ends', 'webhooks? (?:slack|discord|teams|mattermost|telegram)'],
  logins: ['ends', String.raw`\w*_auth oauth_states? two_?factor\w*`],
  push: ['has', String.raw`push\w*`],
  messages: ['has', 'messages? e?mails? sms calls? letters? mailings?'],
  settings: ['ends', 'settings? preferences? configurations? options?'],
  /** Earlier states of rows of other tables. */
  logs: ['ends', 'audits? logs? jobs? executions history revisions? changes?'],
  services: [
    'has',
    String.raw`providers? integrations? transports? connections? connectors? credentials? accounts? oauth\w* sso\w* saml\w* smtp\w* webhooks? identit(?:y|ies) authorizations? environments?`,
  ],
  /** A row is a term of the application: a category, a plan, a country. */
  vocabulary: [
    'ends',
    String.raw`categor(?:y|ies) tags? types? kinds? statuses roles? permissions? privileges? plans? features? countr(?:y|ies) currenc(?:y|ies) languages? locales? settings? config(?:s|urations?)?
    templates? tax_?rates? tax(?:es)? units? metrics? schedules? rules? models? schemas? queues? workflows? actions? jobs? migrations? keywords? labels? emojis? badges? themes? products? add_?ons?
    coupons? prices? pricing\w* charges? wiki\w* translations? pages? news announcements? menus? options? tax(?:a|on\w*) species packages? crates? versions? dependencies nodes? ways? relations?
    levels? ranks? steps? feature_?flags? gates? sources? places regions states provinces zones? cities timezones? integrations? claims rate_?limits? thresholds? filters? dimensions? evaluators? tools licen[cs]es pools? manufacturers? brands? defaults snippets? [a-z]*_texts? [a-z]+models? printers?
    variants? assets calculators? gateways? methods? rates? adjustments? standings? cohorts? courses? criteria reserved\w* vocabular\w+ attributes? terms? campaigns? lists? \w*sql caches? definitions?
    folders? scopes? statistics transitions? kategorien? rollen sprachen laender categorias? produtos? productos? produits? artikel tipos? modelos? marcas? noticias? actualites? servicos? servicios? perfis perfiles apps? applications?
    parametros? parametres? configurac\w+ einstellungen estados? municipios? departements? communes? villes? unidades?`,
  ],
} as const satisfies Record<string, WordList>

/** Columns that identify the person to whom a row belongs. */
export const personIds: WordList = [
  'ends',
  `(?!client_id$)(?:${persons})_(?:u?ids?|uuid) (?:account|by)_(?:u?id|uuid) (?:created|updated|submitted|posted|sent|invited|uploaded|owned|authored|performed)_by(?:_id)? by_user`,
]
