import { ImageOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import './picture-or-icon.css'

/** A picture; where it does not come, an icon in its place rather than what the browser draws then. */
export function PictureOrIcon({
  src,
  alt,
  className,
  ...rest
}: ComponentProps<'img'> & { src: string; alt: string }) {
  const [failed, setFailed] = useState<string | null>(null)
  if (failed !== src)
    return <img src={src} alt={alt} className={className} onError={() => setFailed(src)} {...rest} />
  return (
    <span className={`no-picture ${className ?? ''}`} {...(alt && { role: 'img', 'aria-label': alt })}>
      <ImageOff size={24} aria-hidden />
    </span>
  )
}
