import { Type } from 'typebox'
import { FolderChange, NewFolder } from '../../../contract/folders.ts'
import { Strict } from '../../../contract/words.ts'
import { runBatch } from '../../assets/batch.ts'
import { changeFolder, createFolder } from '../../folders/folders.ts'
import { libraryFor } from '../agent.ts'
import { clipped } from '../brief.ts'
import { ClientId, demand, needed, tool } from '../tool.ts'

const Id = Type.String({ maxLength: 100 })

export const organiseAssets = tool({
  name: 'organise_assets',
  title: 'Organise folders and assets',
  description:
    'create_folder (name, parentId), change_folder (folderId; a name renames it, a parentId moves it) or move_assets (assetIds, folderId; null: the top level). Nothing is deleted.',
  permission: 'assets:write',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  budget: 6000,
  input: Strict({
    clientId: ClientId,
    action: Type.Enum(['create_folder', 'change_folder', 'move_assets']),
    name: Type.Optional(NewFolder.properties.name),
    parentId: FolderChange.properties.parentId,
    folderId: Type.Optional(Type.Union([Id, Type.Null()])),
    assetIds: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: 100 })),
  }),
  async run(agent, { clientId, ...input }) {
    const library = await libraryFor(agent, clientId)
    const { action, name, parentId, folderId } = input
    if (action === 'move_assets') {
      const assetIds = needed(input, 'assetIds')
      if (folderId === undefined) needed(input, 'folderId')
      const { results } = await runBatch(library, { action: 'move', assetIds, folderId: folderId! })
      return {
        answer: {
          moved: results.filter(({ ok }) => ok).length,
          refused: results.flatMap(({ assetId, problem }) =>
            problem ? [{ assetId: clipped(assetId, 60), code: problem.code }] : [],
          ),
        },
      }
    }
    demand(agent, 'folders:write', 'organise_assets')
    const { folder } =
      action === 'create_folder'
        ? await createFolder(library, { name: needed(input, 'name'), parentId: parentId ?? null })
        : await changeFolder(library, {
            folderId: needed(input, 'folderId'),
            ...(name !== undefined && { name }),
            ...(parentId !== undefined && { parentId }),
          })
    return { answer: folder }
  },
})
