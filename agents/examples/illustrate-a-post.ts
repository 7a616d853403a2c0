import { openAsBlob } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { typeOfEnding } from '../../contract/media-types.ts'
import type { Use } from '../../contract/references.ts'
import { type AssetLibrary, assetLibrary } from '../client.ts'

/** Uploads a picture, makes sure that the client's site can take it, and records it as the picture of a blog post. */
export async function illustratePost(
  library: AssetLibrary,
  { path, postId, title }: { path: string; postId: string; title: string },
  say: (line: string) => void = console.log,
): Promise<Use> {
  const mimeType = typeOfEnding(path.split('.').at(-1)!) ?? 'application/octet-stream'
  const asset = await library.upload(await openAsBlob(path), {
    originalFilename: basename(path),
    mimeType,
    title,
    tags: ['blog'],
    allowedSurfaces: ['website'],
    provenance: 'camera',
    onProgress: (sent, total) => say(`${Math.round((100 * sent) / total)} % sent`),
  })
  say(`It is ${asset.assetRef}${asset.duplicateOf ? `, the same file as ${asset.duplicateOf}` : ''}.`)

  const [result] = await library.resolve([asset.assetRef], { surface: 'website', target: 'wordpress' })
  if (!result?.ok) throw new Error(`${result?.detail} ${result?.fix}`)
  const { mimeType: sentType, width, height } = result.rendition
  say(`The site would be sent ${sentType}, ${width} × ${height}.`)

  return library.recordUse('blog-post', postId, {
    featuredAssetRef: result.pinnedRef,
    status: 'scheduled',
    title,
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [path, postId, title = 'A post'] = process.argv.slice(2)
  const { LIBRARY_URL: baseUrl = 'http://localhost:3000', LIBRARY_KEY: apiKey, LIBRARY_CLIENT } = process.env
  if (!path || !postId || !apiKey || !LIBRARY_CLIENT) {
    console.error(
      'LIBRARY_KEY=… LIBRARY_CLIENT=client_… node agents/examples/illustrate-a-post.ts <file> <post id> [title]',
    )
    process.exit(2)
  }
  const library = assetLibrary({ baseUrl, apiKey, clientId: LIBRARY_CLIENT })
  console.log(await illustratePost(library, { path, postId, title }))
}
