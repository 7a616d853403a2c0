import { useMemo } from 'react'
import { useFormatter, useLocale, useTranslations } from 'use-intl'
import type { Tree } from '../folders/folders.ts'
import { useLibrary } from '../library/library.tsx'
import { pathText } from '../ui/path-text.ts'
import { fileSize } from '../words/file-size.ts'
import type { TileWords } from './tile.tsx'

export function useTileWords(tree: Tree): TileWords {
  const { frame } = useLibrary()
  const tile = useTranslations('tile')
  const actions = useTranslations('actions')
  const folder = useTranslations('folder')
  const surfaces = useTranslations('surfaces')
  const library = useTranslations('library')
  const states = useTranslations('review.states')
  const details = useTranslations('details')
  const fields = useTranslations('fields')
  const locale = useLocale()
  const format = useFormatter()
  return useMemo(() => {
    const steps: TileWords['steps'] = (folderId) => [
      library('root'),
      ...tree.path(folderId).map(({ name }) => name),
    ]
    const surface = (name: 'website' | 'social' | 'gbp' | 'all') =>
      frame === 'portal' ? surfaces(name) : surfaces(`short.${name}`)
    return {
      noAlt: tile('noAlt'),
      rightsEnded: tile('rightsEnded'),
      making: tile('making'),
      locked: tile('locked'),
      rename: actions('rename'),
      folder: folder('trashedFolder'),
      surfaces: {
        website: surface('website'),
        social: surface('social'),
        gbp: surface('gbp'),
        all: surface('all'),
      },
      approval: {
        none: states('none'),
        pending: states('pending'),
        approved: states('approved'),
        'changes-requested': states('changes-requested'),
      },
      menu: (title) => tile('actions', { title }),
      size: (bytes) => fileSize(bytes, locale),
      date: (timestamp) => format.dateTime(new Date(timestamp), { dateStyle: 'medium' }),
      place: (folderId) => tree.byId.get(folderId ?? '')?.name ?? library('root'),
      steps,
      isThere: (folderId) => folderId === null || tree.byId.has(folderId),
      deletedFolder: tile('deletedFolder'),
      path: (folderId) => pathText(steps(folderId)),
      count: (count) => library('assetCount', { count }),
      number: (value) => format.number(value),
      showTag: (tag) => details('showTag', { tag }),
      foundIn: {
        tag: tile('foundInTag'),
        description: fields('description'),
        altText: fields('altText'),
        fileName: details('fileName'),
        folder: details('place'),
        picture: tile('foundInPicture'),
        meaning: tile('similar'),
      },
    }
  }, [frame, tile, actions, folder, surfaces, library, states, details, fields, locale, format, tree])
}
