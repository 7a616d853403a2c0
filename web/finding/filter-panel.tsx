import { Autocomplete, Button, Group, NativeSelect, SegmentedControl, Stack } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { approvalStates, mostTagged } from '../../contract/assets.ts'
import { allMediaTypes } from '../../contract/media-types.ts'
import { orientations, ratios } from '../../contract/ratios.ts'
import { surfaces } from '../../contract/words.ts'
import {
  countFilters,
  looksBelow,
  looksFurther,
  type Place,
  tagsOf,
  withoutFilters,
  withTags,
} from '../library/place.ts'
import { DayField } from '../ui/day-field.tsx'
import { areReversed } from '../ui/days.ts'
import { Drawer } from '../ui/drawer.tsx'
import { useRatioText } from '../words/ratio.ts'
import './filter-panel.css'
import { fileSizes, heights, typeName, useReadTags, useTags, useUploaders, widths } from './filters.ts'

/** All that a list can be narrowed down by: beside the list, or on a phone a sheet over it. */
export function FilterPanel({
  place,
  onGo,
  onClose,
}: {
  place: Place
  onGo(change: Partial<Place>): void
  onClose(): void
}) {
  const t = useTranslations('finding')
  const ratioText = useRatioText()
  const library = useTranslations('library')
  const surface = useTranslations('surfaces')
  const review = useTranslations('review.states')
  const uploaders = useUploaders()
  const isPhone = useMediaQuery('(width < 640px)')
  const [tag, setTag] = useState('')
  const [isUnknown, setUnknown] = useState(false)
  const known = useTags(tag.trim())
  const readTags = useReadTags()
  const size = Object.entries(fileSizes).find(
    ([, { minBytes, maxBytes }]) => minBytes === place.minBytes && maxBytes === place.maxBytes,
  )
  const any = { value: '', label: t('any') }
  const chosen = tagsOf(place).map((each) => each.toLowerCase())
  const begin = tag.trim().toLowerCase()
  const offered = offeredOf(known)
  const countOf = new Map(
    offered.map(({ tag: name, assets: count }) => [
      name,
      t(count < mostTagged ? 'tagCount' : 'tagCountMost', { count }),
    ]),
  )

  // Here a tag is a filter like any other: it stays in the folder, unless more is looked through already.
  const isHere = !!place.folder && (looksBelow(place) || !looksFurther(place))

  function offeredOf(tags: typeof known) {
    const startsSo = ({ tag: each }: { tag: string }) => each.toLowerCase().startsWith(begin)
    return tags.filter((each) => begin && startsSo(each) && !chosen.includes(each.tag.toLowerCase()))
  }

  function addTag(one: string) {
    onGo({ ...withTags([...tagsOf(place), one]), ...(isHere && { scope: 'below' }) })
    type('')
  }

  function type(begun: string) {
    setTag(begun)
    setUnknown(false)
  }

  /** What was only begun means the tag itself, or else the first that is offered. */
  async function addBegun() {
    if (!begin || chosen.includes(begin)) return type('')
    const there = offeredOf(await readTags(tag.trim()))
    const meant = there.find((each) => each.tag.toLowerCase() === begin) ?? there[0]
    if (meant) addTag(meant.tag)
    else setUnknown(true)
  }

  /** A filter that is one of some, or none of them. */
  const choice = (name: keyof Place, label: string, options: { value: string; label: string }[]) => (
    <NativeSelect
      label={label}
      value={String(place[name] ?? '')}
      data={[any, ...options]}
      onChange={(event) => onGo({ [name]: event.currentTarget.value || undefined })}
    />
  )
  const pixels = (
    name: 'minWidth' | 'minHeight',
    label: string,
    options: { value: string; label: string }[],
  ) => (
    <NativeSelect
      label={label}
      value={place[name] ?? ''}
      data={[any, ...options]}
      onChange={(event) => onGo({ [name]: Number(event.currentTarget.value) || undefined })}
    />
  )

  return (
    <Drawer
      opened
      onClose={onClose}
      position={isPhone ? 'bottom' : 'right'}
      size={isPhone ? '85%' : 340}
      title={library('filters')}
      overlayProps={{ backgroundOpacity: isPhone ? 0.4 : 0 }}
    >
      <Stack gap={14}>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            void addBegun().catch(() => {})
          }}
        >
          <Group align={isUnknown ? 'center' : 'end'} gap={8} wrap="nowrap">
            <Autocomplete
              flex={1}
              label={t('tag')}
              maxLength={60}
              value={tag}
              onChange={type}
              error={isUnknown && t('unknownTag')}
              onOptionSubmit={(one) => {
                addTag(one)
                // The field would keep what was chosen.
                queueMicrotask(() => type(''))
              }}
              data={offered.map((each) => each.tag)}
              filter={({ options }) => options}
              comboboxProps={{ withinPortal: false }}
              renderOption={({ option }) => (
                <span className="tag-offered">
                  <bdi>{option.value}</bdi> <small>{countOf.get(option.value)}</small>
                </span>
              )}
            />
            <Button type="submit" variant="default">
              {t('addTag')}
            </Button>
          </Group>
        </form>
        {choice('type', t('type'), [
          { value: 'image', label: library('images') },
          { value: 'video', label: library('videos') },
          ...allMediaTypes.map((value) => ({ value, label: typeName(value) })),
        ])}
        {choice(
          'surface',
          t('surface'),
          surfaces.map((value) => ({ value, label: surface(value) })),
        )}
        {choice('alt', t('altText'), [{ value: 'missing', label: library('noAltText') }])}
        {choice(
          'approval',
          t('approval'),
          approvalStates.map((value) => ({ value, label: review(value) })),
        )}
        {choice('rights', t('rights'), [
          { value: 'ending', label: library('rightsEnding') },
          { value: 'ended', label: library('rightsEnded') },
        ])}
        {choice('uploader', t('uploader'), uploaders)}
        <Group grow gap={8} align="start">
          <DayField
            label={t('from')}
            value={place.from ?? ''}
            max={place.to}
            error={areReversed(place) && t('reversed')}
            onDay={(day) => onGo({ from: day || undefined })}
          />
          <DayField
            label={t('to')}
            value={place.to ?? ''}
            min={place.from}
            error={areReversed(place)}
            onDay={(day) => onGo({ to: day || undefined })}
          />
        </Group>
        <div>
          <div className="filter-label" id="finding-orientation">
            {t('orientation')}
          </div>
          <SegmentedControl
            fullWidth
            aria-labelledby="finding-orientation"
            value={place.orientation ?? ''}
            data={[any, ...orientations.map((value) => ({ value, label: t(`orientations.${value}`) }))]}
            onChange={(value) => onGo({ orientation: (value || undefined) as Place['orientation'] })}
          />
        </div>
        {choice(
          'ratio',
          t('ratio'),
          ratios.map((value) => ({ value, label: ratioText(value) })),
        )}
        <NativeSelect
          label={t('fileSize')}
          value={size?.[0] ?? ''}
          data={[
            any,
            ...Object.entries(fileSizes).map(([value, { minBytes, maxBytes }]) => ({
              value,
              label: minBytes
                ? t('over', { size: `${minBytes / 1e6} MB` })
                : t('under', { size: `${maxBytes! / 1e6} MB` }),
            })),
          ]}
          onChange={(event) =>
            onGo({ minBytes: undefined, maxBytes: undefined, ...fileSizes[event.currentTarget.value] })
          }
        />
        {pixels(
          'minWidth',
          t('width'),
          widths.map((width) => ({ value: String(width), label: t('wide', { width }) })),
        )}
        {pixels(
          'minHeight',
          t('height'),
          heights.map((height) => ({ value: String(height), label: t('high', { height }) })),
        )}
        {choice('used', t('use'), [
          { value: 'yes', label: t('used') },
          { value: 'no', label: t('unused') },
        ])}
        {choice('duplicates', t('duplicates'), [
          { value: 'yes', label: t('twice') },
          { value: 'no', label: t('once') },
        ])}
        <Group justify="space-between" className="filter-acts">
          <Button
            variant="default"
            disabled={countFilters(place) === 0}
            onClick={() => onGo(withoutFilters(place))}
          >
            {library('clearFilters')}
          </Button>
          <Button
            onClick={() => {
              void addBegun()
                .catch(() => {})
                .then(onClose)
            }}
          >
            {t('done')}
          </Button>
        </Group>
      </Stack>
    </Drawer>
  )
}
