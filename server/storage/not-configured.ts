import { Problem } from '../problems.ts'
import type { ObjectStore, Storage } from './storage.ts'

/** Stands in for a bucket whose settings are incomplete: everything else of the server goes on working. */
export function notConfiguredStore(missing: string[]): ObjectStore {
  const refuse = async (): Promise<never> => {
    throw storageNotConfigured(missing)
  }
  // biome-ignore lint/correctness/useYield: it refuses before the first one
  const refuseAll = async function* (): AsyncGenerator<never> {
    throw storageNotConfigured(missing)
  }
  const storage: Storage = {
    presignPut: refuse,
    head: refuse,
    read: refuse,
    scan: refuseAll,
    copy: refuse,
    join: refuse,
    put: refuse,
    delete: refuse,
    list: refuseAll,
    localPath: () => undefined,
  }
  return {
    kind: 's3',
    uploadOrigin: null,
    storageOf: () => storage,
    clientIds: refuseAll,
    check: refuse,
    close: async () => {},
  }
}

const storageNotConfigured = (missing: string[]) =>
  new Problem(
    'storage-not-configured',
    `Set ${missing.join(', ')} and restart the server; uploads are refused until then.`,
    { extra: { params: { settings: missing.join(', ') } } },
  )
