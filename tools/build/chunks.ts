import { createRequire } from 'node:module'

/** A file of dist that ncc makes: an entry with all that it needs, in one. */
export interface Chunk {
  file: string
  /** Relative to the root of the repository. */
  entry: string
  /** What it loads from another file of dist, and only when that is reached: the request and the file. */
  loads?: Record<string, string>
  /** Files for those of our modules that it loads by `import()`. */
  late?: Record<string, string>
  /** What stays out of it: the request, and the expression that stands in its place. */
  leavesOut?: Record<string, string>
}

/** The toolkit has ways into the network of its own. The action has one, with rules that hold for all (src/client). */
const withoutNetwork = {
  '@actions/http-client': '{ HttpClient: class { getAgent() {} getAgentDispatcher() {} } }',
}

/** Parts of the toolkit that src/action/host.ts does not name: tokens for other clouds, summaries, paths, facts of the machine. */
const withoutRestOfToolkit = {
  './oidc-utils.js': '{ OidcClient: class {} }',
  './summary.js': '{}',
  './path-utils.js': '{}',
  './platform.js': '{}',
}

/** How the parser of HTTP calls what happened. undici uses nothing else of the module, which makes 20 more tables. */
const { ERROR, TYPE } = createRequire(import.meta.url)('undici/lib/llhttp/constants.js') as Record<
  string,
  object
>

/** What undici loads of Node.js for little: all of its HTTP for a limit and the type of an answer, and its assertions. */
export const withoutRestOfNode = {
  'node:http': '{ IncomingMessage: class {}, maxHeaderSize: 16384 }',
  'node:assert':
    '(holds, message) => { if (!holds) throw new Error(message ?? "undici contradicts itself") }',
}

/**
 * Parts of undici that src/client never asks for: HTTP/2, forms and a second parser of HTTP/1. And a tree of the names
 * of headers, which makes thousands of answers quicker to read, and the start slower.
 */
export const withoutRestOfUndici = {
  '../llhttp/constants.js': JSON.stringify({ ERROR, TYPE }),
  './tree': '{ tree: { lookup: () => null } }',
  './client-h2.js': '{}',
  './parser-h1.js': '{}',
  '../web/fetch/body.js': '{}',
  '../web/fetch/formdata': '{}',
  '../web/webidl': '{ webidl: { is: { FormData: () => false } } }',
}

/**
 * All of dist. What only some operations need is a file of its own, so that the others need not read it: Node.js reads
 * and checks a file as a whole before it runs the first line. A chunk of a package holds nothing of `src`: a class that
 * were in two of them would be two classes. What is `late` shares its modules with the file that loads it.
 */
export const chunks: readonly Chunk[] = [
  {
    file: 'run.js',
    entry: 'build/run.js',
    loads: {
      '@actions/github': './github.js',
      pg: './pg.js',
      '../llhttp/llhttp-wasm.js': './llhttp.js',
    },
    late: {
      // Loaded by the operations of previews, all but one.
      'previews.js': 'build/preview/life.js',
      'get-connection.js': 'build/preview/get-connection.js',
      // Loaded where GitHub is asked, before its own client.
      'pull-requests.js': 'build/github/create-github.js',
      // Loaded where the environment names a proxy.
      'proxies.js': 'build/client/undici-proxies.js',
    },
    leavesOut: { ...withoutRestOfToolkit, ...withoutRestOfUndici, ...withoutRestOfNode },
  },
  // What the runner starts: small files that a Node.js of before can read, and that load the rest.
  { file: 'index.js', entry: 'build/index.js', loads: { './run.js': './run.js' } },
  { file: 'post.js', entry: 'build/post-entry.js', loads: { './run.js': './run.js' } },
  {
    file: 'github.js',
    entry: 'node_modules/@actions/github/lib/github.js',
    leavesOut: {
      ...withoutNetwork,
      undici: '{}',
      // A method for each of GitHub's endpoints; src/github names the route instead.
      '@octokit/plugin-rest-endpoint-methods': '{ restEndpointMethods: () => ({}) }',
    },
  },
  { file: 'pg.js', entry: 'node_modules/pg/lib/index.js' },
  // The parser for processors without SIMD.
  { file: 'llhttp.js', entry: 'node_modules/undici/lib/llhttp/llhttp-wasm.js' },
]
