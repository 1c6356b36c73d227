/** The name under which a step saves what it is about to create. Without it, the end of the job has nothing to do. */
export const intentName = 'intent'
