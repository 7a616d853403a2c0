import { newUpload } from './new-upload.ts'
import { bytesOfParts } from './parts.ts'
import type { Sender } from './send.ts'
import type { UploadStore } from './upload-store.ts'

/** Large uploads of an earlier visit, resumed once their file is chosen again. */
export async function recallLeftBehind(uploads: UploadStore, progressOf: Sender['progressOf']) {
  for (const one of await uploads.saved.leftBehind()) {
    if (uploads.all().some(({ session }) => session?.uploadSessionId === one.uploadSessionId)) continue
    const progress = await progressOf(one.uploadSessionId).catch(() => undefined)
    if (progress === null) {
      uploads.saved.forget(one.uploadSessionId)
      continue
    }
    const upload = newUpload({
      ...one,
      file: null,
      path: [],
      state: 'left',
      session: { ...one, uploadUrl: null },
    })
    const arrivedBytes = bytesOfParts(one, progress?.multipart?.uploadedPartNumbers ?? [])
    const isSent = progress?.status === 'uploaded'
    uploads.add({ ...upload, arrivedBytes, sentBytes: arrivedBytes, isSent })
    uploads.publish()
  }
}
