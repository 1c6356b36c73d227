const loopbackHosts = ['localhost', '127.0.0.1', '[::1]']

/** Whether an address is this machine itself. */
export const isLoopback = (url: URL) => loopbackHosts.includes(url.hostname)
