import { Select } from '@mantine/core'
import { useLayoutEffect, useRef, useState } from 'react'
import { useFormatter, useLocale, useTranslations } from 'use-intl'
import type { Asset, AssetVersions } from '../../contract/assets.ts'
import { useLibrary } from '../library/library.tsx'
import { dialogTitle } from '../ui/dialog-title.ts'
import { Modal } from '../ui/modal.tsx'
import { fileSize } from '../words/file-size.ts'
import { previewUrl, useVersions } from './assets.ts'
import { typeOf } from './picture.tsx'
import './compare-versions.css'

type Version = AssetVersions['versions'][number]

/** Two versions of an asset beside each other: what one shows enlarged, the other does, and what differs in words. */
export function CompareVersions({
  asset,
  with: first,
  onClose,
}: {
  asset: Asset
  with: number
  onClose(): void
}) {
  const t = useTranslations('compare')
  const details = useTranslations('details')
  const versions = useVersions(asset.assetId) ?? []
  const [left, setLeft] = useState(first)
  const [right, setRight] = useState(asset.version)
  const [zoom, setZoom] = useState(1)
  const panes = [useRef<HTMLElement>(null), useRef<HTMLElement>(null)] as const
  const sides = [
    { version: left, choose: setLeft, label: t('left') },
    { version: right, choose: setRight, label: t('right') },
  ]
  const choices = versions.map(({ version }) => ({
    value: String(version),
    label: details('version', { version }) + (version === asset.version ? ` (${details('current')})` : ''),
  }))

  // Enlarged from the middle.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the zoom that moves them
  useLayoutEffect(() => {
    for (const { current: pane } of panes)
      pane?.scrollTo((pane.scrollWidth - pane.clientWidth) / 2, (pane.scrollHeight - pane.clientHeight) / 2)
  }, [zoom])

  /** Both show the same part, however large each is. */
  function follow(from: number) {
    const [a, b] = from === 0 ? [panes[0].current, panes[1].current] : [panes[1].current, panes[0].current]
    if (!a || !b) return
    const part = (at: number, all: number, seen: number) => (all > seen ? at / (all - seen) : 0)
    b.scrollLeft = part(a.scrollLeft, a.scrollWidth, a.clientWidth) * (b.scrollWidth - b.clientWidth)
    b.scrollTop = part(a.scrollTop, a.scrollHeight, a.clientHeight) * (b.scrollHeight - b.clientHeight)
  }

  return (
    <Modal
      opened
      onClose={onClose}
      size={1100}
      title={t('title', { title: asset.title })}
      styles={dialogTitle}
    >
      <div className="compare">
        {sides.map(({ version, choose, label }, side) => (
          <div key={label} className="compare-side">
            <Select
              aria-label={label}
              data={choices}
              value={String(version)}
              allowDeselect={false}
              onChange={(value) => choose(Number(value))}
            />
            <section
              ref={panes[side]}
              className="compare-pane"
              aria-label={details('version', { version })}
              // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keys
              tabIndex={0}
              onScroll={() => follow(side)}
            >
              <Shown asset={asset} version={version} zoom={zoom} />
            </section>
          </div>
        ))}
      </div>
      <label className="compare-zoom">
        {t('zoom')}
        <input
          type="range"
          min={1}
          max={6}
          step={0.25}
          value={zoom}
          onChange={(event) => setZoom(Number(event.target.value))}
        />
      </label>
      <Differences
        left={versions.find(({ version }) => version === left)}
        right={versions.find(({ version }) => version === right)}
      />
    </Modal>
  )
}

function Shown({ asset, version, zoom }: { asset: Asset; version: number; zoom: number }) {
  const t = useTranslations('compare')
  const details = useTranslations('details')
  const library = useLibrary()
  const [failed, setFailed] = useState<number | null>(null)
  if (failed === version) return <p className="compare-none">{t('noPicture')}</p>
  return (
    <img
      src={previewUrl(library, { assetId: asset.assetId, version }, 'large')}
      alt={`${asset.title}, ${details('version', { version })}`}
      style={{ width: `${zoom * 100}%`, height: `${zoom * 100}%` }}
      draggable={false}
      onError={() => setFailed(version)}
    />
  )
}

function Differences({ left, right }: { left: Version | undefined; right: Version | undefined }) {
  const t = useTranslations('compare')
  const details = useTranslations('details')
  const locale = useLocale()
  const format = useFormatter()
  if (!left || !right) return null
  const facts: [string, (of: Version) => string][] = [
    [details('fileName'), ({ originalFilename }) => originalFilename],
    [details('type'), ({ mimeType }) => typeOf(mimeType)],
    [details('dimensions'), ({ width, height }) => (width && height ? `${width} × ${height}` : '–')],
    [details('size'), ({ sizeBytes }) => fileSize(sizeBytes, locale)],
    [
      details('added'),
      ({ createdAt }) => format.dateTime(new Date(createdAt), { dateStyle: 'medium', timeStyle: 'short' }),
    ],
  ]
  const differing = facts.filter(([, of]) => of(left) !== of(right))
  if (left.sha256 !== null && left.sha256 === right.sha256)
    return <p className="compare-same">{t('sameFile')}</p>
  return (
    <table className="compare-facts">
      <thead>
        <tr>
          <th scope="col">{t('differs')}</th>
          <th scope="col">{details('version', { version: left.version })}</th>
          <th scope="col">{details('version', { version: right.version })}</th>
        </tr>
      </thead>
      <tbody>
        {differing.map(([name, of]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{of(left)}</td>
            <td>{of(right)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
