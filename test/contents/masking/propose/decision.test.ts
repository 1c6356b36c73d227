/** Tests the decision for a column from evidence: each row, the dictionary, and values against names. */
import { describe, expect, it } from 'vitest'
import { decide, rows } from '#contents/masking/propose/decision'
import type { TableTopic } from '#contents/masking/propose/dictionary'
import { type Evidence, holds } from '#contents/masking/propose/facts'
import type { Measured } from '#contents/masking/propose/measure'
import { affixRemover, isTable, normalize, removeTable } from '#contents/masking/propose/names'

function evidenceOf(name: string, known: Partial<Evidence> = {}): Evidence {
  const table = normalize(known.table ?? 'things')
  return {
    ...{ type: 'text', family: 'text', holdsText: true, length: null, fixed: undefined, tool: undefined },
    ...{ isListed: false, hasCheck: false, hasDefaultText: false, isKey: false, isUnique: false },
    ...{ isReference: false, isOfEntity: false, isLookup: false, hasTextIds: false },
    isRowId: false,
    isPart: false,
    ...{ isPersonal: isTable(table, 'people'), beside: [], measured: undefined, ...known },
    ...{ name: normalize(name), table },
  }
}

const values = (shares: Measured['shares'], known: Partial<Measured> = {}): Measured => ({
  ...{ count: 200, distinct: 200, length: 24, hashes: [], hasEmail: false, ...known },
  shares,
})

type Example = [table: string, name: string, rule: string, known?: Partial<Evidence>]
const json = { family: 'json', type: 'jsonb' } as const
const bytes = { family: 'bytes', type: 'bytea' } as const
const other = { family: 'other', type: 'xml' } as const
const number = { family: 'number', type: 'double precision', holdsText: false } as const
const repeated = values({ word: 1 }, { distinct: 4 })

/** One for each row, in their order. */
const examples: Example[] = [
  ['events', 'day', 'keep', { fixed: 'decides in which partition a row is' }],
  ['schema_migrations', 'version', 'keep', { tool: 'Rails' }],
  ['lines', 'order', 'keep', { isReference: true }],
  ['people', 'gender', 'shuffle', { isListed: true }],
  ['people', 'shirt_size', 'keep', { isListed: true }],
  ['shoes', 'token', 'keep', { isRowId: true }],
  ['firewall_rules', 'origin', 'keep', { family: 'ip', type: 'inet' }],
  ['visits', 'origin', 'ip', { family: 'ip', type: 'inet' }],
  ['rides', 'track', 'null', { family: 'geometry', type: 'geometry(LineStringZ,4326)' }],
  ['farms', 'field', 'location', { family: 'geography', type: 'extensions.geography(MultiPolygon,4326)' }],
  ['sightings', 'spot', 'location', { family: 'point', type: 'point' }],
  ['countries', 'border', 'keep', { family: 'geometry', type: 'geometry' }],
  ['diary_entries', 'latitude', 'location', number],
  ['patients', 'birth_date', 'date', { family: 'date', type: 'date', holdsText: false }],
  ['people', 'birth_year', 'shuffle', number],
  ['people', 'reset_token', 'token', { family: 'uuid', type: 'uuid', holdsText: false }],
  ['reset_tokens', 'id', 'token', { family: 'uuid', type: 'uuid', holdsText: false, beside: ['expiry'] }],
  ['companies', 'security_code', 'shuffle', number],
  ['body_measurements', 'value', 'shuffle', { ...number, isPart: true }],
  ['members', 'github_id', 'shuffle', number],
  ['patients', 'phone', 'shuffle', number],
  ['orders', 'total', 'keep', number],
  ['widgets', 'settings', 'json', { ...json, measured: values({ email: 1 }) }],
  ['widgets', 'config', 'json', { ...json, measured: values({ personKeys: 1 }) }],
  ['widgets', 'content', 'keep', { ...json, measured: values({ textless: 1 }) }],
  ['web_sessions', 'state', 'json', json],
  ['sso_providers', 'config', 'json', json],
  ['audit_logs', 'params', 'json', json],
  ['site_settings', 'value', 'keep', json],
  ['dashboards', 'chart_config', 'keep', json],
  ['hooks', 'request_body', 'json', json],
  ['plans', 'extras', 'keep', json],
  ['shelves', 'description', 'keep', json],
  ['orders', 'customer', 'json', json],
  ['gadgets', 'extras', 'keep', { ...json, measured: values({ word: 1 }) }],
  ['users', 'extras', 'json', json],
  ['dashes', 'extras', 'keep', json],
  ['accounts', 'encrypted_token', 'token', bytes],
  ['passkeys', 'handle', 'token', bytes],
  ['uploads', 'sha256', 'keep', bytes],
  ['templates', 'picture', 'keep', bytes],
  ['uploads', 'blob', 'null', bytes],
  ['articles', 'words', 'null', { family: 'other', type: 'tsvector' }],
  ['articles', 'branch_of', 'keep', { family: 'other', type: 'ltree' }],
  ['pages', 'layout', 'keep', other],
  ['letters', 'essay_xml', 'null', other],
  ['channels', 'value', 'json', { measured: values({ json: 0.7, email: 0.3 }) }],
  ['things', 'extra', 'email', { measured: values({ email: 0.9 }) }],
  ['things', 'e_mail', 'email'],
  ['things', 'extra', 'ip', { measured: values({ ip: 0.9 }) }],
  ['things', 'extra', 'token', { measured: values({ knownSecret: 0.9 }) }],
  ['things', 'extra', 'text', { measured: values({ userAgent: 0.9 }) }],
  ['push_subscriptions', 'endpoint', 'url'],
  ['mail_connectors', 'config', 'text'],
  ['ciphers', 'fields', 'text'],
  ['things', 'marker_flag', 'keep', { length: 1 }],
  ['patients', 'blood_type', 'text', { isPersonal: true }],
  ['things', 'address_type', 'keep'],
  ['things', 'lastLoginIp', 'ip'],
  ['secrets', 'key', 'keep', { beside: ['value'] }],
  ['things', 'webhook_url', 'url'],
  ['things', 'resetPasswordToken', 'token'],
  ['plans', 'secrets', 'token'],
  ['user_settings', 'value', 'keep', { isPersonal: true }],
  ['signup_tokens', 'url', 'url'],
  ['audit_logs', 'sql_text', 'text'],
  ['user_searches', 'query', 'text'],
  ['session_store', 'value', 'text'],
  ['sso_auth', 'state', 'token'],
  ['api_keys', 'value', 'token'],
  ['user_activations', 'hash', 'token', { isPersonal: true }],
  ['imports', 'key', 'token', { measured: values({ secret: 1 }) }],
  ['user_sessions', 'id', 'token'],
  ['login_tokens', 'id', 'token', { measured: values({ secret: 1 }) }],
  ['passcodes', 'id', 'token', { measured: values({ secret: 1 }) }],
  ['social_accounts', 'key', 'token', { beside: ['secret'] }],
  ['license_checks', 'fingerprint', 'token', { beside: ['user_agent'] }],
  ['visits', 'fingerprint', 'token', { isPersonal: true }],
  ['links', 'provider_id', 'token', { beside: ['provider'] }],
  ['readings', 'device_id', 'keep', { isOfEntity: true }],
  ['payments', 'stripe_customer_id', 'token'],
  ['customers', 'external_id', 'token'],
  ['bank_entries', 'reference', 'token'],
  ['oauth_links', 'flickr_user_id', 'token'],
  ['lines', 'order_id', 'keep', { isKey: true }],
  ['wish_notes', 'key', 'token', { isPersonal: true }],
  ['things', 'mobile', 'phone'],
  ['things', 'extra', 'phone', { measured: values({ phone: 0.9 }) }],
  ['versions', 'full_name', 'keep'],
  ['readings', 'device_name', 'keep', { isOfEntity: true }],
  ['refunds', 'requested_by', 'keep', { hasTextIds: true }],
  ['runs', 'owner', 'keep', { measured: values({ prefixed: 1 }) }],
  ['things', 'lastName', 'name'],
  ['votes', 'voter', 'keep', { length: 3 }],
  ['tags', 'author_name', 'name'],
  ['profiles', 'discord_tag', 'text'],
  ['patients', 'name', 'name'],
  ['notes', 'display_name', 'name', { isPersonal: true }],
  ['things', 'extra', 'name', { measured: values({ person: 0.9 }) }],
  ['things', 'iban', 'digits'],
  ['phone_numbers', 'number', 'phone'],
  ['credit_cards', 'number', 'digits'],
  ['things', 'geburtsdatum', 'digits'],
  ['things', 'zip_code', 'digits'],
  ['things', 'address_line1', 'text'],
  ['things', 'extra', 'text', { measured: values({ postal: 0.9 }) }],
  ['things', 'state', 'text', { beside: ['zip'] }],
  ['people', 'number', 'text', { isPersonal: true }],
  ['things', 'hometown', 'text'],
  ['things', 'latlng', 'location'],
  ['things', 'device_name', 'text'],
  ['visits', 'country', 'text', { isPersonal: true, beside: ['ip'] }],
  ['users', 'occupation', 'text'],
  ['queue', 'profession', 'text', { beside: ['email', 'phone'] }],
  ['invoices', 'company_name', 'text', { isPersonal: true }],
  ['sms_log', 'from', 'text'],
  ['shops', 'background_image', 'keep'],
  ['attachments', 'file_name', 'text'],
  ['documents', 'name', 'text', { isPersonal: true }],
  ['users', 'avatar_url', 'url'],
  ['files', 'etag', 'keep'],
  ['passkeys', 'name', 'text', { isPersonal: true }],
  ['gadgets', 'label', 'text', { isPersonal: true, beside: ['push_token'] }],
  ['refunds', 'details', 'keep', { measured: repeated }],
  ['flips', 'reason', 'keep', { type: 'character varying(8)', length: 8 }],
  ['presets', 'deny_list', 'text'],
  ['categories', 'description', 'keep'],
  ['units_of_work', 'description', 'keep'],
  ['notices', 'template', 'keep'],
  ['fairs', 'summary_text', 'keep', { beside: ['slug', 'is_public'] }],
  ['walls', 'description', 'keep', { beside: ['owner_ref_id'] }],
  ['bans', 'reason', 'keep', { type: 'character varying(40)' }],
  ['wiki_pages', 'body', 'text', { isPersonal: true }],
  ['posts', 'body', 'text'],
  ['audits', 'request', 'text'],
  ['topics', 'title', 'text', { isPersonal: true }],
  ['petitions', 'title', 'text'],
  ['things', 'page_title', 'keep'],
  ['things', 'slug', 'keep'],
  ['users', 'actor_id', 'url', { measured: values({ url: 1 }) }],
  ['inboxes', 'source_id', 'token', { measured: values({ phone: 0.5 }, { hasEmail: true }) }],
  ['things', 'uuid', 'keep'],
  ['things', 'extra', 'keep', { measured: repeated }],
  ['diaries', 'name', 'text', { isPersonal: true }],
  ['custom_fields', 'field_value', 'text'],
  ['prescriptions', 'strength', 'text', { isPersonal: true }],
  ['shelves', 'name', 'token', { measured: values({ secret: 1 }, { length: 90 }) }],
  ['users', 'credited_name', 'text'],
  ['plans', 'name', 'keep'],
  ['vessels', 'operator_name', 'text', { beside: ['operator_phone'] }],
  ['things', 'name', 'keep'],
  ['things', 'extra', 'text', { measured: values({ sentence: 0.9 }) }],
  ['things', 'extra', 'token', { measured: values({ secret: 0.9 }) }],
  ['articles', 'link', 'url', { isPersonal: true }],
  ['things', 'link', 'keep'],
  ['users', 'extra', 'text'],
  ['sessions', 'extra', 'text', { isPersonal: true }],
  ['lessons', 'mentor_of_choice', 'text', { isPersonal: true }],
  ['things', 'extra', 'keep', { measured: values({ other: 1 }) }],
  ['things', 'extra', 'text', { type: 'character varying(4096)', length: 4096 }],
  ['things', 'extra', 'keep'],
  ['things', 'extra', 'text', { measured: values({ other: 1 }, { length: 80 }) }],
]

it('decides an example of each row', () => {
  const reached = examples.map(([table, name, , known]) => {
    const index = rows.findIndex(({ when }) => holds(when, evidenceOf(name, { ...known, table })))
    return [table, name, rows[index]?.rule, index]
  })
  expect(reached).toEqual(examples.map(([table, name, rule], index) => [table, name, rule, index]))
  expect(examples).toHaveLength(rows.length)
})

describe('the dictionary', () => {
  const words: Record<string, string> = {
    email: 'email_normalized ds_email_tomador Email contactEmail correo_electronico courriel',
    phone: `
      called_number callbackph cntct_phn telefonnummer celular_aviso telefonomedico tel_laboral PhoneNumber
      fax mietertel tel_bureau
    `,
    name: `
      custnm mthr_mdn_nm officerlname surname_sent viewerName bidder_name forename nachname prénom apellidos
      sobrenome userName benutzername licensee_name principal_name signatureAuthor taken_over_by responsável
      nome_mãe nom_usage deliveredby radi_prim_apel kontoinh vnam angelegt_von saisi_par nom_famille
      nm_tomador no_acompanhante recebidoPor director_general
    `,
    text: `
      occurloc straße calle endereço bemerkungen commentaire observações user_agent other_reason
      last_interaction hist_obse onlinetext body_type memo_line parent_occupation hausnr kuendigungsgrund
      motif_refus avis_conseil gespraechsprotokoll lieu_accident motivo_traslado ds_logr_tomador
      observacionmedica bssid inbox_guidelines bypassReason
    `,
    digits: `
      foreign_tin ccno bank_code cardLast4 plz code_postal cep cpf numéro_dossier_nir cartão_saúde
      steuernummer ssn passport_number license_plate doc_number kd_nr empfaengerkonto iban_commission
      num_licence nr_cpf_socio matricula_nacional num_cta numero_empleado
    `,
    token: `
      relay_state visitor_hash identity_id ping_key tracker_id
      wpa_psk authkey fbclid session_token_raw passwort mot_de_passe contraseña smtp_config out_trade_no
      senha cd_verificacao llave_api usua_pasw auth_header accesskeyid apiKey backupCodes totp_secret
      door_intercom_code decryptKey session_sid OAuthClientSecret mailpw kennw_salz digicode
    `,
    keep: `
      passkey_sign_in client_id db_user codec_long
      secretPath secretBlindIndex encryptedHeadersAlgorithm slackAppId slackBotUserId boundSubject who_comment tokenUrl
      author_release_notes credential_technology stts_cd dltflg currency waehrung langue token_type
      email_verified_at_status content_type permalink server_name order_name keytype governing_body
      banner_mobile mfa_item aasm_state payment_meta_reason_code type_of_contract turno validity_per_user
      outcome_in_quarter code_commune_insee browser_name webserverredirecturi vertragsart created_by_flow
      messaging_service_sid switchboard_phone surfaced_by reject_reason_code tax_code processing_owner
      handle sperrkz warengruppe hersteller rechnungsnr mode_reglement etat_impression titulo_documento
      cuenta_contable cd_servico lib_rubrique code_vendeur price_per_person positionstext cor_produto
    `,
  }
  it.each(
    Object.entries(words).flatMap(([rule, names]) =>
      names
        .trim()
        .split(/\s+/)
        .map(name => [name, rule]),
    ),
  )('gives %s the rule %s', (name, rule) => {
    expect(decide(evidenceOf(name)).rule).toBe(rule)
  })
})

describe('names of tables', () => {
  it.each([
    ['account_history', 'name', 'name'],
    ['story_texts', 'description', 'text'],
    ['access_tokens', 'id', 'token'],
    ['web_hooks', 'config', 'text'],
    ['legal_texts', 'content', 'keep'],
    ['org_policies', 'data', 'keep'],
    ['annotations', 'title', 'text'],
    ['archived_users', 'name', 'name'],
    ['order_shippingaddress', 'line1', 'text'],
    ['order_comments', 'body', 'text'],
    ['plan_subscriptions', 'body', 'text'],
    ['user_roles', 'name', 'keep'],
    ['customer_statuses', 'name', 'keep'],
    ['machine_users', 'name', 'keep'],
    ['reserved_usernames', 'name', 'keep'],
    ['ticket_field_values', 'value', 'text'],
    ['invitations', 'code', 'token'],
    ['sms', 'number', 'phone'],
    ['email_verifications', 'code', 'token'],
    ['income_verifications', 'match_code', 'keep'],
    ['system_messages', 'body', 'keep'],
    ['gl_accounts', 'name', 'keep'],
    ['kmip_clients', 'name', 'keep'],
    ['secret_tags', 'slug', 'keep'],
    ['script_temp', 'content', 'keep'],
    ['identity_ldap_auths', 'url', 'keep'],
    ['http_sessions_v2', 'key', 'token'],
    ['workspace_key', 'key', 'token'],
    ['tipo_cliente', 'name', 'keep'],
    ['audit_trail', 'valor_antigo', 'text'],
    ['OAuthClients', 'name', 'keep'],
    ['message_versions', 'body', 'text'],
    ['custom_attribute_definitions', 'display_name', 'keep'],
    ['attachments', 'external_id', 'keep'],
    ['accounts', 'parent_account_id', 'keep'],
    ['users', 'external_reference', 'token'],
  ])('gives %s.%s the rule %s', (table, name, rule) => {
    expect(decide(evidenceOf(name, { table })).rule).toBe(rule)
  })
})

it.each<[table: string, topic: TableTopic, isOf: boolean]>([
  ['customer_notes', 'belongings', true],
  ['customer_categories', 'belongings', false],
  ['shop_itemcategory', 'vocabulary', true],
  ['historicalschool', 'institutions', true],
  ['cust', 'people', true],
])('takes %s for one of %s: %s', (table, topic, isOf) => {
  expect(isTable(table, topic)).toBe(isOf)
})

describe('a name beside other columns', () => {
  it.each<[name: string, beside: string[], rule: string]>([
    ['buyer_nom', ['buyer_prenom'], 'name'],
    ['description', ['libelle', 'owner_ref_id'], 'keep'],
    ['name', ['mails_sent'], 'keep'],
    ['title', ['description'], 'keep'],
    ['full_name', ['first_name'], 'name'],
    ['full_name', ['short_name'], 'keep'],
    ['provider_id', ['provider'], 'token'],
    ['provider_id', ['provider', 'client_id'], 'keep'],
    ['particulars', ['first_name', 'email'], 'text'],
    ['particulars', ['first_name'], 'keep'],
  ])('%s beside %j has the rule %s', (name, beside, rule) => {
    expect(decide(evidenceOf(name, { beside, table: 'waiting_queue' })).rule).toBe(rule)
  })

  it.each([
    ['session_data', {}, 'token'],
    ['session_token', { secret: 1 }, 'keep'],
    ['access_token', { secret: 1 }, 'token'],
    ['access_token', {}, 'keep'],
  ])('gives the id of a session beside %s, whose values are %j, the rule %s', (other, shares, rule) => {
    const known = { beside: [other], table: 'sessions', measured: values(shares) }
    expect(decide(evidenceOf('id', known)).rule).toBe(rule)
  })
})

it.each<[count: number, distinct: number, rule: string]>([
  [37, 3, 'keep'],
  [37, 30, 'text'],
  [8, 2, 'text'],
])('%i short texts, %i of them different, have the rule %s', (count, distinct, rule) => {
  const measured = values({ word: 1 }, { count, distinct, length: 8 })
  const brief = { type: 'character varying(10)', length: 10, measured }
  expect(decide(evidenceOf('date_display', { table: 'users', ...brief })).rule).toBe(rule)
})

it.each<[name: string, rule: string, known: Partial<Evidence>]>([
  ['access_token_trusted_ips', 'keep', { ...json, measured: values({ personKeys: 1 }) }],
  ['secret_key', 'keep', { measured: values({ constant: 1 }) }],
  ['metadata', 'keep', { ...json, isPersonal: true, measured: values({ word: 1 }) }],
  ['metadata', 'json', { ...json, isPersonal: true, measured: values({ person: 1 }) }],
  ['created_by', 'keep', { measured: values({ uuid: 1 }) }],
  ['sharing_uuid', 'token', { family: 'uuid', type: 'uuid', holdsText: false }],
  ['args', 'json', { ...json, table: 'mail_tasks' }],
  ['args', 'keep', json],
  ['settings', 'json', { ...json, table: 'plugins' }],
  ['settings', 'keep', { ...json, table: 'users' }],
])('gives %s the rule %s by its values, its type or its table', (name, rule, known) => {
  expect(decide(evidenceOf(name, known)).rule).toBe(rule)
})

it('keeps a link whose values are no links', () => {
  const measured = values({ word: 1 })
  expect(decide(evidenceOf('landing_page', { table: 'posts', isPersonal: true, measured })).rule).toBe('keep')
})

describe('the name of a secret', () => {
  const push = ['user_id', 'push_token']
  it.each<[table: string, name: string, rule: string, known: Partial<Evidence>]>([
    ['webauthn', 'name', 'text', { isPersonal: true }],
    ['webauthn_credentials', 'nickname', 'name', { isPersonal: true }],
    ['api_keys', 'label', 'text', { isPersonal: true }],
    ['api_keys', 'key_name', 'text', { isPersonal: true }],
    ['ssh_keys', 'title', 'text', { isPersonal: true }],
    ['access_tokens', 'description', 'text', { isPersonal: true }],
    ['security_keys', 'name', 'text', { isPersonal: true }],
    ['devices', 'name', 'text', { isPersonal: true, beside: push }],
    // The same names in tables without a secret or without a person.
    ['devices', 'name', 'keep', { isPersonal: true, beside: ['user_id', 'vendor'] }],
    ['devices', 'name', 'keep', { beside: push }],
    ['api_keys', 'name', 'keep', {}],
    ['teams', 'name', 'keep', { isPersonal: true, beside: push }],
    ['oauth_applications', 'name', 'keep', { isPersonal: true, beside: ['secret'] }],
    ['gadgets', 'name', 'keep', { isPersonal: true, beside: ['push_token', 'price', 'enabled'] }],
    ['api_keys', 'name', 'keep', { isPersonal: true, measured: repeated }],
  ])('%s.%s has the rule %s', (table, name, rule, known) => {
    expect(decide(evidenceOf(removeTable(name, table), { table, ...known })).rule).toBe(rule)
  })
})

it('takes a polygon with curved sides for an area, not for a track', () => {
  const curved = { family: 'geometry', type: 'geometry(CurvePolygon,4326)' } as const
  expect(decide(evidenceOf('shape', curved)).rule).toBe('location')
})

describe('a shared affix', () => {
  it('leaves a name of more than one character', () => {
    const names = ['id', 'adhx', 'adhnom', 'adhville', 'adhtel']
    expect(names.map(affixRemover(names))).toEqual(['id', 'adhx', 'nom', 'ville', 'tel'])
  })
  it('has two characters if most names of a legacy table begin with them', () => {
    const names = ['empno', 'emlnam', 'emfnam', 'emssn', 'emi_dc']
    const short = ['empno', 'lnam', 'fnam', 'ssn', 'i_dc']
    expect(names.map(affixRemover([...names, 'emdept', 'emvisa']))).toEqual(short)
    expect(names.map(affixRemover(names))).toEqual(names)
  })
  it('ends at the end of a word', () => {
    const names = ['created_at', 'credit_note', 'cream_x', 'crew_x']
    expect(names.map(affixRemover(names))).toEqual(names)
  })
})

it('is uncertain about a column to keep if one of its values has an e-mail address', () => {
  const decideSlug = (hasEmail: boolean) =>
    decide(evidenceOf('slug', { measured: values({ word: 1 }, { hasEmail }) }))
  expect(decideSlug(false)).toMatchObject({ rule: 'keep', confidence: 'likely' })
  expect(decideSlug(true)).toEqual({
    ...{
      rule: 'keep',
      confidence: 'uncertain',
      reason: 'a technical term, but a value has an e-mail address',
    },
  })
})

it('is uncertain about names that look like sentences', () => {
  const decideName = (measured: Measured) => decide(evidenceOf('name', { table: 'posts', measured }))
  expect(decideName(values({ sentence: 0.9 }))).toMatchObject({ rule: 'keep', confidence: 'uncertain' })
  expect(decideName(values({ word: 0.9 }))).toMatchObject({ rule: 'keep', confidence: 'likely' })
})

it.each([
  ['nm_aluno', 'aluno', 'name'],
  ['role_name', 'roles', 'name'],
  ['ds_cargo', 'cargos', 'description'],
  ['role_name', 'users', 'role_name'],
])('reads %s in the table %s as %s', (name, table, short) => {
  expect(removeTable(name, table)).toBe(short)
})

it('keeps the name of a thing that has a public page', () => {
  const measured = values({ person: 0.9 })
  expect(decide(evidenceOf('extra', { measured, beside: ['slug'] })).rule).toBe('keep')
  expect(decide(evidenceOf('extra', { measured })).rule).toBe('name')
})

describe('the reason', () => {
  it('names the tool or the obstacle', () => {
    expect(decide(evidenceOf('version', { tool: 'Flyway' })).reason).toBe('Flyway needs it')
    expect(decide(evidenceOf('day', { fixed: 'belongs to postgres' })).reason).toBe('belongs to postgres')
  })
})
