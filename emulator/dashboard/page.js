/** The state of the page. */
export const page = {
  /** The header with the API key, while the page is unlocked. */
  authorization: undefined,
  basePath: '',
  projectId: '',
  /** Requested passwords, by the id of the service. */
  shown: new Map(),
  /** The displayed overview. */
  latest: undefined,
  /** Reads the overview; set by main.js. */
  look: async () => {},
  /** Displays the known data again; set by main.js. */
  redraw: () => {},
}

/** Calls the emulator; throws with the emulator's message after a refusal. */
export async function ask(method, path, body) {
  const headers = {
    ...(page.authorization && { authorization: page.authorization }),
    ...(body && { 'content-type': 'application/json' }),
  }
  const answer = await fetch(path, { method, headers, body: body ? JSON.stringify(body) : undefined })
  const text = await answer.text()
  const value = text === '' ? undefined : JSON.parse(text)
  if (!answer.ok) throw new Error(value?.message ?? `the emulator answered ${answer.status}`)
  return value
}

export const ofServices = () => `${page.basePath}/projects/${page.projectId}/services`

export const ofService = id => `${ofServices()}/${id}`
