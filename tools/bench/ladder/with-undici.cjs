require('./requests.cjs').run(JSON.parse)
