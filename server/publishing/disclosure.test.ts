import { describe, expect, test } from 'vitest'
import { connectionKinds } from '../../contract/connection-kinds.ts'
import type { FileEvidence } from '../../contract/evidence.ts'
import { disclosureOf } from './disclosure.ts'
import { disclosureFields, disclosureRules } from './disclosure-rules.ts'
import { anyOf, targetById, targets } from './targets.ts'

const nothing: FileEvidence = {
  ...{ c2pa: null, digitalSourceType: null, generator: null },
  ...{ signature: null, credit: null, copyright: null },
}
const picture = { provenance: 'unknown' as const, evidence: nothing, mimeType: 'image/jpeg' }
const made = { ...picture, evidence: { ...nothing, digitalSourceType: 'trainedAlgorithmicMedia' } }
const on = (id: string) => targetById(id)!

describe('people are told that something was made by AI', () => {
  test.each([
    ['what a camera took', { ...picture, provenance: 'camera' as const }, 'instagram', 'none'],
    ['what nobody knows', { ...picture, evidence: null }, 'website', 'none'],
    ['what the file says', made, 'wordpress', 'required'],
    ['though a person says otherwise', { ...made, provenance: 'camera' as const }, 'website', 'required'],
    ['what a person says', { ...picture, provenance: 'generated' as const }, 'linkedin', 'required'],
    [
      'what a generator marked',
      { ...picture, evidence: { ...nothing, generator: 'ComfyUI' } },
      'x',
      'required',
    ],
    [
      'what was drawn without a model',
      { ...picture, evidence: { ...nothing, digitalSourceType: 'algorithmicMedia' } },
      'tiktok',
      'advised',
    ],
  ])('%s', (_, facts, target, level) => {
    expect(disclosureOf(facts, on(target)).disclosure).toBe(level)
  })

  test('since the day on which a rule holds', () => {
    expect(disclosureOf(made, on('website'), '2026-08-01').disclosure).toBe('advised')
    expect(disclosureOf(made, on('website'), '2026-08-02').disclosure).toBe('required')
  })

  test('in the field that the target has for it, by the rules for that kind of file', () => {
    const film = disclosureOf({ ...made, mimeType: 'video/mp4' }, on('instagram'))
    expect(film.disclosureField).toEqual({ name: 'is_ai_generated', value: true, isSet: true })
    expect(film.disclosureRules.map(({ rule }) => rule)).toEqual(['eu-ai-act-50', 'meta-films'])
    expect(disclosureOf(made, on('facebook-page'))).toMatchObject({
      disclosureField: null,
      disclosureRules: [{ rule: 'eu-ai-act-50' }, { rule: 'meta-pictures', level: 'advised' }],
    })
  })
})

test('wherever we deliver, what was made by AI has a rule with a source', () => {
  const delivered = Object.values(connectionKinds).flatMap(({ rules }) => rules ?? [])
  expect(delivered.filter((id) => !targetById(id))).toEqual([])
  for (const target of [...targets, ...Object.values(anyOf)])
    for (const mimeType of ['image/jpeg', 'video/mp4']) {
      const { disclosure, disclosureRules: rules } = disclosureOf({ ...made, mimeType }, target)
      expect([target.id, disclosure, rules[0]?.source]).toEqual([target.id, 'required', expect.any(String)])
    }
})

test('every rule names targets that there are, its source and the day it was read', () => {
  const named = [...disclosureRules.flatMap(({ targets = [] }) => targets), ...Object.keys(disclosureFields)]
  expect(named.filter((id) => !targetById(id))).toEqual([])
  for (const { source, readOn } of [
    ...disclosureRules,
    ...Object.values(disclosureFields).flatMap((field) => field ?? []),
  ])
    expect([source, readOn]).toEqual([
      expect.stringMatching(/\w{3}/),
      expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    ])
})
