import { isProblem } from '../api.ts'
import { isOffline } from '../connection.ts'
import { backOff, ConnectionLost, pause } from './retry.ts'

/** What the store answered instead of taking the bytes. Status 0: nothing, or nothing we may read. */
export class StoreRefusal extends Error {
  readonly status: number
  readonly bytesMoved: boolean

  constructor(status: number, bytesMoved: boolean) {
    super(`The store answered ${status}`)
    this.status = status
    this.bytesMoved = bytesMoved
  }
}

/** The page's own content policy let nothing out: the store was never asked. */
export class BlockedByPolicy extends Error {
  readonly origin: string

  constructor(address: string) {
    super('The content policy of the page does not allow the store')
    this.origin = new URL(address).origin
  }
}

interface Delivery {
  signal: AbortSignal
  onProgress(sentBytes: number): void
  /** Where to put the bytes; asked again on each attempt, because an address runs out. */
  addressOf(refusal: StoreRefusal | undefined): Promise<string>
}

/** Puts bytes into the store, and tries again while the failure looks like one that passes. */
export async function deliver(bytes: Blob, { signal, onProgress, addressOf }: Delivery): Promise<void> {
  let refusal: StoreRefusal | undefined
  for (let attempt = 1; ; attempt++) {
    const address = await addressOf(refusal).catch((error) => {
      // With wrong credentials the server gets nowhere either; what the store said to us says more.
      throw refusal && isProblem(error, 'storage-unavailable') ? refusal : error
    })
    try {
      return await put(address, bytes, signal, onProgress)
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof StoreRefusal)) throw error
      refusal = error
      onProgress(0)
      if (error.status === 0 && isOffline()) throw new ConnectionLost()
      if (attempt >= attemptsAfter(error)) throw error
      await pause(backOff(attempt), signal)
    }
  }
}

function attemptsAfter({ status, bytesMoved }: StoreRefusal): number {
  if (status === 403) return 2 // the address may only have run out
  if (status === 0) return bytesMoved ? 6 : 3 // no byte moved: it is rarely a short outage
  return status === 408 || status === 429 || status >= 500 ? 5 : 1
}

function put(address: string, bytes: Blob, signal: AbortSignal, onProgress: (sentBytes: number) => void) {
  return new Promise<void>((resolve, reject) => {
    signal.throwIfAborted()
    const request = new XMLHttpRequest() // fetch reports no upload progress
    let bytesMoved = false
    const stop = () => request.abort()
    let isBlocked = false
    const noteBlocked = ({ blockedURI }: SecurityPolicyViolationEvent) => {
      isBlocked ||= address.startsWith(blockedURI)
    }
    document.addEventListener('securitypolicyviolation', noteBlocked)
    request.upload.onprogress = ({ loaded }) => {
      bytesMoved = true
      onProgress(loaded)
    }
    request.onload = () =>
      request.status >= 200 && request.status < 300
        ? resolve()
        : reject(new StoreRefusal(request.status, bytesMoved))
    request.onerror = () => reject(isBlocked ? new BlockedByPolicy(address) : new StoreRefusal(0, bytesMoved))
    request.onabort = () => reject(signal.reason)
    request.onloadend = () => {
      signal.removeEventListener('abort', stop)
      document.removeEventListener('securitypolicyviolation', noteBlocked)
    }
    signal.addEventListener('abort', stop, { once: true })
    request.open('PUT', address)
    // Without a type no Content-Type is sent, and the bucket's CORS policy has one thing less to allow.
    request.send(bytes.slice(0, bytes.size, ''))
  })
}
