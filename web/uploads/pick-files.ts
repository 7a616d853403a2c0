import { allMediaTypes, endingsOf, isFilm, type MediaType } from '../../contract/media-types.ts'

/** Where a person takes files from. */
export type Source = 'files' | 'folder' | 'photos' | 'camera'

interface Wish {
  accept?: string
  multiple?: boolean
  folder?: boolean
  camera?: boolean
}

/** Endings beside types: some systems know the one, some the other. */
const offered = (of: (type: MediaType) => boolean) =>
  allMediaTypes
    .filter(of)
    .flatMap((type) => [...endingsOf(type).map((ending) => `.${ending}`), type])
    .join()

/** What the file dialog offers; phones open their photos for the wider words. */
export const accepts = {
  all: offered(() => true),
  photos: ['image/*', ...allMediaTypes.filter(isFilm)].join(),
  camera: 'image/*',
  ofKind: (mimeType: string) => offered((type) => isFilm(type) === isFilm(mimeType)),
}

/** Opens the browser's dialog. Nobody choosing anything is an empty list. */
export function pickFiles({ accept = '', multiple = false, folder = false, camera = false }: Wish) {
  const input = Object.assign(document.createElement('input'), {
    type: 'file',
    accept,
    multiple,
    hidden: true,
  })
  input.webkitdirectory = folder
  if (camera) input.setAttribute('capture', 'environment')
  document.body.append(input) // Safari drops an input that is not in the document
  return new Promise<File[]>((resolve) => {
    const answer = () => {
      resolve([...(input.files ?? [])])
      input.remove()
    }
    input.addEventListener('change', answer, { once: true })
    input.addEventListener('cancel', answer, { once: true })
    input.click()
  })
}
