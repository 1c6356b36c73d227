/** The dictionary: words in names of columns and tables, by topic. English first, then German, French, Spanish, Portuguese. */

/** Matches names that contain a word, end with one, or equal one. Words are parts of regular expressions. */
export type WordList = readonly [match: 'has' | 'ends' | 'is', words: string]

const one = (words: string) => words.trim().split(/\s+/).join('|')

const persons = one(`
  user person individual human customer client contact member employee staff patient student pupil learner teacher professor instructor tutor mentor coach
  trainer author writer creator editor reviewer approver assignee reporter requester submitter uploader maintainer contributor committer commenter poster
  account_?holder card_?holder policy_?holder profile subscriber guest lead prospect recipient sender receiver participant attendee candidate applicant
  guardian donor voter player doctor nurse physician practitioner caregiver beneficiary respondent signer signee signatory friend follower admin
  administrator moderator seller buyer passenger resident supporter sponsor backer patron volunteer ambassador licensee payer payee invitee inviter manager supervisor director officer representative
  consultant contractor freelancer technician courier landlord lessee lessor borrower lender debtor creditor insured claimant witness lawyer attorney
  relative spouse mother father husband wife son daughter sibling emergency_contact next_of_kin bearer travell?er visitor caller callee speaker
  organi[sz]er delegate driver owner reseller referrer referee advis[eo]r
  kunden? benutzer nutzer mitarbeiter patienten mitglied ansprechpartner lehrer schueler utilisateur utilisatrice personne employe salarie adherent
  eleve medecin usuari[oa] persona empleado empleada cliente paciente alumn[oa] pessoa funcionari[oa] alun[oa] contato contacto vendedor medico titular`)

const companies =
  one(`google facebook meta github gitlab bitbucket twitter apple discord slack microsoft linkedin telegram line wechat whatsapp instagram
  tiktok youtube twitch steam reddit spotify azure okta auth0 keycloak ldap saml oidc sso openid firebase zoom stripe paypal gocardless adyen braintree razorpay
  paddle chargebee square mollie klarna salesforce hubspot intercom zendesk shopify mailchimp twilio sendgrid xero quickbooks plaid yodlee tink gocardless nordigen teller coinbase wise`)

export const columnWords = {
  /** A property that programs read, such as the type of an address or the status of a mail. */
  property: [
    'ends',
    String.raw`(?:sub)?types? status(?:es)? kinds? formats? modes? methods? algorithms? versions? locales? languages? langs? currency currencies time_?zones? tz
    utm_\w+ enabled counts? providers? scopes? levels? roles? permissions? privileges? \w*privacy settings? limits? class(?:es)? aal strategy polic(?:y|ies) priority severity
    endpoint(?:_auth_method)? expiry expires expiration ttl prefix suffix headers?_names? mime content_type media_type mimetype visibility frequency
    periods? intervals? units? sorting ordering classification categor(?:y|ies) flags? features? preferences? options? config(?:uration)? retention schedule cron
    timeout attempts? via channels? extensions? ext encoding charset transports? editor theme license licence licenses spdx adapter engine
    operator operation resolution sizes? dimensions?
    typ art(?:en)? sprache waehrung statut langue devise tipos? idioma moneda moeda situacao`,
  ],
  email: [
    'ends',
    `(?:e_?)?mails? (?:e_?)?mail_addr(?:ess)?(?:es)? (?:e_?)?mail_(?:change|normalized|canonical|hash|new|current|reply_to|cc|bcc) reply_to
    bcc(?:_emails)? recipients? from_address to_address sender_address for_email correo(?:_electronico)? courriel adresse_mail mailadresse`,
  ],
  /** The row's own address. A bare name beside it is a person's name. */
  ownEmail: ['is', `e_?mail(?:_address)? mail (?:user|contact|primary|billing)_email`],
  phone: [
    'ends',
    `(?:tele)?_?phones?(?:_(?:number|no|nr|change|home|work))? mobiles?(?:_(?:number|no))? mobile_?phone cell(?:_?phone)? fax(?:_(?:number|no))?
    tel whatsapp(?:_number)? msisdn telefon(?:nummer)? handy(?:nummer)? mobil telefone? portable telefono celular movil`,
  ],
  personName: [
    'ends',
    String.raw`(?:\w+_)?(?:first|last|full|given|family|sur|middle|maiden|nick|legal|preferred|screen|login|billing|shipping)_?names?
    (?:birth|real|former|original|desired|f|l|${persons})_?names? username \w+_username (?:user|gh|github)_login login \w+_handle handle initials
    surname forename whodunnit vorname nachname familienname benutzername prenom nom_de_famille nom_complet nom_utilisateur apellidos?
    nombre_completo nombres primer_nombre sobrenome nome_completo`,
  ],
  fullName: ['ends', 'full_?name'],
  displayName: ['ends', 'display_?name friendly_?name public_?name'],
  bareName: ['is', 'names? nom nombre nome'],
  thingName: ['ends', 'names? filename'],
  personNoun: [
    'is',
    `${persons} contact_person attention attn auteur autor
    (?:created|updated|uploaded|submitted|approved|reviewed|requested|signed|assigned|performed)_(?:by|to)`,
  ],
  birth: [
    'has',
    'birth dob birthdate birthday born date_of_birth bday geburtsdatum geburtstag geboren naissance nacimiento nascimento',
  ],
  street: [
    'has',
    `address_?lines? streets? street_?address addr house_?(?:no|number|nr) (?:postal|mailing|home|billing|shipping|delivery)_address
    strasse hausnummer anschrift adresse rue direccion calle domicilio endereco rua logradouro bairro colonia complemento`,
  ],
  address: ['ends', 'address(?:es)? address_value location_name home_location'],
  place: [
    'ends',
    `city town village suburb locality district neighbou?rhood hometown place_of_birth birthplace
    ort stadt wohnort ville commune ciudad municipio cidade`,
  ],
  zip: ['ends', `zip zip_?code post_?code postal_?code plz postleitzahl code_postal codigo_postal cep`],
  region: [
    'ends',
    'states? state_name county province prefecture region bundesland departement provincia estado',
  ],
  placeText: ['is', 'locations?(?:_name)? geo_?location place where'],
  coordinate: ['has', 'lat latitude lon lng longitude geo_?point coordinates? coords lonlat latlon latlng'],
  identityNumber: [
    'ends',
    `ssn sin nino national_(?:id|number|insurance) social_security(?:_number)? tax_(?:id|number|identification|identification_number|payer_id)
    vat_(?:id|number|no) passport(?:_(?:no|number))? driver_?s?_licen[cs]e(?:_number)? licen[cs]e_(?:no|number|plate) plate_number id_card(?:_number)?
    (?:identity|identification)_number personal_(?:id|number|code) iban bic swift account_(?:no|number) bank_account(?:_number)? routing_number sort_code
    card_(?:no|number|last_?four|last) last_(?:four|digits) pan cvc cvv credit_card(?:_number)? insurance_number medical_record_number mrn
    legal_number registration_number steuernummer steuer_id ust_?id sozialversicherungsnummer kontonummer ausweisnummer siret siren
    numero_securite_sociale dni nie nif cif rfc curp rut cpf cnpj rg matricula`,
  ],
  sensitive: [
    'ends',
    `gender sex ethnicity race religion nationality marital_status diagnos[ie]s symptoms? medications? allergies blood_type disability
    salary income political_party sexual_orientation geschlecht sexe genero sexo`,
  ],
  job: [
    'ends',
    `company(?:_name)? employer job(?:_title)? occupation profession organi[sz]ation(?:_name)? school university affiliation
    firma beruf entreprise empresa profissao profesion`,
  ],
  userAgent: [
    'has',
    'user_?agents? browser ua device_name device_model os_name hostname host_name computer_name machine_name',
  ],
  ip: ['has', `ips? ip_?addr(?:ess)?(?:es)? remote_addr(?:ess)? remote_ip client_ip`],
  link: [
    'ends',
    String.raw`urls? uris? href links? homepage home_page web_?site web avatar avatar_\w+ photos? pictures? images? logo thumbnail gravatar blog
    webseite site_web sitio_web foto bild`,
  ],
  social: ['has', `${companies} skype mastodon snapchat viber matrix bluesky xing orcid github_repository`],
  foreignId: [
    'ends',
    String.raw`provider_(?:account|user|customer|payment|refund|session|subscription|method|calendar|contact|message|charge|order|invoice|event|profile)_id provider_uid (?:${companies})_(?:\w+_)?(?:id|uid|key) auth_uid ldap_dn payer_id
    (?:\w+_)?transaction_id (?:external|remote|gateway|partner|legacy|crm|third_party|foreign)_\w+_id (?:customer|payment|billing|merchant)_profile_id
    charge_id payment_(?:intent|method|reference)(?:_id)? name_id subject_id (?:device|push|fcm|apns|advertising|installation|browser|visitor|anonymous|distinct|webauthn|passkey)_(?:id|uid) (?:payment|checkout|invoice|receipt|signed|invite|unsubscribe)_ur[il] onesignal_\w+`,
  ],
  /** The id of a user, in another service if the table connects to one. */
  userId: ['ends', String.raw`\w+_user_u?id user_uid`],
  externalId: ['ends', 'external_id external_uid remote_id foreign_id uid provider_id'],
  secret: [
    'has',
    String.raw`passw(?:or)?ds? passwd pwd pass_?(?:crypt|hash|salt|phrase|code) secrets? secret_?\w* tokens? (?:api|private|access|signing|encryption|master|auth)_?keys?
    hmac otp totp hotp two_?fa\w* tfa two_factor\w* mfa_\w+ (?:backup|recovery)_?codes? salt nonce code_?verifier verifier cookies? session_?(?:id|key|data|token|hash)
    sessions? sid credentials? auth_?codes? authorization_codes? authentication_code
    (?:access|login|invite|invitation|verification|confirmation|confirm|reset|device|security|pin|gift|redemption|activation|unlock|join|init|return_to|registration|otp|sms|referral|signup|challenge)_codes?
    pin pincode jti encrypted ciphertext cipher csrf licen[cs]e_key keyfile bearer webhook_url unsubscribe_hash magic_link sad auth_config
    passwort kennwort geheimnis schluessel mot_de_passe contrasena senha segredo jeton`,
  ],
  secretId: ['is', 'session_id access_key_id'],
  /** Words that turn a secret into its metadata: its scope, its source, its name. */
  notSecret: [
    'ends',
    String.raw`names? ids? url uri at on by hint length strength required index_\w+ label_\w+ usage used max min headers? audience issuer owner title
    description expires_in lifetime field selector symbol_\w+ price cost template tokenizer_?\w* tokenized`,
  ],
  publicKey: ['ends', 'public_?keys? pub_?key ssh_?keys? certificates? cert fingerprint gpg_?key'],
  /** A short secret or a constant of a program, depending on the table. */
  keyOrCode: [
    'is',
    String.raw`(?:\w+_)?keys? slug md5 sha\d+ codes? values? hash digest hashed_\w+ code_hmac data identifier`,
  ],
  /** Computed from content, for comparison. */
  checksum: [
    'has',
    String.raw`checksums? md5 md5sum sha sha\d+ crc\d* etag digest hash(?:es)? fingerprint blurhash phash`,
  ],
  freeText: [
    'ends',
    `body bodies body_html contents? messages? msg comments? comment_text notes? descriptions? bio biography about about_me reasons? feedback
    reviews? answers? questions? subjects? summary details? remarks? memo transcript captions? repl(?:y|ies) texts? raw cooked html markdown statement
    explanation complaint reports? report_text justification greeting headline quote announcement instructions testimonial observations? excerpt
    story motivation cover_letter tagline signature custom_text typed_signature rejection_reason csv_lines custom_status status_text
    status_message log_entry spoiler_text prompts? selftext intro introduction(?:_text)? profile_text inputs? outputs? expected_output
    symptoms_text anamnesis findings treatment_plan chat
    bemerkung(?:en)? kommentare? beschreibung notiz(?:en)? nachricht(?:en)? inhalt betreff grund anmerkung(?:en)? commentaires? remarques? contenu motif
    comentarios? descripcion mensajes? observaciones observacoes observacao mensagem mensagens descricao conteudo motivo notas?`,
  ],
  title: ['ends', 'titles? headings? titel titre titulo original_file_?name subject_line'],
  bareTitle: ['is', 'titles? headings? titel titre titulo subject_line'],
  technical: [
    'ends',
    String.raw`codes? identifiers? permalink allowed_\w+ fqdn hostnames? contexts? behaviou?r display_\w+ reactions? reaction_\w+ purpose abbr abbreviation iso_name
    presentation meta_\w+ barcode ean upc isbn gtin mpn hex color_hex locked_by handler klass callback hook triggers? trigger_\w+ instance
    cluster shard pod arn subtype series marker cursor offset checkpoint watermark from_state to_state transition conclusion outcome verdict
    error_code error_class exit_code backend frontend driver corner align(?:ment)? placement \w+_file_?name slugs? keys? paths? sources? fields? labels? tags?
    tag_string tag_list tag_names keywords? hash actions? events? models? tables? columns? queues? job_class worker namespace environment env
    states? regions? bucket(?:_name)? folder directory schema(?:_name)? database templates? layouts? icons? colou?rs? symbols? operators?
    expressions? expr quer(?:y|ies) filters? filter_\w+ scripts? sql pattern regexp? rules? conditions? formula function class_name component
    components module package plugin service(?:_name)? country(?:_code)? continent country_iso iso\w* unicode emojis? shortcode rating rank grade
    direction position sort order group_name batch targets? metrics? dimension params? parameters args arguments vars variables num number req
    semver branch commit revision refs? release platform os arch architecture sdk runtime grouping tokenizer selector domains? subdomain
    queue_name cron_key cron_schedule shape styles? css duration window sequence k resources? objects? origin realm audience grant_types
    response_types issuer stage step phase tier plan product sku bundle edition variant currency_code locale_code lang(?:uage)?_code messenger
    tools? ord\w* semver_\w+ libs? index sign signal mask topic group land pays pais codigo chave cle`,
  ],
  identifier: ['ends', 'ids? uuids? guids? uid gid pid oid objectid'],
  settings: [
    'has',
    String.raw`config(?:uration)?s? settings? options? prefs preferences? schemas? definitions? filters? flags? features? permissions? params? parameters?
    limits? rules? conditions? layouts? mappings? orders? visibility variables? vars metrics? dimensions? state ui thresholds? capabilities scopes?
    types? themes? styles? styling colors? categories units? prices? pricing tiers? columns? templates? workflow steps? schedule cron strategy
    tuning periods? components dag shape labels? tags? attribute_mapping transports amr roles? args opts translations expressions? tokenizer
    stats statistics counts linecounts grouped_by aggregat\w+ breakdowns? versions? no_data renotify polic(?:y|ies) privileges? quotas? terms?
    allow\w* locked\w* enabled embed\w* highlights i18n seo menu navigation sections widgets? blocks?`,
  ],
  connection: ['ends', 'config(?:uration)? connection auth_params provider_data environment_variables'],
  sent: [
    'has',
    String.raw`payload body requests? responses? headers inputs? outputs? before after objects? object_changes changes diff traits answers? form\w*`,
  ],
  sentText: ['ends', 'data headers'],
  contents: [
    'has',
    String.raw`data details? profile identity address(?:es)? contacts? user_?(?:data|info|meta\w*)? ${persons} attribs content messages? events? raw recipients?
    billing shipping public claims session\w* credential\w* secrets? auth\w* webauthn\w* web_authn\w* subscription`,
  ],
} as const satisfies Record<string, WordList>

export const tableWords = {
  /** A row is a person, or a person's account or address. */
  people: [
    'ends',
    String.raw`(?:${persons})(?:s|es|n)? people memberships? accounts? identit(?:y|ies) invites? invitations? address(?:es)? vendors? suppliers? parents?
    oauth_github user_?\w* (?:customer|patient|person|employee|member)_\w+ lieferanten?`,
  ],
  /** A row is a secret, whichever columns it has. */
  secrets: [
    'has',
    String.raw`tokens? api_?keys? passwords? user_password secrets? credentials? sessions? otps? password_resets? passkeys? webauthn_\w+ credential_identifiers?
    share_?links? two_factor\w* verifications?
    (?:backup|recovery|login|registration|verification|confirmation|invite|invitation|reset|auth|authorization|access|upgrade|activation|gift|redemption|device)_codes?`,
  ],
  sessions: ['ends', 'sessions?'],
  settings: ['ends', 'settings? preferences? configurations? options?'],
  services: [
    'has',
    String.raw`providers? integrations? transports? connections? connectors? credentials? accounts? oauth\w* sso\w* saml\w* smtp\w* webhooks? identit(?:y|ies) authorizations?`,
  ],
  /** A row is a term of the application: a category, a plan, a country. */
  vocabulary: [
    'has',
    String.raw`categor(?:y|ies) tags? types? kinds? statuses roles? permissions? privileges? plans? features? countr(?:y|ies) currenc(?:y|ies) languages?
    locales? settings? config(?:s|urations?)? templates? tax_?rates? tax(?:es)? units? metrics? schedules? rules? models? schemas? queues? workflows?
    actions? jobs? migrations? keywords? labels? emojis? badges? themes? products? add_?ons? coupons? prices? pricing\w* charges? wiki\w* translations?
    pages? news announcements? menus? options? tax(?:a|on\w*) species packages? crates? versions? dependencies nodes? ways? relations? levels?
    ranks? steps? sources? places regions states provinces zones? cities timezones? integrations? claims rate_?limits? thresholds? filters?
    dimensions? evaluators? tools licen[cs]es pools? variants? assets calculators? gateways? methods? rates? adjustments? standings? cohorts?
    courses? criteria reserved\w* vocabular\w+ attributes? terms? campaigns? lists? \w*sql caches?
    kategorien? rollen sprachen laender categorias? produtos? productos? produits? artikel`,
  ],
} as const satisfies Record<string, WordList>

/** Columns that identify the person to whom a row belongs. */
export const personIds: WordList = [
  'ends',
  `(?!client_id$)(?:${persons})_(?:u?ids?|uuid) (?:account|by)_(?:u?id|uuid)
  (?:created|updated|submitted|posted|sent|invited|uploaded|owned|authored|performed)_by(?:_id)? by_user`,
]
