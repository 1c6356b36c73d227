/** Broken variants of masked parents, and of previews forked from them. */
import { type Break, broken, change, changeIn } from './breaking.ts'

const night = (from: string, to: string) => change('preview/masked/create-masked-parent.ts', from, to)
const guard = (from: string) => change('preview/masked/copies.ts', from, 'if (false)')
const remove = (from: string, to: string) => change('preview/masked/delete.ts', from, to)

const masking = changeIn('preview/prepare/preparation-steps.ts')
const pauseMasked = changeIn('preview/prune/pause.ts')
const parent = changeIn('preview/services/create.ts')

/** Breaks masked copies, and previews that fork them. */
export const maskedBreaks: Record<string, Break> = {
  'a copy has the name of a finished one from the start': broken(
    ['calledMasked'],
    night("renderMaskedName({ stage: 'masking', ", "renderMaskedName({ stage: 'masked', "),
  ),
  'masking continues after a broken connection': broken(
    ['maskedOnce'],
    night('if (hasMaskingBegun)', 'if (false)'),
  ),
  'the post step deletes a finished copy': broken(
    ['newestStay'],
    night('  context.journal.withdraw()\n', ''),
  ),
  'a masked copy of another repository counts as owned by the run': broken(
    ['onlyCopies', 'onlyFinished'],
    guard('if (name.repositoryHash !== repositoryHash)'),
  ),
  'previews are forked from unfinished copies': broken(
    ['onlyFinished'],
    parent("findMasked(context, owner, 'masked')", "findMasked(context, owner, 'masking')"),
  ),
  'a preview is published without the masking stamp': broken(
    ['onlyMasked'],
    masking('if (!settings.preview.masked) return undefined', 'if (settings) return undefined'),
  ),
  'create-masked-parent deletes all other copies': broken(
    ['newestStay'],
    remove('others.slice(keptCopies - 1)', 'others'),
  ),
  'create-masked-parent deletes no older copies': broken(
    ['twoAtMost'],
    remove('others.slice(keptCopies - 1)', '[]'),
  ),
  'create-masked-parent does not delete abandoned copies': broken(
    ['nothingHalf'],
    night('await deleteAbandoned(context, owner)', ''),
  ),
  'create-masked-parent deletes unfinished copies of other runs': broken(
    ['othersWork'],
    remove('?? 0) > longest', '?? 0) >= 0'),
  ),
  'prune pauses unfinished copies': broken(
    ['onlyFinishedPaused'],
    pauseMasked("{ stage: 'masked' }", "{ stage: 'masking' }"),
    pauseMasked("owner, 'masked')", "owner, 'masking')"),
    pauseMasked('age < pauseAfter', 'age < 0'),
    pauseMasked('await reasonInUse(context, service, pauseAfter)', 'undefined'),
  ),
}
