/** A file with the folders it lay in. */
export interface Found {
  file: File
  path: string[]
}

export interface Dropped {
  files: Found[]
  /** Every folder, so that empty ones are re-made too. */
  folders: string[][]
}

/** Something from outside the page, and not what is dragged around in it. */
export const carriesFiles = ({ types }: DataTransfer) =>
  types.includes('Files') && !types.includes('application/x-library-items')

/** Reads what was dropped. The first step happens at once: after the event the browser empties the transfer. */
export function dropped(transfer: DataTransfer): Promise<Dropped> {
  const entries = [...transfer.items]
    .filter(({ kind }) => kind === 'file')
    .map((item) => item.webkitGetAsEntry() ?? item.getAsFile())
  return walk(entries.filter((entry) => entry !== null))
}

async function walk(entries: (FileSystemEntry | File)[]): Promise<Dropped> {
  const found: Dropped = { files: [], folders: [] }
  for (const entry of entries) {
    if (entry instanceof File) found.files.push({ file: entry, path: [] })
    else await visit(entry, [], found)
  }
  return found
}

async function visit(entry: FileSystemEntry, path: string[], found: Dropped): Promise<void> {
  if (entry.isFile) {
    found.files.push({ file: await fileOf(entry as FileSystemFileEntry), path })
    return
  }
  const inside = [...path, entry.name]
  found.folders.push(inside)
  for (const child of await childrenOf(entry as FileSystemDirectoryEntry))
    if (!isClutter(child.name)) await visit(child, inside, found)
}

const fileOf = (entry: FileSystemFileEntry) =>
  new Promise<File>((resolve, reject) => entry.file(resolve, reject))

async function childrenOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader()
  const children: FileSystemEntry[] = []
  // A reader gives a hundred at a time, and nothing when all have been given.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (some.length === 0) return children.sort((a, b) => byName.compare(a.name, b.name))
    children.push(...some)
  }
}

const byName = new Intl.Collator(undefined, { numeric: true })

/** What the folder dialog gives: flat files that know their path. */
export function chosen(files: Iterable<File>): Dropped {
  const found: Dropped = { files: [], folders: [] }
  for (const file of files) {
    const path = file.webkitRelativePath.split('/').slice(0, -1)
    if (path.length > 0 && (isClutter(file.name) || path.some(isClutter))) continue
    found.files.push({ file, path })
  }
  return found
}

/** Files that operating systems leave in folders. */
export const isClutter = (name: string) =>
  name.startsWith('.') || name === '__MACOSX' || name === 'Thumbs.db' || name === 'desktop.ini'
