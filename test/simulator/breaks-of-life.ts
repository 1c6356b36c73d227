/** Broken variants of the rules, pauses, limits and dry runs of previews. */
import { type Break, broken, change, changeIn } from './breaking.ts'

const identity = changeIn('preview/base/identity.ts')
const pruneDecision = changeIn('preview/on-github/prune-decision.ts')
const reasonForNone = changeIn('preview/on-github/reason-for-none.ts')
const subjectStates = changeIn('preview/on-github/subject-states.ts')
const pause = changeIn('preview/prune/pause.ts')
const sweep = changeIn('preview/prune/sweep.ts')
const limit = changeIn('preview/services/create.ts')

/** A dry run refuses no change. */
const mayChange = change('action/inputs/operation-table.ts', 'context.settings.dryRun ?', 'false ?')

/** Of the rules for previews of pull requests, and of the merge queue. */
const ruleBreaks: Record<string, Break> = {
  'the input label is ignored': broken(
    ['asRuled'],
    reasonForNone('const isLabeled = wanted === undefined ||', 'const isLabeled = true ||'),
  ),
  'only the first of several labels counts': broken(
    ['asRuled', 'openKeeps', 'oneNext'],
    pruneDecision('wanted.some(name', 'wanted.slice(0, 1).some(name'),
  ),
  'the event decides instead of the present state': broken(
    ['asRuled', 'openKeeps'],
    change(
      'preview/by-event.ts',
      'const facts = await context.github.readPullRequest(number)\n    if (facts.state',
      'await context.github.readPullRequest(number)\n    const facts = { ...event.pullRequest, state: "open" } as never as PullRequest\n    if (facts.state',
    ),
  ),
  'prune treats a queue entry as a pull request': broken(
    ['queueKept'],
    subjectStates('parsePreviewName(name)?.pullRequest', 'numberOf(name).pullRequest'),
    subjectStates(
      'const queueEntry = (',
      `const numberOf = (text = '') => ({ pullRequest: Number(/-(?:pr|mq)-0*(\\d+)/.exec(text)?.[1] ?? 1) })
const queueEntry = (`,
    ),
  ),
  'prune does not read the queue again before a deletion': broken(
    ['queueKept'],
    sweep(
      'facts = await subjects.readNow(service)',
      "facts = previewOf(service).pullRequest === undefined ? { state: before?.state ?? 'left' } : await subjects.readNow(service)",
    ),
  ),
}

/** Breaks pausing, expiry, and the limit of previews. */
const idleBreaks: Record<string, Break> = {
  'prune does not query the database for sessions': broken(
    ['onlyIdle'],
    pause('await reasonInUse(context, service, pauseAfter)', 'undefined'),
  ),
  'open sessions do not count as use': broken(['onlyIdle'], pause('if (sessions > 0)', 'if (sessions > 99)')),
  'an unreachable database counts as unused': broken(
    ['onlyIdle'],
    pause('return `its open sessions', 'if (failure === undefined) return `its open sessions'),
  ),
  'a published connection does not count as use': broken(
    ['onlyIdle'],
    pause('return publishedFor < pauseAfter ?', 'return publishedFor < 0 ?'),
  ),
  'get-connection leaves no usage marker': broken(
    ['onlyIdle'],
    change(
      'preview/services/login.ts',
      'context.probe(connection, timeout, { leavesMarker: true })',
      'context.probe(connection, timeout)',
    ),
  ),
  'a push does not count as use': broken(
    ['onlyIdle'],
    pause('return idleFor < pauseAfter ?', 'return idleFor < 0 ?'),
  ),
  'prune pauses a preview with keep_label': broken(
    ['onlyIdle'],
    pause('reasonByLabel(context, facts) ?? ', ''),
  ),
  'a paused preview is not started': broken(
    ['clearDay', 'oneNext', 'clearEnd'],
    change('preview/services/ready.ts', "await context.client.call('start-service', ids)", ''),
  ),
  'prune deletes a preview with keep_label for its age': broken(
    ['onlyClosed'],
    pruneDecision('if (labeled !== undefined) return', 'if (labeled === null) return'),
    sweep('if (labeled !== undefined) return labeled', ''),
  ),
  'max_previews is ignored': broken(
    ['maxPreviews'],
    limit('if (others.length < maxPreviews) return', 'if (others.length < 99) return'),
  ),
}

/** Breaks several prefixes, and dry runs. */
const otherBreaks: Record<string, Break> = {
  'prune without a prefix uses the default prefix': broken(
    ['noneLeft'],
    change(
      'preview/prune/prune.ts',
      'namePrefix === undefined ||',
      "namePrefix === undefined ? parsePreviewName(name)?.prefix === 'preview' :",
    ),
  ),
  'a run finds a preview with another prefix': broken(
    ['ownPreview', 'onlyOwn'],
    identity(
      'previewBaseOf(service.name) === preview.base)',
      "(previewBaseOf(service.name) ?? '').split('-').slice(-3).join() === preview.base.split('-').slice(-3).join())",
    ),
    identity('return name.startsWith(preview.base)', 'return true'),
  ),
  'a dry run of a preview changes': broken(
    ['onlyReads'],
    change('preview/operations/create-preview.ts', 'if (context.settings.dryRun)', 'if (false)'),
    mayChange,
  ),
  'a dry run of a step changes': broken(
    ['onlyReads'],
    change('operations/endpoint-operation.ts', 'if (settings.dryRun && !isRead(row))', 'if (false)'),
    mayChange,
  ),
}

export const lifeBreaks: Record<string, Break> = {
  ...ruleBreaks,
  ...idleBreaks,
  ...otherBreaks,
}
