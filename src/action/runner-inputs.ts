import { anyText, define, parseCount, parseKey, parseTime, visible } from './input-definition.ts'

/** What the runner and the networks around it ask for. */
export const runnerInputs = {
  github_token: define({
    description: 'Token to read pull requests and write the comment with.',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of the workflow language
    runnerDefault: '${{ github.token }}',
    secret: true,
    parse: parseKey(/^[\x21-\x7e]+$/, visible),
  }),
  list_lag: define({
    description:
      'How long the lists and reads of the API may lag behind its changes. A new preview is handed out that long after it was made, so that runs of the same moment agree on one. With the emulator `100ms` is enough.',
    default: '10s',
    parse: parseTime,
  }),
  request_timeout: define({
    description: 'How long one request may take.',
    default: '30s to read, 60s to change something',
    parse: parseTime,
  }),
  max_attempts: define({
    description: 'How often a request that may be repeated is tried.',
    default: '5',
    parse: text => parseCount(text),
  }),
  job_status: define({
    description: 'Filled in by the runner; tells the end of the job whether it failed. Leave it alone.',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of the workflow language
    runnerDefault: '${{ job.status }}',
    parse: anyText,
  }),
}
