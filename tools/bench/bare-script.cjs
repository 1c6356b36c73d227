// The smallest program that requests a fork and reads it: the baseline for a step.
const http = require('node:http')

const [address, serviceId] = process.argv.slice(2)

const ask = (method, path, body) =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' }
    const request = http.request(`${address}${path}`, { method, headers }, response => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', chunk => {
        text += chunk
      })
      response.on('end', () => resolve(JSON.parse(text)))
    })
    request.on('error', reject)
    request.end(body)
  })

ask('POST', `/projects/project1/services/${serviceId}/forkService`, '{"name":"fork","fork_strategy":"NOW"}')
  .then(fork => ask('GET', `/projects/project1/services/${fork.service_id}`))
  .then(fork => process.stdout.write(`${fork.status}\n`))
