import type { UploadLimits } from '../../contract/uploads.ts'
import { api } from '../api.ts'

export type Limits = ReturnType<typeof limitsOf>

/** What the server says about uploads: asked once, and again when there is reason to doubt it. */
export function limitsOf(base: string) {
  let asked: Promise<UploadLimits> | undefined
  const forget = () => {
    asked = undefined
  }
  return {
    read(): Promise<UploadLimits> {
      asked ??= api.get<UploadLimits>(`${base}/upload-limits`)
      asked.catch(forget)
      return asked
    },
    forget,
  }
}
