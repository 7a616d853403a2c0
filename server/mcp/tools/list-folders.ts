import { Type } from 'typebox'
import { Id, Strict } from '../../../contract/words.ts'
import { folderTree } from '../../folders/folders.ts'
import { libraryFor } from '../agent.ts'
import { ClientId, tool } from '../tool.ts'

export const listFolders = tool({
  name: 'list_folders',
  title: 'List folders',
  description: 'All folders of a client with their paths, for search_assets and get_upload_instructions.',
  permission: 'assets:read',
  annotations: { readOnlyHint: true, openWorldHint: false },
  input: Strict({ clientId: ClientId }),
  output: Type.Object({
    folders: Type.Array(
      Type.Object({
        folderId: Id('folder'),
        path: Type.String({ description: 'From the top level down, e.g. `Social/Posted`.' }),
        protected: Type.Boolean({ description: 'Only the Social agent may change its structure.' }),
      }),
    ),
  }),
  async run(agent, { clientId }) {
    const { folders } = await folderTree(await libraryFor(agent, clientId))
    const byId = new Map(folders.map((folder) => [folder.folderId, folder]))
    const pathOf = ({ name, parentId }: { name: string; parentId: string | null }): string => {
      const parent = byId.get(parentId ?? '')
      return parent ? `${pathOf(parent)}/${name}` : name
    }
    return {
      answer: {
        folders: folders
          .map((folder) => ({ folderId: folder.folderId, path: pathOf(folder), protected: folder.protected }))
          .sort((a, b) => (a.path < b.path ? -1 : 1)),
      },
    }
  },
})
