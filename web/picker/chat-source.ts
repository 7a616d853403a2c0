import { type Found, type PickerAsset, type PickerFolder, remembered, type Source } from './source.ts'

export interface ToolResult {
  isError?: boolean
  content: { type: string; text?: string; data?: string; mimeType?: string }[]
}

export type CallTool = (name: string, args: object) => Promise<ToolResult>

/** As tools name an asset: what is empty is left out. */
interface BriefAsset {
  assetRef: string
  title?: string
  altText?: string
  mimeType: string
  width?: number
  height?: number
  durationSeconds?: number
  rightsExpireAt?: string
}

const pageSize = 24
const picturesAtOnce = 4
const mostFolders = 1000

/** The library's tools, called through the chat: pictures come as answers, for nothing of ours can be reached. */
export function chatSource(callTool: CallTool, clientId: string | undefined, shown?: ToolResult): Source {
  const call = async (name: string, args: object) => {
    const result = await callTool(name, { ...(clientId && { clientId }), ...args })
    if (result.isError) throw new Error(textOf(result))
    return result
  }
  const next = atOnce(picturesAtOnce)
  const known = shown ? picturesIn(shown) : new Map<string, string>()

  return {
    async find({ q, surface, folderId }, cursor) {
      const wanted = {
        limit: pageSize,
        ...(q && { q }),
        ...(surface && { surface }),
        ...(folderId && { folderId }),
        ...(cursor && { cursor }),
      }
      const found = JSON.parse(textOf(await call('search_assets', wanted)))
      return { assets: found.assets.map(pickerAsset), nextCursor: found.nextCursor }
    },
    async folders() {
      const all: PickerFolder[] = []
      let cursor: string | null = null
      do {
        const page: ToolResult = await call('list_library', { what: 'folders', ...(cursor && { cursor }) })
        const { folders, nextCursor } = JSON.parse(textOf(page))
        all.push(...folders)
        cursor = nextCursor
      } while (cursor && all.length < mostFolders)
      return all
    },
    picture: remembered(async ({ assetRef }) => {
      const picture =
        known.get(assetRef) ?? pictureIn(await next(() => call('look_at_asset', { assetRef, size: 'thumb' })))
      if (!picture) throw new Error('no picture')
      return picture
    }),
  }
}

/** What the agent was answered, to begin with; nothing if that was no list of assets. */
export function picksIn(result: ToolResult): Found | undefined {
  if (result.isError) return undefined
  try {
    const { picks, assets = picks, nextCursor = null } = JSON.parse(textOf(result))
    return Array.isArray(assets) && assets.length > 0
      ? { assets: assets.map(pickerAsset), nextCursor }
      : undefined
  } catch {
    return undefined
  }
}

/** They come in the order of the assets, for the first ones. */
function picturesIn(result: ToolResult): Map<string, string> {
  const pictures = result.content.flatMap((part) => pictureOf(part) ?? [])
  const refs = picksIn(result)?.assets.map(({ assetRef }) => assetRef) ?? []
  return new Map(pictures.map((picture, index) => [refs[index]!, picture]))
}

const textOf = ({ content }: ToolResult) => content.find(({ type }) => type === 'text')?.text ?? '{}'
const pictureIn = ({ content }: ToolResult) => content.map(pictureOf).find(Boolean)
const pictureOf = ({ type, data, mimeType }: ToolResult['content'][number]) =>
  type === 'image' ? `data:${mimeType};base64,${data}` : undefined

const pickerAsset = (brief: BriefAsset): PickerAsset => ({
  assetRef: brief.assetRef,
  title: brief.title ?? '',
  altText: brief.altText ?? '',
  mimeType: brief.mimeType,
  width: brief.width ?? null,
  height: brief.height ?? null,
  durationSeconds: brief.durationSeconds ?? null,
  rightsExpireAt: brief.rightsExpireAt ?? null,
  placeholder: null,
})

/** So many at a time; the others wait for their turn. */
function atOnce(most: number) {
  const waiting: (() => void)[] = []
  let running = 0
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= most) await new Promise<void>((go) => waiting.push(go))
    else running++
    try {
      return await work()
    } finally {
      const following = waiting.shift()
      if (following) following()
      else running--
    }
  }
}
