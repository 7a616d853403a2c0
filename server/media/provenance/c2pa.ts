import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { FileReaderSync } from './bytes-at-once.ts'

let loading: Promise<typeof import('@contentauth/c2pa-wasm')> | undefined

/** 9 MB of WebAssembly: loaded where the first manifest is met. */
export const c2pa = () => (loading ??= load())

async function load() {
  Object.assign(globalThis, { FileReaderSync })
  const library = await import('@contentauth/c2pa-wasm')
  const file = fileURLToPath(import.meta.resolve('@contentauth/c2pa-wasm/c2pa.wasm'))
  library.initSync({ module: readFileSync(file) })
  return library
}

export const nothingIsFetched = { remote_manifest_fetch: false, ocsp_fetch: false }
