/** The files of `dist/`, by the entry that ncc bundles. Packages that few steps need are not read by the others. */
export const entries = {
  'run.js': 'build/run.js',
  'index.js': 'build/index.js',
  'post.js': 'build/post-entry.js',
  'github.js': 'node_modules/@octokit/core/dist-src/index.js',
  'pg.js': 'node_modules/pg/lib/index.js',
}
