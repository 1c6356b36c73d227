import { anyText, define, parseCount, parseKey, parseTime, visible } from './input-definition.ts'

/** Inputs for the runner, and the networks around it. */
export const runnerInputs = {
  github_token: define({
    // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of the workflow language
    runnerDefault: '${{ github.token }}',
    secret: true,
    parse: parseKey(/^[\x21-\x7e]+$/, visible),
  }),
  list_lag: define({
    parse: parseTime,
  }),
  request_timeout: define({
    parse: parseTime,
  }),
  max_attempts: define({
    parse: text => parseCount(text),
  }),
  job_status: define({
    // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of the workflow language
    runnerDefault: '${{ job.status }}',
    parse: anyText,
  }),
}
