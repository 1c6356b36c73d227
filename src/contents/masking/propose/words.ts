/** The dictionary of columns: words in their names, by topic. English first, then German, French, Spanish, Portuguese. */

/** Matches names that contain a word or its plural, end with one, or equal one. Words are parts of regular expressions. */
export type WordList = readonly [match: 'has' | 'ends' | 'is', words: string]

const anyOf = (words: string) => words.trim().split(/\s+/).join('|')

export const persons = anyOf(`
  user person individual customer client contact member employee staff patient student pupil learner teacher professor instructor tutor mentor coach trainer author writer creator editor reviewer
  approver assignee reporter requester submitter uploader maintainer contributor committer commenter poster account_?holder card_?holder policy_?holder (?<![a-z]_)profile subscriber guest lead prospect recipient
  sender receiver participant attendee candidate applicant guardian donor voter player doctor nurse physician practitioner caregiver beneficiary respondent signer signee signatory friend follower
  admin administrator moderator seller buyer passenger resident supporter sponsor backer patron volunteer ambassador licensee payer payee invitee inviter manager supervisor director officer
  representative consultant contractor freelancer technician courier landlord lessee lessor borrower lender debtor creditor insured claimant witness lawyer attorney relative spouse mother father
  husband wife son daughter sibling emergency_contact next_of_kin bearer travell?er visitor caller callee speaker organi[sz]er delegate driver owner reseller referee advis[eo]r youth infant defendant
  plaintiff suspect victim offender inmate therapist artist citizen kunden? benutzer nutzer mitarbeiter patienten mitglied ansprechpartner lehrer schueler teilnehmer inhaber eigentuemer absender empfaenger antragsteller betreuer bewerber gast besucher
  fahrer arzt vertreter versicherter bearbeiter utilisateur utilisatrice personne personnel employe salarie
  adherent eleve medecin usager demandeur beneficiaire responsable referent signataire destinataire expediteur redacteur titulaire candidat etudiant enseignant
  representant organisateur gestionnaire conducteur proprietaire locataire directeur directrice conjoint enfant pere mere tuteur citoyen usuari[oa] persona empleado empleada cliente paciente alumn[oa] pessoa funcionari[oa] alun[oa] contato contacto vendedor medico titular
  responsavel solicitante remitente remetente profesor trabajador[ae]? ciudadan[oa] cidada[o]? motorista conductor condutor propietario proprietario madre padre mae pai hij[oa] filh[oa] candidato encargado`)

/** Nouns by their form, such as `viewer` and `bidder`, that name people unless they name one of these things. */
const agents = `(?!(?:${anyOf(`
  server folder provider order number filter parameter header footer layer container controller worker tracker adapter handler trigger center character
  register chapter printer router buffer cluster letter tier carrier computer paper offer banner ledger master helper timer scheduler loader parser runner
  importer exporter builder manufacturer publisher marker identifier tracer charger power weather user_parameter color error vector sector factor
  other inner outer upper lower after gender answer transfer voucher ticker sticker counter scanner browser meter theater newsletter semester quarter cover
  corner border operator connector processor sensor executor selector generator indicator separator cursor anchor floor door vendor major minor motor fee tree degree
`)})_)[a-z]{2,}(?:er|or|ee)`

const companies =
  anyOf(`google facebook github gitlab bitbucket twitter apple discord slack microsoft linkedin telegram wechat whatsapp instagram tiktok youtube twitch steam reddit spotify azure okta auth0 keycloak
  ldap saml oidc sso openid firebase zoom stripe paypal gocardless adyen braintree razorpay paddle chargebee square mollie klarna salesforce hubspot intercom zendesk shopify mailchimp twilio sendgrid strava garmin fitbit
  xero quickbooks plaid yodlee tink nordigen teller coinbase wise`)

const remarks = `comments? notes? remarks? feedback bemerkung kommentare? notiz commentaires? remarques? comentarios? notas? observa(?:ciones|coes|cao) justificativa`

export const columnWords = {
  /** A property that programs read, such as the type of an address or the status of a mail. */
  property: [
    'ends',
    String.raw`(?:sub)?type (?:type|kind)_of_\w+ status kind format mode method algorithm version locale language lang currency currencies time_?zone tz utm_\w+ enabled count provider
    scope level role permission privilege \w*privacy setting limit class aal strategy polic(?:y|ies) priority severity endpoint(?:_auth_method)? expiry expires expiration ttl
    prefix headers?_name mime mimetype visibility frequency period interval unit sorting ordering classification categor(?:y|ies) flag feature preference option
    config(?:uration)? retention schedule cron timeout attempt via channel extension ext encoding charset transport editor theme license licence spdx adapter engine operator operation
    resolution size dimension colou?r font membership medium capabilit(?:y|ies) driver abilit(?:y|ies) segment make (?:imap|smtp|pop|server|host)_address brand funding mailer day aaguid categoria nivel unidade einheit forma(?:_\w+)? turno semestre bimestre periodo \w*redirect_ur[il]s? callback_ur[il]s?
    app(?:lication)?_(?:display_)?name verification_uri (?:vat|tax|phone|card|bank)_country exp(?:iry|iration)?_(?:month|year) (?:price|product|plan|template|category|channel|guild|tax_rate)_id suffix typ art sprache waehrung statut langue devise
    tipo idioma moneda moeda situacao kategorie categorie etat`,
  ],
  email: [
    'ends',
    `(?:e_?)?mail (?:e_?)?mail_addr(?:ess)?(?:es)? (?:e_?)?mail_(?:change|hash|new|current|reply_to|cc|bcc|from|to) reply_to sent_to bcc(?:_emails)? recipient from_address to_address
    sender_address correo(?:_electronico)? courriel mailadresse e?mail_(?:${persons})`,
  ],
  /** The row's own address. A bare name beside it is a person's name. */
  ownEmail: ['is', `e_?mail(?:_address)? mail (?:user|contact|primary|billing)_email`],
  phone: [
    'ends',
    `(?:tele)?_?phones?(?:_(?:number|num|no|nr|change|home|work))? mobiles?(?:_(?:number|num|no))? mobile_?phone cell(?:_?phone)? fax(?:_(?:number|no))? tel(?:_?(?:no|nr|number))?
    contact_(?:no|num|number) sms(?:_(?:number|to))? caller_id whatsapp(?:_number)? msisdn telefon(?:nummer)? handy(?:nummer)? mobil telefone? portable telefono celular movil (?:tele(?:phone|fono|fone)?|phone|tel)_(?:${persons})`,
  ],
  personName: [
    'ends',
    String.raw`(?<!\w_)(?:from|to|cc|sent_by|signed_by)_name (?:\w+_)?(?:first|last|full|given|family|sur|middle|maiden|nick|legal|preferred|screen|login|billing|shipping)_?name
    (?:birth|real|former|original|desired|f|l|fore|vor|nach|${persons})_?name (?:${persons})_(?:nom|nombre|nome) principal_name (?:${agents})_name \w+_username login \w+_handle handle initials whodunnit
    familienname prenom nom_de_famille nom_complet nom_(?:usage|naissance|marital|jeune_fille) nome_social nom_utilisateur apellido nombre_completo nombres primer_nombre sobrenome nome_completo`,
  ],
  fullName: ['ends', 'full_?name'],
  /** The row's own name. A table with it describes persons. */
  ownName: [
    'is',
    '(?:first|last|full|family|sur)_?name vorname nachname prenom apellido sobrenome nome_completo nombre_completo',
  ],
  fileName: [
    'ends',
    'file_?name attachment upload_name fichier_nom archivo_nombre arquivo_nome (?:original|document|attachment)_name',
  ],
  displayName: ['ends', 'display_?name friendly_?name public_?name'],
  bareName: ['is', 'name nom nombre nome'],
  thingName: ['ends', 'name filename nom nombre nome'],
  personNoun: [
    'ends',
    `(?<!per_)(?:${persons}) (?<!of_)attention attn auteur autor (?!(?:sort|sorted|order|ordered|group|grouped|lock|locked|trigger|triggered|filter|run|search|limited|caused|divided|multiplied|replaced|superseded|blocked)_by)[a-z]+_by assigned_to `,
  ],
  birth: [
    'has',
    'birth dob birthdate birthday born bday ddn death deathdate deceased geburtsdatum geburtstag geboren naissance nacimiento nascimento',
  ],
  street: [
    'has',
    `address_?line street street_?address addr house_?(?:no|number|nr) (?:postal|mailing|home|billing|shipping|delivery)_address strasse hausnummer anschrift adresse rue direccion calle domicilio
    endereco rua logradouro bairro colonia complemento`,
  ],
  address: ['ends', 'address address_value location_name home_location'],
  place: [
    'ends',
    `(?:city|town|village|district|ville|commune)_name city town village suburb locality district(?!s) neighbou?rhood hometown place_of_birth birthplace ort stadt wohnort ville commune ciudad municipio cidade`,
  ],
  zip: ['ends', `zip zip_?code post_?code postal_?code plz cp postleitzahl code_postal codigo_postal cep`],
  region: [
    'ends',
    `(?<!\\w_)state (?:address|billing|shipping|mailing|home|location|birth|merchant|delivery|postal|street)_state state_name state_code province_code region_code county province prefecture region bundesland departement provincia
    estado`,
  ],
  placeText: ['is', 'locations?(?:_name)? geo_?location place where lieu lugar'],
  coordinate: ['has', 'lat latitude lon lng longitude geo_?point coordinate coords lonlat latlon latlng'],
  identityNumber: [
    'ends',
    `ssn sin nino national_(?:id|number|insurance) social_security(?:_number)? tax_(?:id|number|identification|identification_number|payer_id) vat(?:_(?:id|number|no))? passport(?:_(?:no|number|id))? document_number acc_(?:no|number)
    driver_?s?_licen[cs]e(?:_number)? licen[cs]e_(?:no|number|plate) plate_number id_card(?:_number)? (?:identity|identification)_number personal_(?:id|number|code) iban bic swift
    account_(?:no|number) bank_code blz bank_account(?:_number)? routing_number sort_code card_(?:no|number|last_?four|last) last_(?:four|digits) last4 pan cvc cvv credit_card(?:_number)? insurance_number
    medical_record_number mrn legal_number registration_number (?:${persons}|membership|loyalty|policy|badge|staff)_(?:no|nr|num|number) (?:account|card)_mask aadhaar imei imsi nhs_(?:no|number) npi
    steuernummer steuer_id ust_?id sozialversicherungsnummer kontonummer ausweisnummer siret siren numero_securite_sociale dni nie nif cif rfc curp rut cpf cnpj rg matricula nir tva_numero cartao tarjeta prontuario expediente aktenzeichen`,
  ],
  sensitive: [
    'ends',
    `gender sex ethnicity race religion nationality marital_status diagnos[ie]s symptom medication allergies blood_type disability salary income political_party pronouns citizenship caste
    blood_group conviction cause_of_death sexual_orientation geschlecht sexe genero sexo raca raza etnia handicap pathologie maladie civilite`,
  ],
  job: [
    'ends',
    `company employer(?:_name)? job(?:_(?:title|position|role))? resume cv education hobbies interests occupation prof profession organi[sz]ation(?:_name)? school university affiliation firma beruf
    entreprise empresa profissao profesion fonction poste metier cargo puesto funcao`,
  ],
  company: ['ends', 'company_name'],
  userAgent: [
    'has',
    'user_?agent browser ua device_info device_name device_display_name device_model os_name hostname host_name computer_name machine_name',
  ],
  ip: ['has', `ip ip_?addr(?:ess)?(?:es)? remote_addr(?:ess)?`],
  link: [
    'ends',
    String.raw`url uri href link homepage home_page web_?site web avatar avatar_\w+ photo picture image logo thumbnail gravatar blog referr?er referring_\w+ landing_page webseite foto bild`,
  ],
  /** Often the key of a file, which the application needs. */
  image: ['ends', '(?:images?|photos?|pictures?|logos?|thumbnails?|banners?|covers?)(?:_file_?name)?'],
  social: [
    'ends',
    `(?:${companies}|skype|mastodon|snapchat|viber|matrix|bluesky|xing|orcid)(?:_(?:ids?|tag|name|user|user_?id|handle|nick|screen_name|account|profile|page|contact))? github_repository`,
  ],
  country: ['ends', 'country land pays pais'],
  foreignId: [
    'ends',
    String.raw`provider_(?:account|user|customer|payment|refund|session|subscription|method|calendar|contact|message|charge|order|invoice|event|profile)_id provider_uid
    (?:${companies})_(?:\w+_)?(?:id|uid|key) auth_uid ldap_dn payer_id (?:\w+_)?transaction_id (?:external|ext|remote|gateway|partner|legacy|crm|third_party|foreign)_\w+_(?:id|number) line_id
    (?:customer|payment|billing|merchant)_profile_id charge_id payment_(?:intent|method|reference)(?:_id)? name_id subject_id
    (?:device|push|fcm|apns|advertising|installation|browser|visitor|anonymous|distinct|webauthn|passkey)_(?:id|uid) (?:payment|checkout|invoice|receipt|signed|invite|unsubscribe)_ur[il] onesignal_\w+ \w*clid`,
  ],
  /** The id of a user, in another service if the table connects to one. */
  userId: ['ends', String.raw`\w+_user_u?id user_uid`],
  externalId: ['ends', '(?<!\\w_)identifier external_id remote_id foreign_id uid provider_id'],
  secret: [
    'has',
    String.raw`passw(?:or)?d pass pwd pass_?(?:crypt|hash|salt|phrase|code) secret_?\w* token
    (?:api|private|access|signing|enc|encryption|activation|reset|confirmation|verification|encrypted|wrapped|protected|master|auth|consumer|cancel|ssh_private|vapid\w*)_?key mnemonic seed_phrase connection_string dsn database_ur[il]
    env(?:ironment)?_var(?:iable)?s (?:client_|code_|auth_)?challenge jwt auth_?data (?:join|share|invite|magic|meeting|zoom|reset|verification|confirmation|feed|calendar|ical)_(?:link|ur[il]) hmac otp totp
    hotp two_?fa\w* tfa two_factor\w* mfa_\w+ (?:backup|recovery)_?code salt nonce code_?verifier verifier cookie session_?(?:id|key|data|token|hash) session sid credential auth_?code
    authorization_code authentication_code
    (?:access|login|invite|invitation|verification|confirmation|confirm|reset|device|security|pin|gift|redemption|activation|unlock|join|init|return_to|registration|otp|sms|referral|signup|challenge|validation|pairing|claim|check_?in|qr)_code
    pin pincode jti encrypted ciphertext cipher csrf unsubscribe_\w+ licen[cs]e_key keyfile bearer webhook_url sad auth_config mdp passwort kennwort geheimnis schluessel mot_de_passe contrasena senha
    segredo jeton`,
  ],
  secretId: ['is', 'session_id access_key_id'],
  /** A table with such a column has logins. */
  login: ['has', 'passw(?:or)?d passwort kennwort mot_de_passe contrasena senha last_(?:login|sign_in)'],
  /** Words that turn a secret into its metadata: its scope, its source, its name. */
  notSecret: [
    'ends',
    String.raw`name id u?uid guid url uri at on by hint length strength required index_\w+ label_\w+ usage used max min header audience issuer owner title description expires_in lifetime field selector
    symbol_\w+ price cost template tokenizer_?\w* tokenized`,
  ],
  publicKey: ['ends', 'public_?key pub_?key ssh_?key certificate cert fingerprint gpg_?key'],
  /** A short secret or a constant of a program, depending on the table. */
  keyOrCode: [
    'is',
    String.raw`(?:\w+_)?key slug md5 sha\d+ (?:\w+_)?code value (?:\w+_)?(?:hash|digest) hashed_\w+ code_hmac data (?:\w+_)?identifier`,
  ],
  /** Computed from content, for comparison. */
  checksum: [
    'has',
    String.raw`checksum md5 md5sum sha sha\d+ crc\d* etag digest hash (?:finger|foot)print blurhash phash`,
  ],
  freeText: [
    'ends',
    `${remarks} body bodies content message msg description bio biography about about_me reason review answer question subject summary detail memo transcript caption
    repl(?:y|ies) text raw cooked html markdown statement explanation complaint report greeting headline quote announcement instructions testimonial observation excerpt story motivation
    cover_letter tagline signature csv_lines custom_status log_entry prompt selftext intro introduction(?:_text)? input output anamnesis findings treatment_plan chat vcard overview
    narrative info information agenda justifica(?:c|t)ion minutes narration (?:clinical|medical|family)_history objective concern recommendation background synopsis snippet
    (?:allow|deny|block)_?list beschreibung nachricht inhalt betreff grund anmerkung antwort hinweise? begruendung precision reponse objet explication texte resume
    contenu motif descripcion mensaje mensagem mensagens descricao conteudo motivo assunto asunto texto respuesta resposta detalle detalhe resumen
    resumo`,
  ],
  remark: ['ends', remarks],
  description: ['ends', 'description beschreibung descripcion descricao'],
  reason: ['ends', 'reason result outcome'],
  ownCode: ['is', 'hash code key'],
  ownHash: ['is', 'hash'],
  /** The name of a term for readers. */
  label: ['is', 'label libelle bezeichnung rotulo etiqueta'],
  title: ['ends', 'title heading titel titre titulo subject_line'],
  bareTitle: ['is', 'title heading titel titre titulo subject_line'],
  technical: [
    'ends',
    String.raw`code identifier permalink allowed_\w+ fqdn hostname context behaviou?r display_\w+ reaction reaction_\w+ purpose abbr abbreviation presentation meta_\w+ barcode ean upc isbn
    gtin mpn hex locked_by handler klass callback hook trigger trigger_\w+ instance cluster shard pod arn subtype marker cursor offset checkpoint watermark transition conclusion outcome verdict error_class backend frontend driver corner align(?:ment)? placement \w+_file_?name slug key path source field label tag
    tag_string tag_list tag_names keyword hash action event model(?:s|os?|e)? table column queue job_class worker namespace environment env state region bucket(?:_name)? folder directory
    schema(?:_name)? database template layout icon symbol operator expression expr quer(?:y|ies) filter filter_\w+ script sql pattern regexp? rule condition formula function
    class_name component components module package plugin service(?:_name)? country(?:_code)? continent iso\w* unicode emoji shortcode rating rank grade direction position sort
    group_name batch target metric dimension param parameters args arguments vars variables num number numero req semver branch commit revision ref release platform os arch architecture sdk runtime
    grouping tokenizer selector domain subdomain queue_name cron_schedule shape style css duration window sequence k resource \w+_object command file server origin realm
    audience grant_types response_types issuer stage step phase tier plan product sku bundle edition variant messenger tool (?<!mail_)reference \w+_access (?:month|quarter|year|week)(?:_str(?:ing)?)? (?:sent|done|consented|confirmed|verified|accepted|approved|completed) ord\w* semver_\w+ lib index
    sign signal mask topic group land pays pais codigo chave cle curso modulo turma serie disciplina programa competencia referencia sigla matiere kurs fach klasse`,
  ],
  identifier: ['ends', 'id uuid guid uid gid pid oid objectid'],
  ownId: ['is', 'id sid uid uuid (?:session|external)_id'],
  endpoint: ['is', 'endpoint'],
  value: ['ends', '(?!values)val(?:ue|or|eur)? wert'],
  state: ['is', 'state'],
  ownKey: ['is', 'a?_?key'],
  search: ['ends', 'quer(?:y|ies) term keyword search_text'],
  audit: [
    'is',
    'creator(?:_id)? (?:created|updated|changed|modified|deleted|retired|voided|archived|edited|removed)_by(?:_(?:user_)?id)?',
  ],
  ownNumber: ['is', 'number no nr num numero'],
  partner: ['is', 'from to cc bcc sender recipient'],
  upload: ['is', 'upload_name attachment original_file_?name'],
  /** A word for a person anywhere. */
  person: ['has', `(?<!per_)(?:${persons}) e?mail phone`],
  template: ['ends', 'template vorlage modele plantilla'],
  /** Columns that people may define. */
  argument: ['is', String.raw`(?:\w+_)?(?:params?|parameters|fields|arguments|args|variables)`],
  settings: [
    'has',
    String.raw`config(?:uration)?s? setting option prefs preference schema definition filter flag feature permission param parameter limit rule condition layout mapping
    order visibility variable vars metric dimension state ui threshold capabilities scope type theme style styling color categories unit price pricing tier column
    template workflow step schedule cron strategy tuning period components dag shape label tag transports amr role args opts expression tokenizer stats
    statistics counts linecounts grouped_by aggregat\w+ breakdown version no_data renotify polic(?:y|ies) privilege quota term allow\w* locked\w* enabled embed\w* highlights i18n seo menu
    navigation sections widget block quer(?:y|ies) question trigger logic jwks branding translation (?<!(?:custom|additional|extra|dynamic|updated|changed)_)field origin domain dns_record node edge task group white_?label slug modulo`,
  ],
  connection: [
    'ends',
    'config(?:uration)? connection auth_params (?:provider|integration|account)_data variables',
  ],
  sent: [
    'has',
    String.raw`payload body request response headers input output (?:before|after)(?!_) object changes diff traits answer form(?:_\w+|data)`,
  ],
  sentText: [
    'ends',
    'data headers json xml bytes base64 result resultado resultat ergebnis(?:se)? traceback exception kwargs object_repr',
  ],
  contents: [
    'ends',
    String.raw`data detail identity address adresse coordonnees file attachment document fichier location contact user_?(?:data|info|meta\w*)? ${persons} attribs content message event raw recipient billing shipping public claims
    field campos champs session\w* credential\w* secret auth\w* webauthn\w* web_authn\w* subscription`,
  ],
} as const satisfies Record<string, WordList>
