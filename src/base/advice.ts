/** What an error says about its call. */
export interface CallDescription {
  operation: string
  method: string
  /** The path after the base address, ids filled in. */
  path: string
  /** Advice on a refusal with the status and the words of the API, where what was sent shows more than these. */
  suspect?: (status: number, words?: string) => string | undefined
}

const adviceByStatus: Record<number, string> = {
  400: 'correct the input that the message names',
  401: 'check public_key and secret_key (or api_key): both must belong to one key of this base_url, and not be exchanged',
  403: 'check that the key may do this in this project (project_id)',
  404: 'check the ids and project_id; a list operation shows what exists',
  409: 'the message says what is in the way, such as a status that does not allow this, or another change under way',
  429: 'too many requests: run the step again later, or with fewer jobs at once',
}

/** For an error of the API without a message. */
const adviceWithoutMessage: Record<number, string> = {
  400: 'compare the inputs with what the server says',
  409: 'look at the status of the record: another change may be under way; then run the step again',
}

/** Whether both match, in this order. A single expression for both could take hours on a megabyte of hostile text. */
const inOrder = (first: RegExp, second: RegExp) => (words: string) => {
  const start = words.search(first)
  return start >= 0 && second.test(words.slice(start))
}

/**
 * Causes that the API tells only in its message (docs/internals/api.md, "Errors"). If the message is unknown, the advice goes by
 * the status.
 */
const adviceByWords: [(words: string) => boolean, string][] = [
  [
    inOrder(/\bno(?:t|n't)?\b|doesn't /i, /\bsnapshots?\b/i),
    'wait a few minutes for the first snapshot of the parent, or use fork_strategy: NOW',
  ],
  [
    words => /\b(?:QUEUED|CONFIGURING|PAUSING|RESUMING|UPGRADING)\b/i.test(words),
    'wait a few minutes, as this status passes by itself, and run the step again',
  ],
  [words => /\bPAUSED\b/.test(words), 'start the service with the operation start-service'],
  [
    words => /\b(?:limit|quota)\b/i.test(words),
    'delete what is no longer needed (prune-previews finds forgotten previews), or have the limit raised',
  ],
]

/** What to do next after an answer of the API with this status and these words; `isTold` where the words are the server's. */
export function adviceFor(
  { path, suspect }: CallDescription,
  status: number,
  words: string,
  isTold: boolean,
): string {
  // These paths hold no id that could be wrong.
  if (status === 404 && /^\/(?:auth|analytics|projects$)/.test(path))
    return (
      suspect?.(status) ?? 'check that base_url is the address of the API, like https://host/public/api/v1'
    )

  return (
    (status < 500 && status !== 429 ? adviceByWords.find(([occurs]) => occurs(words))?.[1] : undefined) ??
    suspect?.(status, isTold ? words : '') ??
    (isTold ? undefined : adviceWithoutMessage[status]) ??
    adviceByStatus[status] ??
    (status >= 500
      ? 'the service has trouble: run the step again later'
      : 'look at the message of the server')
  )
}

/**
 * For an error that is not the API's own: a gateway before the API may have refused the key. Undefined for all others,
 * which tell nothing but that something else answered.
 */
export function adviceForForeign({ suspect }: CallDescription, status: number): string | undefined {
  if (status !== 401 && status !== 403) return undefined
  return (
    suspect?.(status) ??
    'check public_key and secret_key (or api_key), that the key may do this in this project, and that base_url is the address they belong to, with no proxy in its place'
  )
}
