/** The accounts and tokens of the fake GitHub. */
import type { Account } from './records.ts'

export const actionsBot: Account = { login: 'github-actions[bot]', id: 41_898_282, type: 'Bot' }
export const octocat: Account = { login: 'octocat', id: 583_231, type: 'User' }
export const previewApp: Account = { login: 'preview-app[bot]', id: 77_001, type: 'Bot' }

/** The permissions of a token in the one repository. */
export interface Grant {
  account: Account
  /** Tokens of apps, the job's own among them, have no user behind them. */
  kind: 'user' | 'app'
  access: 'write' | 'read' | 'none'
  contents: 'read' | 'none'
  /** Whether the repository exists for it. */
  seesRepository: boolean
}

export const tokens = {
  /** GITHUB_TOKEN with `permissions: pull-requests: write`. */
  actions: 'ghs_actions',
  /** GITHUB_TOKEN in a pull request from a fork. */
  readOnly: 'ghs_readonly',
  /** GITHUB_TOKEN with `permissions: {}`. */
  bare: 'ghs_bare',
  /** As actions/create-github-app-token creates it. */
  app: 'ghs_app',
  personal: 'ghp_personal',
  /** The personal token of an outside user. */
  stranger: 'ghp_stranger',
} as const

const member = { access: 'write', contents: 'read', seesRepository: true } as const

export const grants: Record<string, Grant> = {
  [tokens.actions]: { ...member, account: actionsBot, kind: 'app' },
  [tokens.readOnly]: { ...member, account: actionsBot, kind: 'app', access: 'read' },
  [tokens.bare]: { ...member, account: actionsBot, kind: 'app', access: 'none', contents: 'none' },
  [tokens.app]: { ...member, account: previewApp, kind: 'app' },
  [tokens.personal]: { ...member, account: octocat, kind: 'user' },
  [tokens.stranger]: {
    account: octocat,
    kind: 'user',
    access: 'none',
    contents: 'none',
    seesRepository: false,
  },
}

/** The grant of an Authorization header: `token …` and `Bearer …` are the same to GitHub. */
export function grantOf(authorization: string | undefined): Grant | 'anonymous' | 'unknown' {
  if (authorization === undefined) return 'anonymous'
  return grants[authorization.replace(/^(?:token|bearer) /i, '')] ?? 'unknown'
}
