/** Turns paths of this action's documents in errors into addresses: the user's repository does not have these files. */
import { filesOfAction } from '#github/event'

/** Without a certain address, the text names the repository of the action. */
export function linkDocuments(text: string, environment: NodeJS.ProcessEnv): string {
  const files = filesOfAction(environment)
  const { GITHUB_ACTION_REPOSITORY: repository } = environment
  if (!repository) return text
  return text.replace(/(?<![\w/])docs\/(?:masking|migrations|reference)\.md\b/g, path =>
    files === undefined ? `${path} of ${repository}` : `${files}/${path}`,
  )
}
