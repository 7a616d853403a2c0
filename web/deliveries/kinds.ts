import { Globe, type LucideIcon, MapPin, Share2, Webhook } from 'lucide-react'
import type { Connection, ConnectionKind } from '../../contract/deliveries.ts'
import type { Surface } from '../../contract/words.ts'
import type { Words } from '../words/en.ts'

export type FieldName = keyof Words['connections']['fields']

export interface Field {
  name: FieldName
  optional?: true
  secret?: true
  choices?: (keyof Words['connections']['categories'])[]
  yesNo?: true
}

interface Kind {
  icon: LucideIcon
  /** What may be shown there. */
  surfaces: readonly Surface[]
  /** Whose rules decide what fits, as the fits of an asset name it. */
  fit?: string
  settings: Field[]
  secrets: Field[]
}

/** What the app knows of each kind of connection. */
export const kinds: Record<ConnectionKind, Kind> = {
  wordpress: {
    icon: Globe,
    surfaces: ['website'],
    fit: 'wordpress',
    settings: [{ name: 'siteUrl' }],
    secrets: [{ name: 'username' }, { name: 'applicationPassword', secret: true }],
  },
  webhook: {
    icon: Webhook,
    surfaces: ['website', 'social', 'gbp'],
    settings: [{ name: 'url' }, { name: 'honoursIdempotencyKey', optional: true, yesNo: true }],
    secrets: [{ name: 'signingSecret', secret: true }],
  },
  gbp: {
    icon: MapPin,
    surfaces: ['gbp'],
    fit: 'google-business-profile-gallery',
    settings: [
      { name: 'accountId' },
      { name: 'locationId' },
      {
        name: 'category',
        optional: true,
        choices: ['ADDITIONAL', 'EXTERIOR', 'INTERIOR', 'PRODUCT', 'AT_WORK', 'FOOD_AND_DRINK', 'TEAMS'],
      },
    ],
    secrets: [{ name: 'accessToken', secret: true }],
  },
  linkedin: {
    icon: Share2,
    surfaces: ['social'],
    fit: 'linkedin',
    settings: [{ name: 'ownerUrn' }],
    secrets: [{ name: 'accessToken', secret: true }],
  },
}

/** Where it leads, in a few letters. */
export const addressOf = ({ settings }: Connection): string =>
  [settings.siteUrl, settings.url, settings.locationId, settings.ownerUrn].find(
    (text) => typeof text === 'string',
  ) ?? ''
