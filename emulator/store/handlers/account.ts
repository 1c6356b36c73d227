import type { HandlersOf } from '../handler.ts'

type Names = 'get-auth-info' | 'identify-user' | 'track-event' | 'list-projects'

export const account: HandlersOf<Names> = {
  'get-auth-info': ({ project, publicKey, state }) => ({
    type: 'apiKey',
    apiKey: {
      public_key: publicKey,
      name: 'emulator',
      created: new Date(state.started).toISOString(),
      project: { id: project.id, name: project.name, plan_type: 'FREE' },
      issuing_user: { id: '1', name: 'Emulator', email: 'emulator@localhost.invalid' },
    },
  }),
  // Nothing is sent anywhere: only the API's answer is imitated.
  'identify-user': () => ({ status: 'success' }),
  'track-event': () => ({ status: 'success' }),
  'list-projects': ({ project }) => [{ id: project.id, name: project.name }],
}
