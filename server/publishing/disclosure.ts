import type { Provenance } from '../../contract/assets.ts'
import type { Disclosure, DisclosureLevel, DisclosureRules } from '../../contract/disclosure.ts'
import { type FileEvidence, saysOf } from '../../contract/evidence.ts'
import { isFilm } from '../../contract/media-types.ts'
import { byTrainedModel, type DisclosureRule, disclosureFields, disclosureRules } from './disclosure-rules.ts'
import type { Target } from './target.ts'

interface Facts {
  provenance: Provenance
  evidence: FileEvidence | null
  mimeType: string
}

/** Whether people have to be told on a target that it was made by AI, how, and who says so. */
export function disclosureOf(
  facts: Facts,
  { id }: Pick<Target, 'id'>,
  today = new Date().toISOString().slice(0, 10),
): Disclosure & { disclosureRules: DisclosureRules } {
  const by = madeBy(facts)
  if (!by) return { disclosure: 'none', disclosureField: null, disclosureRules: [] }
  const rules = disclosureRules
    .filter((rule) => isFor(rule, id, facts.mimeType))
    .map(({ targets: _, of: __, ...rule }) => ({
      ...rule,
      level: by === 'algorithm' || !holds(rule, today) ? ('advised' as const) : rule.level,
    }))
  const field = disclosureFields[id]
  return {
    disclosure: strictest(rules.map(({ level }) => level)),
    disclosureField: field ? { name: field.name, value: field.value, isSet: field.isSet } : null,
    disclosureRules: rules,
  }
}

/** What a person says counts as much as what the file says: only both together can say nothing. */
export function madeBy({ provenance, evidence }: Omit<Facts, 'mimeType'>): 'ai' | 'algorithm' | null {
  if (provenance === 'generated') return 'ai'
  if (!evidence || saysOf(evidence) !== 'generated') return null
  const { generator, digitalSourceType } = evidence
  const isTrained = byTrainedModel.some((type) => type === digitalSourceType)
  return generator !== null || isTrained ? 'ai' : 'algorithm'
}

const isFor = ({ targets, of }: DisclosureRule, id: string, mimeType: string) =>
  (!targets || targets.includes(id)) && (!of || (of === 'films') === isFilm(mimeType))

const holds = ({ appliesFrom }: { appliesFrom: string | null }, today: string) =>
  appliesFrom === null || appliesFrom <= today

const strictest = (levels: DisclosureLevel[]): DisclosureLevel =>
  levels.includes('required') ? 'required' : levels.includes('advised') ? 'advised' : 'none'
