import { settingsSection } from '../clients/portable.ts'
import { collectionsSection } from '../collections/portable.ts'
import { connectionsSection } from '../connections/portable.ts'
import { mergedAssetsSection } from '../duplicates/portable.ts'
import { keptGroupsSection } from '../duplicates/portable-kept-groups.ts'
import { foldersSection } from '../folders/portable.ts'
import { deliveriesSection } from '../ledger/portable.ts'
import { usesSection } from '../references/portable.ts'
import { approvalsSection } from '../review/portable.ts'
import { commentsSection } from '../review/portable-comments.ts'
import { savedSearchesSection } from '../saved-searches/portable.ts'
import type { Section } from '../section.ts'
import { shareLinksSection } from '../shares/portable.ts'
import { uploadRequestsSection } from '../upload-requests/portable.ts'

/** What assets lie in. */
export const beforeAssets: Section[] = [settingsSection, foldersSection]

/** What points to assets; each may point to what comes before it. */
export const afterAssets: Section[] = [
  mergedAssetsSection,
  keptGroupsSection,
  collectionsSection,
  savedSearchesSection,
  shareLinksSection,
  uploadRequestsSection,
  approvalsSection,
  commentsSection,
  usesSection,
  connectionsSection,
  deliveriesSection,
]

export const allSections = [...beforeAssets, ...afterAssets]
