import { open } from 'node:fs/promises'

/** How far an import came with one file: a session was opened for it, and it became an asset. */
export interface Entry {
  uploadToken: string
  uploadSessionId: string
  assetId?: string
}

export interface Journal {
  of(file: string): Entry | undefined
  note(file: string, entry: Entry): Promise<void>
  close(): Promise<void>
}

/**
 * A line for each step, written before the step can take effect twice. It names upload sessions, of which each
 * makes one asset at most, so an import that died anywhere goes on without doubling anything.
 */
export async function openJournal(path: string): Promise<Journal> {
  const file = await open(path, 'a+', 0o600)
  const text = await file.readFile('utf8')
  const entries = new Map<string, Entry>()
  for (const line of text.split('\n')) {
    const entry = entryOf(line)
    if (entry) entries.set(entry.file, entry)
  }
  // The last line may have been cut off when the process died.
  if (text !== '' && !text.endsWith('\n')) await file.appendFile('\n')
  return {
    of: (name) => entries.get(name),
    async note(name, entry) {
      entries.set(name, entry)
      await file.appendFile(`${JSON.stringify({ file: name, ...entry })}\n`)
      await file.datasync()
    },
    close: () => file.close(),
  }
}

function entryOf(line: string): (Entry & { file: string }) | undefined {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
