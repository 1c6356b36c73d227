/** The context of a dry run, which refuses every change. */
import { isRead } from '#api/endpoint'
import { endpoints } from '#api/endpoints'
import { type AnyCall, type Client, clientOf } from '#client/client'
import type { OpenDatabase } from '#contents/open-database'
import type { PreviewContext } from './context.ts'
import type { GitHub } from './github.ts'

/** The error of a change in a dry run. This is a defect: the operation must stop before. */
const defect = (change: string) => new Error(`a dry run tried ${change}; nothing was changed`)

function readOnlyClient(client: Client): Client {
  const call: AnyCall = async (name, parameters, options) => {
    if (!isRead(endpoints[name])) throw defect(name)
    return await client.callAny(name, parameters, options)
  }
  return clientOf(call, () => client.date())
}

/** The methods of GitHub that a dry run may call. */
const readMethods = new Set<string>([
  'readPullRequest',
  'listPullRequests',
  'readFiles',
  'readChangedFiles',
  'listQueueHeads',
  'readApproval',
  'readShownLoss',
] satisfies (keyof GitHub)[])

function readOnlyGitHub(github: GitHub): GitHub {
  const members = Object.entries(github).map(([name, member]) => [
    name,
    readMethods.has(name) ? member : () => Promise.reject(defect(name)),
  ])
  return Object.fromEntries(members)
}

function readOnlyContents(database: OpenDatabase): OpenDatabase {
  const refuse = (change: string) => () => Promise.reject(defect(change))
  return {
    ...database,
    writeNote: refuse('a note'),
    quarantine: refuse('quarantine'),
    seed: refuse('seed_file'),
    storeSchema: refuse('its schema'),
    mask: refuse('masking'),
  }
}

/** A context that refuses changes, even those made by a mistake in an operation. */
export function readOnlyContext<Needed extends PreviewContext>(context: Needed): Needed {
  const refuse = () => {
    throw defect('a note of what it creates')
  }
  return {
    ...context,
    client: readOnlyClient(context.client),
    github: readOnlyGitHub(context.github),
    openContents: (connection, timeout, use) =>
      context.openContents(connection, timeout, database => use(readOnlyContents(database))),
    // Leaves no usage marker.
    probe: (connection, timeout) => context.probe(connection, timeout),
    withSession: () => Promise.reject(defect('a session')),
    journal: { intend: refuse, withdraw: () => {}, announce: refuse, publish: () => {} },
  }
}
