/** Broken variants of masked parents, and of previews forked from them. */
import { type Break, broken, change } from './breaking.ts'

const calledMasked = 'what is called masked is masked and quarantined'
const onlyFinished = 'with masked: true only finished masked copies are forked'
const onlyCopies = 'a night touches nothing but masked copies of its repository'
const othersWork = 'a night leaves what another one is at work on'
const newestStay = 'the two newest masked copies stay'
const twoAtMost = 'no more than two masked copies are kept'
const nothingHalf = 'what a night leaves half done is deleted by a later one'
const maskedOnce = 'nothing is masked twice'
const onlyFinishedPaused = 'of masked copies only finished ones are paused'
const onlyMasked = 'nobody who asks for a masked database gets the way into another'

const night = (from: string, to: string) => change('preview/masked/create-masked-parent.ts', from, to)
const guard = (from: string) => change('preview/masked/copies.ts', from, 'if (false)')
const remove = (from: string, to: string) => change('preview/masked/delete.ts', from, to)

/** Breaks masked copies, and previews that fork them. */
export const maskedBreaks: Record<string, Break> = {
  'a copy has the name of a finished one from the start': broken(
    [calledMasked],
    night("renderMaskedName({ stage: 'masking', ", "renderMaskedName({ stage: 'masked', "),
  ),
  'masking goes on where it broke off': broken([maskedOnce], night('if (hasMaskingBegun)', 'if (false)')),
  'the post step deletes a finished copy': broken([newestStay], night('  context.journal.withdraw()\n', '')),
  'a copy of another repository counts as owned by the run': broken(
    [onlyCopies, onlyFinished],
    guard('if (name.repositoryHash !== repositoryHash)'),
  ),
  'previews are forked from copies at work': broken(
    [onlyFinished],
    change(
      'preview/masked/copies.ts',
      "findMasked(context, owner, 'masked')",
      "findMasked(context, owner, 'masking')",
    ),
  ),
  'a preview is published without the masking stamp': broken(
    [onlyMasked],
    change(
      'preview/prepare/masking.ts',
      'if (!settings.preview.masked) return undefined',
      'if (settings) return undefined',
    ),
  ),
  'all copies but the own are deleted': broken(
    [newestStay],
    remove('others.slice(keptCopies - 1)', 'others'),
  ),
  'older copies stay': broken([twoAtMost], remove('others.slice(keptCopies - 1)', '[]')),
  'what killed nights left stays': broken([nothingHalf], night('await deleteAbandoned(context, owner)', '')),
  'what another night is at work on is deleted': broken(
    [othersWork],
    remove('?? 0) > longest', '?? 0) >= 0'),
  ),
  'copies are paused while a night is at work on them': broken(
    [onlyFinishedPaused],
    change('preview/prune/pause-masked.ts', "{ stage: 'masked' }", "{ stage: 'masking' }"),
    change('preview/prune/pause-masked.ts', "owner, 'masked')", "owner, 'masking')"),
    change('preview/prune/pause-masked.ts', '?? 0) < pauseAfter', '?? 0) < 0'),
    change(
      'preview/prune/pause-masked.ts',
      'return await reasonInUse(context, service, pauseAfter)',
      'return undefined',
    ),
  ),
}
