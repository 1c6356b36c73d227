/** Turns paths of this action's documents in errors into addresses: the user's repository does not have these files. */

const github = 'https://github.com'

/**
 * The runner names the repository and the ref of the action, but not its server, and nothing for a local action
 * (`uses: ./`). GITHUB_SERVER_URL may be another server: a GitHub Enterprise Server also runs actions of github.com
 * (GitHub, "Enabling automatic access to GitHub.com actions using GitHub Connect"). So only on github.com is an
 * address certain.
 */
export function linkDocuments(text: string, environment: NodeJS.ProcessEnv): string {
  const repository = environment.GITHUB_ACTION_REPOSITORY ?? ''
  const ref = environment.GITHUB_ACTION_REF ?? ''
  if (!/^[\w.-]+\/[\w.-]+$/.test(repository) || !/^[\w./-]+$/.test(ref)) return text
  return text.replace(/(?<![\w/])docs\/(?:masking|migrations|reference)\.md\b/g, path =>
    environment.GITHUB_SERVER_URL === github
      ? `${github}/${repository}/blob/${ref}/${path}`
      : `${path} of ${repository}@${ref}`,
  )
}
