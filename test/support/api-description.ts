/** Checks requests and answers against the API description. */
import { describeApi } from '../../emulator/openapi/document.ts'
import { createValidator } from './validator.ts'

interface Described {
  paths: Record<string, Record<string, DescribedOperation>>
}
interface DescribedOperation {
  operationId: string
  requestBody?: { content: Content }
  responses: Record<string, { content?: Content }>
}
type Content = Record<string, { schema: object }>

export const description = describeApi()

/** Forbids undescribed fields in every object of a schema, since answers may contain only described fields. */
function closeObjects(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closeObjects)
  if (typeof value !== 'object' || value === null) return value
  const inner = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, closeObjects(inner)]))
  const isObject = inner.type === 'object' && typeof inner.properties === 'object'
  return isObject ? { additionalProperties: false, ...inner } : inner
}

const { paths } = description as unknown as Described
const operations = new Map(
  Object.values(paths)
    .flatMap(path => Object.values(path))
    .map(operation => [operation.operationId, operation]),
)
const validate = createValidator(
  { components: description.components },
  schema => closeObjects(schema) as object,
)

function problemsOf(schema: object | undefined, value: unknown): string[] {
  if (schema !== undefined) return validate(schema, value)
  return value === undefined ? [] : ['has a body, but the description has no body']
}

function schemaOf(content: Content | undefined): object | undefined {
  return content?.['application/json']?.schema
}

/** The violations of the description in an answer. */
export function problemsOfAnswer(operation: string | undefined, status: number, body: unknown): string[] {
  const responses: DescribedOperation['responses'] =
    operations.get(operation ?? 'list-projects')?.responses ?? {}
  const response = responses[status] ?? responses[`${Math.floor(status / 100)}XX`]
  if (response === undefined) return [`${operation} is not described to answer with ${status}`]
  return problemsOf(schemaOf(response.content), body).map(
    problem => `the answer ${status} to ${operation}: ${problem}`,
  )
}

/** The violations of the description in an accepted request, including unknown fields. */
export function problemsOfRequest(operation: string, body: unknown): string[] {
  const described = operations.get(operation)
  if (described === undefined) return [`${operation} is not described`]
  return problemsOf(schemaOf(described.requestBody?.content), body).map(
    problem => `the request of ${operation}: ${problem}`,
  )
}

/** Collects the undescribed answers of an emulator, to fail a test with them. */
export class AnswerCheck {
  readonly #problems = new Set<string>()

  /** For the option `onAnswer` of an emulator. */
  readonly checkAnswer = ({ operation, request, status, body }: Answered): void => {
    const problems = problemsOfAnswer(operation, status, body)
    if (this.#checksRequests && operation !== undefined && status < 300)
      problems.push(...problemsOfRequest(operation, request))
    for (const problem of problems) this.#problems.add(problem)
  }
  readonly #checksRequests: boolean

  constructor({ requests }: { requests: boolean }) {
    this.#checksRequests = requests
  }

  throwProblems(): void {
    if (this.#problems.size > 0) throw new Error([...this.#problems].join('\n'))
  }
}

interface Answered {
  operation: string | undefined
  request: unknown
  status: number
  body: unknown
}
