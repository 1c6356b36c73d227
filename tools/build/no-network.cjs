// Replaces two packages below @actions/github in the bundle: the action builds requests with Octokit and sends them itself.
// With http-client come tunnels, node:http and node:https; with the methods, 60 KB.

// @actions/github asks @actions/http-client for two agents when it is loaded. They would be a second way into the network.
exports.HttpClient = class HttpClient {
  getAgent() {}
  getAgentDispatcher() {}
}

// @octokit/plugin-rest-endpoint-methods has a method for each endpoint. The action names routes as text.
exports.restEndpointMethods = () => ({})
