/** The files of `dist/`, by the entry that ncc bundles. Packages that few steps need are not read by the others. */
export const entries = {
  'run.js': 'build/run.js',
  'index.js': 'build/index.js',
  'post.js': 'build/post-entry.js',
  'llhttp.js': 'tools/build/llhttp.cjs',
  'octokit.js': 'node_modules/@actions/github/lib/github.js',
  'no-network.js': 'tools/build/no-network.cjs',
  'pg.js': 'tools/build/pg.cjs',
  'yaml.js': 'tools/build/yaml-parser.js',
}
