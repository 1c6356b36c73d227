// Stands in the bundle for the toolkit's own client of HTTP, of which GitHub's client asks two agents when it is loaded.
// They would be a second way into the network; requests to GitHub go by src/github/ask/fetch.ts.
exports.HttpClient = class HttpClient {
  getAgent() {}
  getAgentDispatcher() {}
}
