/** One change of the source text; the test of the simulator fails where the text is not there any more. */
interface Edit {
  file: string
  from: string
  to: string
}

/** A deliberately broken variant of production code, and the promise that it breaks. */
export interface Break {
  invariants: string[]
  edits: Edit[]
}

const nothingLeft = 'nothing is left after the end of the job'
const nothingLeftOfPreviews = 'nothing is left after delete-preview and prune'
const oneDatabase = 'never two databases for one pull request'
const sameDatabase = 'all runs of a pull request give the same database'
const onlyOurs = 'nothing is deleted that is not ours'
const onlyClosed = 'prune deletes only what is closed'
const clearEnd = 'a run ends with outputs or a clear error'
const leavesOne = 'a run that succeeds leaves exactly one'
const inTime = 'a run ends by its deadline'
const twoPosts = 'a run sends two creating requests at most'
const leavesSoon = 'a cancelled run ends within 5 s'

const change = (file: string, from: string, to: string): Edit => ({ file: `src/${file}`, from, to })
const broken = (invariants: string[], ...edits: Edit[]): Break => ({ invariants, edits })

/** By what is left out or done wrong. */
export const breaks: Record<string, Break> = {
  'the intent is not written ahead': broken(
    [nothingLeft],
    change('operations/create-once.ts', 'this.context.journal.intend(this.intent)', ''),
  ),
  'the id is not written down': broken(
    [nothingLeft, clearEnd],
    change(
      'operations/create-operation.ts',
      'journal.created({ resource: row.creates, ids: outcome.ids }, outcome)',
      'journal.withdraw()',
    ),
  ),
  'the end of the job looks only once': broken(
    [nothingLeft],
    change('operations/cleanup.ts', 'intent.searched ? 0 : latestProcessing', '0'),
  ),
  'what is created is dated by the clock of the runner': broken(
    [nothingLeft, leavesOne, oneDatabase, sameDatabase],
    change('operations/create-once.ts', 'this.context.client.date()', 'this.context.seam.date()'),
  ),
  'a lost answer is not looked for before the request is repeated': broken(
    [leavesOne, nothingLeft, oneDatabase],
    change('operations/create-once.ts', 'isDoubtful(failure) ? looks : [0]', '[0]'),
  ),
  'a creating request is repeated like any other': broken(
    [twoPosts, leavesOne, nothingLeft],
    change('client/retry.ts', "row.method !== 'POST' || row.repeatable", 'true'),
  ),
  'a creating request is sent three times': broken(
    [twoPosts],
    change('operations/create-once.ts', 'const mostPosts = 2', 'const mostPosts = 3'),
  ),
  'twins of a preview stay': broken(
    [oneDatabase, sameDatabase],
    change('preview/converge.ts', 'await this.removeTwins(twins)', ''),
    change('preview/converge.ts', 'after.length === 1 && after[0]', 'after[0]'),
  ),
  'each run keeps its own twin': broken(
    ['all runs succeed on a clear day', sameDatabase],
    change(
      'preview/converge.ts',
      "alive.sort(byAge('service'))",
      'alive.sort(one => (one.service_id === mine?.service.service_id ? -1 : 1))',
    ),
  ),
  'a lost request is not outlasted': broken(
    [oneDatabase, sameDatabase],
    change('preview/converge.ts', 'await this.outlastLostRequest()', ''),
  ),
  'prune forgets what is closed': broken(
    [nothingLeftOfPreviews],
    change('preview/prune-decision.ts', "state === 'closed'", 'false'),
  ),
  'prune deletes what is open': broken(
    [onlyClosed, nothingLeftOfPreviews],
    change('preview/prune-decision.ts', "state === 'closed'", "state === 'open'"),
  ),
  'prune believes an incomplete list': broken(
    [onlyClosed],
    change(
      'preview/prune.ts',
      "open.has(number) ? 'open' : await context.github.readPullRequest(number)",
      "open.has(number) ? 'open' : 'closed'",
    ),
    change('preview/prune.ts', 'if (state !== decision.state)', 'if (false)'),
  ),
  'prune counts no deletions': broken(
    ['prune deletes max_deletions at most'],
    change('preview/prune.ts', 'deletions <= maxDeletions', 'true'),
  ),
  'prune deletes in a dry run': broken(
    ['a dry run changes nothing'],
    change('preview/prune.ts', 'if (context.settings.preview.dryRun)', 'if (false)'),
  ),
  'the guard lets PROD go': broken(
    [onlyOurs],
    change('preview/guard.ts', "?.toUpperCase() === 'PROD'", " === 'NEVER'"),
    change('preview/guard.ts', 'if (parentId !== undefined && service', 'if (false && service'),
  ),
  'the guard does not look at the parent': broken(
    [onlyOurs],
    change('preview/guard.ts', 'if (parentId !== undefined && service', 'if (false && service'),
  ),
  'prune takes every prefix': broken(
    [onlyOurs],
    change('preview/prune.ts', '&& name.prefix === context.settings.preview.namePrefix', ''),
    change('preview/guard.ts', 'if (parentId !== undefined && service', 'if (false && service'),
  ),
  'what was there before is taken for ours': broken(
    [onlyOurs, leavesOne, nothingLeft],
    change(
      'operations/intent.ts',
      'if (intent.existing.includes(idOf(intent.resource, record))) return false',
      '',
    ),
  ),
  'the answer is trusted and not the record': broken(
    [clearEnd],
    change('operations/endpoint-operation.ts', 'if (!settings.wait) return outcome', 'return outcome'),
  ),
  'an adopted service stays without a password': broken(
    ['the password of the outputs is the one in effect'],
    change('operations/create-operation.ts', '!outcome.adopted || project_id', 'true || project_id'),
  ),
  'a failure is not explained': broken(
    [clearEnd],
    change('operations/create-once.ts', 'throw this.lost(failure, found)', 'throw new Error(String(found))'),
  ),
  'the deadline is forgotten': broken(
    [inTime],
    change(
      'operations/settled.ts',
      'const left = deadline - seam.now()',
      'const left = deadline + 3e6 - seam.now()',
    ),
  ),
  'a Retry-After is waited for however late': broken(
    [inTime],
    change('client/client.ts', 'if (seam.now() + delay > deadline) return false', ''),
  ),
  'a wait does not hear the signal': broken(
    [leavesSoon],
    change('client/client.ts', 'await seam.sleep(delay, signal)', 'await seam.sleep(delay)'),
    change(
      'operations/create-once.ts',
      'await seam.sleep(Math.max(0, at - seam.now()), signal)',
      'void signal; await seam.sleep(Math.max(0, at - seam.now()))',
    ),
  ),
  'a password gets into the state': broken(
    ['the state holds no secret', nothingLeft],
    change(
      'operations/create-operation.ts',
      'journal.created({ resource: row.creates, ids: outcome.ids }, outcome)',
      'journal.created({ resource: row.creates, ids: { ...outcome.ids, peering_id: outcome.password ?? "" } }, outcome)',
    ),
  ),
}
