/** Rows of the contract: account, projects and analytics. */
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import * as schemas from './fields/field-schemas.ts'
import { AnalyticsResult, AuthInfo, Projects } from './records.ts'

/** Used by analytics only. */
export const analyticsFields = schemas.inGroup('Logs, metrics and analytics', {
  event: {
    about: 'Name of the event to track.',
    example: 'deployed',
    ignored: { by: 'nothing', what: 'no event would be sent' },
    schema: schemas.text('the name of an event', 'unlimited'),
  },
  properties: {
    about:
      'Properties to send along, as a JSON object. A number that JSON cannot represent exactly (from 2⁵³ on, `1e400`) is an error: send it as text.',
    example: '{"version": "1.2.0"}',
    ignored: { by: 'nothing', what: 'the event would have no properties' },
    schema: z.record(z.string(), z.unknown(), 'a JSON object'),
  },
})

const { fields, optional } = schemas.schemasOf(analyticsFields)

export const account = {
  'get-auth-info': endpoint({
    summary: 'Read the name and the project of the API key',
    method: 'GET',
    path: '/auth/info',
    response: AuthInfo,
    status: 200,
  }),
  'list-projects': endpoint({
    summary: 'List the projects that the API key can see',
    method: 'GET',
    path: '/projects',
    response: Projects,
    lists: { noun: 'projects', columns: ['id', 'name'] },
    status: 200,
  }),
  // An API key has no session beyond a single request: the service only drops the data that it stored for the key.
  'log-out': endpoint({
    summary: 'End the session of the API key',
    method: 'POST',
    path: '/auth/logout',
    repeatable: true,
    already: undefined,
    status: 204,
  }),
  'identify-user': endpoint({
    summary: 'Send properties of the user to the analytics of the service',
    method: 'POST',
    path: '/analytics/identify',
    body: z.object({ ...optional('properties') }),
    response: AnalyticsResult,
    status: 200,
    repeatable: false,
    already: undefined,
  }),
  'track-event': endpoint({
    summary: 'Send an event to the analytics of the service',
    method: 'POST',
    path: '/analytics/track',
    body: z.object({ event: fields.event, ...optional('properties') }),
    response: AnalyticsResult,
    status: 200,
    repeatable: false,
    already: undefined,
  }),
}
