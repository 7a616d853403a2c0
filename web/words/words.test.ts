import { createTranslator } from 'use-intl/core'
import { describe, expect, test } from 'vitest'
import { fitCodes } from '../../contract/fit-reasons.ts'
import { disabledCodes, outboundCodes } from '../../contract/outbound-reasons.ts'
import { type ProblemCode, problems } from '../../contract/problems.ts'
import { refusalCodes } from '../../contract/references.ts'
import de from './de.ts'
import en from './en.ts'
import { fieldRules } from './rules.ts'
import sheetDe from './sheet.de.ts'
import sheetEn from './sheet.en.ts'

const params = {
  ...{
    name: 'Menus',
    path: 'Social',
    title: 'Logo',
    reason: 'A claim',
    most: 32,
    mostBytes: '5 MB',
    usedBytes: '5 MB',
    quotaBytes: '6 MB',
    seconds: 3,
    minutes: 2,
    limit: 12,
    value: 9,
    provider: 'Google',
    missing: 'GOOGLE_CLIENT_ID',
  },
  ...{
    target: 'Instagram',
    type: 'image/heic',
    codecs: 'h264',
    codec: 'hevc',
    colours: 'p3',
    languages: 'German',
    start: 2,
    end: 9,
    lines: '720p',
    surface: 'gbp',
  },
  ...{ width: 10, height: 10, minWidth: 320, minHeight: 320, needed: 'both', origin: 'stock', ratio: '4:5' },
}

function sentences(locale: 'en' | 'de') {
  const faults: string[] = []
  const t = createTranslator({
    locale,
    messages: locale === 'en' ? en : de,
    onError: ({ message }) => void faults.push(message),
  })
  return {
    faults,
    of: {
      problems: (Object.keys(problems) as ProblemCode[]).map((code) => t(`problems.codes.${code}`, params)),
      fits: fitCodes.map((code) => t(`fitReasons.${code}`, params)),
      refusals: refusalCodes.map((code) => t(`problems.refusals.${code}`)),
      outbound: outboundCodes
        .filter((code) => code !== 'asset-not-usable' && code !== 'problem')
        .map((code) => t(`outbound.reasons.${code}`, { host: 'Example.com', who: 'WordPress', status: 500 })),
      disabled: disabledCodes.map((code) => t(`outbound.disabled.${code}`)),
      rules: fieldRules.map((rule) => t(`problems.rules.${rule}`, params)),
    },
  }
}

describe('every code the server can answer with', () => {
  const [english, german] = [sentences('en'), sentences('de')]

  test('has a sentence in both languages', () => {
    expect([...english.faults, ...german.faults]).toEqual([])
    for (const chapter of Object.keys(english.of) as (keyof typeof english.of)[]) {
      const both = english.of[chapter].map((sentence, index) => [sentence, german.of[chapter][index]!])
      for (const [inEnglish, inGerman] of both) {
        expect(inEnglish).toMatch(/^[A-Z“].*[.?]$/)
        expect(inGerman).toMatch(/^[A-ZÄÖÜ„].*[.?]$/)
        expect(inGerman).not.toBe(inEnglish)
      }
    }
  })
})

test('only the side that is limited is named', () => {
  for (const [locale, needed, wanted] of [
    ['en', 'width', 'at least 320 pixels of width are needed'],
    ['en', 'height', 'at least 1 pixels of height are needed'],
    ['en', 'both', 'at least 320 × 1 are needed'],
    ['de', 'width', 'mindestens 320 Pixel Breite sind nötig'],
    ['de', 'height', 'mindestens 1 Pixel Höhe sind nötig'],
    ['de', 'both', 'mindestens 320 × 1 sind nötig'],
  ] as const) {
    const t = createTranslator({ locale, messages: locale === 'en' ? en : de })
    expect(t('fitReasons.too-small', { ...params, minWidth: 320, minHeight: 1, needed })).toContain(wanted)
  }
})

test('German has a word of its own for everything but names', () => {
  const same: string[] = []
  const compare = (english: object, german: object, path: string) => {
    for (const [key, word] of Object.entries(english)) {
      const other = german[key as keyof typeof german] as unknown
      if (typeof word === 'object') compare(word, other as object, `${path}${key}.`)
      else if (word === other && /[a-z]{4,} [a-z]{3,}/i.test(word)) same.push(`${path}${key}: ${word}`)
    }
  }
  compare(en, de, '')
  expect(same).toEqual([])
})

test('sentences name no format but those that the app gives them', () => {
  const named = [en, de].flatMap((words) => [
    ...JSON.stringify(words).matchAll(/, (?:number|date|time), ?([^}]+)\}/g),
  ])
  expect(new Set(named.map(([, format]) => format))).toEqual(new Set(['percent']))
})

test('one of something is one, and not many', () => {
  const english = createTranslator({ locale: 'en', messages: en })
  const german = createTranslator({ locale: 'de', messages: de })
  const [asked, partly] = [
    { waiting: 1, accepted: 2 },
    { failed: 1, count: 3, detail: '' },
  ]
  expect([
    sheetEn.rows(1, '1'),
    sheetDe.rows(1, '1'),
    english('duplicates.group', { title: 'Logo', count: 1 }),
    english('uploadRequests.counts', asked),
    german('uploadRequests.counts', asked),
    german('batch.partly', partly),
  ]).toEqual([
    '1 row',
    '1 Zeile',
    'Logo (once)',
    '1 waiting · 2 accepted',
    '1 wartet · 2 angenommen',
    '1 von 3 konnte nicht geändert werden: ',
  ])
  expect([sheetEn.rows(1200, '1,200'), sheetDe.rows(1200, '1.200')]).toEqual(['1,200 rows', '1.200 Zeilen'])
  expect(german('uploadRequests.counts', { waiting: 0, accepted: 1 })).toBe('0 warten · 1 angenommen')
})
