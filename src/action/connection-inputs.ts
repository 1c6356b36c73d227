import { anyText, define, parseFlag, parseOneOf } from './input-definition.ts'

/** Inputs for the outputs of a connection, and who gets them. */
export const connectionInputs = {
  database_name: define({
    parse: anyText,
  }),
  database_user: define({
    parse: anyText,
  }),
  sslmode: define({
    parse: parseOneOf('require', 'verify-full', 'verify-ca', 'prefer', 'allow', 'disable'),
  }),
  export_env: define({
    parse: parseFlag,
  }),
}
