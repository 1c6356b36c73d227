/** Runs the given expressions on hostile texts of 64 KiB and answers with the duration of each. */
import { parentPort } from 'node:worker_threads'
import { renderRepetitions, runExpression } from './hostile-repetitions.ts'

parentPort?.on('message', (expression: RegExp) => {
  let texts = 0
  for (const text of renderRepetitions(expression, 64 * 1024)) {
    runExpression(expression, text)
    texts += 1
  }
  parentPort?.postMessage(texts)
})
