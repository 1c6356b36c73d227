/** The name of the intent in the state of a step. Without an intent, the post step has nothing to do. */
export const intentName = 'intent'
