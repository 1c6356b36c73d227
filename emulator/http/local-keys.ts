/** The keys where none are given. The secret one is long enough for the action to derive passwords from it. */
export const localKeys = { publicKey: 'local', secretKey: 'local-secret-key' }
