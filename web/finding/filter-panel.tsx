import { Button, Group, NativeSelect, SegmentedControl, Stack, TextInput } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { orientations, ratios } from '../../contract/ratios.ts'
import { type Place, tagsOf, unfiltered, withTags } from '../library/place.ts'
import { DayField } from '../ui/day-field.tsx'
import { Drawer } from '../ui/drawer.tsx'
import { fileSizes, useUploaders, widths } from './filters.ts'

/** All that a list can be narrowed down by and has no chip of its own: beside the list, or on a phone a sheet over it. */
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
  const library = useTranslations('library')
  const uploaders = useUploaders()
  const isPhone = useMediaQuery('(width < 640px)')
  const [tag, setTag] = useState('')
  const size = Object.entries(fileSizes).find(
    ([, { minBytes, maxBytes }]) => minBytes === place.minBytes && maxBytes === place.maxBytes,
  )
  const any = { value: '', label: t('any') }

  function addTag() {
    if (tag.trim()) onGo(withTags([...tagsOf(place), tag.trim()]))
    setTag('')
  }

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
            addTag()
          }}
        >
          <Group align="end" gap={8} wrap="nowrap">
            <TextInput
              flex={1}
              label={t('tag')}
              maxLength={60}
              value={tag}
              onChange={(event) => setTag(event.currentTarget.value)}
            />
            <Button type="submit" variant="default">
              {t('addTag')}
            </Button>
          </Group>
        </form>
        <NativeSelect
          label={t('uploader')}
          value={place.uploader ?? ''}
          data={[any, ...uploaders]}
          onChange={(event) => onGo({ uploader: event.currentTarget.value || undefined })}
        />
        <Group grow gap={8} align="start">
          <DayField
            label={t('from')}
            value={place.from ?? ''}
            max={place.to}
            onChange={(event) => onGo({ from: event.currentTarget.value || undefined })}
          />
          <DayField
            label={t('to')}
            value={place.to ?? ''}
            min={place.from}
            onChange={(event) => onGo({ to: event.currentTarget.value || undefined })}
          />
        </Group>
        <div>
          <div className="mantine-Input-label" id="finding-orientation">
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
        <NativeSelect
          label={t('ratio')}
          value={place.ratio ?? ''}
          data={[any, ...ratios]}
          onChange={(event) => onGo({ ratio: (event.currentTarget.value || undefined) as Place['ratio'] })}
        />
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
        <NativeSelect
          label={t('width')}
          value={place.minWidth ?? ''}
          data={[any, ...widths.map((width) => ({ value: String(width), label: t('wide', { width }) }))]}
          onChange={(event) => onGo({ minWidth: Number(event.currentTarget.value) || undefined })}
        />
        <NativeSelect
          label={t('use')}
          value={place.used ?? ''}
          data={[any, { value: 'yes', label: t('used') }, { value: 'no', label: t('unused') }]}
          onChange={(event) => onGo({ used: (event.currentTarget.value || undefined) as Place['used'] })}
        />
        <Group justify="space-between">
          <Button variant="default" onClick={() => onGo(unfiltered)}>
            {library('clearFilters')}
          </Button>
          <Button onClick={onClose}>{t('done')}</Button>
        </Group>
      </Stack>
    </Drawer>
  )
}
