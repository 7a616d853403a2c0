import type { SourceType } from '../../contract/evidence.ts'
import type { Target } from './target.ts'

/** Who wants people to be told that something was made by AI, where, and since when. */
export interface DisclosureRule {
  rule: string
  /** Of targets; all where none is named. */
  targets?: Target['id'][]
  of?: 'films' | 'pictures'
  level: 'required' | 'advised'
  says: string
  appliesFrom: string | null
  source: string
  readOn: string
}

/** Whether something passes for real is not for us to judge: whoever posts it decides, and is told. */
export const disclosureRules: DisclosureRule[] = [
  {
    rule: 'eu-ai-act-50',
    level: 'required',
    says: 'Whoever publishes pictures or films in the EU that were made or altered by AI and could pass for real says so, clearly and at first sight.',
    appliesFrom: '2026-08-02',
    source: 'Regulation (EU) 2024/1689, Articles 50(4), 50(5) and 3(60)',
    readOn: '2026-11-16',
  },
  {
    rule: 'meta-films',
    targets: ['instagram', 'facebook-page'],
    of: 'films',
    level: 'required',
    says: 'Meta wants photorealistic films and realistic sound that were made or altered by AI to be labelled by whoever posts them.',
    appliesFrom: '2024-05-01',
    source: 'Meta, Labelling AI content; meta.com/help/artificial-intelligence/1783222608822690',
    readOn: '2026-11-16',
  },
  {
    rule: 'meta-pictures',
    targets: ['instagram', 'facebook-page'],
    of: 'pictures',
    level: 'advised',
    says: 'Meta labels pictures by the IPTC and C2PA marks in them, which go out with renditions, or as whoever posts them says.',
    appliesFrom: '2024-05-01',
    source: 'meta.com/help/artificial-intelligence/1783222608822690',
    readOn: '2026-11-16',
  },
  {
    rule: 'tiktok',
    targets: ['tiktok'],
    level: 'required',
    says: 'TikTok wants realistic pictures, sound and films that were made by AI to be labelled by whoever posts them.',
    appliesFrom: null,
    source: 'TikTok Support, About AI-generated content (quoted)',
    readOn: '2026-11-16',
  },
  {
    rule: 'linkedin',
    targets: ['linkedin'],
    level: 'advised',
    says: 'LinkedIn labels what carries Content Credentials; what does not is for the text of the post to say.',
    appliesFrom: null,
    source: 'LinkedIn Help, Content credentials (a6282984)',
    readOn: '2026-11-16',
  },
]

export interface DisclosureField {
  name: string
  value: boolean
  /** Deliveries set it. */
  isSet: boolean
  source: string
  readOn: string
}

/** Where a target's own API has a field for it, as its maker documents. */
export const disclosureFields: Partial<Record<Target['id'], DisclosureField>> = {
  instagram: {
    name: 'is_ai_generated',
    value: true,
    isSet: true,
    source: 'Instagram Platform changelog, 22 June 2026: on the container, of a carousel on that alone',
    readOn: '2026-11-16',
  },
  tiktok: {
    name: 'post_info.is_aigc',
    value: true,
    isSet: false,
    source: 'TikTok Content Posting API, Direct Post (quoted)',
    readOn: '2026-11-16',
  },
}

/** Made by a model that was trained, wholly or in part; what an algorithm draws is another thing. */
export const byTrainedModel: SourceType[] = [
  'trainedAlgorithmicMedia',
  'compositeWithTrainedAlgorithmicMedia',
  'compositeSynthetic',
  'trainedAlgorithmicData',
]
