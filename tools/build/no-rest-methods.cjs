// Stands in the bundle for a method of GitHub's client for each of its endpoints, some 60 KB: requests to GitHub name
// their route as text.
exports.restEndpointMethods = () => ({})
