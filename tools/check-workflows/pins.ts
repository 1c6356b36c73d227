/** A use of another repository's action, by the commit of its stated version. */
export interface Pin {
  repository: string
  sha: string
  tag: string
}

/** The pins of a workflow, each once. The action's own pins in documents are placeholders for a future release. */
export function findPins(text: string): Pin[] {
  const lines = text.matchAll(/uses: ([\w-]+\/[\w.-]+)[\w./-]*@([0-9a-f]{40}) # (v[\d.]+)/g)
  const pins = [...lines].map(([, repository = '', sha = '', tag = '']) => ({ repository, sha, tag }))
  return [...new Map(pins.map(pin => [JSON.stringify(pin), pin])).values()]
}

/**
 * The problem with a pin; undefined if there is none. A commit that does not exist fails the job that names it, and one
 * of a fork of the repository would run the fork's code.
 * @param refs the output of `git ls-remote` for the tag; `^{}` is the commit of an annotated one
 */
export function judgePin({ repository, sha, tag }: Pin, refs: string): string | undefined {
  const commits = new Map(refs.split('\n').map(line => line.split('\t').reverse() as [string, string]))
  const commit = commits.get(`refs/tags/${tag}^{}`) ?? commits.get(`refs/tags/${tag}`)
  if (commit === sha) return undefined
  return `${repository}@${sha} is said to be ${tag}, which is ${commit ?? 'no tag there'}`
}
