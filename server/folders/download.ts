import type { FileAnswer } from '../file-answers.ts'
import type { Library } from '../library.ts'
export async function folderArchive(_library: Library, _folderId: string): Promise<FileAnswer> {
  throw new Error('soon')
}
