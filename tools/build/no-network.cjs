// Replaces three packages below @actions/github in the bundle: the action builds requests with Octokit and sends them
// itself. http-client would add tunnels, node:http and node:https; the methods would add 60 KB, and the pages 11 KB.

// @actions/github requests two agents of @actions/http-client when it is loaded. They would be a second network client.
exports.HttpClient = class HttpClient {
  getAgent() {}
  getAgentDispatcher() {}
}

// @octokit/plugin-rest-endpoint-methods has a method for each endpoint. The action names routes as text.
exports.restEndpointMethods = () => ({})

// @octokit/plugin-paginate-rest sends requests for pages. The action reads pages with its own transport.
exports.paginateRest = () => ({})
