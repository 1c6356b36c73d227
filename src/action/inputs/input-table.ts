/** The table of all inputs. This file defines those for the operation, the address and the keys. */
import { fieldInputs } from '#api/field-table'
import { expression, type Input } from '#api/fields/input'
import { contentsInputs, rehearsalInputs } from '#database/inputs'
import { type InputRow, inGroup, type Parsed, parseText } from '#operations/base/input-row'
import { stepInputs } from '#operations/base/inputs'
import { previewInputs } from '#preview/base/inputs'
import { shortestSecret } from '#preview/base/password'
import { parseBaseUrl } from './base-url.ts'

const visible = 'visible ASCII characters in one line'
const longEnough = `at least ${shortestSecret} ${visible}`

/** Keys are sent by Basic authentication: visible ASCII, and no colon in the public key (RFC 7617). */
function parseKey(pattern: RegExp, expected: string) {
  return (text: string): Parsed<string> => (pattern.test(text) ? { value: text } : { expected })
}

function parseSecret(text: string): Parsed<string> {
  return text.length < shortestSecret
    ? { expected: longEnough }
    : parseKey(/^[\x21-\x7e]+$/, longEnough)(text)
}

export const accessInputs = {
  ...inGroup('Every step', {
    operation: {
      about: 'One of the operations listed in docs/reference.md.',
      required: true,
      example: 'preview',
      ignored: 'never',
      parse: parseText,
    },
    base_url: {
      about: 'Address of the API, ending with `/public/api/v1`. Keys are sent only there.',
      required: true,
      example: 'https://console.cloud.tigerdata.com/public/api/v1',
      ignored: 'never',
      parse: parseBaseUrl,
    },
    public_key: {
      about: 'Public key of the API key pair, which belongs to one project.',
      otherwise: undefined,
      example: expression('secrets.DATABASE_PUBLIC_KEY'),
      ignored: 'never',
      secret: true,
      parse: parseKey(/^[\x21-\x39\x3b-\x7e]+$/, `${visible}, without ":"`),
    },
    secret_key: {
      about: 'Secret key of the API key pair. Pass it from a secret.',
      otherwise: undefined,
      example: expression('secrets.DATABASE_SECRET_KEY'),
      ignored: 'never',
      secret: true,
      parse: parseKey(/^[\x21-\x7e]+$/, visible),
    },
    api_key: {
      about: 'Both keys, as `public:secret`, instead of `public_key` and `secret_key`.',
      otherwise: undefined,
      example: expression('secrets.DATABASE_API_KEY'),
      ignored: 'never',
      secret: true,
      parse: parseKey(/^[\x21-\x39\x3b-\x7e]+:[\x21-\x7e]+$/, `public:secret in ${visible}`),
    },
  }),
  ...inGroup('Previews', {
    password_secret: {
      about: `Secret from which the passwords of previews are derived: at least ${shortestSecret} random characters. Set the same one in all workflows: passwords then survive a rotated key.`,
      otherwise: `the secret key, if it has at least ${shortestSecret} characters`,
      example: expression('secrets.DATABASE_PASSWORD_SECRET'),
      ignored: 'harmless',
      secret: true,
      parse: parseSecret,
    },
    seal_secret: {
      about: `Secret that seals the output \`sealed_url\`, and opens it as \`database_url\` of a later job: at least ${shortestSecret} random characters. It must differ from all keys, because code of pull requests may read it.`,
      otherwise: 'nothing is sealed',
      example: expression('secrets.DATABASE_SEAL_SECRET'),
      ignored: 'harmless',
      secret: true,
      parse: parseSecret,
    },
    github_token: {
      about: 'Token that reads pull requests and writes the comment.',
      runnerDefault: expression('github.token'),
      example: expression('github.token'),
      ignored: 'never',
      secret: true,
      parse: parseKey(/^[\x21-\x7e]+$/, visible),
    },
  }),
  ...inGroup('Requests', {
    job_status: {
      about: 'Set by the runner, for the post step. Do not set it.',
      runnerDefault: expression('job.status'),
      example: expression('job.status'),
      ignored: 'never',
      parse: parseText,
    },
  }),
}

export const ownInputs: Record<string, InputRow> = {
  ...previewInputs,
  ...contentsInputs,
  ...rehearsalInputs,
  ...stepInputs,
  ...accessInputs,
}

/** All inputs, in the order of the reference. */
export const inputTable: Record<string, Input> = { ...ownInputs, ...fieldInputs }
