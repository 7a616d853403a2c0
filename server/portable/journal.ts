import { open } from 'node:fs/promises'

/** The session that was opened for a file. */
export interface Entry {
  uploadToken: string
  uploadSessionId: string
}

export interface Renamed {
  from: string
  to: string
}

export interface Journal {
  of(file: string): Entry | undefined
  note(file: string, entry: Entry): Promise<void>
  /** What something is called here, if an earlier run or this one has said so. */
  nameOf(id: string): string | undefined
  rename(renamed: Renamed[]): Promise<void>
  close(): Promise<void>
}

/**
 * A line for each step, written before the step can take effect twice. It names upload sessions, of which each
 * makes one asset at most, and new ids, so an import that died anywhere goes on without doubling anything.
 */
export async function openJournal(path: string): Promise<Journal> {
  const file = await open(path, 'a+', 0o600)
  const text = await file.readFile('utf8')
  const entries = new Map<string, Entry>()
  const names = new Map<string, string>()
  for (const line of text.split('\n').map(lineOf)) {
    if (line && 'file' in line) entries.set(line.file, line)
    if (line && 'from' in line) names.set(line.from, line.to)
  }
  // The last line may have been cut off when the process died.
  if (text !== '' && !text.endsWith('\n')) await file.appendFile('\n')
  const append = async (lines: object[]) => {
    if (lines.length === 0) return
    await file.appendFile(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    await file.datasync()
  }
  return {
    of: (name) => entries.get(name),
    async note(name, entry) {
      entries.set(name, entry)
      await append([{ file: name, ...entry }])
    },
    nameOf: (id) => names.get(id),
    async rename(renamed) {
      for (const { from, to } of renamed) names.set(from, to)
      await append(renamed)
    },
    close: () => file.close(),
  }
}

function lineOf(line: string): (Entry & { file: string }) | Renamed | undefined {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
