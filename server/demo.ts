import { readFile } from 'node:fs/promises'
import { demoClient, demoFiles, demoFolders } from '../demo/library.ts'
import { createClient } from './clients/clients.ts'
import { createFolder } from './folders/folders.ts'
import { type Library, makeLibrary, type Parts, system } from './library.ts'
import { finalizeSession } from './uploads/finalize.ts'
import { stagingKey } from './uploads/session.ts'
import { openSession } from './uploads/sessions.ts'

const files = new URL('../demo/files/', import.meta.url)

/** Fills an empty library with one client, so that a newcomer has something to look at. */
export async function fillDemo(parts: Parts): Promise<boolean> {
  const there = await parts.db.selectFrom('clients').select('id').limit(1).executeTakeFirst()
  if (there) return false
  const { clientId } = await createClient(parts.db, system, parts.config.limits, { name: demoClient })
  const library = makeLibrary(parts, clientId, system)
  const folderIds = await makeFolders(library)
  for (const { file, folder, mimeType, ...words } of demoFiles) {
    const bytes = await readFile(new URL(file, files))
    const folderId = folderIds.get(folder) ?? null
    const session = await openSession(library, {
      originalFilename: file,
      mimeType,
      expectedSizeBytes: bytes.length,
      folderId,
    })
    await library.storage.put(stagingKey({ id: session.uploadSessionId }), bytes, { sizeBytes: bytes.length })
    await finalizeSession(library, { uploadToken: session.uploadToken, ...words })
  }
  return true
}

async function makeFolders(library: Library): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  for (const path of demoFolders) {
    const cut = path.lastIndexOf('/')
    const parentId = cut < 0 ? null : ids.get(path.slice(0, cut))!
    const { folder } = await createFolder(library, { name: path.slice(cut + 1), parentId })
    ids.set(path, folder.folderId)
  }
  return ids
}
