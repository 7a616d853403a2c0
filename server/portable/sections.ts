import { connectionsSection } from '../connections/portable.ts'
import { foldersSection } from '../folders/portable.ts'
import { deliveriesSection } from '../ledger/portable.ts'
import { usesSection } from '../references/portable.ts'
import { approvalsSection } from '../review/portable.ts'
import type { Section } from '../section.ts'

/** What assets lie in. */
export const beforeAssets: Section[] = [foldersSection]

/** What points to assets; each may point to what comes before it. */
export const afterAssets: Section[] = [approvalsSection, usesSection, connectionsSection, deliveriesSection]

export const allSections = [...beforeAssets, ...afterAssets]
