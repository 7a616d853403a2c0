import type { Library } from '../library.ts'
import type { StoredObject } from '../storage/storage.ts'
import { type Promises, promisedBetween } from './promised.ts'

interface AssetPage {
  objects: StoredObject[]
  promises: Promises
}

const assetsAtOnce = 500

/**
 * A client's files, a page of assets at a time: the objects as the store lists them, and then what the rows
 * promise. Both go by asset id in the same order, so that no library is too large to hold.
 */
export async function* assetPages(library: Library): AsyncGenerator<AssetPage> {
  let objects: StoredObject[] = []
  let assets = 0
  let [after, current] = ['', '']
  for await (const object of library.storage.list('assets/')) {
    const assetId = object.key.split('/')[1]!
    if (assetId !== current && ++assets > assetsAtOnce) {
      yield { objects, promises: await promisedBetween(library, after, current) }
      ;[objects, assets, after] = [[], 1, current]
    }
    current = assetId
    objects.push(object)
  }
  yield { objects, promises: await promisedBetween(library, after, null) }
}

/** What browsers have put and nobody has taken yet, a page at a time. */
export async function* stagedObjects(library: Library): AsyncGenerator<StoredObject[]> {
  let page: StoredObject[] = []
  for await (const object of library.storage.list('staging/')) {
    page.push(object)
    if (page.length === 1000) {
      yield page
      page = []
    }
  }
  if (page.length > 0) yield page
}
