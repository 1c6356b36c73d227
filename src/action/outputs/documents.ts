/** Turns paths of this action's documents in errors into addresses: the user's repository does not have these files. */
import { filesOfAction } from '#github/event'

export function linkDocuments(text: string, environment: NodeJS.ProcessEnv): string {
  const files = filesOfAction(environment)
  if (files === undefined) return text
  return text.replace(/(?<![\w/])docs\/(?:masking|migrations|reference)\.md\b/g, path => `${files}/${path}`)
}
