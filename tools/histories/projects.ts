/** The public projects whose migrations are rehearsed, each from a checkout that its user names. */

/** How the tool of a project sends a migration. */
export interface Sending {
  /** Between BEGIN and COMMIT of the tool. */
  transaction: boolean
  /** One message for each statement; otherwise one for the whole migration. */
  split: boolean
}

export interface Project {
  repository: string
  /** The folder of the migrations, in the order of the times in their names. */
  folder: string
  pattern: RegExp
  sending: Sending
  /** The part of a file that migrates up; the whole file by default. */
  select?: (text: string) => string
}

const prisma = { pattern: /\/migration\.sql$/, sending: { transaction: false, split: false } }
const diesel = { pattern: /\/up\.sql$/, sending: { transaction: true, split: false } }
const goose = {
  pattern: /\.sql$/,
  sending: { transaction: true, split: true },
  select: (text: string) => text.split(/^-- \+goose Down\b/m)[0] ?? text,
}

export const projects: Project[] = [
  { repository: 'rust-lang/crates.io', folder: 'migrations', ...diesel },
  { repository: 'documenso/documenso', folder: 'packages/prisma/migrations', ...prisma },
  { repository: 'formbricks/formbricks', folder: 'packages/database/migration', ...prisma },
  { repository: 'hatchet-dev/hatchet', folder: 'cmd/hatchet-migrate/migrate/migrations', ...goose },
  { repository: 'hoppscotch/hoppscotch', folder: 'packages/hoppscotch-backend/prisma/migrations', ...prisma },
  { repository: 'langfuse/langfuse', folder: 'packages/shared/prisma/migrations', ...prisma },
  { repository: 'LemmyNet/lemmy', folder: 'migrations', ...diesel },
]
