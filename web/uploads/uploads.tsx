/*
 * What other rooms use of uploads.
 *
 * UploadsProvider  stands inside LibraryProvider around the library page, keyed by `library.base`.
 * useUploads()     `choose(into)` asks for files (the U key), `replace(asset)` for the asset's next version.
 * UploadButton     the button of the header with its menu; nothing without assets:write.
 * UploadTray       the tray at the lower right; its “Show” calls `onShow(asset)`.
 * DropZone         wraps the main column: takes drops from outside and pasted pictures for `into`, unless
 *                  `disabled`. Drags from inside carry `application/x-library-items` and pass.
 *
 * A finalized asset reaches the lists through the live events; nothing has to be refetched.
 */
export { DropZone } from './drop-zone.tsx'
export { loadTray, UploadTray } from './tray.tsx'
export { UploadButton } from './upload-button.tsx'
export { type Uploads, UploadsProvider, useUploads } from './uploading.tsx'
