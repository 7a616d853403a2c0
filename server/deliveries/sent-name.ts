import { filenameOf } from '../assets/filenames.ts'

/**
 * The name a file is sent under: readable, safe in any address, and with our mark in it, so that the copy can be
 * found again by it.
 */
export function sentName(title: string, mark: string, mimeType: string): string {
  const words = title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/\.(jpe?g|png|webp|heic|heif|mp4)$/, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-+|-+$/g, '')
  return filenameOf([words || 'asset', mark].join('-'), mimeType)
}
