import type { Folder } from '../../contract/folders.ts'

/** Stands among the folders while a new one is being named; the server learns of it once it has a name. */
export const unnamedId = 'folder_new'

export const unnamedFolder = (parentId: string | null, name: string): Folder => ({
  folderId: unnamedId,
  clientId: '',
  name,
  ...(parentId !== null && { parentId }),
  protected: false,
  createdAt: '',
  updatedAt: '',
  trashedAt: null,
})
