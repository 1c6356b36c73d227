/** Handlers of the account. */
import type { HandlerContext, Handlers } from '../handler.ts'
import { bothSpellings } from '../render.ts'

const user = { id: '1', name: 'Emulator', email: 'emulator@localhost.invalid' }

/** The owner of the key. */
function describeKey({ project, publicKey, state }: HandlerContext) {
  return {
    public_key: publicKey,
    name: 'emulator',
    created: new Date(state.started).toISOString(),
    project: { id: project.id, name: project.name, plan_type: 'FREE' },
    issuing_user: user,
  }
}

export const account = {
  'get-auth-info': context =>
    context.caller === 'person'
      ? { type: 'oauth', oauth: { user } }
      : { type: 'apiKey', ...bothSpellings('api_key', 'apiKey', describeKey(context)) },
  // A key has no session: the service answers in the same way.
  'log-out': () => undefined,
  // Nothing is sent: only the API's answer is imitated.
  'identify-user': () => ({ status: 'success' }),
  'track-event': () => ({ status: 'success' }),
  'list-projects': ({ project }) => [{ id: project.id, name: project.name }],
} satisfies Partial<Handlers>
