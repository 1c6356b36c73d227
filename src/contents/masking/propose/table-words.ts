/** The dictionary of tables: words in their names, by topic, and columns that identify a person. */
import { persons } from './words.ts'

/** Words for the kinds of people, which are no people. */
const kinds =
  'names?|types?|roles?|groups?|status(es)?|tags?|permissions?|levels?|category|relation(ship)?s?|keys?|fields?|definitions?|sources?|reasons?|segments?|lists?|templates?|settings?|registrations?'

export const tableWords = {
  /** A row is a person, or a person's account or address. */
  people: `(${persons})(s|es|n)? people [a-z]+(address(es)?|users?|accounts?|customers?|profiles?|contacts?) membership account identity invite invitation address vendor partner affiliate supplier parent oauth_github (${persons})_?(details?|info%|data|bio%|extra|meta%) lieferanten?`,
  /** A row belongs to a person. */
  belongings: `(user_?(?!s$)|(customer|patient|person|employee|member|contact|client|student)_)(?!%(${kinds})$)%`,
  /** Clients that are programs. */
  machines: '(machine|service|system|robot|bot|api|db|database)_user (oauth2?|oidc|sso|api|app)_client',
  /** A row is a secret, whichever columns it has. */
  secrets: `~ token api_?key pass_?(words?|codes?|phrases?) secret credential session otp passkey webauthn_% share_?link two_?factor% (?<!_)verif% (e?mail|phone|user)_verif% invit% %_auth auth_(requests?|states?|attempts?) encrypted% cipher key_?pair gift_?card push%
  (backup|recovery|login|registration|verification|confirmation|invite|invitation|reset|auth|authorization|access|upgrade|activation|gift|redemption|device)_code`,
  /** People write about such a row: an event, a wish, a possession. */
  records: `ticket issue incident report request complaint claim task case transaction expense entry appointment visit encounter observation alert order message post reply topic thread note log history diary journal conversation chat feedback
  review inquiry application donation booking reservation payment refund transfer absence goal meeting call document attachment album medication vehicle qualification employment education offence suggestion moment referral
  assessment`,
  /** Public bodies and businesses, whose rows describe no person. */
  institutions:
    'organi[sz]ation institution school enterprise shop store venue branch office hub warehouse stock_location department agency authority team clinic hospital facility library university college administration bailleur',
  orders: 'order wallet subscription invoice booking reservation quote pedido bestellung commande',
  payments: '~ paypal stripe adyen bank% payment',
  sessions: 'session',
  numbered: '([a-z]*_)*[a-z]*(accounts?|cards?) passport licen[cs]e policy',
  phones: '(tele)?phone (phone|mobile|fax)_?number sms call',
  uploads:
    'attachment upload blob document fichier pieces_jointes file image photo picture resume receipt scan recording',
  searches: '[a-z]*search(es)?(_(logs?|history|queries))?',
  custom:
    '~ (custom|dynamic|object)_?(custom)?_?(fields?|attributes?)(values?)? fields?_?value answers responses champs',
  hooks: 'webhook (slack|discord|teams|mattermost|telegram)',
  logins: `%_auth oauth_state two_?factor%`,
  push: `~ push%`,
  messages: '~ message e?mail sms call letter mailing',
  settings: 'setting preference configuration option flag switch sample experiment',
  /** Earlier states of rows of other tables. */
  logs: 'audit debug log job executions history revision change',
  services: `~ provider integration transport connection connector credential account oauth% sso% saml% smtp% webhook identity authorization environment`,
  /** A row is a term of the application: a category, a plan, a country. */
  vocabulary: `category tag type kind statuses role permission privilege plan feature country currency language locale setting config(s|urations?)? template layout processes worker flag switch variation property question agreement terms faq tab
  section banner polygons settingsstore vacancy job_(post%|ad|advert|offer|opening) taxrate tax unit metric (recurring|periodic)_task schedule rule model schema workflow action job migration keyword label badge product
  add_?on coupon price pricing% charge wiki% translation page news announcement (system|broadcast)_message menu option tax(a|on%) package version node relation level rank step source places regions states provinces zone cities timezone claims filter
  licen[cs]es manufacturer snippet (?!rich_)[a-z]+_text variant assets gateway method rate course attribute term campaign list folder scope statistics transition kategorien? rollen sprachen laender categoria produto producto
  produit artikel tipo servico servicio app (?<!(job|loan|credit|grant|visa|admission|membership|school|student|user|customer)_)application einstellungen estado departement`,
} as const

/** Columns that identify the person to whom a row belongs. */
export const personIds = `(?!client_id$)(${persons})_(u?ids?|uuid) (account|by)_(u?id|uuid) (created|updated|submitted|posted|sent|invited|uploaded|owned|authored|performed)_by(_id)? by_user`
