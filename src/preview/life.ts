/** The operations on previews as one part of the bundle, which other steps do not load. */
export { previewByEvent } from './by-event.ts'
export { givePreview, resetPreview } from './operations/create-preview.ts'
export { deletePreview } from './operations/delete-preview.ts'
export { getConnection } from './operations/get-connection.ts'
export { prunePreviews } from './prune/prune.ts'
