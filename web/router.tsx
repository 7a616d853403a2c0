import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { Suspense } from 'react'
import type { DuplicateKind } from '../contract/duplicates.ts'
import { readSignOnReturn, type SignOnReturn } from './access/sign-on-return.ts'
import { readFilter } from './audit/filter.ts'
import { readPlace } from './library/place.ts'
import { isLeaving, onceThere } from './once-there.ts'
import { useSomebodyElse } from './other-tabs.ts'
import { AdminLibraryPage, PortalLibraryPage } from './pages/library-page.tsx'
import { queryClient } from './providers.tsx'
import { doorOf, homeOf, meQuery } from './session.ts'
import { useSessionExpired } from './session-expiry.ts'
import { content, focusIfLost } from './ui/focus.ts'
import { partOf } from './ui/part.ts'
import { Crashed, NotFound } from './ui/whole-page.tsx'
import { useElsewhere } from './uploads/elsewhere.ts'
import { restOfWords } from './words/spoken.ts'

const SignInAgain = partOf(() => import('./access/sign-in-again.tsx'), 'SignInAgain')
const SomebodyElse = partOf(() => import('./access/somebody-else.tsx'), 'SomebodyElse')

const TrayElsewhere = partOf(() => import('./uploads/tray-elsewhere.tsx'), 'TrayElsewhere')

/** A page that was not read before. The router would load the whole app anew to find it, and lose it without a connection. */
// biome-ignore lint/suspicious/noExplicitAny: of any page
const pageOf = <Room extends Record<string, any>, Name extends keyof Room>(
  load: () => Promise<Room>,
  name: Name,
) => lazyRouteComponent(() => onceThere(load, { isPage: true }), name)

/** One that says more than what a first look needs. All words come with it: it would go again to wait for them. */
// biome-ignore lint/suspicious/noExplicitAny: of any page
const wordyPageOf = <Room extends Record<string, any>, Name extends keyof Room>(
  load: () => Promise<Room>,
  name: Name,
) => pageOf(() => Promise.all([load(), restOfWords()]).then(([room]) => room), name)

const root = createRootRoute({
  component: () => (
    <>
      <Outlet />
      {useElsewhere().length > 0 && (
        <Suspense>
          <TrayElsewhere />
        </Suspense>
      )}
      {useSessionExpired() && (
        <Suspense>
          <SignInAgain />
        </Suspense>
      )}
      {useSomebodyElse() && (
        <Suspense>
          <SomebodyElse />
        </Suspense>
      )}
    </>
  ),
  notFoundComponent: NotFound,
  errorComponent: Crashed,
})

const who = () => queryClient.ensureQueryData(meQuery)

const start = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: async () => {
    const me = await who()
    throw redirect({ to: me ? homeOf(me) : '/login' })
  },
})

/** Where the person wanted to go, within this app. */
interface Wanted {
  to?: string
}
const readWanted = (to: unknown): Wanted => (typeof to === 'string' && /^\/(?!\/)/.test(to) ? { to } : {})

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: ({ to, ...said }: Record<string, unknown>): Wanted & SignOnReturn => ({
    ...readWanted(to),
    ...readSignOnReturn(said),
  }),
  beforeLoad: async ({ search }) => {
    const me = await who()
    if (me) throw redirect({ to: doorOf(me, search.to), replace: true })
  },
  component: pageOf(() => import('./pages/login-page.tsx'), 'LoginPage'),
})

const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: '/forgot-password',
  component: pageOf(() => import('./pages/forgot-password-page.tsx'), 'ForgotPasswordPage'),
})

const choosePassword = () => import('./pages/choose-password-page.tsx')

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  component: pageOf(choosePassword, 'ResetPasswordPage'),
})

const acceptInvitation = createRoute({
  getParentRoute: () => root,
  path: '/accept-invitation',
  component: pageOf(choosePassword, 'AcceptInvitationPage'),
})

const confirmEmail = createRoute({
  getParentRoute: () => root,
  path: '/confirm-email',
  component: pageOf(() => import('./pages/confirm-email-page.tsx'), 'ConfirmEmailPage'),
})

/** Everything behind the login. */
const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  beforeLoad: async ({ location }) => {
    const me = await who()
    if (!me) throw redirect({ to: '/login', search: { to: location.href } })
    if (me.pending && location.pathname !== '/account')
      throw redirect({ to: '/account', search: { to: location.href } })
  },
})

/** A client's own people have one library: every address of it leads to their door. */
const toOwnDoor = async ({ params, search }: { params: { clientId?: string }; search: object }) => {
  const me = await who()
  if (!me?.clientId || (params.clientId && params.clientId !== me.clientId)) return
  throw redirect({ to: '/portal/assets', search: readPlace({ ...search }), replace: true })
}

const clients = createRoute({
  getParentRoute: () => inside,
  path: '/clients',
  beforeLoad: toOwnDoor,
  component: pageOf(() => import('./pages/clients-page.tsx'), 'ClientsPage'),
})

export const adminLibrary = createRoute({
  getParentRoute: () => inside,
  path: '/clients/$clientId/assets',
  validateSearch: readPlace,
  beforeLoad: toOwnDoor,
  component: AdminLibraryPage,
})

export const portalLibrary = createRoute({
  getParentRoute: () => inside,
  path: '/portal/assets',
  validateSearch: readPlace,
  component: PortalLibraryPage,
})

const loadSheet = () => import('./pages/sheet-page.tsx')

const adminSheet = createRoute({
  getParentRoute: () => inside,
  path: '/clients/$clientId/texts',
  validateSearch: readPlace,
  component: wordyPageOf(loadSheet, 'AdminSheetPage'),
})

const portalSheet = createRoute({
  getParentRoute: () => inside,
  path: '/portal/texts',
  validateSearch: readPlace,
  component: wordyPageOf(loadSheet, 'PortalSheetPage'),
})

const connections = createRoute({
  getParentRoute: () => inside,
  path: '/clients/$clientId/connections',
  beforeLoad: toOwnDoor,
  component: wordyPageOf(() => import('./pages/connections-page.tsx'), 'ConnectionsPage'),
})

const loadShareLinks = () => import('./pages/share-links-page.tsx')

const adminShareLinks = createRoute({
  getParentRoute: () => inside,
  path: '/clients/$clientId/share-links',
  component: wordyPageOf(loadShareLinks, 'AdminShareLinksPage'),
})

const portalShareLinks = createRoute({
  getParentRoute: () => inside,
  path: '/portal/share-links',
  component: wordyPageOf(loadShareLinks, 'PortalShareLinksPage'),
})

const loadDuplicates = () => import('./pages/duplicates-page.tsx')

const readDuplicates = ({ kind }: Record<string, unknown>): { kind?: DuplicateKind | 'kept' } =>
  kind === 'exact' || kind === 'near' || kind === 'kept' ? { kind } : {}

const adminDuplicates = createRoute({
  getParentRoute: () => inside,
  path: '/clients/$clientId/duplicates',
  validateSearch: readDuplicates,
  beforeLoad: toOwnDoor,
  component: wordyPageOf(loadDuplicates, 'AdminDuplicatesPage'),
})

const portalDuplicates = createRoute({
  getParentRoute: () => inside,
  path: '/portal/duplicates',
  validateSearch: readDuplicates,
  component: wordyPageOf(loadDuplicates, 'PortalDuplicatesPage'),
})

const loadReview = () => import('./pages/review-page.tsx')

/** Which reviews are shown; the page knows what there is to choose. */
const readReviews = ({ show }: Record<string, unknown>): { show?: string } =>
  typeof show === 'string' ? { show } : {}

const review = createRoute({
  getParentRoute: () => inside,
  path: '/clients/$clientId/review',
  validateSearch: readReviews,
  beforeLoad: toOwnDoor,
  component: wordyPageOf(loadReview, 'AdminReviewPage'),
})

const portalReview = createRoute({
  getParentRoute: () => inside,
  path: '/portal/review',
  validateSearch: readReviews,
  component: wordyPageOf(loadReview, 'PortalReviewPage'),
})

const loadActivity = () => import('./pages/activity-page.tsx')

const activity = createRoute({
  getParentRoute: () => inside,
  path: '/clients/$clientId/activity',
  beforeLoad: toOwnDoor,
  component: wordyPageOf(loadActivity, 'AdminActivityPage'),
})

const portalActivity = createRoute({
  getParentRoute: () => inside,
  path: '/portal/activity',
  component: wordyPageOf(loadActivity, 'PortalActivityPage'),
})

const loadClientAgents = () => import('./pages/client-agents-page.tsx')

const clientAgents = createRoute({
  getParentRoute: () => inside,
  path: '/clients/$clientId/agents',
  beforeLoad: toOwnDoor,
  component: wordyPageOf(loadClientAgents, 'ClientAgentsPage'),
})

const clientAgent = createRoute({
  getParentRoute: () => inside,
  path: '/clients/$clientId/agents/$keyId',
  beforeLoad: toOwnDoor,
  component: wordyPageOf(loadClientAgents, 'ClientAgentPage'),
})

const portalAgents = createRoute({
  getParentRoute: () => inside,
  path: '/portal/agents',
  component: wordyPageOf(loadClientAgents, 'PortalAgentsPage'),
})

const portalAgent = createRoute({
  getParentRoute: () => inside,
  path: '/portal/agents/$keyId',
  component: wordyPageOf(loadClientAgents, 'PortalAgentPage'),
})

const settings = createRoute({
  getParentRoute: () => inside,
  path: '/clients/$clientId/settings',
  beforeLoad: toOwnDoor,
  component: wordyPageOf(() => import('./pages/settings-page.tsx'), 'SettingsPage'),
})

const signInReturn = createRoute({
  getParentRoute: () => inside,
  path: '/connect/$provider',
  component: wordyPageOf(() => import('./pages/sign-in-return-page.tsx'), 'SignInReturnPage'),
})

const connectAgent = createRoute({
  getParentRoute: () => inside,
  path: '/connect-agent',
  validateSearch: ({ request }: Record<string, unknown>): { request?: string } =>
    typeof request === 'string' ? { request } : {},
  component: wordyPageOf(() => import('./pages/connect-agent-page.tsx'), 'ConnectAgentPage'),
})

const allowPicker = createRoute({
  getParentRoute: () => inside,
  path: '/picker',
  validateSearch: ({
    embedder,
    client,
  }: Record<string, unknown>): { embedder?: string; client?: string } => ({
    ...(typeof embedder === 'string' && { embedder }),
    ...(typeof client === 'string' && { client }),
  }),
  component: wordyPageOf(() => import('./pages/allow-picker-page.tsx'), 'AllowPickerPage'),
})

const account = createRoute({
  getParentRoute: () => inside,
  path: '/account',
  // What came of linking the account to a provider.
  validateSearch: ({
    linked,
    to,
    ...said
  }: Record<string, unknown>): { linked?: string } & Wanted & SignOnReturn => ({
    ...(typeof linked === 'string' && { linked }),
    ...readWanted(to),
    ...readSignOnReturn(said),
  }),
  component: wordyPageOf(() => import('./pages/account-page.tsx'), 'AccountPage'),
})

const users = createRoute({
  getParentRoute: () => inside,
  path: '/admin/users',
  component: wordyPageOf(() => import('./pages/users-page.tsx'), 'UsersPage'),
})

const keys = createRoute({
  getParentRoute: () => inside,
  path: '/admin/keys',
  component: wordyPageOf(() => import('./pages/keys-page.tsx'), 'KeysPage'),
})

const agents = createRoute({
  getParentRoute: () => inside,
  path: '/admin/agents',
  component: wordyPageOf(() => import('./pages/agents-page.tsx'), 'AgentsPage'),
})

const manageClients = createRoute({
  getParentRoute: () => inside,
  path: '/admin/clients',
  component: wordyPageOf(() => import('./pages/manage-clients-page.tsx'), 'ManageClientsPage'),
})

const webhooks = createRoute({
  getParentRoute: () => inside,
  path: '/admin/webhooks',
  component: wordyPageOf(() => import('./pages/webhooks-page.tsx'), 'WebhooksPage'),
})

const audit = createRoute({
  getParentRoute: () => inside,
  path: '/admin/audit',
  validateSearch: readFilter,
  component: wordyPageOf(() => import('./pages/audit-page.tsx'), 'AuditPage'),
})

export const router = createRouter({
  basepath: '/app',
  routeTree: root.addChildren([
    start,
    login,
    forgotPassword,
    resetPassword,
    acceptInvitation,
    confirmEmail,
    inside.addChildren([
      clients,
      adminLibrary,
      portalLibrary,
      adminSheet,
      portalSheet,
      connections,
      adminShareLinks,
      portalShareLinks,
      adminDuplicates,
      portalDuplicates,
      activity,
      review,
      portalReview,
      portalActivity,
      portalAgents,
      portalAgent,
      clientAgents,
      clientAgent,
      settings,
      signInReturn,
      connectAgent,
      allowPicker,
      account,
      users,
      keys,
      agents,
      manageClients,
      webhooks,
      audit,
    ]),
  ]),
  defaultPreload: 'intent',
})

router.subscribe('onBeforeLoad', () => isLeaving.set(true))
router.subscribe('onResolved', ({ fromLocation, pathChanged }) => {
  isLeaving.set(false)
  // What led to a page goes with the page before.
  if (fromLocation && pathChanged) focusIfLost(content)
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
