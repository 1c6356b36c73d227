// The smallest program that reads a list, or a service until it is READY: the baseline for finding a service among many,
// and for the memory of a waiting step.
const http = require('node:http')

const look = () =>
  http.get(process.argv[2], response => {
    const chunks = []
    response.on('data', chunk => chunks.push(chunk))
    response.on('end', () => {
      const found = JSON.parse(Buffer.concat(chunks).toString('utf8'))
      if (Array.isArray(found) || found.status === 'READY') process.stdout.write(`${found.length}\n`)
      else setTimeout(look, 1000)
    })
  })

look()
