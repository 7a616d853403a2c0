import type { UploadSession } from '../contract/uploads.ts'
import { type Answer, type Person, puts } from './person.ts'
import { pixel } from './pictures.ts'

export const guestFile = {
  originalFilename: 'menu.png',
  mimeType: 'image/png',
  expectedSizeBytes: pixel.length,
  sender: 'Anna',
  note: 'The new one',
}

/** Somebody with the address of a request puts a file. */
export async function putsFile(
  nobody: Person,
  path: string,
  bytes: Buffer = pixel,
  more: object = {},
): Promise<UploadSession> {
  const { status, body } = await nobody.post(`${path}/files`, {
    ...guestFile,
    expectedSizeBytes: bytes.length,
    ...more,
  })
  if (status !== 201) throw new Error(`Not taken: ${status} ${JSON.stringify(body)}`)
  await puts(body, bytes)
  return body
}

/** The same, and says that it is there. */
export async function sendsFile(
  nobody: Person,
  path: string,
  bytes: Buffer = pixel,
  more: object = {},
): Promise<Answer & { session: UploadSession }> {
  const session = await putsFile(nobody, path, bytes, more)
  const answer = await nobody.post(`${path}/files/done`, { uploadToken: session.uploadToken })
  return { ...answer, session }
}
