import type { ReactNode } from 'react'

/*
 * Agreed interface of the uploads room. `useLibrary()` of ../library/library.tsx gives `base`, `frame` and `can`.
 *
 * UploadsProvider  stands inside LibraryProvider around the library page, keyed by `library.base`; holds all uploads,
 *                  so that they survive moving between folders. It also takes pasted images while the page is shown.
 * useUploads()     `choose(folderId)` opens the file dialog for that folder (the U key).
 *                  `replace(asset)` opens it for one file that becomes the next version of the asset.
 * UploadButton     the button of the header with its menu (files, folder, camera); renders nothing without assets:write.
 *                  `folderId` is the folder shown, null at the top.
 * UploadTray       the tray at the lower right; renders nothing while there is nothing to show. Its “Show” calls
 *                  `onShow(asset)`, which the library page turns into selecting and opening the asset.
 * DropZone         wraps the main column: dropping files or folders from outside uploads them into `folderId`.
 *                  `disabled` in the trash. Drags from inside the page carry the type `application/x-library-items`
 *                  and no `Files`: it lets them pass.
 *
 * A finalized asset reaches the lists through the live events; nothing has to be refetched.
 */
export interface Uploads {
  choose(folderId: string | null): void
  replace(asset: { assetId: string; title: string; mimeType: string }): void
}

export const UploadsProvider = ({ children }: { children: ReactNode }) => children

export const useUploads = (): Uploads => ({ choose() {}, replace() {} })

export const UploadButton = (_: { folderId: string | null }) => null

export const UploadTray = (_: { onShow(asset: { assetId: string; folderId: string | null }): void }) => null

export const DropZone = ({ children }: { folderId: string | null; disabled: boolean; children: ReactNode }) =>
  children
