/**
 * Turns the paths of this action's documents in an error into addresses: the user's repository does not have
 * these files.
 */

const github = 'https://github.com'

/**
 * The runner names the repository and the ref of the action, and neither for a local action (`uses: ./`). It
 * does not name the server. GitHub Enterprise Server also runs actions of github.com, with its own address in
 * GITHUB_SERVER_URL (GitHub, "Enabling automatic access to GitHub.com actions using GitHub Connect"). So an
 * address is certain only on github.com.
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
