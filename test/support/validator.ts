/** Compares values with the JSON Schemas of an API description. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import formatsModule from 'ajv-formats'

/** Its types claim CommonJS with a default export; Node gives the function itself. */
const addFormats = formatsModule as unknown as typeof formatsModule.default

const render = ({ instancePath, message, params }: ErrorObject) =>
  `${instancePath || '/'} ${message} ${JSON.stringify(params)}`

/**
 * Returns a function for the violations of a schema in a value.
 * @param shared the definitions that references of the schemas name, such as `#/components/schemas/Service`
 * @param change of each schema and of the definitions before they are compiled
 */
export function createValidator(shared: object, change = (schema: object): object => schema) {
  const ajv = new Ajv2020({
    allErrors: true,
    strictTypes: false,
    strictRequired: false,
    formats: { 'uri-template': true },
    keywords: ['components'],
    // Most schemas see a few values: making their code shorter takes longer than it saves.
    code: { optimize: false },
  })
  addFormats(ajv)
  ajv.addSchema({ $id: 'shared', ...change(shared) })
  const compiled = new Map<object, ValidateFunction>()

  function compile(schema: object): ValidateFunction {
    const known = compiled.get(schema)
    if (known) return known
    const rooted = JSON.stringify(change(schema)).replaceAll('"#/', '"shared#/')
    const validate = ajv.compile(JSON.parse(rooted))
    compiled.set(schema, validate)
    return validate
  }

  return (schema: object, value: unknown): string[] => {
    const validate = compile(schema)
    return validate(value) ? [] : (validate.errors ?? []).map(render)
  }
}
