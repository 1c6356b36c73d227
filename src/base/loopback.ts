// Recognizes addresses of this machine.

const loopbackHosts = ['localhost', '127.0.0.1', '[::1]']

/** Whether an address is this machine. */
export const isLoopback = (url: URL) => loopbackHosts.includes(url.hostname)
