import { Button, Checkbox, Group, Stack, TagsInput, Textarea, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslations } from 'use-intl'
import { mostTags } from '../../contract/assets.ts'
import { type Surface, surfaces } from '../../contract/words.ts'
import { Modal } from '../ui/modal.tsx'
import type { About, Upload } from './upload.ts'
import { useUploading } from './uploading.tsx'

/** What can be written about uploads while their bytes travel: all of it about one, what many share about many. */
export function AboutDialog({ uploads, onClose }: { uploads: Upload[]; onClose(): void }) {
  const t = useTranslations('uploads')
  const fields = useTranslations('fields')
  const words = useTranslations('app')
  const where = useTranslations('surfaces')
  const details = useTranslations('details')
  const batch = useTranslations('batch')
  const { engine } = useUploading()
  const one = uploads.length === 1 ? uploads[0]! : null
  const before = one ? wordsOf(one) : nothing
  const [title, setTitle] = useState(before.title)
  const [altText, setAltText] = useState(before.altText)
  const [tags, setTags] = useState(before.tags)
  const [allowed, setAllowed] = useState(before.allowedSurfaces)

  // Only what was changed here: somebody may have written the rest elsewhere meanwhile.
  const written = (upload: Upload): About => ({
    ...(title.trim() && title !== before.title && { title: title.trim() }),
    ...(altText !== before.altText && { altText: altText.trim() }),
    ...(tags !== before.tags && { tags: one ? tags : together(wordsOf(upload).tags, tags) }),
    ...(allowed !== before.allowedSurfaces && { allowedSurfaces: allowed }),
  })
  function save(event: FormEvent) {
    event.preventDefault()
    engine.describe(
      uploads.map(({ id }) => id),
      written,
    )
    onClose()
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={one ? t('aboutTitle', { name: one.name }) : t('aboutTitleAll', { count: uploads.length })}
      closeButtonProps={{ 'aria-label': words('close') }}
      styles={{ title: { fontWeight: 620, overflowWrap: 'anywhere' } }}
    >
      <form onSubmit={save}>
        <Stack gap={14}>
          <p className="upload-about-text">{one ? t('aboutText') : t('aboutTextAll')}</p>
          {one && (
            <>
              <TextInput
                label={fields('title')}
                placeholder={one.name.replace(/\.[^.]+$/, '')}
                maxLength={200}
                value={title}
                onChange={(event) => setTitle(event.currentTarget.value)}
                data-autofocus
              />
              <Textarea
                label={fields('altText')}
                description={details('altWhy')}
                maxLength={2000}
                autosize
                minRows={2}
                value={altText}
                onChange={(event) => setAltText(event.currentTarget.value)}
              />
            </>
          )}
          <TagsInput
            label={fields('tags')}
            description={batch('tagHint')}
            maxTags={mostTags}
            value={tags}
            onChange={setTags}
            splitChars={[',', ';']}
            acceptValueOnBlur
            dropdownOpened={false} // nothing is suggested; Esc closes the dialog at once
            clearable={false}
          />
          <Checkbox.Group
            label={where('label')}
            description={allowed.length === 0 ? where('allHint') : where('someHint')}
            value={allowed}
            onChange={(value) => setAllowed(value as Surface[])}
          >
            <Group gap={18} mt={8}>
              {surfaces.map((surface) => (
                <Checkbox key={surface} value={surface} label={where(surface)} />
              ))}
            </Group>
          </Checkbox.Group>
          <Group justify="flex-end" gap={8} mt={6}>
            <Button variant="default" onClick={onClose}>
              {words('cancel')}
            </Button>
            <Button type="submit">{words('save')}</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

const nothing: Required<About> = { title: '', altText: '', tags: [], allowedSurfaces: [] }

/** What is written about an upload so far: not saved yet, or already in its asset. */
const wordsOf = ({ asset, about }: Upload): Required<About> => ({ ...nothing, ...asset, ...about })

const together = (before: string[], more: string[]) => [...new Set([...before, ...more])].slice(0, mostTags)
