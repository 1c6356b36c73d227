/** What the page knows. */
export const page = {
  /** The header with the API key, while the page is unlocked. */
  authorization: undefined,
  basePath: '',
  projectId: '',
  /** Passwords that were asked for, by the id of the service. */
  shown: new Map(),
  /** The overview that is shown. */
  latest: undefined,
  /** Asks for all there is to see; set by main.js. */
  look: async () => {},
  /** Shows once more what is known; set by main.js. */
  redraw: () => {},
}

/** Asks the emulator; throws with its own words where it refuses. */
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

export const ofService = id => `${page.basePath}/projects/${page.projectId}/services/${id}`
