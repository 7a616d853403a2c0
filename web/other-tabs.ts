import { hashKey, type QueryClient } from '@tanstack/react-query'
import type { Me } from '../contract/access.ts'
import { api } from './api.ts'
import { meQuery } from './session.ts'
import { createStore, useStore } from './store.ts'

type SignedIn = Pick<Me, 'id' | 'name'>

const tabs = new BroadcastChannel('signed-in')
const somebodyElse = createStore<SignedIn | null>(null)
export const useSomebodyElse = () => useStore(somebodyElse)

/**
 * Tabs of one browser share its session. Where somebody else signs in in another one, what is done here would be done in their
 * name: each tells the others whom it has found signed in, and looks again when it comes into sight.
 */
export function watchOtherTabs(queryClient: QueryClient): void {
  const own = () => queryClient.getQueryData(meQuery.queryKey) ?? null
  const meet = ({ id, name }: SignedIn) => {
    const me = own()
    somebodyElse.set(me && me.id !== id ? { id, name } : null)
  }
  const hash = hashKey(meQuery.queryKey)
  queryClient.getQueryCache().subscribe(({ type, query }) => {
    const me = own()
    if (type !== 'updated' || query.queryHash !== hash || !me) return
    somebodyElse.set(null)
    tabs.postMessage({ id: me.id, name: me.name })
  })
  tabs.addEventListener('message', ({ data }) => meet(data))
  document.addEventListener('visibilitychange', async () => {
    if (document.visibilityState !== 'visible' || !own()) return
    const now = await api.get<Me>('/auth/me', { waitForSignIn: false }).catch(() => null)
    if (now) meet(now)
  })
}
