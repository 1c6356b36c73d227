import { shortestSecret } from '../preview/password.ts'
import { parseBaseUrl } from './base-url.ts'
import { anyText, define, parseKey, visible } from './input-definition.ts'

const longEnough = `at least ${shortestSecret} ${visible}`

/** Inputs of every step: the operation, the address, and the keys. */
export const keyInputs = {
  operation: define({
    parse: anyText,
  }),
  base_url: define({
    parse(text) {
      const parsed = parseBaseUrl(text)
      return 'url' in parsed ? { value: parsed.url } : parsed
    },
  }),
  public_key: define({
    secret: true,
    parse: parseKey(/^[\x21-\x39\x3b-\x7e]+$/, `${visible}, without ":"`),
  }),
  secret_key: define({
    secret: true,
    parse: parseKey(/^[\x21-\x7e]+$/, visible),
  }),
  api_key: define({
    secret: true,
    parse: parseKey(/^[\x21-\x39\x3b-\x7e]+:[\x21-\x7e]+$/, `public:secret in ${visible}`),
  }),
  password_secret: define({
    secret: true,
    parse: text =>
      text.length < shortestSecret ? { expected: longEnough } : parseKey(/^[\x21-\x7e]+$/, longEnough)(text),
  }),
}
