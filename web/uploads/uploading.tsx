import { useMediaQuery } from '@mantine/hooks'
import { createContext, type ReactNode, Suspense, useContext, useEffect, useMemo, useState } from 'react'
import { useLibrary } from '../library/library.tsx'
import { useMe } from '../session.ts'
import { partOf } from '../ui/part.ts'
import { chosen } from './dropped.ts'
import { onPage } from './elsewhere.ts'
import { type Engine, type Into, uploadEngine } from './engine.ts'
import { accepts, pickFiles, type Source } from './pick-files.ts'

export interface Uploads {
  /** Asks for files and uploads them. */
  choose(into: Into): void
  /** Asks for one file that becomes the next version of the asset. */
  replace(asset: { assetId: string; mimeType: string }): void
}

interface Uploading extends Uploads {
  engine: Engine
  isPhone: boolean
  from(source: Source, into: Into): Promise<void>
}

const UploadingContext = createContext<Uploading | null>(null)

const UploadSheet = partOf(() => import('./upload-sheet.tsx'), 'UploadSheet')

/** Holds a library's uploads for all below. They go on while the person is elsewhere in the app. */
export function UploadsProvider({ children, elsewhere }: { children: ReactNode; elsewhere?: boolean }) {
  const library = useLibrary()
  const { base } = library
  const me = useMe()
  const engine = engineOf(base, `${me?.id}:${base}`)
  useEffect(() => (elsewhere ? undefined : onPage(library, engine)), [elsewhere, library, engine])
  const isPhone = useMediaQuery('(width < 768px)', false, { getInitialValueInEffect: false })
  const [sheet, setSheet] = useState<Into | null>(null)

  const uploading = useMemo<Uploading>(() => {
    const from = async (source: Source, into: Into) => {
      const files = await pickFiles(dialogs[source])
      if (files.length > 0) engine.add(chosen(files), into)
    }
    return {
      engine,
      isPhone,
      from,
      choose(into) {
        if (isPhone) setSheet(into)
        else void from('files', into)
      },
      async replace({ assetId, mimeType }) {
        const files = await pickFiles({ accept: accepts.ofKind(mimeType) })
        if (files.length > 0) engine.add(chosen(files), { folderId: null }, assetId)
      },
    }
  }, [engine, isPhone])

  return (
    <UploadingContext value={uploading}>
      {children}
      <Suspense>
        {sheet && (
          <UploadSheet
            onClose={() => setSheet(null)}
            onChoose={(source) => {
              setSheet(null)
              void uploading.from(source, sheet)
            }}
          />
        )}
      </Suspense>
    </UploadingContext>
  )
}

const dialogs = {
  files: { accept: accepts.all, multiple: true },
  folder: { folder: true, multiple: true },
  photos: { accept: accepts.photos, multiple: true },
  camera: { accept: accepts.camera, camera: true },
}

const engines = new Map<string, Engine>()

function engineOf(base: string, owner: string): Engine {
  const there = engines.get(owner)
  if (there) return there
  const engine = uploadEngine(base, owner)
  engines.set(owner, engine)
  return engine
}

export function useUploading(): Uploading {
  const uploading = useContext(UploadingContext)
  if (!uploading) throw new Error('useUploads needs an UploadsProvider above it')
  return uploading
}

export const useUploads = (): Uploads => useUploading()
