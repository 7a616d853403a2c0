import { defaultLimits, type Inspection, type Limits } from './inspection.ts'
import { openPool } from './pool.ts'
import type { WantedPreview } from './preview-sizes.ts'
import type { Source } from './source.ts'
import type { Previews, Tasks } from './tasks.ts'
import type { MediaType } from './true-type.ts'

export interface Media {
  /** What the header says, or a `Problem`: `unsupported-type`, `type-mismatch`, `unreadable-media`. */
  inspect(source: Source, declaredType: string): Promise<Inspection>
  previews(source: Source, mimeType: MediaType, wanted: WantedPreview[]): Promise<Previews>
  close(): Promise<void>
}

export interface MediaOptions {
  processes?: number
  memoryCapMb?: number
  queueLength?: number
  limits?: Limits
  timeouts?: Partial<Record<keyof Tasks, number>>
}

const timeLimits: Record<keyof Tasks, number> = { inspect: 10_000, previews: 30_000 }

export function openMedia(options: MediaOptions = {}): Media {
  const { processes = 2, memoryCapMb = 900, queueLength = 200, limits = defaultLimits } = options
  const timeouts = { ...timeLimits, ...options.timeouts }
  const pool = openPool({ processes, memoryCapMb, queueLength })

  function run<Kind extends keyof Tasks>(kind: Kind, source: Source, input: Parameters<Tasks[Kind]>[1]) {
    const pace = kind === 'inspect' ? 'quick' : 'slow'
    return pool.run({ kind, input, source, limits, timeoutMs: timeouts[kind] }, pace) as ReturnType<
      Tasks[Kind]
    >
  }

  return {
    inspect: (source, declaredType) => run('inspect', source, { declaredType }),
    previews: (source, mimeType, wanted) => run('previews', source, { mimeType, wanted }),
    close: () => pool.close(),
  }
}
