/** Where a person takes files from. */
export type Source = 'files' | 'folder' | 'photos' | 'camera'

interface Wish {
  accept?: string
  multiple?: boolean
  folder?: boolean
  camera?: boolean
}

const endings = {
  image: '.jpg,.jpeg,.png,.webp,.heic,.heif,image/jpeg,image/png,image/webp,image/heic',
  video: '.mp4,.m4v,video/mp4',
}

/** What the file dialog offers; phones open their photos for the wider words. */
export const accepts = {
  all: `${endings.image},${endings.video}`,
  photos: 'image/*,video/mp4',
  camera: 'image/*',
  ofKind: (mimeType: string) => (mimeType.startsWith('video/') ? endings.video : endings.image),
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
  document.body.append(input) // Safari forgets an input that hangs nowhere
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
