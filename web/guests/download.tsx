import { type ReactNode, useCallback, useState } from 'react'
import { isGiven } from './share-api.ts'

/** Asked for first: what is refused is said on this page, and does not take its place. */
export function useDownload() {
  const [failed, setFailed] = useState(false)
  const download = useCallback(async (url: string) => {
    const given = await isGiven(url)
    setFailed(!given)
    if (given) Object.assign(document.createElement('a'), { href: url, download: '' }).click()
  }, [])
  return { failed, download }
}

export const DownloadLink = ({
  url,
  download,
  className,
  label,
  children,
}: {
  url: string
  download(url: string): Promise<void>
  className: string
  label?: string
  children: ReactNode
}) => (
  <a
    className={className}
    href={url}
    aria-label={label}
    download
    onClick={(event) => {
      event.preventDefault()
      void download(url)
    }}
  >
    {children}
  </a>
)
