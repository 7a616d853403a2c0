import { Type } from 'typebox'
import { Id, NextCursor, Page, Strict } from '../../../contract/words.ts'
import { folderPaths } from '../../folders/pages.ts'
import { isProtected } from '../../folders/protected.ts'
import { libraryFor } from '../agent.ts'
import { ClientId, tool } from '../tool.ts'

export const listFolders = tool({
  name: 'list_folders',
  title: 'List folders',
  description:
    'The folders of a client by name, with their paths, for search_assets and get_upload_instructions.',
  permission: 'assets:read',
  annotations: { readOnlyHint: true, openWorldHint: false },
  input: Strict({ clientId: ClientId, cursor: Page.cursor }),
  output: Type.Object({
    folders: Type.Array(
      Type.Object({
        folderId: Id('folder'),
        path: Type.String({ description: 'From the top level down, e.g. `Social/Posted`.' }),
        protected: Type.Boolean({ description: 'Only the Social agent may change its structure.' }),
      }),
    ),
    nextCursor: NextCursor,
  }),
  async run(agent, { clientId, cursor }) {
    const page = await folderPaths(await libraryFor(agent, clientId), {
      limit: 500,
      ...(cursor && { cursor }),
    })
    const folders = page.folders.map(({ id, path }) => ({
      folderId: id,
      path: path.join('/'),
      protected: isProtected(path),
    }))
    folders.sort((a, b) => (a.path < b.path ? -1 : 1))
    return { answer: { folders, nextCursor: page.nextCursor } }
  },
})
