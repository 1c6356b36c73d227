// The smallest program that waits for a service: the baseline for the memory of a waiting step.
const http = require('node:http')

const look = () =>
  http.get(process.argv[2], response => {
    let text = ''
    response.setEncoding('utf8').on('data', chunk => {
      text += chunk
    })
    response.on('end', () => {
      const { status } = JSON.parse(text)
      if (status === 'READY') process.stdout.write(`${status}\n`)
      else setTimeout(look, 1000)
    })
  })

look()
