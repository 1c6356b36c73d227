// The smallest program that reads a list: the baseline for finding one service among many.
const http = require('node:http')

http.get(process.argv[2], response => {
  const chunks = []
  response.on('data', chunk => chunks.push(chunk))
  response.on('end', () => {
    const services = JSON.parse(Buffer.concat(chunks).toString('utf8'))
    process.stdout.write(`${services.length}\n`)
  })
})
