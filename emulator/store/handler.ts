import type { Answer, Parameters } from '../../src/api/endpoint.ts'
import type { EndpointName, Endpoints } from '../../src/api/endpoints.ts'
import type { Context } from './context.ts'

/** What the emulator does for a row of the contract. Throws `Refusal` where the API would turn it down. */
export type Handler<Name extends EndpointName> = (
  context: Context,
  params: Parameters<Endpoints[Name]>,
) => Answer<Endpoints[Name]>

/** A handler for each row, demanded by the compiler. */
export type Handlers = { [Name in EndpointName]: Handler<Name> }

/** Some of the handlers, kept together by what they work on. */
export type HandlersOf<Names extends EndpointName> = Pick<Handlers, Names>
