/** Renders preview sections for tests. */
import { renderMarkdown } from '#base/render-markdown'
import { commentStyle } from '#github/comment/comment-style'
import type { PreviewReport, ShownPreview } from '#preview/base/github'
import { reportPreview } from '#preview/on-github/preview-report'
import { defaultSettings } from '../../simulator/default-settings.ts'

const facts = { pullRequest: 7, hasPasswordSecret: true, settings: defaultSettings.preview }

/** The section of a comment on a preview, as GitHub shows it. */
export const renderPreview = (
  report: PreviewReport,
  runUrl: string,
  now: number,
  source?: string,
  more: Partial<Parameters<typeof reportPreview>[1]> = {},
): string =>
  renderMarkdown(
    reportPreview(report, { runUrl, now, packageSource: source, ...facts, ...more }),
    commentStyle(text => text, 20_000),
  )

const migrations = {
  creating: 'goes',
  ready: 'stays',
  paused: 'stays',
  failed: 'stays',
  deleted: 'is folded',
} as const

/** A report with its blocks, as previews give it to GitHub's client. */
export const shown = (report: PreviewReport): ShownPreview => ({
  ...report,
  blocks: reportPreview(report, {
    runUrl: 'https://github.com/octo-org/shop/actions/runs/42',
    now: 0,
    ...facts,
  }),
  migrations: migrations[report.state],
})
