import { Download } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Share } from '../../contract/shares.ts'
import { words } from '../words/guests.ts'
import { DownloadLink, useDownload } from './download.tsx'
import { downloadUrl, isGiven, zipUrl } from './share-api.ts'
import type { SharedList } from './use-shared-assets.ts'

const atOnce = 3

/** Everything in one archive. Copies are made first, one after another and in sight; then the archive comes at once. */
export function DownloadAll({ share, list }: { share: Share; list: SharedList }) {
  const [wanted, setWanted] = useState(false)
  const [done, setDone] = useState(0)
  const begun = useRef(false)
  const { assets, hasMore, more } = list
  const { failed, download } = useDownload()

  useEffect(() => {
    if (!wanted || begun.current) return
    if (hasMore) return void more()
    begun.current = true
    const waiting = assets.values()
    const makeNext = async () => {
      for (const asset of waiting) {
        // What cannot be made is named in the archive.
        await isGiven(downloadUrl(asset))
        setDone((before) => before + 1)
      }
    }
    void Promise.all(Array.from({ length: atOnce }, makeNext)).then(() => {
      begun.current = false
      setWanted(false)
      setDone(0)
      void download(zipUrl())
    })
  }, [wanted, hasMore, more, assets, download])

  if (!share.asArchive) return <p className="share-facts">{words.tooManyToZip}</p>
  const label = share.assetCount === 1 ? words.download : words.downloadAll
  const url = oneFile(share, list) ?? zipUrl()
  return (
    <div>
      {share.files === 'original' || share.assetCount === 1 ? (
        <DownloadLink className="guest-button" url={url} download={download}>
          <Download size={18} aria-hidden /> {label}
        </DownloadLink>
      ) : (
        <button type="button" className="guest-button" disabled={wanted} onClick={() => setWanted(true)}>
          <Download size={18} aria-hidden />
          <span aria-live="polite">{wanted ? words.preparing(done, share.assetCount) : label}</span>
        </button>
      )}
      {failed && (
        <p className="guest-wrong" role="alert">
          {words.notDownloaded}
        </p>
      )}
    </div>
  )
}

const oneFile = ({ assetCount }: Share, { assets: [only] }: SharedList) =>
  assetCount === 1 && only ? downloadUrl(only) : undefined
