/** Advice on errors of the API, from the status, the message and the request. */

/** The call that an error message names. */
export interface CallDescription {
  operation: string
  method: string
  /** Appended to the base address, with the ids filled in. */
  path: string
  /** `at HOST with the public key ABCD…`, for a message. */
  sender?: string
  /** Advice that depends on the request itself, for a refusal with this status and message. */
  adviseOnRefusal?: (status: number, message?: string) => string | undefined
}

const adviceByStatus: Record<number, string> = {
  400: 'correct the input that the message names',
  401: 'check public_key and secret_key (or api_key): both must belong to one key of this base_url, in the right order',
  403: 'check that the key is allowed to do this in this project (project_id)',
  404: 'check the ids and project_id; a list operation shows the existing records',
  409: 'resolve the conflict that the message names: the status does not allow this, or another change is in progress',
  429: 'too many requests: run the step again later, or with fewer jobs at once',
}

/** Advice for an error of the API that has no message. */
const adviceWithoutMessage: Record<number, string> = {
  400: 'compare the inputs with the answer of the server',
  409: 'check the status of the record, as another change may be in progress; then run the step again',
}

/** Whether both patterns match in order. A single one could take hours on a megabyte of hostile text. */
const matchesInOrder = (first: RegExp, second: RegExp) => (message: string) => {
  const start = message.search(first)
  return start >= 0 && second.test(message.slice(start))
}

/** Advice on causes that only the API's message reveals (docs/internals/api.md, "Errors"). */
const adviceByMessage: [matches: (message: string) => boolean, advice: string][] = [
  [
    matchesInOrder(/\bno(?:t|n't)?\b|doesn't /i, /\bsnapshots?\b/i),
    'wait a few minutes for the first snapshot of the parent, or use fork_strategy: NOW',
  ],
  [
    message => /\b(?:QUEUED|CONFIGURING|PAUSING|RESUMING|UPGRADING)\b/i.test(message),
    'wait a few minutes until this status has passed, and run the step again',
  ],
  [message => /\bPAUSED\b/.test(message), 'start the service with the operation start-service'],
  [
    message => /\b(?:limit|quota)\b/i.test(message),
    'delete services that you no longer need (prune-previews finds forgotten previews), or ask for a higher limit',
  ],
]

/** The instruction for an error of the API. `isServerMessage` is false if the action itself wrote the message. */
export function adviseOnApiError(
  { path, adviseOnRefusal }: CallDescription,
  status: number,
  message: string,
  isServerMessage: boolean,
): string {
  // These paths contain no id that could be wrong.
  if (status === 404 && /^\/(?:auth|analytics|projects$)/.test(path))
    return (
      adviseOnRefusal?.(status) ??
      'check that base_url is the address of the API, like https://host/public/api/v1'
    )

  // The message of an overloaded or failing server does not explain a refusal.
  const isRefusal = status < 500 && status !== 429
  const [, onMessage] = adviceByMessage.find(([matches]) => isRefusal && matches(message)) ?? []
  if (onMessage !== undefined) return onMessage
  const onRequest = adviseOnRefusal?.(status, isServerMessage ? message : '')
  if (onRequest !== undefined) return onRequest
  const onStatus = (isServerMessage ? undefined : adviceWithoutMessage[status]) ?? adviceByStatus[status]
  if (onStatus !== undefined) return onStatus
  return status >= 500
    ? 'the service has a problem: run the step again later'
    : 'read the message of the server'
}

/** Advice on a refusal of a gateway before the API; undefined for statuses that do not concern the key. */
export function adviseOnGatewayError(
  { adviseOnRefusal }: CallDescription,
  status: number,
): string | undefined {
  if (status !== 401 && status !== 403) return undefined
  return (
    adviseOnRefusal?.(status) ??
    'check public_key and secret_key (or api_key), that the key is allowed to do this in this project, and that base_url is the address of the API and not of a proxy'
  )
}
