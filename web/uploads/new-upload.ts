import { newKey } from '../new-key.ts'
import type { Upload } from './upload.ts'

type Given = Pick<Upload, 'name' | 'sizeBytes' | 'lastModified' | 'file' | 'folderId' | 'path' | 'replaces'> &
  Partial<Upload>

export const newUpload = (given: Given): Upload => ({
  id: newKey(),
  mimeType: null,
  state: 'reading',
  sentBytes: 0,
  arrivedBytes: 0,
  session: null,
  isSent: false,
  about: {},
  failure: null,
  asset: null,
  twin: null,
  collectionId: null,
  ...given,
})

export const asked = (file: File) => ({
  name: file.name,
  sizeBytes: file.size,
  lastModified: file.lastModified,
})
