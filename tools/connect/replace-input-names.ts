/** Replaces inputs of the action in an error by the options of this command. */

/** Inputs of the action, and this command's source of the same value. */
const replacements: [words: RegExp, own: string][] = [
  [/ \(or api_key\)/g, ''],
  [/\bbase_url\b/g, 'DATABASE_BASE_URL'],
  [/\bpublic_key\b/g, 'DATABASE_PUBLIC_KEY'],
  [/\bsecret_key\b/g, 'DATABASE_SECRET_KEY'],
  [/\b(Check|check) service_id\b/g, '$1 SERVICE_ID'],
  [/\bthe runner\b/g, 'this machine'],
  [/, or the container of the job\b/g, ''],
  [/\brun the step again\b/g, 'run the command again'],
  [/, or raise request_timeout \(or wait_timeout\)/g, ''],
]

export const replaceInputNames = (message: string): string =>
  replacements.reduce((text, [words, own]) => text.replace(words, own), message)
