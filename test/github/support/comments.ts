/** Writes the comment of a preview to a fake GitHub. */
import type { PreviewReport } from '#preview/base/github'
import type { FakeGitHub } from '../../support/github/fake-github.ts'
import { createGitHubClient } from '../../support/github/github-client.ts'
import { tokens } from '../../support/github/tokens.ts'
import { shown } from './preview-section.ts'

export const name = 'preview-pr-7-0a1b2c3d'
export const creating: PreviewReport = { state: 'creating', name }
export const ready: PreviewReport = { state: 'ready', name, host: 'db.example', port: 5432 }
export const deleted: PreviewReport = { state: 'deleted', name }

export const always = { onlyUpdate: false }
export const onlyUpdate = { onlyUpdate: true }

/** Writes, as a run of its own, to the comment on pull request 7. */
export const writerTo =
  (fake: FakeGitHub) =>
  (report: PreviewReport, options = always, token: string = tokens.actions) =>
    createGitHubClient(fake, token).github.writeComment(7, shown(report), options)

export const addressOf = (id: number | undefined) =>
  `https://github.example/octo-org/shop/pull/7#issuecomment-${id}`

/** Whether a request to GitHub changes a comment. */
export const isWrite = ({ method, path }: { method: string; path: string }) =>
  method === 'PATCH' || (method === 'POST' && path !== '/graphql')
