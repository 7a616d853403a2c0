import { ActionIcon, Anchor, Button, Tooltip } from '@mantine/core'
import { Copy, RotateCcw, Trash2, TriangleAlert, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useFormatter, useLocale, useTranslations } from 'use-intl'
import type { Asset, Fit } from '../../contract/assets.ts'
import type { Surface } from '../../contract/words.ts'
import { isProblem } from '../api.ts'
import type { Tree } from '../folders/folders.ts'
import { useLibrary } from '../library/library.tsx'
import { useMe } from '../session.ts'
import { useChoice } from '../ui/use-choice.ts'
import { fileSize } from '../words/file-size.ts'
import { useProblemText } from '../words/problem-text.ts'
import {
  contentUrl,
  useAsset,
  useBeginEdit,
  useFits,
  useMergedInto,
  useSaveEdit,
  useSimilar,
  useUses,
} from './assets.ts'
import { DetailsPicture } from './details-picture.tsx'
import { useDisclosureWords } from './disclosure.tsx'
import { EditableField } from './edit-field.tsx'
import { useFitWords, useTargetName } from './fit-words.ts'
import { duration } from './formats.ts'
import { History } from './history.tsx'
import { Hold } from './hold.tsx'
import { isVideo, Picture, typeOf } from './picture.tsx'
import { PictureText } from './picture-text.tsx'
import { playsHere } from './playable.ts'
import { useCopyWords } from './playable-copy.tsx'
import { Section } from './section.tsx'
import { SurfaceChoice } from './surface-choice.tsx'
import { useActions } from './use-actions.ts'
import { UseList } from './use-list.tsx'
import { Versions } from './versions.tsx'
import './details.css'

interface DetailsProps {
  assetId: string | null
  selectedCount: number
  tree: Tree
  onQuickLook(assetId: string): void
  onShow(asset: Pick<Asset, 'assetId' | 'folderId'>): void
  /** What people say of it: other rooms know. */
  review(asset: Asset): ReactNode
  /** What a model would write of it: other rooms know. */
  suggestions(asset: Asset): ReactNode
  /** What it was put together with: other rooms know. */
  collections(asset: Asset): ReactNode
  /** What agents go by: other rooms know. */
  agents(asset: Asset): ReactNode
  /** Shows what has this tag. */
  onTag(tag: string): void
}

export function Details({ assetId, selectedCount, ...rest }: DetailsProps) {
  const t = useTranslations('details')
  const problemText = useProblemText()
  const { can } = useLibrary()
  const { asset, error } = useAsset(assetId)
  const shown = selectedCount > 1 ? null : asset
  return (
    <div className="details">
      {shown ? (
        <OneAsset key={shown.assetId} asset={shown} {...rest} />
      ) : error && selectedCount < 2 ? (
        <p className="details-none" role="alert">
          {isProblem(error, 'not-found') ? t('notHere') : problemText(error)}
        </p>
      ) : (
        <div className="details-none">
          {selectedCount > 1 && <strong>{t('many', { count: selectedCount })}</strong>}
          {selectedCount < 2 ? !assetId && <p>{t('none')}</p> : can('assets:write') && <p>{t('manyText')}</p>}
        </div>
      )}
    </div>
  )
}

function OneAsset({
  asset,
  tree,
  review,
  suggestions,
  collections,
  agents,
  onQuickLook,
  onShow,
  onTag,
}: { asset: Asset } & Omit<DetailsProps, 'assetId' | 'selectedCount'>) {
  const t = useTranslations('details')
  const fields = useTranslations('fields')
  const actions = useTranslations('actions')
  const done = useTranslations('done')
  const copyWords = useCopyWords(asset)
  const library = useLibrary()
  const { copy } = useActions()
  const mayEdit = library.can('assets:write') && !asset.trashedAt
  return (
    <div className="details-body">
      <DetailsPicture asset={asset} mayEdit={mayEdit} onQuickLook={onQuickLook} />
      {asset.trashedAt && <InTrash asset={asset} onShow={onShow} />}
      {asset.hold && <Hold asset={asset} />}
      {asset.media.state === 'failed' && (
        <p className="details-nudge details-bad">
          <TriangleAlert size={16} aria-hidden /> {t('failedPreview')}
        </p>
      )}
      {isVideo(asset) && !playsHere(asset) && asset.media.proxy?.state !== 'ready' && (
        <p className="details-nudge">
          <TriangleAlert size={16} aria-hidden />
          <span>
            {copyWords}{' '}
            <a href={contentUrl(library, asset, { download: true })} download>
              {actions('download')}
            </a>
          </span>
        </p>
      )}

      <Section title={fields('title')}>
        <EditableField asset={asset} field="title" blank={t('addTitle')} className="details-title" />
      </Section>
      <Section title={fields('description')}>
        <EditableField asset={asset} field="description" blank={t('addDescription')} />
      </Section>
      <Section title={fields('altText')}>
        <EditableField asset={asset} field="altText" blank={t('addAltText')} />
        {!asset.altText && mayEdit && (
          <p className="details-nudge">
            <TriangleAlert size={16} aria-hidden /> {t('altNudge')}
          </p>
        )}
      </Section>
      <Section title={fields('tags')}>
        <Tags asset={asset} mayEdit={mayEdit} onTag={onTag} />
      </Section>
      <PictureText asset={asset} />
      {suggestions(asset)}
      <Surfaces asset={asset} mayEdit={mayEdit} />
      {review(asset)}
      {collections(asset)}
      <FitList asset={asset} />
      <Uses asset={asset} />
      {agents(asset)}

      <Section title={t('ref')} hint={library.frame === 'admin' ? t('refHint') : undefined}>
        <div className="details-ref">
          <code>{asset.assetRef}</code>
          <Tooltip label={actions('copyRef')}>
            <ActionIcon
              onClick={() => copy(asset.assetRef, done('refCopied'))}
              aria-label={actions('copyRef')}
            >
              <Copy size={16} />
            </ActionIcon>
          </Tooltip>
        </div>
      </Section>

      <Similar asset={asset} onShow={onShow} />
      <File asset={asset} tree={tree} />
      <Versions asset={asset} />
      {!asset.hold && <Hold asset={asset} />}
      <History asset={asset} />
    </div>
  )
}

/** A link may lead to what lies in the trash. */
function InTrash({ asset, onShow }: { asset: Asset } & Pick<DetailsProps, 'onShow'>) {
  const t = useTranslations('details')
  const actions = useTranslations('actions')
  const format = useFormatter()
  const { can } = useLibrary()
  const { restore } = useActions()
  const into = useMergedInto(asset)
  const showInto = () =>
    into && onShow({ assetId: into.assetId, folderId: into.trashed ? 'trash' : into.folderId })
  return (
    <div className="details-nudge details-trashed">
      <Trash2 size={16} aria-hidden />
      <span>
        {t('inTrash', { day: format.dateTime(new Date(asset.trashedAt!), { dateStyle: 'medium' }) })}
        {into && (
          <>
            {' '}
            {t('mergedInto')}{' '}
            <Anchor
              component="button"
              type="button"
              inherit
              c="inherit"
              fw={600}
              ta="start"
              underline="always"
              onClick={showInto}
            >
              {into.title}
            </Anchor>
          </>
        )}
      </span>
      {can('assets:delete') && (
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<RotateCcw size={14} />}
          onClick={() => void restore([asset.assetId])}
        >
          {actions('restore')}
        </Button>
      )}
    </div>
  )
}

function Tags({ asset, mayEdit, onTag }: { asset: Asset; mayEdit: boolean } & Pick<DetailsProps, 'onTag'>) {
  const t = useTranslations('details')
  const { retag } = useActions()
  const [draft, setDraft] = useState('')

  function add() {
    const tags = draft.split(/[,;]/).map((tag) => tag.trim())
    setDraft('')
    for (const tag of new Set(tags)) if (tag && !asset.tags.includes(tag)) retag(asset, 'tag', tag)
  }

  return (
    <div className="tags">
      {asset.tags.map((tag) => (
        <span key={tag} className="tag">
          <button type="button" className="tag-name" title={t('showTag', { tag })} onClick={() => onTag(tag)}>
            {tag}
          </button>
          {mayEdit && (
            <button
              type="button"
              aria-label={t('removeTag', { tag })}
              onClick={() => retag(asset, 'untag', tag)}
            >
              <X size={12} />
            </button>
          )}
        </span>
      ))}
      {mayEdit ? (
        <input
          className="tag-input"
          data-mantine-stop-propagation={draft !== ''}
          value={draft}
          maxLength={60}
          placeholder={t('addTag')}
          aria-label={t('addTag')}
          onChange={(event) => setDraft(event.target.value)}
          onBlur={add}
          onKeyDown={(event) => {
            event.stopPropagation()
            if (['Enter', ',', ';'].includes(event.key) && !event.nativeEvent.isComposing) {
              event.preventDefault()
              add()
            }
            if (event.key === 'Backspace' && !draft && asset.tags.length)
              retag(asset, 'untag', asset.tags.at(-1)!)
            if (event.key === 'Escape') setDraft('')
          }}
        />
      ) : (
        asset.tags.length === 0 && <span className="details-hint">{t('noTags')}</span>
      )}
    </div>
  )
}

function Surfaces({ asset, mayEdit }: { asset: Asset; mayEdit: boolean }) {
  const t = useTranslations('surfaces')
  const begin = useBeginEdit()
  const save = useSaveEdit()
  const [chosen, choose] = useChoice(asset.allowedSurfaces, {
    save: (surfaces) => save(begin(asset), 'allowedSurfaces', surfaces),
  })
  const everywhere = mayEdit ? `${t('allHint')} ${t('limitHint')}` : t('allHint')
  const hint = chosen.length ? t('someHint') : everywhere
  return (
    <Section title={t('label')} hint={hint}>
      <SurfaceChoice value={chosen} readOnly={!mayEdit} onChange={choose} />
    </Section>
  )
}

function FitList({ asset }: { asset: Asset }) {
  const t = useTranslations('details')
  const surfaces = useTranslations('surfaces')
  const fits = useFits(asset.assetId)
  if (!fits?.length) return null
  return (
    <Section title={t('fits')}>
      {[...Map.groupBy(fits, ({ surface }) => surface)].map(([surface, some]) => (
        <div key={surface} className="fits">
          <h4>{surfaces(surface as Surface)}</h4>
          <ul>
            {some.map((fit) => (
              <FitLine key={fit.target} fit={fit} />
            ))}
          </ul>
        </div>
      ))}
    </Section>
  )
}

function FitLine({ fit }: { fit: Fit }) {
  const t = useTranslations('details')
  const inWords = useFitWords()
  const nameOf = useTargetName()
  const disclosed = useDisclosureWords()(fit)
  return (
    <li>
      <span className="fit-name">{nameOf(fit)}</span>
      <span className={`fit fit-${fit.verdict}`}>{t(`fit.${fit.verdict}`)}</span>
      {fit.why.length > 0 && <span className="fit-why">{inWords(fit)}</span>}
      {disclosed && <span className="fit-why">{disclosed}</span>}
    </li>
  )
}

function Uses({ asset }: { asset: Asset }) {
  const t = useTranslations('uses')
  const uses = useUses(asset.assetId)
  if (!uses?.length) return null
  return (
    <Section title={t('label')}>
      <UseList uses={uses} />
    </Section>
  )
}

function Similar({ asset, onShow }: { asset: Asset; onShow(asset: Asset): void }) {
  const t = useTranslations('details')
  const library = useLibrary()
  const similar = useSimilar(asset.assetId)
  if (!similar?.length) return null
  return (
    <Section title={t('similar')}>
      <ul className="similar">
        {similar.map(({ asset: other, identical }) => (
          <li key={other.assetId}>
            <button type="button" onClick={() => onShow(other)} title={other.title}>
              <span className="similar-picture">
                <Picture asset={other} library={library} sizes={88} alt={other.title} />
              </span>
              <span className={identical ? 'badge badge-warn' : 'badge'}>
                {t(identical ? 'same' : 'alike')}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function File({ asset, tree }: { asset: Asset; tree: Tree }) {
  const t = useTranslations('details')
  const root = useTranslations('library')('root')
  const locale = useLocale()
  const format = useFormatter()
  const me = useMe()
  const date = (timestamp: string) =>
    format.dateTime(new Date(timestamp), { dateStyle: 'medium', timeStyle: 'short' })
  const path = tree.path(asset.folderId).map(({ name }) => name)
  const { videoCodec, audioCodec, capturedAt, hasGps } = asset.details
  const facts: [string, ReactNode][] = [
    [t('fileName'), asset.originalFilename],
    [t('type'), typeOf(asset.mimeType)],
    [t('size'), fileSize(asset.sizeBytes, locale)],
    [t('dimensions'), asset.width && asset.height ? `${asset.width} × ${asset.height}` : null],
    [t('duration'), asset.durationSeconds === null ? null : duration(asset.durationSeconds)],
    [t('codec'), [videoCodec, audioCodec].filter(Boolean).join(' · ')],
    [t('captured'), capturedAt && !Number.isNaN(Date.parse(capturedAt)) ? date(capturedAt) : null],
    [t('gps'), hasGps ? t('gpsText') : null],
    [t('place'), asset.folderId && path.length === 0 ? null : [root, ...path].join(' / ')],
    [t('added'), `${date(asset.createdAt)}${asset.createdBy === me?.id ? ` ${t('addedByYou')}` : ''}`],
    [t('changed'), asset.updatedAt === asset.createdAt ? null : date(asset.updatedAt)],
    [t('trashedAt'), asset.trashedAt && date(asset.trashedAt)],
  ]
  return (
    <Section title={t('file')}>
      <dl className="facts">
        {facts
          .filter(([, fact]) => fact)
          .map(([name, fact]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{fact}</dd>
            </div>
          ))}
      </dl>
    </Section>
  )
}
