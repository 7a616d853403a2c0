import { Button } from '@mantine/core'
import { Download, RotateCw } from 'lucide-react'
import { type CSSProperties, type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { Asset } from '../../contract/assets.ts'
import { previewSizes } from '../../contract/media-types.ts'
import { useLibrary } from '../library/library.tsx'
import { contentUrl, previewUrl } from './assets.ts'
import { isVideo, TypeIcon } from './picture.tsx'
import { placeholderOf } from './placeholder.ts'
import { playsHere } from './playable.ts'
import { MakeCopy, useCopyWords } from './playable-copy.tsx'
import { proxyUrl } from './proxy.ts'

/** The picture or the film itself; where it cannot be had, why not and what to do. */
export function Stage({ asset, view }: { asset: Asset; view: { scale: number; x: number; y: number } }) {
  const t = useTranslations('quickLook')
  const [failed, setFailed] = useState(false)
  const [tries, setTries] = useState(0)

  if (isVideo(asset)) return <Film asset={asset} />
  if (asset.media.state === 'failed') return <Instead asset={asset} words={t('cannotShow')} />
  if (failed)
    return (
      <Instead asset={asset} words={t('notLoaded')}>
        <TryAgain
          onClick={() => {
            setTries(tries + 1)
            setFailed(false)
          }}
        />
      </Instead>
    )
  return <Picture key={tries} asset={asset} view={view} onError={() => setFailed(true)} />
}

function Picture({
  asset,
  view: { scale, x, y },
  onError,
}: {
  asset: Asset
  view: { scale: number; x: number; y: number }
  onError(): void
}) {
  const library = useLibrary()
  const [sharp, setSharp] = useState<'wanted' | 'failed'>()
  if (scale > 1 && !sharp && hasMoreToShow(asset)) setSharp('wanted')
  const enlarged: CSSProperties =
    scale > 1 ? { transform: `translate(${x}px, ${y}px) scale(${scale})`, cursor: 'grab' } : {}
  return (
    <img
      className="quick-look-media"
      src={sharp === 'wanted' ? contentUrl(library, asset) : previewUrl(library, asset, 'large')}
      width={asset.width ?? undefined}
      height={asset.height ?? undefined}
      style={{
        backgroundImage: asset.details.hasAlpha ? undefined : placeholderOf(asset.media.placeholder),
        ...enlarged,
      }}
      draggable={false}
      alt={asset.altText || asset.title}
      onError={() => (sharp === 'wanted' ? setSharp('failed') : onError())}
    />
  )
}

/** The original is sharper than the large preview, and every browser can show it. */
function hasMoreToShow({ mimeType, width, height }: Asset): boolean {
  if (!['image/jpeg', 'image/png', 'image/webp'].includes(mimeType) || !width || !height) return false
  return Math.max(width, height) > previewSizes.large && width * height < 50_000_000
}

const widthIsThereMs = 1500

/** The film itself; where this browser does not play it, the copy that it does. */
function Film({ asset }: { asset: Asset }) {
  const t = useTranslations('quickLook')
  const library = useLibrary()
  const copyWords = useCopyWords(asset)
  const [original, setOriginal] = useState(() => playsHere(asset))
  const [trouble, setTrouble] = useState<'cannot-play' | 'not-loaded'>()
  const poster = asset.media.state === 'failed' ? undefined : previewUrl(library, asset, 'large')
  const hasCopy = asset.media.proxy?.state === 'ready'
  const cannotPlay = () => (original ? setOriginal(false) : setTrouble('cannot-play'))

  // A browser that cannot decode the pictures plays the sound alone and calls that no error.
  const isSoundAlone = ({ readyState, videoWidth }: HTMLVideoElement) =>
    readyState > 0 && videoWidth === 0 && !!asset.details.videoCodec

  function judge(film: HTMLVideoElement) {
    const { error } = film
    if (error?.code === MediaError.MEDIA_ERR_NETWORK) return setTrouble('not-loaded')
    if (error) return cannotPlay()
    // WebKit tells how wide the pictures are a little after it says that it knows.
    if (isSoundAlone(film))
      setTimeout(() => film.isConnected && isSoundAlone(film) && cannotPlay(), widthIsThereMs)
  }

  if (trouble === 'not-loaded')
    return (
      <Instead asset={asset} still={poster} words={t('notLoaded')}>
        <TryAgain onClick={() => setTrouble(undefined)} />
      </Instead>
    )
  if (trouble) return <Instead asset={asset} still={poster} words={t('cannotPlay')} />
  if (!original && !hasCopy)
    return (
      <Instead asset={asset} still={poster} words={copyWords}>
        <MakeCopy asset={asset} />
      </Instead>
    )
  return (
    // biome-ignore lint/a11y/useMediaCaption: the library holds films without caption tracks
    <video
      className="quick-look-media"
      key={original ? 'original' : 'copy'}
      src={original ? contentUrl(library, asset) : proxyUrl(library, asset)}
      poster={poster}
      width={asset.width ?? undefined}
      height={asset.height ?? undefined}
      controls
      playsInline
      preload="metadata"
      aria-label={asset.altText || asset.title}
      // What happens before the element is on the page, nobody hears: it is looked at then, too.
      ref={(film) => void (film && judge(film))}
      onLoadedMetadata={({ currentTarget }) => judge(currentTarget)}
      onError={({ currentTarget }) => judge(currentTarget)}
    />
  )
}

/** What stands on the stage instead: a still if there is one, why, and the way out. */
function Instead({
  asset,
  still,
  words,
  children,
}: {
  asset: Asset
  still?: string
  words: string
  children?: ReactNode
}) {
  const actions = useTranslations('actions')
  const library = useLibrary()
  const [seen, setSeen] = useState(!!still)
  return (
    <div className="quick-look-instead">
      {still && seen ? (
        <img className="quick-look-still" src={still} alt="" onError={() => setSeen(false)} />
      ) : (
        <TypeIcon asset={asset} size={48} />
      )}
      <p role="status">{words}</p>
      <div className="quick-look-ways">
        <Button
          component="a"
          variant="default"
          href={contentUrl(library, asset, { download: true })}
          download
          leftSection={<Download size={16} />}
        >
          {actions('download')}
        </Button>
        {children}
      </div>
    </div>
  )
}

export function TryAgain({ onClick }: { onClick(): void }) {
  const app = useTranslations('app')
  return (
    <Button variant="default" leftSection={<RotateCw size={16} />} onClick={onClick}>
      {app('retry')}
    </Button>
  )
}
