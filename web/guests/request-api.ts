import type { GuestFileProgress, NewGuestFile, OpenedRequest } from '../../contract/upload-requests.ts'
import type { PartUrls, UploadSession } from '../../contract/uploads.ts'
import { api } from '../api.ts'

/** The address of this request: the page stands on it. */
const base = () => location.pathname.replace(/\/+$/, '')

const asGuest = { waitForSignIn: false }

const ofFile =
  <T>(step: string) =>
  (uploadToken: string, more: object = {}) =>
    api.post<T>(`${base()}/files/${step}`, { uploadToken, ...more }, asGuest)

export const readRequest = () => api.get<OpenedRequest>(`${base()}/request`, asGuest)
export const openFile = (file: NewGuestFile, idempotencyKey: string) =>
  api.post<UploadSession>(`${base()}/files`, file, { ...asGuest, idempotencyKey })
export const readProgress = ofFile<GuestFileProgress>('progress')
export const signPart = async (uploadToken: string, partNumber: number) =>
  (await ofFile<PartUrls>('parts')(uploadToken, { partNumbers: [partNumber] })).parts[0]!.uploadUrl
export const cancelFile = ofFile<void>('cancel')
export const sayDone = ofFile<object>('done')
