import { shortestSecret } from '../preview/password.ts'
import { parseBaseUrl } from './base-url.ts'
import { anyText, define, parseKey, visible } from './input-definition.ts'

const longEnough = `at least ${shortestSecret} ${visible}`

/** What every step says: the operation, the address, and the keys. */
export const keyInputs = {
  operation: define({
    description: 'What to do: one of the operations listed in docs/reference.md.',
    parse: anyText,
  }),
  base_url: define({
    description: 'Address of the API, ending with `/public/api/v1`. Keys are sent there and nowhere else.',
    parse(text) {
      const parsed = parseBaseUrl(text)
      return 'url' in parsed ? { value: parsed.url } : parsed
    },
  }),
  public_key: define({
    description: 'Public key of the API key pair.',
    secret: true,
    parse: parseKey(/^[\x21-\x39\x3b-\x7e]+$/, `${visible}, without ":"`),
  }),
  secret_key: define({
    description: 'Secret key of the API key pair. Pass it from a secret.',
    secret: true,
    parse: parseKey(/^[\x21-\x7e]+$/, visible),
  }),
  api_key: define({
    description: 'Both keys in one, as `public:secret`, in place of `public_key` and `secret_key`.',
    secret: true,
    parse: parseKey(/^[\x21-\x39\x3b-\x7e]+:[\x21-\x7e]+$/, `public:secret in ${visible}`),
  }),
  password_secret: define({
    description: `What the passwords of previews are derived from, at least ${shortestSecret} random characters from a secret. With the same one in all workflows, passwords outlive a rotated key and are the same for several keys.`,
    default: `the secret key, where it has at least ${shortestSecret} characters`,
    secret: true,
    parse: text =>
      text.length < shortestSecret ? { expected: longEnough } : parseKey(/^[\x21-\x7e]+$/, longEnough)(text),
  }),
}
