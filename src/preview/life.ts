/** The operations on the life of a preview, as one file of the bundle. Steps with other operations do not load it. */
export { previewByEvent } from './by-event.ts'
export { ensurePreview, resetPreview } from './operations/create-preview.ts'
export { deletePreview } from './operations/delete-preview.ts'
export { getConnection } from './operations/get-connection.ts'
export { prunePreviews } from './prune/prune.ts'
