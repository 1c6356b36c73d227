/** The dictionary of columns: words in their names, by topic. English first, then German, French, Spanish, Portuguese. */

/*
 * A list matches names that end with one of its words or a plural; with `=` before it, names that equal one; with `~`, names
 * that contain one. Words are parts of regular expressions, but a group captures nothing, and `%` stands for more of the name.
 */

const anyOf = (words: string) => words.trim().split(/\s+/).join('|')

export const persons =
  anyOf(`user person individual customer client contact member employee staff patient student pupil learner teacher professor instructor tutor mentor coach trainer author writer creator editor reviewer approver assignee reporter requester
  submitter uploader maintainer contributor committer commenter poster account_?holder card_?holder policy_?holder (?<!_)profile subscriber guest lead prospect recipient sender receiver participant attendee candidate applicant
  guardian donor voter player doctor nurse physician practitioner caregiver beneficiary respondent signer signee signatory friend follower admin administrator moderator seller buyer passenger resident supporter sponsor backer patron
  volunteer ambassador licensee payer payee invitee inviter manager supervisor director officer representative consultant contractor freelancer technician courier landlord lessee lessor borrower lender debtor creditor insured
  claimant witness lawyer attorney relative spouse mother father husband wife son daughter sibling emergency_contact next_of_kin bearer travell?er visitor caller callee speaker delegate driver owner reseller referee advis[eo]r youth
  infant defendant plaintiff suspect victim offender inmate therapist artist citizen kunden? benutzer nutzer mitarbeiter patienten mitglied ansprechpartner lehrer schueler teilnehmer inhaber eigentuemer absender empfaenger
  antragsteller betreuer bewerber gast besucher fahrer arzt vertreter versicherter bearbeiter utilisateur utilisatrice personne personnel employe salarie adherent eleve medecin usager demandeur beneficiaire responsable referent
  signataire destinataire expediteur redacteur titulaire candidat etudiant enseignant representant organisateur gestionnaire conducteur proprietaire locataire directeur directrice conjoint enfant pere mere tuteur citoyen usuari[oa]
  persona empleado empleada cliente paciente alumn[oa] pessoa funcionari[oa] alun[oa] contato contacto vendedor medico titular responsavel solicitante remitente remetente profesor trabajador[ae]? ciudadan[oa] cidada[o]? motorista
  conductor condutor dependant addressee opponent solicitor judge clinician midwife carer prescriber athlete recruiter neighbou?r comprador acquereur acheteur vendeur notaire emprunteur mandataire avocat kaeufer verkaeufer mieter
  vermieter notar anwalt inquilin[oa] arrendatario locatario fiador notario abogado advogado notary occupant heir propietario proprietario madre padre mae pai hij[oa] filh[oa] candidato encargado`)

/** Nouns by their form, such as `viewer` and `bidder`, that name people unless they name one of these things. */
const agents = `(?!(${anyOf(`
  server folder provider order number filter parameter header layer container controller worker tracker adapter handler trigger center character
  register chapter printer router cluster letter tier carrier computer paper offer banner ledger scheduler runner importer exporter builder manufacturer
  publisher marker identifier charger user_parameter color error vector sector factor other voucher sticker scanner browser meter theater newsletter semester
  quarter operator connector processor sensor executor selector indicator floor vendor major motor tree degree
`)})_)[a-z]{2,}(er|or|ee)`

const companies =
  anyOf(`google outlook facebook github gitlab bitbucket twitter apple discord slack microsoft linkedin telegram wechat whatsapp instagram tiktok youtube twitch steam reddit spotify azure okta auth0 keycloak ldap saml oidc sso openid
  firebase zoom stripe paypal gocardless adyen braintree razorpay paddle chargebee square mollie klarna salesforce hubspot intercom zendesk shopify mailchimp twilio sendgrid strava garmin fitbit xero quickbooks plaid nordigen
  coinbase`)

/** Words before an address that turn it into a choice of the person. */
const choices = `preferences?|notif%|consent|alerts?|receives?|wants?|by|via|opt_?(in|out)`

const descriptions = 'description desc beschreibung descripcion descricao'
const titles = 'title heading titel titre titulo subject_line'
const passwords = 'passw(or)?d passwort kennwort mot_de_passe contrasena senha'

const remarks = `comments? notes? remarks? feedback bemerkung kommentare? notiz commentaires? remarques? comentarios? notas? observa(ciones|coes|cao) justificativa`

export const columnWords = {
  /** A property that programs read, such as the type of an address or the status of a mail. */
  property: `(sub)?type (type|kind)_of_% status kind format mode method algorithm version locale language lang currency time_?zone tz utm_% enabled count provider scope level role permission privilege %privacy setting limit class
  aal strategy policy priority severity endpoint expiry expires expiration ttl (?<!%_)(sous_)?(type|tipo|nature|natureza|naturaleza|statut|categori[ae]|typologie|modalites?|zone)_% code_insee_% (avs|cvv)_% favicon
  (${choices})_(e?mail|sms|phone) prefix mime mimetype visibility frequency period interval unit sorting ordering classification category flag feature preference option config(uration)? schedule cron timeout
  attempt via channel extension ext theme license licence engine operator operation size colou?r (regul%|awarding|governing|public)_body membership medium driver segment make
  (imap|smtp|pop|server|host)_address brand day categoria nivel unidade einheit forma(_%)? turno semestre bimestre periodo %redirect_ur[il]s? callback_ur[il]s? app(lication)?_(display_)?name (vat|tax|phone|card|bank)_country exp(iry|iration)?_(month|year) (price|product|plan|template|category|channel|guild|tax_rate)_id suffix typ art sprache waehrung statut langue devise tipo idioma moneda moeda situacao kategorie
  etat`,
  email: `(?<!(${choices})_)(e_?)?mail (e_?)?mail_addr(ess)?(es)? (e_?)?mail_(change|hash|new|current|reply_to|cc|bcc|from|to) reply_to sent_to bcc recipient from_address to_address sender_address correo(_electronico)? courriel
  mailadresse e?mail_(${persons})`,
  /** The row's own address. A bare name beside it is a person's name. */
  ownEmail: `= e_?mail(?!s)(_address)? mail (user|primary)_email`,
  ownPhone: '= phone(_number)? mobile(_phone)? telefone?(nummer)? telephone celular tel',
  page: '= slug permalink',
  /** Shows that a row is an offer to the public or a setting: its place in a list, its price, whether it is shown. */
  offer: `= slug permalink (sort_?|display_?)?order(ing)? position (is_|has_)?(active|enabled|published|public|visible|hidden|shown|featured|required|default|live) publish(ed)?_(at|on) (default_|unit_)?price sku currency`,
  /** Describes an offer or a thing. */
  offered: `${descriptions} instructions? details? text question answer option content title about% location`,
  phone: `(tele)?_?phones?(_(number|num|no|nr|change|home|work))? (?<!(css|ur[il]|image|logo|banner)_)mobiles?(_(number|num|no))? mobilephone cell(phone)? fax(_(number|no))? tel(_?(no|nr|number))? contact_(no|num|number) sms(_(number|to))? caller_id whatsapp(_number)?
  msisdn telefon(nummer)? handy(nummer)? mobil telefone? portable telefono celular movil (tele(phone|fono|fone)?|phone|tel)_(${persons})`,
  personName: `(?<!%_)(from|to|cc|sent_by|signed_by)_name (%_)?(first|last|full|given|family|sur|middle|maiden|nick|legal|preferred|screen|login|billing|shipping)_?name (birth|real|former|original|desired|f|l|fore|vor|nach|${persons})_?name
  (${persons})_(nom|nombre|nome) principal_name (${agents})_name %other_name previous_name known_as login handle initials whodunnit familienname prenom nom_de_famille nom_complet
  nom_(usage|naissance|marital|jeune_fille) nome_social nom_utilisateur apellido nombre_completo nombres primer_nombre sobrenome nome_completo`,
  fullName: 'full_?name',
  /** The row's own name. A table with it describes persons. */
  ownName:
    '= (first|last|full|family|sur)_?name vorname nachname prenom apellido sobrenome nome_completo nombre_completo',
  /** The name of a place or a group, which many people share. */
  placeName:
    '(facility|region|block|department|team|group|program(me)?|plan|product|service|course|class|school|project|bank|site|role|category|type)_name',
  fileName:
    '(?<!(unique|disk|stored)_)file_?name attachment upload_name fichier_nom archivo_nombre arquivo_nome (original|document|attachment)_name',
  displayName: '(display|friendly|public)_?name alias',
  bareName: '= name nom nombre nome',
  thingName: 'name filename nom nombre nome',
  personNoun: `(?<!per_)(${persons}) (?<!of_)attention attn auteur autor (?!(sort|sorted|order|ordered|group|grouped|lock|locked|trigger|triggered|filter|run|search|limited|caused|divided|multiplied|replaced|superseded|blocked)_by)[a-z]+_by assigned_to`,
  birth:
    '~ birth dob birthdate birthday born bday ddn death deathdate deceased geburtsdatum geburtstag geboren naissance nacimiento nascimento',
  street: `~ address_?line street streetaddress addr house_?(no|number|nr) (postal|mailing|home|billing|shipping|delivery)_address strasse hausnummer anschrift adresse rue voie direccion calle domicilio endereco rua logradouro bairro
  colonia complemento`,
  address:
    'address address_value location_name home_location (invoice|bill|ship|sold|deliver)_to(_(name|company))?',
  place: `(city|town|village|district|ville|commune)_name city town village suburb locality district(?!s) neighbou?rhood hometown place_of_birth birthplace ort stadt wohnort ville commune ciudad municipio cidade`,
  zip: `zip zip_?code post_?code postal_?code plz cp postleitzahl code_postal codigo_postal cep`,
  region: `(?<!%_)state (address|billing|shipping|mailing|home|location|birth|merchant|delivery|postal|street)_state state_name state_code province_code region_code county province prefecture region bundesland departement provincia estado`,
  placeText: '= locations?(_name)? geo_?location place where lieu lugar',
  coordinate: '~ lat latitude lon lng longitude geo_?point coordinate coords lonlat latlon latlng',
  identityNumber: `ssn sin nino national_(id|number|insurance) social_security(_number)? tax_(id|number|identification|payer_id) vat(_(id|number|no))? passport(_(no|number|id))? document_number acc_(no|number)
  driver_?s?_licen[cs]e licen[cs]e_(no|number|plate) plate_number id_card (identity|identification)_number personal_(id|number|code) iban bic swift account_(no|number) bank_code blz bank_account
  routing_number sort_code card_(no|number|lastfour|last) last_(four|digits) last4 pan cvc cvv credit_card insurance_number medical_record_number mrn %securite_sociale legal_number registration_number
  (${persons}|membership|loyalty|policy|badge|staff)_(no|nr|num|number) (account|card)_mask aadhaar imei imsi nhs_(no|number) npi steuernummer steuer_id ust_?id sozialversicherungsnummer kontonummer ausweisnummer siret siren
  dni nie nif cif rfc curp rut cpf cnpj rg matricula nir tva_numero cartao tarjeta prontuario expediente aktenzeichen tfn medicare% cuit cuil cnh pis ahv% svnr codice_fiscale partita_iva pesel bsn cpr
  personnummer cnp ppsn? snils npwp gstin hetu rodne_cislo utr ein (voter|health_card|tax_file)_(id|number) (case|claim|pension|payroll|upn|trn|teacher_reference|unique_pupil)_(no|number) vin kennzeichen
  immatriculation iccid clabe pix_key`,
  sensitive: `gender sex ethnicity race religion nationality marital_status diagnos[ie]s symptom medication allergies blood_type disability salary income political_party pronouns citizenship caste blood_group conviction cause_of_death
  sexual_orientation geschlecht sexe genero sexo raca raza etnia faith criminal_record offences? immigration_status hiv_status pregnan% dietary_% medical_(condition|need|info%) health_(condition|issue) special_needs
  relationship_status sexuality ethnic_% credit_score handicap pathologie maladie civilite`,
  job: `employer(_name)? job(_(title|position|role))? resume cv education hobbies interests occupation prof profession school university affiliation beruf profissao profesion fonction poste metier cargo puesto funcao`,
  company:
    '(company|organi[sz]ation|firma|entreprise|empresa)(_name)? raison_sociale razon_social razao_social nome_fantasia nombre_comercial',
  userAgent:
    '~ user_?agent browser ua device_info device_name device_display_name device_model os_name hostname host_name computer_name machine_name',
  ip: `~ ip ip_?addr(ess)?(es)? remote_addr(ess)?`,
  link: `url uri href link homepage home_page web_?site web avatar avatar_% photo picture image logo thumbnail gravatar blog referr?er referring_% landing_page webseite foto bild`,
  /** Often the key of a file, which the application needs. */
  image: '(images?|photos?|pictures?|logos?|thumbnails?|banners?|covers?)(_file_?name)?',
  social: `(${companies}|skype|mastodon|snapchat|viber|matrix|bluesky|xing|orcid)(_(ids?|tag|name|user|user_?id|handle|nick|screen_name|account|profile|page|contact))? github_repository`,
  country: 'country land pays pais',
  foreignId: `provider_(account|user|customer|payment|refund|session|subscription|method|calendar|contact|message|charge|order|invoice|event|profile)_id provider_uid (${companies})_(%_)?(id|uid|key) auth_uid ldap_dn payer_id (%_)?transaction_id
  (external|ext|out|remote|gateway|partner|legacy|crm|third_party|foreign)_%_(id|no|number) %_external_id line_id (customer|payment|billing|merchant)_profile_id charge_id payment_(intent|method|reference)(_id)? name_id subject_id
  (%_)?login_id (?<!%_)(subscription|customer|mandate)_id (device|credential|push|fcm|apns|advertising|installation|browser|visitor|anonymous|distinct|webauthn|passkey)_(id|uid)
  (pay(ment)?|checkout|invoice|receipt|signed|invite|unsubscribe)_ur[il] onesignal_% %clid`,
  reference: 'reference (auth|response)_code',
  /** The id of a user, in another service if the table connects to one. */
  userId: `%_user_u?id user_uid`,
  externalId:
    '(?<!%_)identifier (external|auth%|remote)_identifier external_id remote_id foreign_id [uo]id contact_id provider_id',
  secret: `~ ${passwords} pass pwd pass(crypt|hash|salt|phrase|code) secret_?% token
  (api|private|access|signing|enc|encryption|activation|reset|confirmation|verification|encrypted|wrapped|protected|master|auth|consumer|cancel|ssh_private|vapid%)_?key mnemonic seed_phrase connection_string dsn database_ur[il]
  env(ironment)?_var(iable)?s (client_|code_|auth_)?challenge jwt auth_?data (join|share|invite|magic|meeting|zoom|reset|verification|confirmation|feed|calendar|ical)_(link|ur[il]) hmac otp totp hotp two_?fa% tfa mfa_%
  (backup|recovery)_?code salt nonce codeverifier verifier cookie session(id|key|data|token|hash) session sid credential auth_?code authorization_code authentication_code pgt pgtiou tgt service_ticket
  (auth|login|session)_(hash|ticket) redirect_auth_url
  (access|login|invite|invitation|verification|confirmation|confirm|reset|device|security|pin|gift|redemption|activation|unlock|join|init|return_to|registration|otp|sms|referral|signup|challenge|validation|pairing|claim|check_?in|qr)_code
  pin pincode jti encrypted ciphertext cipher csrf unsubscribe_% licen[cs]e_key key(file|tab) bearer webhook_url sad auth_config mdp geheimnis schluessel segredo jeton`,
  secretId: '= session_id access_key_id (%_)?(smtp|mail|sms|ldap)_config%',
  /** A table with such a column has logins. */
  login: `~ ${passwords} last_(login|sign_in)`,
  /** Words that turn a secret into its metadata: its scope, its source, its name. */
  notSecret: `name id u?uid guid url uri at on by hint length strength required index_% label_% usage used max min header audience issuer owner title description expires_in lifetime field selector symbol_% price cost template item attribute tokenizer_?%
  tokenized`,
  publicKey: 'public_?key pub_?key ssh_?key certificate cert fingerprint gpg_?key',
  /** A short secret or a constant of a program, depending on the table. */
  keyOrCode: `= (%_)?key slug md5 sha[0-9]+ (%_)?code value (%_)?(hash|digest) hashed_% code_hmac data (%_)?identifier ticket`,
  /** Computed from content, for comparison. */
  checksum: `~ checksum md5 md5sum sha sha[0-9]+ crc[0-9]* etag digest hash (finger|foot)print blurhash phash`,
  freeText: `${remarks} body content message msg ${descriptions} bio biography about about_me reason review answer question subject(?!s) summary detail memo transcript caption reply text raw cooked html markdown statement explanation
  complaint report (reason|feedback|comments?|notes?|details|motive?|grund|motivo|razon)_(for|of|to|on|about|de|da|del|du)_% about_(you%|my%|self) suggestions? %_describe circumstances allegations? wish(es)? special_%
  (%_)?search_terms searchable_% looking_for greeting headline quote announcement instructions testimonial observation excerpt story motivation cover_letter tagline signature csv_lines custom_status log_entry prompt selftext intro
  introduction input output anamnesis findings treatment_plan chat vcard overview narrative info information agenda justifica(c|t)ion minutes narration (clinical|medical|family)_history objective concern recommendation
  background synopsis snippet (allow|deny|block)_?list nachricht inhalt betreff grund anmerkung antwort hinweise? begruendung precision reponse objet explication texte resume contenu motif mensaje mensagem mensagens conteudo motivo
  assunto asunto texto respuesta resposta detalle detalhe resumen resumo`,
  remark: remarks,
  description: descriptions,
  reason: '(?<!other_)reason result outcome',
  ownCode: '= hash code key',
  ownHash: '= hash',
  /** The name of a term for readers. */
  label: '= label libelle bezeichnung rotulo etiqueta',
  title: titles,
  bareTitle: `= ${titles}`,
  technical: `code identifier permalink allowed_% context behaviou?r display_% purpose meta_% barcode ean upc isbn hex locked_by klass callback trigger trigger_% instance subtype app(lication)? marker cursor offset transition outcome error_class backend
  frontend driver %_file_?name slug key %path source field label tag tag_string tag_list tag_names keyword hash action event model(s|os?|e)? table column queue job_class worker namespace environment env state region bucket(_name)?
  folder directory schema(_name)? database template layout icon symbol operator expression expr query filter filter_% script sql pattern regexp? rule condition formula function class_name component components module package plugin
  service(_name)? country iso% emoji rating rank grade direction position sort group_name batch target metric dimension param args vars variables num number numero req branch commit revision ref release platform os grouping selector domain subdomain queue_name shape style css duration window sequence resource %_object command file server origin realm audience issuer stage step phase tier plan product sku tool (?<!mail_)reference %_access (month|quarter|year|week)(_str(ing)?)? (sent|done|consented|confirmed|verified|accepted|approved|completed) ord% index mask topic group codigo chave curso turma referencia`,
  identifier: 'id uuid guid uid gid pid oid objectid',
  ownId: '= id sid uid uuid (session|external)_id',
  endpoint: '= endpoint',
  value: '(?!values)val(ue|or|eur)? wert',
  state: '= state',
  ownKey: '= a?_?key',
  search: 'query term keyword search_text',
  audit:
    '= history_user(_id)? (creator|modifier)(_id)? (created|updated|changed|modified|deleted|retired|voided|archived|edited|removed)_by(_(user_)?id)?',
  ownNumber: 'number no nr num numero',
  partner: '= from to cc bcc sender recipient',
  upload: '= upload_name attachment original_file_?name',
  /** A word for a person anywhere. */
  person: `~ (?<!per_)(${persons}) e?mail phone`,
  template: `template vorlage modele plantilla (welcome|default|success|thank_you|confirmation|header|footer|introductory|help|hint|(front|home)_?page|check_?in|invoice|terms|legal|privacy|consent|banner|button|e?mail)_(message|text|body|content|title|subject) (meta|seo|og|social)_(title|description)`,
  /** Columns that people may define. */
  argument: `= (%_)?(params?|parameters|fields|arguments|args|variables)`,
  settings: `~ config(uration)?s? setting option preference schema definition filter flag feature permission param limit rule condition layout mapping order visibility variable metric state ui threshold scope type theme style color categories
  unit price pricing tier column template workflow step schedule strategy period sort geometr% usage descriptor shape label tag role args expression stats version quota term allow% locked% enabled embed% menu sections widget block
  query question trigger logic branding translation (?<!(custom|additional|extra|dynamic|updated|changed)_)field origin domain node group slug`,
  connection: 'config(uration)? connection auth_params (provider|integration|account)_data variables',
  sent: `~ payload body request response headers input output (before|after)(?!_) object changes diff traits answer form_?(data|value)`,
  sentText:
    'data rows handler raw_(http|request|response|post|body|data|payload|file|csv|source)% %csv headers json xml bytes base64 result resultado resultat ergebnis(se)? traceback exception kwargs object_repr',
  contents: `data detail identity address adresse coordonnees file attachment document fichier location ${persons} attribs content message event raw billing shipping public claims field campos champs
  clinical medical health% employ% contact_% session% credential% secret auth% webauthn% subscription`,
} as const
