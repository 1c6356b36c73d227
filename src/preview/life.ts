/** What the operations of previews do; operations.ts says what they take, and loads this when one of them runs. */
export { previewByEvent } from './by-event.ts'
export { createPreview } from './create.ts'
export { deletePreview } from './delete.ts'
export { prunePreviews } from './prune.ts'
export { resetPreview } from './reset.ts'
