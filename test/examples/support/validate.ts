/** Validates workflows with GitHub's language service. */
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { resolve } from 'node:path'
import { TextDocument } from 'vscode-languageserver-textdocument'
import { parse } from 'yaml'
import { ourName } from './reference-to-us.ts'
import { repository } from './workflow-file.ts'

// The official validator imports JSON as bundlers do, without the attribute that Node requires.
const hook = registerHooks({
  load(url, context, next) {
    if (!url.endsWith('.json')) return next(url, context)
    return {
      format: 'module',
      shortCircuit: true,
      source: `export default ${readFileSync(new URL(url), 'utf8')}`,
    }
  },
})
const { validate } = await import('@actions/languageservice')
const { DescriptionDictionary } = await import('@actions/expressions')
const { StringData } = (await import('@actions/expressions')).data
// Removed again: it would break other files of this worker, which `require` JSON.
hook.deregister()

/** The secrets and variables of a team's repository. A called workflow declares the ones that it needs. */
const known: Record<string, string[]> = {
  vars: ['DATABASE_BASE_URL', 'DATABASE_SERVICE_ID', 'VERCEL_ORG_ID', 'VERCEL_PROJECT_ID'],
  secrets: [
    ...['DATABASE_PUBLIC_KEY', 'DATABASE_SECRET_KEY', 'DATABASE_PASSWORD_SECRET'],
    ...['DATABASE_URL', 'DATABASE_SEAL_SECRET', 'VERCEL_TOKEN'],
  ],
}

const read = (path: string) => readFileSync(resolve(repository, path), 'utf8')

/**
 * The errors of GitHub's own language service in a workflow or action.yml, as `line: problem`. It works offline, with
 * our action and workflows, and assumes that others exist.
 */
export async function findProblems(path: string, text = read(path)): Promise<string[]> {
  // The service derives the kind of a file from its address, and caches files by it.
  const address = path.endsWith('action.yml')
    ? path
    : `${path.replaceAll('/', '-')}/.github/workflows/${path}`
  const document = TextDocument.create(`file:///${address}`, 'yaml', 1, text)
  const found = await validate(document, {
    actionsMetadataProvider: {
      fetchActionMetadata: async ({ owner, path: folder }) =>
        owner === ourName.split('/')[0]
          ? parse(read(`${folder ?? '.'}/action.yml`))
          : { name: '', description: '' },
    },
    fileProvider: {
      getFileContent: async file => {
        if (!('repository' in file)) throw new Error('only workflows of this repository are called')
        return { name: file.path, content: read(file.path) }
      },
    },
    contextProviderConfig: {
      getContext: async (name, given) => {
        const isOfTeam = path.startsWith('examples/') || path.endsWith('/live.yml')
        const keys = isOfTeam ? known[name] : undefined
        return keys
          ? new DescriptionDictionary(...keys.map(key => ({ key, value: new StringData('') })))
          : given
      },
    },
  })
  return found.map(({ range, message }) => `${range.start.line + 1}: ${message}`)
}
