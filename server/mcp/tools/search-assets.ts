import { Type } from 'typebox'
import { AssetQuery, type AssetSearch, sorts } from '../../../contract/search.ts'
import { searchedWords } from '../../../contract/searched-words.ts'
import { Id, Strict } from '../../../contract/words.ts'
import { listAssets } from '../../assets/listing.ts'
import { savedSearchById } from '../../saved-searches/saved-searches.ts'
import { libraryFor } from '../agent.ts'
import { briefAsset } from '../brief.ts'
import { ClientId, tool } from '../tool.ts'

const {
  q,
  byFolder,
  folderId,
  collectionId,
  orientation,
  surface,
  mimeType,
  missingAltText,
  approval,
  used,
  cursor,
} = AssetQuery.properties

export const searchAssets = tool({
  name: 'search_assets',
  title: 'Search assets',
  description:
    'Lists images and videos of a client by words, tag, surface, type, folder, collection or approval, or by a search that people saved (q and tag narrow it down, all else goes before what it asks for); in all folders unless folderId is given. Where nothing has the words, the answer says what was looked for instead (meant), and whether names of folders count (byFolder). With surface only what you may use there now; where the client wants approved assets only, approval=none finds what people have yet to be asked about. To have the best ones for a purpose chosen, use pick_assets.',
  permission: 'assets:read',
  annotations: { readOnlyHint: true, openWorldHint: false },
  budget: 12_000,
  input: Strict({
    clientId: ClientId,
    q,
    byFolder,
    folderId,
    collectionId,
    savedSearchId: Type.Optional(Id('search')),
    tag: Type.Optional(Type.String({ maxLength: 60 })),
    orientation,
    surface,
    mimeType,
    missingAltText,
    approval,
    used,
    sort: Type.Optional(
      Type.Enum(sorts, {
        description:
          '`title` from A to Z, `size` the largest first. By default `relevance` with words, else `newest`; a collection as it was put in order.',
      }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 25, default: 10 })),
    cursor,
  }),
  async run(agent, { clientId, savedSearchId, ...asked }) {
    const library = await libraryFor(agent, clientId)
    const saved = savedSearchId === undefined ? {} : outOfTrash(await savedSearchById(library, savedSearchId))
    const query = { ...saved, ...asked, ...narrowed(saved, asked) }
    const everywhere = query.folderId === undefined
    const list = (more: AssetSearch = {}) =>
      listAssets(library, { ...query, ...more, everywhere }, { folders: false })
    const first = await list()
    // To people a single word shows the folder of that name, which is not told here: what is in it is.
    const isEmpty = first.assets.length === 0 && searchedWords(query.q).length > 0 && !query.byFolder
    const page = isEmpty ? await list({ byFolder: true }) : first
    const assets = page.assets.map((asset) => ({
      ...briefAsset(asset),
      ...(page.byMeaning?.includes(asset.assetId) && { matchedBy: 'meaning' }),
    }))
    const { meant, byFolder, nextCursor } = page
    return {
      answer: { assets, ...(meant !== undefined && { meant }), ...(byFolder && { byFolder }), nextCursor },
    }
  },
})

/** What is asked of the trash, asked of what is there: in no order that only the trash has. */
const outOfTrash = ({ trashed, sort, ...search }: AssetSearch): AssetSearch =>
  sort === undefined || trashed ? search : { ...search, sort }

/** All words and tags of both. */
function narrowed(saved: AssetSearch, asked: AssetSearch): Pick<AssetSearch, 'q' | 'tag'> {
  const words = [saved.q, asked.q].filter((q) => q !== undefined)
  const tags = [saved.tag, asked.tag].flat().filter((tag) => tag !== undefined)
  return {
    ...(words.length > 0 && { q: words.join(' ') }),
    ...(tags.length > 0 && { tag: tags }),
  }
}
